"""Archives from outside, unpacked within limits and inside their folder: no bombs, no links."""

import lzma
import stat
import zipfile
import zlib
from pathlib import Path, PurePosixPath

from freeform.core.errors import BadFile, TooLarge

MOST_FILES = 20_000
MOST_TIMES_SMALLER = 200
PIECE = 1_000_000
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    NotImplementedError,
    RuntimeError,
    EOFError,
    ValueError,
)
"""What a broken archive, or a broken part of one, is read with."""
_TAKEN = (
    ".md",
    ".markdown",
    ".yaml",
    ".yml",
    ".json",
    ".txt",
    ".html",
    ".htm",
    ".png",
    ".jpg",
    ".jpeg",
    ".webp",
    ".svg",
    ".csv",
)


def unzip(path: Path, folder: Path, most: int) -> Path:
    """Unpacks a zip; gives the folder its content is in. Nothing bad in it is ever written."""
    try:
        with zipfile.ZipFile(path) as zip:
            files = [entry for entry in zip.infolist() if not entry.is_dir()]
            _check_all(files)
            _write_all(zip, files, folder, most)
    except BROKEN as wrong:
        reason = f"is no archive that can be opened ({wrong}); make it again"
        raise BadFile(str(path), reason) from None
    inside = list(folder.iterdir())
    if len(inside) == 1 and inside[0].is_dir():
        return inside[0]
    return folder


def _check_all(files: list[zipfile.ZipInfo]) -> None:
    if len(files) > MOST_FILES:
        raise TooLarge(f"the archive holds {len(files):,} files; at most {MOST_FILES:,} are taken")
    for entry in files:
        _check(entry)


def _check(entry: zipfile.ZipInfo) -> None:
    name = entry.filename.replace("\\", "/")
    parts = PurePosixPath(name).parts
    has_drive = bool(parts) and ":" in parts[0]
    if name.startswith("/") or ".." in parts or has_drive or "\0" in name:
        reason = f"holds '{name[:60]}', which leads out of its folder; nothing was unpacked"
        raise BadFile("the archive", reason)
    if stat.S_ISLNK(entry.external_attr >> 16):
        reason = f"holds a link, '{name[:60]}'; put the file itself in; nothing was unpacked"
        raise BadFile("the archive", reason)


def _write_all(zip: zipfile.ZipFile, files: list[zipfile.ZipInfo], folder: Path, most: int) -> None:
    left = most
    for entry in files:
        if entry.filename.lower().endswith(_TAKEN) and not _is_hidden(entry.filename):
            left -= _write(zip, entry, folder, left)


def _is_hidden(name: str) -> bool:
    parts = PurePosixPath(name).parts
    return any(part.startswith((".", "__MACOSX")) for part in parts)


def _write(zip: zipfile.ZipFile, entry: zipfile.ZipInfo, folder: Path, left: int) -> int:
    """One file, piece by piece; what its header claims of its size is not believed."""
    target = folder / PurePosixPath(entry.filename.replace("\\", "/"))
    target.parent.mkdir(parents=True, exist_ok=True)
    most = min(left, max(PIECE, entry.compress_size * MOST_TIMES_SMALLER))
    written = 0
    with zip.open(entry) as source, target.open("wb") as out:
        piece = source.read(PIECE)
        while piece:
            written += len(piece)
            if written > most:
                name = entry.filename[:60]
                raise TooLarge(f"'{name}' unpacks to more than is taken; nothing was brought in")
            out.write(piece)
            piece = source.read(PIECE)
    return written
