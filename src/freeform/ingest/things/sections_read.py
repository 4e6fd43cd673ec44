"""What a model reads in a book: every section once, whole, and of its answer what the text bears
out.

Counting verifies and reconciles what is read here; it does not decide what is shown.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pydantic import Field, field_validator

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record
from freeform.core.text import count_tokens, plain_form, slug
from freeform.ingest.model import BookSection, ContentType, Route, Segment
from freeform.ingest.reply import IngestReply
from freeform.ingest.things.found import EntityEntry, EntityRegistry, FoundRelationship
from freeform.ingest.things.kinds import ENTRY_TYPE, KINDS, Kind, kind_meant
from freeform.ingest.things.names import stands_in
from freeform.ingest.things.subject import KEYED
from freeform.ingest.things.things import Listed, bare

TOKENS = 5_000
"""Tokens of the book in one question, unless one section alone has more."""
MOST_SECTIONS = 12
AROUND = 700
"""Tokens of a question besides the text of its sections: the prompt and the form of the answer."""
_ROW = 20
"""Tokens that name a section and say where it stands."""


class SectionShown(Record):
    """A section as the pass sees it: whole."""

    id: str
    path: str
    page: int
    text: str


class SectionsReadInput(PassInput):
    """Some sections, and what there is to choose from."""

    known_elsewhere = frozenset({"sections"})
    sections: list[SectionShown]
    kinds: list[str]
    rules: list[str]


class FieldRead(IngestReply):
    """A label and its value, as the book has them."""

    label: str
    value: str

    @field_validator("value", mode="before")
    @classmethod
    def _as_words(cls, value: Any) -> Any:
        return str(value) if isinstance(value, int | float) else value


class ThingRead(IngestReply):
    """A thing of the game that a section tells of."""

    name: str
    kind: str
    quote: str = ""
    fields: list[FieldRead] = Field(default_factory=list)
    aliases: list[str] = Field(default_factory=list)
    summary: str = ""

    @field_validator("kind", mode="before")
    @classmethod
    def _as_listed(cls, value: Any) -> Any:
        return kind_meant(value)

    @field_validator("fields", mode="before")
    @classmethod
    def _as_rows(cls, value: Any) -> Any:
        """`{"HP": 12}` says the same as `[{"label": "HP", "value": 12}]`."""
        if not isinstance(value, dict):
            return value
        return [{"label": label, "value": told} for label, told in value.items()]

    def data(self) -> dict[str, int | str]:
        """Its fields by their labels."""
        return {field.label.strip(): field.value.strip() for field in self.fields}


class RelationRead(IngestReply):
    """How two of them stand to each other, in the book's own words."""

    subject: str
    relation: str
    object: str
    quote: str = ""


class RuleRead(IngestReply):
    """A sentence that says how the game is played, and of which part of the rules it is."""

    about: str
    quote: str = ""


class SectionRead(IngestReply):
    """What was read in one section."""

    id: str
    content_type: ContentType
    route: Route
    confidence: float = 0.8
    summary: str = ""
    tags: list[str] = Field(default_factory=list)
    things: list[ThingRead] = Field(default_factory=list)
    relations: list[RelationRead] = Field(default_factory=list)
    rules: list[RuleRead] = Field(default_factory=list)

    @field_validator("content_type", "route", mode="before")
    @classmethod
    def _as_listed(cls, value: Any) -> Any:
        return value.strip().upper() if isinstance(value, str) else value


class SectionsReadOutput(IngestReply):
    """One row for each section. A section without one stays as counting took it."""

    sections: list[SectionRead] = Field(default_factory=list)


READ = Pass("ingest/read_sections", SectionsReadInput, SectionsReadOutput)


def shown_whole(segments: Iterable[Segment]) -> Iterator[list[SectionShown]]:
    """Every segment once, whole, a few at a time in the book's order."""
    batch: list[SectionShown] = []
    tokens = 0
    for segment in segments:
        shown = SectionShown(
            id=segment.id,
            path=" > ".join(segment.heading_path),
            page=segment.page_start,
            text=segment.text,
        )
        size = _size(shown)
        if batch and (tokens + size > TOKENS or len(batch) == MOST_SECTIONS):
            yield batch
            batch, tokens = [], 0
        batch.append(shown)
        tokens += size
    if batch:
        yield batch


def tokens_of(batch: Sequence[SectionShown]) -> int:
    """About how many tokens it takes to ask of these, more rather than less."""
    return AROUND + sum(map(_size, batch))


def _size(shown: SectionShown) -> int:
    """Its tokens; a letter of writing that sets no blanks is one."""
    text = f"{shown.path} {shown.text}"
    wide = 0 if text.isascii() else sum(unicodedata.east_asian_width(one) in "WF" for one in text)
    return max(count_tokens(text), wide) + _ROW


