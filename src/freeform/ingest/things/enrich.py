"""Stage 5: entities, relations, tags, and one file with frontmatter for everything the pack will
hold.

5a entities (things by shape, and what was read; names in prose by a pass, fifteen segments at a
   time) -> one registry
5b summaries of what a person may want to read first (a pass, ten at a time)
5c sizes    5d tags (a pass, forty)
The passes of 5a and 5b are asked of segments that stage 4 did not read.
"""

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from pydantic import Field, field_validator

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record
from freeform.core.text import plain_form, shorten, slug
from freeform.ingest.model import BookSection, Route, Segment
from freeform.ingest.ports import IngestPorts, Progress
from freeform.ingest.reply import IngestReply
from freeform.ingest.things.catalogue.find import FoundCatalogue
from freeform.ingest.things.catalogue.listed import listed_entities
from freeform.ingest.things.found import EntityEntry, EntityRegistry
from freeform.ingest.things.kinds import ENTRY_TYPE, KINDS, Kind, kind_meant
from freeform.ingest.things.names import stands_in
from freeform.ingest.things.register import (
    creatures_in_lines,
    deduplicate,
    entity_of,
    items_in_tables,
    relate,
)
from freeform.ingest.things.things import SectionLook

ENTITY_BATCH, SEGMENT_BATCH, TAG_BATCH = 15, 10, 40
TOO_LONG = 4000
"""Words in one file above which a reader is warned."""


class TextPiece(Record):
    """A segment as the passes see it."""

    id: str
    title: str
    page: int
    text: str


class EntitiesInput(PassInput):
    """Fifteen segments, and names that are known already."""

    known_elsewhere = frozenset({"segments"})
    segments: list[TextPiece]
    known: list[str] = Field(default_factory=list)


class NamedEntity(IngestReply):
    """An entity the pass found."""

    name: str
    kind: Kind
    page: int = 0
    aliases: list[str] = Field(default_factory=list)
    summary: str = ""
    mentions: int = 1

    @field_validator("kind", mode="before")
    @classmethod
    def _as_listed(cls, value: Any) -> Any:
        """`NPC`, `god` and `location` as the list has them."""
        return kind_meant(value)


class EntitiesOutput(IngestReply):
    """What the segments speak of."""

    entities: list[NamedEntity] = Field(default_factory=list)


class SegmentsInput(PassInput):
    """Ten segments to be summed up."""

    known_elsewhere = frozenset({"segments"})
    segments: list[TextPiece]


class Summed(IngestReply):
    """A segment in one line, with words it could be found by."""

    id: str
    summary: str = ""
    tags: list[str] = Field(default_factory=list)


class SegmentsOutput(IngestReply):
    """One row for each."""

    segments: list[Summed] = Field(default_factory=list)


class TagsInput(PassInput):
    """Forty names with what is known of each."""

    entities: list[dict[str, str]]


class Tagged(IngestReply):
    """Tags of one entity."""

    id: str
    tags: list[str] = Field(default_factory=list)


class TagsOutput(IngestReply):
    """One row for each."""

    entities: list[Tagged] = Field(default_factory=list)


ENTITIES = Pass("ingest/enrich_entities", EntitiesInput, EntitiesOutput, role="narrator")
SEGMENTS = Pass("ingest/enrich_segment", SegmentsInput, SegmentsOutput, role="narrator")
TAGS = Pass("ingest/enrich_tags", TagsInput, TagsOutput)


def things_of(
    looks: Sequence[SectionLook],
    numbers: Mapping[str, Mapping[str, Any]],
    catalogues: Sequence[FoundCatalogue] = (),
) -> list[EntityEntry]:
    """Entities by shape: sections about one thing, entries of catalogues, priced rows, creatures in
    a line. `numbers`: by section."""
    found = [entity_of(look, numbers.get(look.section.id)) for look in looks if look.kind]
    listed = list(listed_entities(catalogues))
    known = {plain_form(entity.name) for entity in listed}
    rows = [item for look in looks for item in items_in_tables(look.section)]
    lines = [creature for look in looks for creature in creatures_in_lines(look.section)]
    others = [entity for entity in (*rows, *lines) if plain_form(entity.name) not in known]
    return [*found, *listed, *others]


async def find_entities(
    things: Sequence[EntityEntry],
    segments: Sequence[Segment],
    sections: Sequence[BookSection],
    crew: IngestPorts,
    pack_id: str,
    progress: Progress,
) -> EntityRegistry:
    """5a and 5d: the registry, with relations and tags. `things`: what is known by shape or was
    read already; `segments`: those in which names are still to be found."""
    known = [(name, plain_form(name)) for name in sorted({entity.name for entity in things})]
    lore = [segment for segment in segments if segment.route is not Route.SYSTEMS]
    batches = [lore[start : start + ENTITY_BATCH] for start in range(0, len(lore), ENTITY_BATCH)]
    asked = [_names_wanted(batch, known) for batch in batches]
    answers = await crew.ask_each(ENTITIES, asked, pack_id, progress)
    spoken: list[EntityEntry] = []
    for question, answer in zip(asked, answers, strict=True):
        shown = _plain_pieces(question.segments)
        spoken += [_entity(real) for named in answer.entities if (real := attested(named, shown))]
    registry = relate(deduplicate([*things, *_often(spoken)]), sections)
    return await _tagged(registry, crew, pack_id, progress)


