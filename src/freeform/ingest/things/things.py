"""Which sections are about one thing, and of what kind: told by shape, by neighbours, and by the
headings above.

A catalogue shows itself by repetition: sections side by side that begin with the same field labels
(`Range:`), or with a line in italics under the name (`Wondrous item, rare`). A stat block is always
a creature. Headings in the plural (`Conditions`, `Guilds`) announce what stands right below them.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from freeform.core.text import plain_form, words_in
from freeform.ingest.model import BookSection, ChapterIntent
from freeform.ingest.things.indicators import count_shape
from freeform.ingest.things.kinds import (
    BY_INTENT,
    Kind,
    announced,
    announces_many,
    kind_word,
)
from freeform.ingest.things.subject import (
    KEYED,
    LORE,
    keyed_series,
    told_kind,
)
from freeform.language.words import stop_words

_LABEL = re.compile(r"(?:^|\n|\s)[*_]{0,3}([A-Z][A-Za-z]+(?: [A-Za-z]+)?):[*_]{0,3}(?=\s)")
_EMPHASIS = re.compile(r"[*_]{1,3}")
_RANKED = re.compile(
    r"\b(?:\d+(?:st|nd|rd|th)[- ]{1,2}level|level \d+|cantrip|rank \d+|circle)\b", re.I
)
_QUESTION = re.compile(r"(?:how|what|why|when|which|who|where)\b|.*\?$")
_PLAIN_TITLES = frozenset({
    "introduction", "overview", "description", "actions", "reactions", "legendary actions", "general", "example",
    "variant", "sidebar", "notes", "summary", "background", "traits", "class features", "hit points", "proficiencies",
    "equipment", "at higher levels", "conclusion", "appendix", "contents", "credits", "index", "using this book",
})  # fmt: skip
_OF_A_CLASS = frozenset({"class features", "class abilities", "playbook moves", "class traits"})
_ITEM_LINE = frozenset(
    "ring rod wand staff scroll potion wondrous weapon armor armour item amulet ammunition".split()
)
KEYED_REASON, BY_SENTENCES = "keyed on a map", "so its sentences say"
#: How sure it must be that a catalogue lists things before its entries are some, whatever they are:
#: lines and rows, and sections, which have a heading of their own.
LISTS_THINGS, SECTIONS_ARE_THINGS = 0.5, 0.3
#: Share of the judged entries of a list that must be of one kind, and of all its entries.
VOTES, SPEAK = 0.6, 0.33
#: Share of the sections side by side that a catalogue must hold for the rest to belong to it.
NEIGHBOURS = 0.6
ALONE = frozenset(
    {
        "condition",
        "deity",
        "place",
        "faction",
        "person",
        "people",
        "class",
        "item",
        "spell",
        "event",
        "feature",
    }
)
"""Kinds whose heading in the plural makes things of the sections right below it."""


@dataclass(frozen=True)
class Listed:
    """What a catalogue says of a section."""

    name: str
    kind: Kind | None
    probability: float
    fields: Mapping[str, int | str]
    catalogue: int = 0
    """Which catalogue, by its place among all."""


@dataclass
class SectionLook:
    """A section as it looks from outside."""

    section: BookSection
    subtitle: str
    labels: frozenset[str]
    above: Kind | None
    near: bool
    """`above` stands in the heading directly above."""
    has_stats: bool = False
    kind: Kind | None = None
    """Set when the section is about one thing."""
    reasons: list[str] = field(default_factory=list)
    fields: dict[str, int | str] = field(default_factory=dict)
    """What its catalogue says of it."""
    name: str = ""
    """Its name where the title says more than that."""
    sure: float = 0.0
    """How likely the kind is, where a catalogue named it."""
    key: str = ""
    """Its key on a map, where its title begins with one."""

    @property
    def title(self) -> str:
        """Its heading."""
        return self.section.title


def find_things(
    sections: Sequence[BookSection],
    stat_blocks: Mapping[str, object],
    listed: Mapping[str, Listed] | None = None,
) -> list[SectionLook]:
    """A look at every section, in order; those about one thing have a `kind`. `stat_blocks` are by
    section id, and so is `listed`, what the catalogues say."""
    looks = [_look(section, section.id in stat_blocks) for section in sections]
    groups: dict[tuple[str, int], list[SectionLook]] = defaultdict(list)
    for look in looks:
        # Chapters stand side by side, too: the rooms of a small adventure are often chapters.
        chapter = look.section.chapter_id if len(look.section.heading_path) > 1 else ""
        groups[chapter, look.section.level].append(look)
    for look in looks:
        if look.has_stats:
            look.kind = "creature"
            look.reasons.append("stat block")
    for look in looks:
        _judge_by_catalogue(look, listed or {})
    for group in groups.values():
        _judge_by_neighbours(group)
        _judge_by_subtitles(group)
    shaped = catalogues(looks)
    for place, look in enumerate(looks):
        if look.kind is None:
            below = looks[place + 1] if place + 1 < len(looks) else None
            _judge_by_heading(look, below, shaped)
    for group in groups.values():
        _judge_by_telling(group)
    _judge_as_listed(looks, listed or {})
    return looks


def catalogues(looks: Sequence[SectionLook]) -> frozenset[tuple[str, Kind]]:
    """Chapters that list things of a kind by shape: there, text without that shape explains the
    list."""
    counted: Counter[tuple[str, Kind]] = Counter()
    for look in looks:
        if look.kind:
            counted[look.section.chapter_id, look.kind] += 1
        for block in look.section.blocks:
            if block.kind == "table":
                counted[look.section.chapter_id, "item"] += count_shape("priced_row", block.text)
    return frozenset(key for key, number in counted.items() if number >= 8)


def text_of(section: BookSection) -> str:
    """The section's own text, without its heading."""
    return "\n\n".join(
        f"- {b.text}" if b.kind == "item" and b.text[:2] not in ("- ", "* ") else b.text
        for b in section.blocks
    )


