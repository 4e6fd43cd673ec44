"""What enrichment finds: entities with their names, relations and numbers, and the registry of them
all."""

from typing import Any

from pydantic import Field

from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.ingest.things.kinds import Kind
from freeform.packs.model import EntryType


class FoundRelationship(Record):
    """How an entity stands to another."""

    kind: str
    target: str
    page: int = 0
    quote: str = ""
    """The words of the book that state it."""


class EntityEntry(Record):
    """A named thing of the book. `section` is the section that is about it, '' when it is only
    spoken of."""

    id: str
    name: str
    kind: Kind
    type: EntryType
    aliases: list[str] = Field(default_factory=list)
    page: int = 0
    section: str = ""
    summary: str = ""
    tags: list[str] = Field(default_factory=list)
    relationships: list[FoundRelationship] = Field(default_factory=list)
    numbers: dict[str, Any] = Field(default_factory=dict)
    #: What its catalogue says of it, under the book's own labels.
    fields: dict[str, int | str] = Field(default_factory=dict)
    mentions: int = 0
    confidence: float = 1.0


class EntityRegistry(Record):
    """Every entity once: entity_registry.json."""

    entities: list[EntityEntry] = Field(default_factory=list)

    def by_name(self) -> dict[str, EntityEntry]:
        """Names and aliases in plain form; names win."""
        found: dict[str, EntityEntry] = {}
        for pick in (lambda e: [e.name], lambda e: e.aliases):
            for entity in self.entities:
                for name in pick(entity):
                    found.setdefault(plain_form(name), entity)
        return found

    def counts(self) -> dict[str, int]:
        """How many of each kind."""
        kinds = [entity.kind for entity in self.entities]
        return {kind: kinds.count(kind) for kind in sorted(set(kinds))}