def _names_wanted(batch: Sequence[Segment], known: Sequence[tuple[str, str]]) -> EntitiesInput:
    """What is asked of these segments. `known`: names, and their plain forms."""
    pieces = [
        TextPiece(id=s.id, title=s.title, page=s.page_start, text=shorten(s.text, 6000))
        for s in batch
    ]
    text = " ".join(told for _, told in _plain_pieces(pieces))
    here = list(islice((name for name, plain in known if plain in text), 120))
    return EntitiesInput(segments=pieces, known=here)


def _plain_pieces(pieces: Sequence[TextPiece]) -> list[tuple[int, str]]:
    """Page and text of each, in plain form."""
    return [(piece.page, plain_form(f"{piece.title}\n{piece.text}")) for piece in pieces]


def attested(named: NamedEntity, shown: Sequence[tuple[int, str]]) -> NamedEntity | None:
    """The entity with what the book bears out: a name and aliases that stand there, a page it
    stands on. Else None. `shown`: page and text, in plain form, of each segment that was read."""
    pages = [page for page, text in shown if stands_in(named.name, text)]
    if named.kind not in KINDS or not pages:
        return None
    return named.model_copy(
        update={
            "page": named.page if min(pages) <= named.page <= max(pages) + 3 else pages[0],
            "aliases": [
                alias.strip()
                for alias in named.aliases
                if any(stands_in(alias, text) for _, text in shown)
            ],
            "mentions": max(1, named.mentions),
        }
    )


def _entity(named: NamedEntity) -> EntityEntry:
    return EntityEntry(
        id=slug(named.name)[:80] or "entity",
        name=named.name.strip(),
        kind=named.kind,
        type=ENTRY_TYPE[named.kind],
        aliases=named.aliases,
        page=named.page,
        summary=named.summary,
        tags=[named.kind, "named"],
        mentions=named.mentions,
        confidence=round(min(0.8, 0.4 + 0.05 * named.mentions), 2),
    )


def _often(spoken: Sequence[EntityEntry]) -> list[EntityEntry]:
    """Each name once, of the kind that most batches gave it."""
    joined: dict[str, list[EntityEntry]] = {}
    for entity in spoken:
        joined.setdefault(plain_form(entity.name), []).append(entity)
    kept: list[EntityEntry] = []
    for group in joined.values():
        best = max(
            group, key=lambda e: (sum(o.mentions for o in group if o.kind == e.kind), -e.page)
        )
        kept.append(best.model_copy(update={"mentions": sum(e.mentions for e in group)}))
    return kept


async def _tagged(
    registry: EntityRegistry, crew: IngestPorts, pack_id: str, progress: Progress
) -> EntityRegistry:
    """5d: tags for every entity, forty at a time."""
    rows = [
        {"id": e.id, "name": e.name, "kind": e.kind, "summary": shorten(e.summary, 160)}
        for e in registry.entities
    ]
    asked = [
        TagsInput(entities=rows[start : start + TAG_BATCH])
        for start in range(0, len(rows), TAG_BATCH)
    ]
    tags: dict[str, list[str]] = {}
    for answer in await crew.ask_each(TAGS, asked, pack_id, progress):
        tags |= {
            row.id: [slug(tag) for tag in row.tags if slug(tag)][:6] for row in answer.entities
        }
    return EntityRegistry(
        entities=[
            e.model_copy(update={"tags": list(dict.fromkeys((*e.tags, *tags.get(e.id, ()))))})
            for e in registry.entities
        ]
    )


async def sum_up(
    segments: Sequence[Segment], crew: IngestPorts, pack_id: str, progress: Progress
) -> dict[str, Summed]:
    """5b: a line and some tags for each lore segment, by its id."""
    lore = [segment for segment in segments if segment.route is not Route.SYSTEMS]
    batches = [lore[start : start + SEGMENT_BATCH] for start in range(0, len(lore), SEGMENT_BATCH)]
    asked = [_to_sum_up(batch) for batch in batches]
    found: dict[str, Summed] = {}
    for answer in await crew.ask_each(SEGMENTS, asked, pack_id, progress):
        found |= {row.id: row for row in answer.segments}
    return found


def _to_sum_up(batch: Sequence[Segment]) -> SegmentsInput:
    pieces = [
        TextPiece(id=s.id, title=s.title, page=s.page_start, text=shorten(s.text, 3000))
        for s in batch
    ]
    return SegmentsInput(segments=pieces)
