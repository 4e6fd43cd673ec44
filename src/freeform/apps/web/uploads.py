"""Files from outside: what they are, by content; archives unpacked within limits and inside their folder."""

import json
import stat
import zipfile
from pathlib import Path, PurePosixPath

from freeform.apps.web.arrivals import bring_arrival
from freeform.apps.web.problems import TooLarge
from freeform.apps.web.responses import ImportedFile
from freeform.core.errors import BadFile, UserError
from freeform.core.text import slug
from freeform.engine.campaign.archive import MANIFEST, CampaignFiles, import_zip
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.books import Books
from freeform.engine.table import Table
from freeform.packs.formats.card import import_card, is_card

MOST_FILES = 20_000
MOST_TIMES_SMALLER = 200
ALLOWED = (
    ".md",
    ".markdown",
    ".yaml",
    ".yml",
    ".json",
    ".txt",
    ".png",
    ".jpg",
    ".jpeg",
    ".webp",
    ".svg",
    ".csv",
)
PIECE = 1_000_000


def unpack(path: Path, folder: Path, most: int) -> Path:
    """Unpacks a zip; gives the folder its content is in. What leaves the folder, links and bombs are refused."""
    try:
        with zipfile.ZipFile(path) as zip:
            files = [entry for entry in zip.infolist() if not entry.is_dir()]
            if len(files) > MOST_FILES:
                raise TooLarge(
                    f"the archive holds {len(files):,} files; at most {MOST_FILES:,} are taken"
                )
            for entry in files:
                _check(entry)
            left = most
            for entry in files:
                if entry.filename.lower().endswith(ALLOWED) and not _is_hidden(entry.filename):
                    left -= _write(zip, entry, folder, left)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError) as wrong:
        raise BadFile(
            path.name, f"is no archive that can be opened ({wrong}); make it again"
        ) from None
    inside = [one for one in folder.iterdir()]
    return inside[0] if len(inside) == 1 and inside[0].is_dir() else folder


def _is_hidden(name: str) -> bool:
    return any(part.startswith((".", "__MACOSX")) for part in PurePosixPath(name).parts)


def _check(entry: zipfile.ZipInfo) -> None:
    name = entry.filename.replace("\\", "/")
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or (parts and ":" in parts[0]) or "\0" in name:
        raise BadFile(
            "the archive",
            f"holds '{name[:60]}', which leads out of its folder; nothing was unpacked",
        )
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise BadFile(
            "the archive",
            f"holds a link, '{name[:60]}'; put the file itself in; nothing was unpacked",
        )


def _write(zip: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, left: int) -> int:
    """One file, piece by piece; what its header claims of its size is not believed."""
    target = folder / PurePosixPath(entry.filename.replace("\\", "/"))
    target.parent.mkdir(parents=True, exist_ok=True)
    most = min(left, max(PIECE, entry.compress_size * MOST_TIMES_SMALLER))
    seen = 0
    with zip.open(entry) as source, target.open("wb") as out:
        while piece := source.read(PIECE):
            seen += len(piece)
            if seen > most:
                raise TooLarge(
                    f"'{entry.filename[:60]}' unpacks to more than is taken; nothing was brought in"
                )
            out.write(piece)
    return seen


async def bring_in(
    file: Path,
    name: str,
    campaign: str | None,
    work: Path,
    table: Table,
    books: Books,
    copies: CampaignFiles,
    most: int,
) -> ImportedFile:
    """A file of any kind we read, found by its content: campaign, pack, vault, lorebook, card, sheet, rulebook, chat."""
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as zip:
            names = zip.namelist()
        if MANIFEST in names and "log.jsonl" in names:
            id, counts = await import_zip(file, campaign or None, table, copies)
            return ImportedFile(kind="campaign", counts=counts, id=id)
        if "card.json" in names:
            return await _card(file, name, work, books)
        folder = unpack(file, work, most)
        if folder == work:
            folder = work.rename(work.with_name(slug(Path(name).stem) or "vault"))
        arrived = await bring_arrival(folder, name, folder.with_name("rules"), books, table.clock)
        return arrived or await _pack(folder, Path(name).stem, books)
    file = file.rename(
        work / f"{slug(Path(name).stem) or 'upload'}{Path(name).suffix.lower()[:10]}"
    )
    if arrived := await bring_arrival(file, name, work / "rules", books, table.clock):
        return arrived
    if is_card(file.read_bytes()):
        return await _card(file, name, work, books)
    if _looks_like_json(file):
        # Its name is what the pack is called by when the book has none.
        return await _pack(
            file.rename(work / f"{slug(Path(name).stem) or 'lorebook'}.json"),
            Path(name).stem,
            books,
        )
    raise UserError(
        f"'{Path(name).name[:60]}' is nothing we read: bring a campaign or pack as zip, a vault as zip, "
        "a lorebook as JSON, a character as D&D Beyond or Foundry JSON, a character card as PNG, JSON or charx, the SRD as "
        "JSON, HTML or Markdown, or a SillyTavern chat"
    )


async def _pack(path: Path, title: str, books: Books, kind: str = "") -> ImportedFile:
    done = await pack_install.install(books, path, name=title)
    told = [str(problem) for problem in [*done.errors, *done.warnings][:50]]
    counts = {"entries": done.entries, "chunks": done.chunks}
    return ImportedFile.model_validate(
        {"kind": kind or done.kind, "counts": counts, "id": done.id, "warnings": told}
    )


async def _card(file: Path, name: str, work: Path, books: Books) -> ImportedFile:
    made = import_card(file.read_bytes(), Path(name).name, work)
    return await _pack(Path(made.path), made.id, books, "card")


def _looks_like_json(file: Path) -> bool:
    try:
        json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return False
    return True