def bare(text: str) -> str:
    """Without the marks of bold and italics."""
    return _EMPHASIS.sub("", text).strip()


def natural_case(name: str) -> str:
    """A name set in capitals as one would write it; any other as it stands."""
    if not name.isupper() or len(name) < 4:
        return name
    words = [
        word.lower() if place and word.lower() in stop_words() else word.capitalize()
        for place, word in enumerate(name.split())
    ]
    return re.sub(r"(?<=[-/(])[a-z]", lambda found: found[0].upper(), " ".join(words))


def is_name(title: str) -> bool:
    """Whether a heading can be the name of one thing."""
    plain = bare(title).lower().strip(" .:")
    return (
        bool(plain)
        and plain not in _PLAIN_TITLES
        and words_in(title) <= 8
        and any(c.isalpha() for c in plain)
        and not _QUESTION.match(plain)
    )


def _look(section: BookSection, has_stats: bool) -> SectionLook:
    first = next((block for block in section.blocks if block.kind == "paragraph"), None)
    subtitle = ""
    if first is not None and section.blocks[0] is first:
        line = first.text.strip().split("\n")[0]
        slanted = re.fullmatch(r"\*(?!\*)[^*]+\*|_(?!_)[^_]+_", line) is not None
        if (
            slanted
            and words_in(line) <= 16
            and not bare(line).endswith((":", ","))
            and not line[1:].startswith("You")
        ):
            subtitle = bare(line)
    head = "\n".join(block.text for block in section.blocks[:8] if block.kind != "table")[:900]
    labels = frozenset(found[1] for found in _LABEL.finditer(head))
    above, near = _above(section)
    return SectionLook(section, subtitle, labels, above, near, has_stats)


def _above(section: BookSection) -> tuple[Kind | None, bool]:
    """What the headings above announce; the nearest one that announces anything counts."""
    for distance, title in enumerate(reversed(section.heading_path[:-1])):
        if kind := announces_many(title):
            return kind, distance == 0
    if section.intent in (ChapterIntent.BESTIARY, ChapterIntent.EQUIPMENT, ChapterIntent.FACTIONS):
        return BY_INTENT[section.intent], False
    return None, False


def _judge_by_catalogue(look: SectionLook, listed: Mapping[str, Listed]) -> None:
    """An entry of a catalogue is of its kind, and has its fields, whatever the kind."""
    told = listed.get(look.section.id)
    if told is None:
        return
    look.fields, look.name = dict(told.fields), told.name
    if look.kind is None and told.kind is not None and is_name(look.title):
        look.kind, look.sure = told.kind, told.probability
        look.reasons.append(f"fields {', '.join(list(told.fields)[:3])}")


def _judge_as_listed(looks: Sequence[SectionLook], listed: Mapping[str, Listed]) -> None:
    """The entries of a catalogue that nothing named as a whole are of one kind: what most of those
    say that say anything, else things without a kind."""
    groups: dict[int, list[SectionLook]] = defaultdict(list)
    for look in looks:
        told = listed.get(look.section.id)
        if told is None or told.kind is not None or not is_name(look.title):
            continue
        if told.probability >= SECTIONS_ARE_THINGS:
            groups[told.catalogue].append(look)
    for group in groups.values():
        votes = Counter(look.kind for look in group if look.kind)
        kind, number = votes.most_common(1)[0] if votes else (None, 0)
        spoken = number >= VOTES * votes.total() and number >= SPEAK * len(group)
        for look in group:
            if look.kind is None or BY_SENTENCES in look.reasons:
                look.kind = kind if spoken else "thing"
                look.sure = listed[look.section.id].probability
                look.reasons.append(f"{number} of {len(group)} in its list" if spoken else "listed")


