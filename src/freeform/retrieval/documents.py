"""Entries of packs as documents to be cut and indexed."""

from freeform.packs.model import Entry
from freeform.packs.overlay import PackWorld
from freeform.retrieval.model import Document, DocumentSection


def documents_of(world: PackWorld) -> list[Document]:
    """Every entry of a world, merged ones once."""
    return [document_of(entry) for entry in world.entries]


def document_of(entry: Entry) -> Document:
    """One entry. A GM-only entry makes every section of it GM-only."""
    book, pages = book_of(entry)
    first = pages.get("", 0)
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
            DocumentSection(
                path=s.path,
                heading=s.heading,
                level=s.level,
                text=s.text,
                gm_only=s.gm_only,
                page=pages.get(s.heading, first) if book else 0,
            )
            for s in entry.sections
        ],
        book=book,
    )


def book_of(entry: Entry) -> tuple[str, dict[str, int]]:
    """The book an entry was taken from, and the pages of its headings; '' stands for where it
    begins."""
    told = entry.extra
    book, page = told.get("source"), told.get("page")
    if not isinstance(book, str) or not isinstance(page, int):
        return "", {}
    listed = told.get("section_pages")
    inner = listed.items() if isinstance(listed, dict) else ()
    return book, {
        "": page,
        **{str(head): number for head, number in inner if isinstance(number, int)},
    }
