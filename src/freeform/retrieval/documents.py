"""Entries of packs as documents to be cut and indexed."""

from freeform.packs.model import Entry
from freeform.packs.overlay import World
from freeform.retrieval.model import Document, Section


def documents_of(world: World) -> list[Document]:
    """Every entry of a world, merged ones once."""
    return [document_of(entry) for entry in world.entries]


def document_of(entry: Entry) -> Document:
    """One entry. A GM-only entry makes every section of it GM-only."""
    return Document(
        pack_id=entry.pack_id,
        id=entry.local_id,
        type=entry.type,
        name=entry.name,
        aliases=entry.aliases,
        tags=entry.tags,
        related_entities=entry.related_entities,
        related_factions=entry.related_factions,
        related_locations=entry.related_locations,
        related_threads=entry.related_threads,
        file_path=entry.file_path,
        audience="gm" if entry.gm_only else "all",
        sections=[
            Section(path=s.path, heading=s.heading, level=s.level, text=s.text, gm_only=s.gm_only)
            for s in entry.sections
        ],
    )
