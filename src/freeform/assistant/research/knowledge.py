"""What packs know, as topics with fields: so that a list can be listed and a facet of a thing can
be read off."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from freeform.assistant.research.words import meanings, telling
from freeform.packs.model import Entry, Pack

_LABEL = re.compile(
    r"^\s*(?:[-*+]\s+)?(?:\*\*|__)?([A-Z][\w /()'-]{1,40}?)(?:\*\*|__)?\s*:\s*(?:\*\*|__)?\s*(\S.*)$"
)
_ROW = re.compile(r"^\s*\|\s*([^|]+?)\s*\|\s*([^|]+?)\s*\|\s*$")
_BULLET = re.compile(
    r"^\s*[-*+]\s+(?:\[\[)?(?:\*\*)?([^:*\[\]|(–—-][^:*\[\]|(–—]*?)(?:\*\*)?(?:\]\])?\s*(?:[:(–—].*)?$"
)
_LABELS_OF = ("kind", "category", "subtype", "class", "group", "entry_type", "what")
_RELATIONS = ("factions", "locations", "entities", "threads")
_NOT_FIELDS = frozenset({"source", "page", "edition", "license", "origin", "order"})


@dataclass(frozen=True)
class TopicLine:
    """A fact of a topic as its source has it: a key, a value, the literal words and where they
    stand."""

    key: str
    value: str
    quote: str
    where: str


@dataclass(frozen=True)
class Topic:
    """One entry of a pack, ready to be asked."""

    name: str
    aliases: list[str]
    pack: str
    where: str
    labels: list[str]
    """What kind of thing it is, in all the words its pack uses: type, tags, folder."""
    lines: list[TopicLine]
    sections: list[tuple[str, str, str]]
    """Heading, text, where."""
    listed: list[tuple[str, str]] = field(default_factory=list)
    """Names in its bullet lists, with the literal line."""


def topics_of(packs: Sequence[Pack], *, gm: bool) -> Iterator[Topic]:
    """The packs' entries. What is for the GM alone is left out unless the GM looks, and so is what
    points to it."""
    hidden = (
        frozenset() if gm else frozenset(e.id for pack in packs for e in pack.entries if e.gm_only)
    )
    for pack in packs:
        for entry in pack.entries:
            if gm or not entry.gm_only:
                yield topic_of(entry, pack.manifest.name, gm=gm, hidden=hidden)


def topic_of(
    entry: Entry, pack_name: str, *, gm: bool, hidden: frozenset[str] = frozenset()
) -> Topic:
    """An entry with every field that can be read off it: frontmatter, labelled lines, two-column
    tables, headings."""
    lines = [
        TopicLine(key, text, f"{key}: {text}", f"{entry.file_path}, {pack_name}")
        for key, value in entry.extra.items()
        if key not in _NOT_FIELDS and (text := _plain(value))
    ]
    where = f"{entry.file_path}, {pack_name}"
    for key in _RELATIONS:
        if key == "threads" and not gm:
            continue  # how entries hang on the plot is the game master's to know
        named = getattr(entry, f"related_{key}")
        if ids := [
            id for id in named if (id if ":" in id else f"{entry.pack_id}:{id}") not in hidden
        ]:
            told = ", ".join(id.rpartition(":")[2].replace("_", " ").title() for id in ids)
            lines.append(TopicLine(key, told, f"related_{key}: {', '.join(ids)}", where))
    sections, listed = [], []
    for section in entry.sections:
        if section.gm_only and not gm:
            continue
        where = f"{section.path}, {entry.file_path}:{section.line}, {pack_name}"
        sections.append((section.heading, section.text, where))
        for raw in section.text.splitlines():
            if (at := _LABEL.match(raw) or _ROW.match(raw)) and not set(at[2]) <= set("-: "):
                lines.append(TopicLine(at[1].strip(), _clean(at[2]), raw.strip(), where))
            elif bullet := _BULLET.match(raw):
                listed.append((bullet[1].strip(), raw.strip()))
        if section.level > 1 and section.text.strip():
            first = section.text.strip().split("\n\n")[0]
            lines.append(
                TopicLine(
                    section.heading,
                    _clean(" ".join(first.split())),
                    first.splitlines()[0].strip(),
                    where,
                )
            )
    folder = entry.file_path.rsplit("/", 2)[-2] if "/" in entry.file_path else ""
    labels = [
        entry.type,
        *entry.tags,
        folder,
        *(str(entry.extra[k]) for k in _LABELS_OF if k in entry.extra),
    ]
    return Topic(
        name=entry.name,
        aliases=entry.aliases,
        pack=entry.pack_id,
        where=f"{entry.file_path}, {pack_name}",
        labels=[label for label in dict.fromkeys(labels) if label],
        lines=lines,
        sections=sections,
        listed=listed,
    )


def of_kind(topics: Iterable[Topic], kind: str) -> list[Topic]:
    """The topics that are of a kind, said in any of its pack's words: `food buffs` are those tagged
    `food-buff`."""
    wanted = set(telling(kind))
    if not wanted:
        return []
    here = list(topics)
    whole = [
        topic for topic in here if any(set(telling(label)) == wanted for label in topic.labels)
    ]
    if whole:
        return whole
    return [
        topic
        for topic in here
        if wanted <= {word for label in topic.labels for word in telling(label)}
    ]


def facets(topic: Topic, wish: str) -> list[TopicLine]:
    """The lines that answer a wish such as `recipe location`: the closest key, and every key as
    close."""
    wanted = meanings(wish) - meanings(topic.name)
    if not wanted:
        return []
    scored = [(_fit(wanted, meanings(line.key)), at, line) for at, line in enumerate(topic.lines)]
    best = max((score for score, _, _ in scored), default=0.0)
    seen: dict[str, TopicLine] = {}
    for score, _, line in scored:
        if score >= 0.5 and score >= best - 1e-9:
            seen.setdefault(line.value.casefold(), line)
    return list(seen.values())


def _fit(wanted: set[str], key: set[str]) -> float:
    """How well a key answers a wish: all the key's words wanted, and as many of the wish's as can
    be."""
    common = wanted & key
    return (len(common) / len(key) + len(common) / len(wanted)) / 2 if common and key else 0.0


def _plain(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_plain(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(_plain(part) for part in value)
    return "" if value is None else str(value).strip()


def _clean(text: str) -> str:
    return re.sub(r"\*\*|__|\[\[|\]\]", "", text).strip()