def _judge_by_neighbours(group: Sequence[SectionLook]) -> None:
    """What stands among the entries of a catalogue, and has a line below its name as they have, is
    one of them."""
    beside: dict[tuple[str, ...], list[SectionLook]] = defaultdict(list)
    for look in group:
        beside[look.section.heading_path[:-1]].append(look)
    for looks in beside.values():
        counted = Counter(look.kind for look in looks if look.sure)
        kind, number = counted.most_common(1)[0] if counted else (None, 0)
        if kind is None or number < NEIGHBOURS * len(looks) or number < 2:
            continue
        for look in looks:
            if look.kind is None and is_name(look.title) and announces_many(look.title) is None:
                look.kind, look.sure = kind, 0.7
                look.reasons.append(f"stands among {number} of the kind")


def _judge_by_subtitles(group: Sequence[SectionLook]) -> None:
    """Sections side by side with a line in italics under the name are entries of one catalogue."""
    members = [
        look for look in group if look.subtitle and look.kind is None and is_name(look.title)
    ]
    if len(members) < 4 or len(members) < 0.15 * len(group):
        return
    kinds = {id(look): _of_subtitle(look.subtitle) for look in members}
    known = Counter(kind for kind in kinds.values() if kind)
    if not known:
        return
    common, number = known.most_common(1)[0]
    for look in members:
        kind = kinds[id(look)] or (common if number >= 0.5 * len(members) else None)
        if kind:
            look.kind = kind
            look.reasons.append(f"line under its name: {look.subtitle[:40]}")


def _judge_by_telling(group: Sequence[SectionLook]) -> None:
    """Sections without any shape: what their own sentences say, and whether they are keyed like
    rooms on a map."""
    keyed = keyed_series([bare(look.title) for look in group])
    for look in group:
        key = KEYED.match(bare(look.title)) if keyed else None
        look.key = (key[1] or key[2]) if key else ""
        lore = look.section.intent in LORE
        if (
            (look.kind not in (None, "creature"))
            or look.sure
            or not lore
            or not is_name(KEYED.sub("", bare(look.title)))
        ):
            continue
        if announces_many(look.title) or (look.above == "rule" and look.near):
            continue
        own = keyed and KEYED.match(bare(look.title)) is not None
        told = told_kind(bare(look.title), text_of(look.section), look.section.intent, own)
        if told and (
            look.kind is None
            or (told == "person" and look.section.intent is not ChapterIntent.BESTIARY)
        ):
            look.kind = told
            look.reasons.append(KEYED_REASON if own else BY_SENTENCES)


def _of_subtitle(line: str) -> Kind | None:
    words = re.findall(r"[a-z]+", line.lower())
    if words[:1] and words[0] in (
        "prerequisite",
        "prerequisites",
        "requires",
        "requirement",
        "requirements",
    ):
        return "feature"
    if _RANKED.search(line) and not _ITEM_LINE & set(words[:3]):
        return "spell"
    if _ITEM_LINE & set(words[:3]):
        return "item"
    return next(
        (
            kind
            for word in words[:3]
            if (kind := kind_word(word)) and kind not in ("rule", "condition")
        ),
        None,
    )


def _common(members: Iterable[SectionLook]) -> Kind | None:
    """What the members of a catalogue most likely are."""
    votes: Counter[Kind] = Counter()
    for look in members:
        if look.subtitle and (kind := _of_subtitle(look.subtitle)):
            votes[kind] += 2
        if look.above and look.above != "rule":
            votes[look.above] += 1
    return votes.most_common(1)[0][0] if votes else None


def _judge_by_heading(
    look: SectionLook, below: SectionLook | None, shaped: frozenset[tuple[str, Kind]]
) -> None:
    """A heading right below one in the plural is one of those; one over `Class Features` is a
    class."""
    section = look.section
    if (
        below is not None
        and below.section.level > section.level
        and plain_form(below.title) in _OF_A_CLASS
    ):
        look.kind = "class"
        look.reasons.append(f"stands over {below.title}")
        return
    if look.above and (section.chapter_id, look.above) in shaped:
        return
    near = look.near or look.above == "condition"
    over = below is not None and below.section.level > section.level
    told = any(block.kind != "table" for block in section.blocks) or not (section.blocks or over)
    if look.above in ALONE and near and told and is_name(look.title):
        own = announces_many(look.title)
        if own is None and announced(look.title) in (None, look.above):
            look.kind = look.above
            look.reasons.append(f"stands under {section.heading_path[-2]}")
