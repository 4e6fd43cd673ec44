"""Uploads for the assistant: sheets, rulebooks and chats, by their content."""

from collections import Counter
from pathlib import Path

from freeform.apps.web.responses import ImportedFile
from freeform.assistant.arrivals import keep_chat, what_is
from freeform.assistant.rulebook.bring import read_rulebook, write_rulebook
from freeform.assistant.sheet.shelf import SheetShelf
from freeform.core.clock import Clock
from freeform.core.text import slug
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.books import Books


async def bring_arrival(
    file: Path, name: str, work: Path, books: Books, clock: Clock
) -> ImportedFile | None:
    """What came of it, where it is one of these; None where it is not. A card is left to those who make packs of it,
    and kept as a sheet besides."""
    home, shown = books.shelf.folder.parent, Path(name).name[:120]
    match what_is(file):
        case "sheet" | "card" as kind:
            content, shelf = file.read_bytes(), SheetShelf(home)
            found = shelf.preview(content, shown, clock.now().isoformat(timespec="seconds"))
            shelf.keep(content, found)
            counts = {
                "numbers": len(found.sheet.derived),
                "items": len(found.sheet.inventory_info.items),
            }
            made = ImportedFile(
                kind="character", counts=counts, id=found.id, warnings=found.missing
            )
            return made if kind == "sheet" else None
        case "rulebook":
            book = read_rulebook(file)
            done = await pack_install.install(books, write_rulebook(book, work))
            counts = {
                "entries": done.entries,
                "chunks": done.chunks,
                **Counter(e.kind for e in book.entries),
            }
            return ImportedFile(kind="rulebook", counts=counts, id=done.id, warnings=book.notes)
        case "chat":
            kept = keep_chat(file.read_bytes(), shown, home, slug(Path(name).stem)[:60])
            return ImportedFile(kind="chat", counts=kept.counts, id=kept.id)
        case "":
            return None
