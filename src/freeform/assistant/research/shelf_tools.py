"""Tools over packs: `rag_query` asks everything on the shelf, `lore_query` the world packs
alone."""

import re
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from freeform.assistant.research.knowledge import Topic, TopicLine, facets, of_kind, topics_of
from freeform.assistant.research.model import ToolFinding
from freeform.assistant.research.words import telling
from freeform.core.text import plain_form, shorten
from freeform.packs.model import Pack
from freeform.retrieval.model import LoreRetrievalResult

_LISTING = re.compile(
    r"^(?:a |the )?(?:full |complete |comprehensive )?(?:list of |all |every |each )+(?P<kind>.+)$",
    re.I,
)
_WHERE = re.compile(r"\s+(?:that|which|with|whose|where|having)\s+(?P<where>.+)$", re.I)
_FACET = re.compile(
    r"^(?!who|what|when|where|why|how|which|does|did|is|are|can)\S+(?: \S+){0,3} of .+$", re.I
)
_INSIDE = re.compile(
    r"^(?P<kind>.+?)\s+(?:in|of|from|on|at|around)\s+(?:the\s+)?(?P<place>.+)$", re.I
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_QUOTE = 360
_TOLD = 60
"""So many kinds, and so many facets, are told to a planner."""
Search = Callable[[str], Awaitable[LoreRetrievalResult]]


@dataclass
class ShelfTool:
    """Asks packs in words. A list gives each thing of a kind; a question about a named thing gives
    the facet asked for; anything else gives the passages that fit best."""

    name: str
    serves: str
    packs: Sequence[Pack]
    search: Search
    gm: bool = False
    _topics: list[Topic] = field(default_factory=list)

    @property
    def describes(self) -> str:
        """What it is good for, with the kinds and facets there are: a planner can only ask for what
        it has heard of."""
        kinds = _commonest(label for topic in self.topics for label in topic.labels)
        facets = _commonest(line.key for topic in self.topics for line in topic.lines)
        return f"{self.serves}. KINDs there are, which may be combined: {kinds}. FACETs: {facets}"

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        """`query`: what is asked; `where` narrows a list by words of its entries."""
        query = " ".join(parameters.get("query", "").split()).strip(" ?.!")
        if listing := _LISTING.match(query):
            kind = listing["kind"]
            narrowed = _WHERE.search(kind)
            where = parameters.get("where", "") or (narrowed["where"] if narrowed else "")
            return self.things(kind[: narrowed.start()] if narrowed else kind, where)
        found = [each for topic in self.named(query) for each in self.about(topic, query)]
        found = [self._leading(each) for each in found]
        if found or (_FACET.match(query) and self.named(query)):
            return found  # of a thing we know, a facet that does not stand there is missing: nothing else may fill it
        return await self.passages(query)

    def things(self, kind: str, where: str = "") -> list[ToolFinding]:
        """Everything of a kind; of a page that lists them, the names on it."""
        kind = re.sub(
            r"\s+(?:in|of|from)\s+(?:the\s+)?(?:game|world|book|campaign)$",
            "",
            kind.strip(),
            flags=re.I,
        )
        found = of_kind(self.topics, kind) or self.inside(kind)
        if where:
            wanted = set(telling(where))
            found = [topic for topic in found if wanted <= set(telling(_all_words(topic)))]
        if found or where:
            return [
                self._found(topic, TopicLine("", "", _first_words(topic), topic.where))
                for topic in found
            ]
        pages = [topic for topic in self.topics if set(telling(kind)) <= set(telling(topic.name))]
        return [
            ToolFinding(name=name, text=line, tool=self.name, where=page.where)
            for page in pages
            for name, line in page.listed
        ]

    def inside(self, kind: str) -> list[Topic]:
        """`bars in Neo-Seattle`: those of the kind that the place's own pack holds, or whose words
        name the place."""
        scoped = _INSIDE.match(kind)
        found = of_kind(self.topics, scoped["kind"]) if scoped else []
        place = set(telling(scoped["place"])) if scoped else set()
        own = [t for t in found if place <= set(telling(t.pack))]
        return own or [t for t in found if place <= set(telling(_all_words(t)))]

    def named(self, query: str) -> list[Topic]:
        """The topics a query names, the longest names first; a name inside a longer one does not
        count."""
        said = f" {' '.join(re.findall(r'[a-z0-9]+', plain_form(query)))} "
        found: list[tuple[str, Topic]] = []
        for topic in self.topics:
            for name in (topic.name, *topic.aliases):
                plain = " ".join(re.findall(r"[a-z0-9]+", plain_form(name))).removeprefix("the ")
                if plain and f" {plain} " in said:
                    found.append((plain, topic))
        names = {name for name, _ in found}
        longest = [
            (n, t)
            for n, t in found
            if not any(n != other and f" {n} " in f" {other} " for other in names)
        ]
        return list(
            {
                id(topic): topic for _, topic in sorted(longest, key=lambda pair: -len(pair[0]))
            }.values()
        )

    def about(self, topic: Topic, query: str) -> list[ToolFinding]:
        """The facet of a topic that is asked for; the whole of it when nothing but its name is
        said."""
        names = {word for name in (topic.name, *topic.aliases) for word in telling(name)}
        wish = " ".join(word for word in query.split() if not set(telling(word)) & names)
        if not telling(wish):
            lines = topic.lines or [TopicLine("", "", _first_words(topic), topic.where)]
            return [self._found(topic, line) for line in lines[:12]]
        if lines := facets(topic, wish):
            return [self._found(topic, line) for line in lines[:3]]
        wanted = set(telling(wish))
        told = [
            (len(wanted & set(telling(sentence))), sentence, where)
            for _, text, where in topic.sections
            for sentence in re.split(r"(?<=[.!?])\s+|\n+", text)
        ]
        best = max(told, default=(0, "", ""), key=lambda each: each[0])
        if best[0] < max(1, (len(wanted) + 1) // 2):
            return []
        return [
            ToolFinding(
                name=topic.name,
                text=shorten(best[1].strip(), _QUOTE),
                tool=self.name,
                where=best[2],
            )
        ]

    async def passages(self, query: str) -> list[ToolFinding]:
        """The passages that fit best."""
        hits = (await self.search(query)).chunks
        return [
            ToolFinding(
                name=str(hit.metadata["name"]),
                text=shorten(" ".join(hit.text.split()), _QUOTE),
                tool=self.name,
                where=f"{hit.metadata['section_path']}, {hit.metadata['file_path']}, {hit.pack_id}",
            )
            for hit in hits
        ]

    @property
    def topics(self) -> list[Topic]:
        """Read once, when first asked for."""
        if not self._topics:
            self._topics = list(topics_of(self.packs, gm=self.gm))
        return self._topics

    def _leading(self, found: ToolFinding) -> ToolFinding:
        """With the names of whom or what its first words speak of beside its own subject, in their
        order: `Viktor owns the Neon Dragon` leads to Viktor."""
        said = _SENTENCE.split(found.text, maxsplit=1)[0]
        others = [topic for topic in self.named(said) if topic.name != found.name]
        order = {topic.name: _first_place(topic, said) for topic in others}
        return found.model_copy(update={"leads": sorted(order, key=lambda name: order[name])})

    def _found(self, topic: Topic, line: TopicLine) -> ToolFinding:
        fields = {line.key: line.value} if line.key else {}
        return ToolFinding(
            name=topic.name,
            text=shorten(line.quote, _QUOTE),
            fields=fields,
            tool=self.name,
            where=line.where,
        )


def _first_place(topic: Topic, text: str) -> int:
    """Where a text first speaks of a topic."""
    plain = plain_form(text)
    names = [plain_form(name).removeprefix("the ") for name in (topic.name, *topic.aliases)]
    places = [plain.find(name) for name in names if name and name in plain]
    return min(places, default=len(plain))


def _commonest(words: Iterable[str]) -> str:
    """The words that stand with most entries, each once in whatever number, without bare
    figures."""
    seen = Counter(words)
    kept: dict[tuple[str, ...], str] = {}
    for word, count in seen.most_common():
        form = tuple(telling(word))
        if (count > 1 or len(seen) <= _TOLD) and form and not all(part.isdigit() for part in form):
            kept.setdefault(form, shorten(word, 40))
    return ", ".join(list(kept.values())[:_TOLD]) or "(none)"


def _all_words(topic: Topic) -> str:
    lines = (f"{line.key} {line.value}" for line in topic.lines)
    return " ".join([topic.name, *topic.labels, *lines, *(text for _, text, _ in topic.sections)])


def _first_words(topic: Topic) -> str:
    text = next((text for _, text, _ in topic.sections if text.strip()), topic.name)
    return shorten(" ".join(text.split()), 160)
