"""The sentences that answer a clause, where no field does; and that none does, where too little of
the clause stands in any."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from freeform.assistant.model import Piece, Tool
from freeform.assistant.query.asked.kind import filler_of
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.query.schema import schema
from freeform.assistant.quotes import sentences_of
from freeform.language.ear import TextNearness, WordNearness, nothing_near
from freeform.language.inflection import lemma
from freeform.language.meaning.passages import learnt
from freeform.language.words import words

WHOLE, LONGEST = 75, 100
"""Words: a piece up to so long is told whole; an answer is at most so long."""
SAID = 0.5
"""So much of a clause, by weight, must stand in what is cited for it. Chosen on the development
half."""
OUTRIGHT = 0.8
"""What holds so much of the clause in its own words is told without asking what is meant."""
DEED = 0.5
"""What a verb weighs against a name or a thing."""
NEAR_FROM, NEAR_WORTH = 0.3, 0.9
"""From that nearness on a word counts in the place of another; and what it counts at most."""
SENTENCE, EARLIER = 0.25, 0.05
"""What the words of each sentence count beside those of all that are told, and of the first."""
FILLED = 2.0
"""What the words of a sentence count more that has something of the kind which is asked for."""
OWN = 0.05
"""What a piece gains that says the words itself, before one that only stands under them."""
WHO_IS = re.compile(
    r"\b(?:who|what) (?:is|was|are|were)\b|\bwho's\b|\bwho [A-Z]\w+ (?:is|was)\b", re.I
)
"""Asks who someone is."""
_MARKS = re.compile(r"\*\*|__|^#+\s*", re.M)


@dataclass(frozen=True)
class Passages:
    """Pieces, the words in each, and how rare each word is among them."""

    pieces: Sequence[Piece]
    nearness: WordNearness = nothing_near

    @cached_property
    def keys(self) -> list[frozenset[str]]:
        """The lemmas of each piece, its title and place."""
        return [frozenset(keys_of(f"{p.title} {p.text} {p.where.section}")) for p in self.pieces]

    @cached_property
    def own_keys(self) -> list[frozenset[str]]:
        """The lemmas of what each piece itself says."""
        return [frozenset(keys_of(piece.text)) for piece in self.pieces]

    @cached_property
    def counts(self) -> Counter[str]:
        """In how many pieces each lemma stands; one of headings alone, in one."""
        found = Counter(key for keys in self.own_keys for key in keys)
        for key in {key for keys in self.keys for key in keys}:
            found.setdefault(key, 1)
        return found

    def weight(self, key: str) -> float:
        """Rare words tell more; one that stands nowhere tells most."""
        if key not in self._weights:
            rarity = (len(self.pieces) + 1) / (1 + self.counts[key])
            self._weights[key] = math.log(1 + rarity)
        return self._weights[key]

    @cached_property
    def _weights(self) -> dict[str, float]:
        return {}

    def knows(self, key: str) -> bool:
        """Whether it stands anywhere."""
        return self.counts[key] > 0

    def coverage(
        self, wanted: "Iterable[str] | WantedKeys", found: frozenset[str] | set[str]
    ) -> float:
        """How much of the wanted words stands there, by weight; a word that means nearly the same
        counts for a part."""
        deeds = wanted.deeds if isinstance(wanted, WantedKeys) else frozenset()
        total, have = 0.0, 0.0
        for key in wanted:
            weight = self.weight(key) * (DEED if key in deeds else 1.0)
            total += weight
            have += weight * (1.0 if key in found else self._nearest(key, wanted, found))
        return have / total if total else 0.0

    def guessed(self, wanted: "WantedKeys", at: int) -> float:
        """How much of a passage's coverage rests on things that are only near: they may order
        passages, and do not make one say what was asked. A deed is told in many words."""
        told = WantedKeys(wanted)
        told.deeds = wanted.deeds
        told.spelled = {key: word for key, word in wanted.spelled.items() if key in wanted.deeds}
        return self.coverage(wanted, self.keys[at]) - self.coverage(told, self.keys[at])

    def _nearest(
        self, key: str, wanted: "Iterable[str] | WantedKeys", found: frozenset[str] | set[str]
    ) -> float:
        """What the nearest word of a passage counts in the place of one that it lacks."""
        if not isinstance(wanted, WantedKeys) or key not in wanted.spelled:
            return 0.0
        near = self._near(wanted.spelled[key])
        return max((near[other] for other in near if other in found), default=0.0)

    def has_near(self, wanted: "WantedKeys", key: str) -> bool:
        """Whether a passage has a word that means nearly the same."""
        return key in wanted.spelled and bool(self._near(wanted.spelled[key]))

    def _near(self, word: str) -> dict[str, float]:
        """The lemmas of all passages that mean nearly what a word does, and what each counts."""
        if word not in self._kept:
            among = list(self.spelled)
            told = self.nearness(word, [self.spelled[key] for key in among])
            self._kept[word] = {
                key: near * NEAR_WORTH
                for key, near in zip(among, told, strict=True)
                if near > NEAR_FROM
            }
        return self._kept[word]

    @cached_property
    def _kept(self) -> dict[str, dict[str, float]]:
        return {}

    @cached_property
    def spelled(self) -> dict[str, str]:
        """Each lemma as some passage writes it."""
        found: dict[str, str] = {}
        for piece in self.pieces:
            for key, word in _spellings(f"{piece.title} {piece.text}"):
                found.setdefault(key, word)
        return found

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The beginnings of what the pieces say."""
        return tuple(piece.text[:SEEN_TEXT] for piece in self.pieces)

    @cached_property
    def titles(self) -> tuple[str, ...]:
        return tuple(piece.title for piece in self.pieces)

    def ranked(self, wanted: "Sequence[str]") -> list[tuple[float, int]]:
        """The pieces by how much of the wanted words they have, best first."""
        scored = []
        for at, keys in enumerate(self.keys):
            score = self.coverage(wanted, keys) - len(self.pieces[at].text) / 100_000
            if score > 0:
                score += OWN * self.coverage(wanted, self.own_keys[at])
            scored.append((score, at))
        return sorted(scored, key=lambda row: (-row[0], row[1]))


