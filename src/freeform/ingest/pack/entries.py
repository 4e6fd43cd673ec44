"""Which files the pack will have: one for each thing, and the rest of the book by its headings, in
readable sizes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from freeform.core.text import words_in
from freeform.ingest.model import BookSection, ChapterIntent, ContentType
from freeform.ingest.things.kinds import KIND_OF_CONTENT, Kind
from freeform.ingest.things.things import SectionLook, text_of

WHOLE = 700
"""Words up to which a heading and all below it make one entry."""
LEAST = 6
"""Words without which a section has nothing to say of its own."""


@dataclass
class Planned:
    """An entry to be: the section it begins with, those below it that belong to it, and what it
    is."""

    look: SectionLook
    kind: Kind
    members: list[BookSection] = field(default_factory=list)
    content: ContentType | None = None
    is_thing: bool = False

    @property
    def pages(self) -> tuple[int, int]:
        """First and last."""
        every = [self.look.section, *self.members]
        return min(s.page_start for s in every), max(s.page_end for s in every)


def plan_entries(looks: Sequence[SectionLook], content: Mapping[str, ContentType]) -> list[Planned]:
    """Every entry in book order. `content` is the type of the segment a section fell into, by
    section id."""
    words = [words_in(text_of(look.section)) for look in looks]
    ends = _ends(looks)
    planned: list[Planned] = []
    place = 0
    while place < len(looks):
        if looks[place].section.intent is ChapterIntent.META:
            place += 1
            continue
        place = _plan(place, looks, words, ends, content, planned)
    return planned


def _plan(
    place: int,
    looks: Sequence[SectionLook],
    words: Sequence[int],
    ends: Sequence[int],
    content: Mapping[str, ContentType],
    planned: list[Planned],
) -> int:
    """Plans the section at `place` and whatever belongs to it; gives the place to go on from."""
    look, end = looks[place], ends[place]
    told = content.get(look.section.id)
    inner = range(place + 1, end)
    kind = look.kind or (KIND_OF_CONTENT[told] if told else "rule")
    if look.kind is not None:
        entry = Planned(look, kind, content=told, is_thing=True)
        planned.append(entry)
        step = place + 1
        while step < end:
            if looks[step].kind is not None:
                step = _plan(step, looks, words, ends, content, planned)
            else:
                entry.members.append(looks[step].section)
                step += 1
        return end
    if sum(words[place:end]) <= WHOLE and all(looks[n].kind is None for n in inner):
        if sum(words[place:end]) >= LEAST:
            members = [looks[n].section for n in inner]
            planned.append(Planned(look, kind, members, told))
        return end
    if words[place] >= LEAST:
        planned.append(Planned(look, kind, content=told))
    return place + 1


def _ends(looks: Sequence[SectionLook]) -> list[int]:
    """For each section, the place after the last one below it."""
    ends = [len(looks)] * len(looks)
    open_: list[int] = []
    for place, look in enumerate(looks):
        while open_ and (
            looks[open_[-1]].section.level >= look.section.level
            or looks[open_[-1]].section.chapter_id != look.section.chapter_id
        ):
            ends[open_.pop()] = place
        open_.append(place)
    return ends
