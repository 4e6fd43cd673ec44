"""`import` for what the assistant reads: sheets, cards, rulebooks, chats. Kinds are found by content."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

from freeform.apps.cli.assistant.characters import lines_about, look_at, shelf_of
from freeform.apps.cli.desk import Desk


def bring(desk: Desk, path: Path, id: str = "") -> bool:
    """Brings it in where it is one of these; whether it was."""
    from freeform.assistant.arrivals import what_is

    match what_is(path):
        case "rulebook":
            _rulebook(desk, path, id)
        case "sheet":
            _sheet(desk, path, id)
        case "card":
            _card(desk, path, id)
        case "chat":
            _chat(desk, path, id)
        case "":
            return False
    return True


def _rulebook(desk: Desk, path: Path, id: str) -> None:
    from collections import Counter

    from freeform.apps.cli.pack.packs import books_of
    from freeform.assistant.rulebook.bring import manifest_of, read_rulebook, write_rulebook
    from freeform.core.errors import UserError
    from freeform.core.text import slug
    from freeform.engine.shelf import pack_install
    from freeform.packs.folder.files import digest_of, list_files
    from freeform.packs.model import Findings

    book = read_rulebook(path)
    books = books_of(desk)
    taken = slug(id) or manifest_of(book).id
    with tempfile.TemporaryDirectory(prefix="freeform-rules-") as scratch:
        folder = write_rulebook(book, Path(scratch), slug(id))
        same = [s for s in books.shelf.packs() if s.manifest.id == taken]
        if same and books.shelf.digest(same[0]) != digest_of(list_files(folder, Findings())):
            raise UserError(
                f"the rulebook {taken} is there already, from another source; take it away first "
                f"(freeform-rpg pack remove {taken}), or keep both with --id {taken}_2"
            )
        with desk.progress("Indexing the rules") as bar:
            done = asyncio.run(pack_install.install(books, folder, bar))
    counts = {
        "entries": done.entries,
        "chunks": done.chunks,
        **Counter(entry.kind for entry in book.entries),
    }
    document: dict[str, Any] = {
        **done.model_dump(mode="json"),
        "kind": "rulebook",
        "edition": book.edition,
        "source": book.source,
        "license": book.license,
        "counts": counts,
    }
    for note in [*book.notes[:5], *done.notes]:
        desk.note(note)
    kinds = ", ".join(
        f"{n} {kind.replace('_', ' ')}"
        for kind, n in Counter(e.kind for e in book.entries).most_common(6)
    )
    said = "Already there" if done.already else "Brought in"
    desk.answer(
        document,
        [
            f"{said}: {done.id} {done.version}, rules of edition {book.edition} from {book.source} ({done.seconds:.1f} s).",
            f"  {done.entries} entries: {kinds} …",
            f"  Licence {book.license}; the attribution stands in the pack (freeform-rpg pack info {done.id}).",
        ],
    )


def _sheet(desk: Desk, path: Path, id: str) -> None:
    found = look_at(desk, path, id)
    shelf_of(desk).keep(path.read_bytes(), found)
    sheet = found.sheet
    document = {
        **found.model_dump(mode="json", exclude={"sheet", "kind"}),
        "kind": "character",
        "format": found.kind,
        "counts": {"numbers": len(sheet.derived), "items": len(sheet.inventory_info.items)},
    }
    desk.answer(document, lambda: lines_about(found, False))


def _card(desk: Desk, path: Path, id: str) -> None:
    """A card is a pack, whose character can be met in play, and a sheet, which can be asked."""
    from freeform.apps.cli.pack.packs import books_of
    from freeform.engine.shelf import pack_install
    from freeform.packs.formats.card import import_card

    found = look_at(desk, path, id)
    with tempfile.TemporaryDirectory(prefix="freeform-card-") as scratch:
        made = import_card(path.read_bytes(), path.name, Path(scratch))
        done = asyncio.run(pack_install.install(books_of(desk), Path(made.path)))
    shelf_of(desk).keep(path.read_bytes(), found)
    counts = {"entries": done.entries, "chunks": done.chunks, "characters": 1}
    document = {
        **done.model_dump(mode="json"),
        "kind": "card",
        "character": found.id,
        "counts": counts,
    }
    desk.answer(
        document,
        [
            f"Brought in the card of {found.name}: pack {done.id} ({done.entries} entries), and character {found.id}."
        ],
    )


def _chat(desk: Desk, path: Path, id: str) -> None:
    from freeform.assistant.arrivals import keep_chat
    from freeform.core.text import slug

    kept = keep_chat(path.read_bytes(), path.name, desk.settings.home, slug(id))
    said = f"Brought in a chat of {kept.counts['messages']} messages as notes '{kept.id}'."
    desk.answer(
        kept, [said, f'Ask it: freeform-rpg ask "What happened last session?" --notes {kept.id}']
    )