FEATURES = ("said", "near", "own", "text", "title", "length")
"""How much of a clause a passage has; with near words; in its own words alone; how near its text
and its title are in meaning; and how long it is."""
LONG_TEXT, SEEN_TEXT = 1000, 600
"""Letters of a long passage, and those that its nearness is told by."""


def features_of(
    passages: Passages, wanted: "WantedKeys", question: str, near_texts: TextNearness
) -> list[tuple[float, ...]]:
    """The features of each passage; none where texts cannot be compared."""
    told = near_texts(question, passages.texts)
    if not told:
        return []
    titles = near_texts(question, passages.titles)
    bare = WantedKeys(wanted)
    bare.deeds, bare.spelled = wanted.deeds, {}
    rows = list[tuple[float, ...]]()
    for at, piece in enumerate(passages.pieces):
        row = (
            passages.coverage(bare, passages.keys[at]),
            passages.coverage(wanted, passages.keys[at]),
            passages.coverage(wanted, passages.own_keys[at]),
            told[at],
            titles[at],
            min(1.0, len(piece.text) / LONG_TEXT),
        )
        rows.append(row)
    return rows


def meant_first(
    passages: Passages, wanted: "WantedKeys", question: str, near_texts: TextNearness
) -> tuple[list[tuple[float, int]], float]:
    """The passages by what was learnt of notes that answer, best first, and how likely the best
    does; nothing where texts cannot be compared."""
    rows = features_of(passages, wanted, question, near_texts)
    if not rows:
        return [], 0.0
    ranked = [(learnt("notes").worth(FEATURES, row), at) for at, row in enumerate(rows)]
    ranked.sort(key=lambda each: (-each[0], each[1]))
    best, first = ranked[0]
    following = ranked[1][0] if len(ranked) > 1 else 0.0
    said, near = rows[first][:2]
    return ranked, learnt("notes").chance(best, best - following, near, said)


@lru_cache(maxsize=5_000)
def _spellings(text: str) -> tuple[tuple[str, str], ...]:
    """The lemmas of a text, each with the first word that it is of."""
    found: dict[str, str] = {}
    for word in words(text):
        found.setdefault(lemma(word), word)
    return tuple(found.items())


@lru_cache(maxsize=20_000)
def keys_of(text: str) -> tuple[str, ...]:
    """The lemmas of all words of a text."""
    return tuple(lemma(word) for word in words(text))


class WantedKeys(list[str]):
    """The lemmas that are looked for, and those of them that are deeds."""

    deeds: frozenset[str] = frozenset()
    filler: re.Pattern[str] | None = None
    """What that looks like which is asked for, where it can be told."""
    spelled: dict[str, str]
    """How the clause writes those that are no names."""