def proved(read: SectionRead, shown: SectionShown) -> tuple[SectionRead, int]:
    """What was read with what the section bears out, and how many statements it does not: a name
    and a quote must stand there, and of fields the value."""
    text = plain_form(f"{shown.path}\n{shown.text}")
    things = [thing for said in read.things if (thing := _proved_thing(said, text))]
    relations = [each for each in read.relations if stands_in(each.quote, text)]
    rules = [each for each in read.rules if stands_in(each.quote, text)]
    sure = round(max(0.0, min(1.0, read.confidence)), 3)
    statements = len(read.things) + len(read.relations) + len(read.rules)
    unproved = statements - len(things) - len(relations) - len(rules)
    kept = {"things": things, "relations": relations, "rules": rules, "confidence": sure}
    return read.model_copy(update=kept), unproved


def _proved_thing(thing: ThingRead, text: str) -> ThingRead | None:
    if thing.kind not in KINDS or not stands_in(thing.name, text):
        return None
    if not stands_in(thing.quote, text):
        return None
    fields = [field for field in thing.fields if stands_in(field.value, text)]
    aliases = [alias.strip() for alias in thing.aliases if stands_in(alias, text)]
    return thing.model_copy(update={"fields": fields, "aliases": aliases})


def read_of_sections(
    readings: Mapping[str, SectionRead], inside: Mapping[str, Sequence[BookSection]]
) -> dict[str, Listed]:
    """The sections whose heading is the name of a thing that was read in them. `inside`: the
    sections of each segment."""
    found: dict[str, Listed] = {}
    for id, read in readings.items():
        titles: dict[str, BookSection] = {}
        for section in inside.get(id, ()):
            title = plain_form(bare(section.title))
            titles[title] = section
            titles.setdefault(KEYED.sub("", title), section)
        for thing in read.things:
            about = titles.get(plain_form(thing.name))
            if about is not None:
                found[about.id] = Listed(
                    thing.name, _kind(thing), read.confidence, thing.data(), catalogue=-1
                )
    return found


def reconciled(counted: Mapping[str, Listed], read: Mapping[str, Listed]) -> dict[str, Listed]:
    """What catalogues say of sections and what was read in them. Each has the fields of both, in
    the catalogue's words where both have one; the kind is the catalogue's, which was shown whole,
    unless it has none."""
    joined = dict(counted)
    for section, said in read.items():
        known = counted.get(section)
        if known is None:
            joined[section] = said
            continue
        named = known if known.kind is not None else said
        fields = {**said.fields, **known.fields}
        joined[section] = Listed(known.name, named.kind, named.probability, fields, known.catalogue)
    return joined


def read_entities(readings: Iterable[SectionRead], pages: Mapping[str, int]) -> list[EntityEntry]:
    """What was read as entities. `pages`: where each section begins."""
    return [
        EntityEntry(
            id=slug(thing.name)[:80] or "entity",
            name=thing.name.strip(),
            kind=_kind(thing),
            type=ENTRY_TYPE[_kind(thing)],
            aliases=thing.aliases,
            page=pages.get(read.id, 0),
            summary=thing.summary,
            tags=[_kind(thing), "named"],
            fields=thing.data(),
            mentions=1,
            confidence=read.confidence,
        )
        for read in readings
        for thing in read.things
    ]


def _kind(thing: ThingRead) -> Kind:
    """Of those that are proved, the kind is one there is."""
    return next(kind for kind in KINDS if kind == thing.kind)


def stated(
    registry: EntityRegistry, readings: Iterable[SectionRead], pages: Mapping[str, int]
) -> EntityRegistry:
    """The registry with the relations that were read between things it has, each with its words."""
    by_name = registry.by_name()
    found: dict[str, list[FoundRelationship]] = {}
    for read in readings:
        for row in read.relations:
            one, other = by_name.get(plain_form(row.subject)), by_name.get(plain_form(row.object))
            if one is None or other is None or one.id == other.id:
                continue
            kind = slug(row.relation) or "mentions"
            page = pages.get(read.id, 0)
            found.setdefault(one.id, []).append(
                FoundRelationship(kind=kind, target=other.id, page=page, quote=row.quote)
            )
    entities = [
        e.model_copy(update={"relationships": [*found.get(e.id, ()), *e.relationships]})
        for e in registry.entities
    ]
    return EntityRegistry(entities=entities)


def rules_marked(readings: Iterable[SectionRead]) -> dict[str, frozenset[str]]:
    """Which parts of the rules each segment explains, as was read."""
    marked: dict[str, frozenset[str]] = {}
    for read in readings:
        marked[read.id] = frozenset(row.about for row in read.rules)
    return marked
