"""All catalogues of a book, of sections, of lines and of table rows, each with its kind. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from freeform.core.record import Record
from freeform.ingest.model import BookSection
from freeform.ingest.things.catalogue.headings import (
    add_heading_fields,
    kinds_of_entries,
    split_tails,
)
from freeform.ingest.things.catalogue.members import Member, line_members, section_members
from freeform.ingest.things.catalogue.naming import kind_of
from freeform.ingest.things.catalogue.pairs import key_of
from freeform.ingest.things.catalogue.rows import read_turned, row_catalogues
from freeform.ingest.things.catalogue.schemas import LEAST, SUBTITLE, MemberGroup, induce
from freeform.ingest.things.catalogue.subtitles import (
    TYPE,
    add_piped,
    add_subtitles,
    add_tags,
    glossed_catalogues,
    subtitle_catalogues,
    table_heads,
)
from freeform.ingest.things.catalogue.values import ValueType, type_of, typed
from freeform.ingest.things.kinds import Kind

Shape = Literal["sections", "lines", "rows"]
#: Share of the sections' core labels that lines must have for the lines to be the things.
OWNED = 0.8
#: Labels that two catalogues of different shape must share to be of one kind.
SHARED = 4


class FieldFound(Record):
    """A field of a schema."""

    label: str
    type: ValueType
    members: int


class ListedEntry(Record):
    """A thing of a catalogue. `section` is its own, or holds its line or row."""

    name: str
    section: str
    page: int
    fields: dict[str, int | str] = Field(default_factory=dict)
    text: str = ""


class FoundCatalogue(Record):
    """A catalogue as it is kept: catalogues.json."""

    id: str = ""
    said_by: Literal["counting", "model", "person"] = "counting"
    """Who had the last word about its kind."""
    shape: Shape
    kind: Kind | None = None
    probability: float = 0.0
    under: str = ""
    fields: list[FieldFound] = Field(default_factory=list)
    entries: list[ListedEntry] = Field(default_factory=list)


def find_catalogues(sections: Sequence[BookSection]) -> list[FoundCatalogue]:
    """The catalogues of a book with their kinds, largest first."""
    unnamed = unnamed_catalogues(sections)
    kinds = [kind_of(each) for _, each in unnamed]
    named = [(kind, each) for (kind, _), (_, each) in zip(kinds, unnamed, strict=True) if kind]
    entries = kinds_of_entries(named)
    found = []
    for (shape, each), (kind, likely) in zip(unnamed, kinds, strict=True):
        add_heading_fields(each, entries)
        split_tails(each, TYPE)
        found.append(_kept(each, shape, kind, likely))
    return _with_kin(sorted(found, key=lambda each: -len(each.entries)))


def unnamed_catalogues(sections: Sequence[BookSection]) -> list[tuple[Shape, MemberGroup]]:
    """The catalogues of a book before anything is said about their kinds."""
    members = section_members(sections)
    of_sections = induce(members)
    lines = _own_names(list(line_members(sections)))
    of_lines = induce(lines)
    taken = {member.id for found in of_sections for member in found.members}
    of_sections += _threes([member for member in members if member.id not in taken])
    of_sections = [found for found in of_sections if not _made_of_lines(found, of_lines)]
    taken = {member.id for found in of_sections for member in found.members}
    of_sections += subtitle_catalogues(members, taken)
    heads = table_heads(sections)
    for each in of_sections:
        add_tags(each)
        add_subtitles(each, heads)
    things = {member.section.id for found in of_sections for member in found.members}
    taken = {member.id for found in of_lines for member in found.members}
    known = {key_of(head) for head in heads}
    for found in (*of_sections, *of_lines):
        known |= set(found.labels)
    of_lines += glossed_catalogues(lines, taken, known)
    of_lines = [_outside(found, things) for found in of_lines]
    turned = read_turned(sections, [*of_sections, *of_lines])
    of_rows = [_outside(found, things) for found in row_catalogues(sections, turned)]
    for each in (*of_sections, *of_lines, *of_rows):
        add_piped(each, heads)
    return [
        *(("sections", each) for each in of_sections),
        *(("lines", each) for each in of_lines if len(each.members) >= LEAST),
        *(("rows", each) for each in of_rows if len(each.members) >= LEAST - 1),
    ]


def _threes(members: list[Member]) -> list[MemberGroup]:
    """Three things are a catalogue where they stand side by side and are told alike in all of three
    labels or more."""
    return [found for found in induce(members, LEAST - 1) if _is_three(found)]


def _is_three(found: MemberGroup) -> bool:
    three = len(found.members) == LEAST - 1
    beside = len({member.path for member in found.members}) == 1
    shared = sum(number == LEAST - 1 for number in found.counts.values())
    return three and beside and shared >= LEAST - 1


def _with_kin(found: list[FoundCatalogue]) -> list[FoundCatalogue]:
    """A catalogue without a kind whose labels are all in the schema of a named one, in full or
    shortened (`Att.` for `Attack`), is of that kind."""
    named = [each for each in found if each.kind is not None]
    made = []
    for each in found:
        labels = _labels(each)
        kin = [
            other
            for other in named
            if each.kind is None and _is_kin(labels, _labels(other), other.shape == each.shape)
        ]
        if kin:
            near = {"kind": kin[0].kind, "probability": round(0.9 * kin[0].probability, 3)}
            each = each.model_copy(update=near)
        made.append(each)
    return made


def _is_kin(labels: set[str], schema: set[str], same_shape: bool) -> bool:
    """Whether a schema has all these labels; more of them must be alike where one stands in lines
    and the other in rows."""
    if same_shape and len(labels) > 1 and labels <= schema:
        return True
    shared = sum(1 for label in labels if _is_in(label, schema))
    return shared >= SHARED and shared >= OWNED * len(labels)


def _is_in(label: str, schema: set[str]) -> bool:
    return any(_shortened(label, full) for full in schema)


def _shortened(label: str, full: str) -> bool:
    short, long = label.lower().rstrip("."), full.lower()
    return short == long or (label.endswith(".") and len(short) > 1 and long.startswith(short))


def _labels(found: FoundCatalogue) -> set[str]:
    return {field.label for field in found.fields}


def _own_names(members: list[Member]) -> list[Member]:
    """Lines whose opening is a name: what opens many lines alike is a label."""
    counted = Counter(key_of(member.name) for member in members)
    return [member for member in members if counted[key_of(member.name)] < LEAST - 1]


def _made_of_lines(found: MemberGroup, lines: Sequence[MemberGroup]) -> bool:
    """Whether sections share their labels only because lines inside them do: the lines are the
    things then, as creatures in the rooms of an adventure."""
    core = {label for label in found.core if label != SUBTITLE}
    for other in lines:
        inside = {member.section.id for member in other.members}
        held = sum(1 for member in found.members if member.section.id in inside)
        if held >= 0.5 * len(found.members) and len(core & set(other.core)) >= OWNED * len(core):
            return True
    return False


def _outside(found: MemberGroup, things: set[str]) -> MemberGroup:
    """Without members inside the section of another thing: those are its parts."""
    kept = [member for member in found.members if member.section.id not in things]
    return MemberGroup(kept, found.labels, found.counts, found.fields)


def _kept(found: MemberGroup, shape: Shape, kind: Kind | None, likely: float) -> FoundCatalogue:
    under = Counter(member.path[-1] for member in found.members if member.path)
    values: dict[str, list[str]] = {}
    for told in found.fields.values():
        for label, value in told.items():
            values.setdefault(label, []).append(value)
    return FoundCatalogue(
        shape=shape,
        kind=kind,
        probability=round(likely, 3),
        under=under.most_common(1)[0][0] if under else "",
        fields=[
            FieldFound(label=label, type=type_of(seen), members=len(seen))
            for label, seen in sorted(values.items(), key=lambda row: -len(row[1]))
        ],
        entries=[_entry(member, found.fields[member.id]) for member in found.members],
    )


def _entry(member: Member, told: dict[str, str]) -> ListedEntry:
    return ListedEntry(
        name=member.own_name,
        section=member.section.id,
        page=member.page,
        fields={label: typed(value) for label, value in told.items()},
        text="\n".join(member.lines) if member.inline else "",
    )