def wanted_keys(clause: AskedClause) -> WantedKeys:
    """The lemmas of the clause's telling words."""
    made = WantedKeys(dict.fromkeys(token.key for token in clause.tokens if token.telling))
    made.deeds = frozenset(clause.tokens[at].key for at in clause.deeds)
    made.filler, made.spelled = filler_of(clause), {}
    for token in clause.tokens:
        if token.telling and not clause.text[token.start : token.end][:1].isupper():
            made.spelled[token.key] = token.text
    return made


def without_asked(wanted: WantedKeys, passages: "Passages") -> WantedKeys:
    """Without the words for what is asked (how much something *costs*) that no passage uses."""
    asked = {
        key[0] for table in (schema().fields, schema().kinds) for key in table if len(key) == 1
    }
    kept = WantedKeys(
        key
        for key in wanted
        if key not in asked or passages.knows(key) or passages.has_near(wanted, key)
    )
    kept.deeds, kept.spelled, kept.filler = wanted.deeds, wanted.spelled, wanted.filler
    return kept or wanted


def best_sentences(
    text: str, passages: Passages, wanted: Sequence[str], most: int = WHOLE
) -> list[str]:
    """A short text whole; of a long one, the sentences next to each other that have most of the
    wanted words, as many as fit."""
    parts = sentences_of(text)
    if len(text.split()) <= most or len(parts) < 2:
        return parts
    keys = [frozenset(keys_of(part)) for part in parts]
    alone = [passages.coverage(wanted, each) for each in keys]
    sizes = [len(part.split()) for part in parts]
    filler = wanted.filler if isinstance(wanted, WantedKeys) else None
    if filler:
        alone = [
            one * (1 + FILLED * bool(filler.search(p))) for one, p in zip(alone, parts, strict=True)
        ]
    best, kept = -1.0, (0, 1)
    for start in range(len(parts)):
        end = _fitting(sizes, start, most)
        together = passages.coverage(wanted, frozenset().union(*keys[start:end]))
        score = together + SENTENCE * sum(alone[start:end]) + EARLIER * alone[start]
        if score > best + 1e-9:
            best, kept = score, (start, end)
    return parts[kept[0] : kept[1]]


def _fitting(sizes: Sequence[int], start: int, most: int) -> int:
    """Where sentences from there on no longer fit; at least one does."""
    end, room = start + 1, most - sizes[start]
    while end < len(sizes) and sizes[end] <= room:
        room -= sizes[end]
        end += 1
    return end


def quote_for(parts: Sequence[str]) -> str:
    """The sentences as they stand in the source, where they stand together; else the longest."""
    return max(parts, key=len) if parts else ""


def plain_line(parts: Sequence[str]) -> str:
    """Sentences as one line, without marks of headings and bold."""
    bare = [part.strip("-*• ").strip() if part.startswith(("- ", "* ")) else part for part in parts]
    return " ".join(_MARKS.sub("", " ".join(bare)).split())


def said_nowhere(tools: Sequence[Tool]) -> QueryFinding:
    """The sources were read, and do not say."""
    called = {
        "character_data": "your sheet",
        "session_notes": "the notes",
        "rulebook": "the rulebooks",
    }
    where = " or ".join(dict.fromkeys(called[tool] for tool in tools)) or "the sources"
    line = FoundLine(f"Not known: nothing in {where} says this.")
    return QueryFinding(tools[0] if tools else "rulebook", [line], 0.0, known=False)


def passage_line(lead: str, parts: Sequence[str], piece: Piece) -> FoundLine:
    """A line of prose with its source; each sentence of it is in the quote."""
    text = f"**{lead}**: {plain_line(parts)}" if lead else plain_line(parts)
    return FoundLine(
        text,
        tuple(Cite(piece, part) for part in parts[:1])
        if len(parts) == 1
        else (Cite(piece, joined(parts, piece)),),
    )


def joined(parts: Sequence[str], piece: Piece) -> str:
    """From the first sentence to the last as the piece has them: literal."""
    if not parts:
        return ""
    start = piece.text.find(parts[0])
    end = piece.text.find(parts[-1], max(0, start))
    if start < 0 or end < 0:
        return quote_for(parts)
    return piece.text[start : end + len(parts[-1])]


def defines(text: str, name: str) -> bool:
    """Whether a text says who someone is: `Hob is the reeve`, `the steward is called Oss`."""
    who = re.escape(name)
    after = rf"{who}\s*(?:,|\(|is\b|was\b)"
    before = rf"(?:called|named|is|was|daughter|son|wife|captain|brother|sister),?\s+{who}"
    return bool(re.search(f"{after}|{before}", text))
