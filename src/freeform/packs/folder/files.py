"""The files of a pack: which ones count, their text, their digest. Nothing outside the folder is
ever read."""

import hashlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from freeform.packs.model import Findings

MAX_MARKDOWN = 2 * 1024 * 1024
MAX_OTHER = 20 * 1024 * 1024
MAX_FILES = 50_000


class Unreadable(Exception):
    """A file that cannot be used. `line` is 0 where the whole file is meant."""

    def __init__(self, reason: str, line: int = 0) -> None:
        self.reason, self.line = reason, line
        super().__init__(reason)


@dataclass(frozen=True)
class PackFile:
    """A file inside a pack. `name` is its path from the pack's folder, with forward slashes."""

    name: str
    path: Path
    size: int


def list_files(root: Path, found: Findings) -> list[PackFile]:
    """The files of a pack in a fixed order. Hidden ones do not count; what is unsafe is named and
    left out."""
    real_root = root.resolve()
    files: list[PackFile] = []
    for folder, folders, names in os.walk(real_root, followlinks=False):
        here = Path(folder)
        for name in sorted(folders):
            if (here / name).is_symlink():
                _judge_link(here / name, real_root, found, folder=True)
        folders[:] = sorted(
            n for n in folders if not n.startswith(".") and not (here / n).is_symlink()
        )
        for name in sorted(names):
            if not name.startswith("."):
                _take(here / name, real_root, files, found)
        if len(files) > MAX_FILES:
            found.error(".", 0, f"more than {MAX_FILES} files; split the pack into several")
            break
    return sorted(files, key=lambda file: file.name)


def _take(path: Path, root: Path, files: list[PackFile], found: Findings) -> None:
    name = path.relative_to(root).as_posix()
    if not _sayable(name):
        name = name.encode("utf-8", "replace").decode()
        found.error(name, 0, "the file's name is not UTF-8; rename it")
        return
    try:
        if path.is_symlink() and not _judge_link(path, root, found, folder=False):
            return
        facts = path.stat()
    except OSError:
        found.error(
            name, 0, "the file vanished or may not be read; put it back or make it readable"
        )
        return
    if not stat.S_ISREG(facts.st_mode):
        found.error(name, 0, "not a regular file; remove it from the pack")
        return
    most = MAX_MARKDOWN if name.lower().endswith((".md", ".yaml", ".yml")) else MAX_OTHER
    if facts.st_size > most:
        size = f"{facts.st_size / 1024 / 1024:.0f} MB, at most {most // 1024 // 1024} MB are read"
        found.error(name, 0, f"the file has {size}; split it into one file per entry")
        return
    files.append(PackFile(name, path, facts.st_size))


def _sayable(name: str) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _judge_link(path: Path, root: Path, found: Findings, *, folder: bool) -> bool:
    """Whether a link may be read: only a file inside the pack. A loop or an outside target is
    named."""
    name = path.relative_to(root).as_posix()
    try:
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        found.error(name, 0, "a link to nothing; remove it")
        return False
    if not target.is_relative_to(root):
        found.error(
            name,
            0,
            "a link that leaves the pack's folder is not followed; copy its target into the pack",
        )
        return False
    if folder:
        found.warn(name, 0, "a link to another folder of the pack is not followed; remove it")
        return False
    return True


def read_bytes(path: Path) -> bytes:
    """The bytes, or Unreadable when the file went away or may not be read."""
    try:
        return path.read_bytes()
    except OSError as wrong:
        reason = (
            "the file vanished while it was being read"
            if isinstance(wrong, FileNotFoundError)
            else "no access"
        )
        raise Unreadable(f"{reason}; put it back, then try again") from None


def decode(data: bytes) -> str:
    """The text of a UTF-8 file with plain line ends; anything else is named with its likely
    encoding."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("the file is UTF-16; save it as UTF-8")
    if b"\0" in data:
        raise Unreadable("a binary file, not Markdown; remove it or give it its right ending")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as wrong:
        line = data.count(b"\n", 0, wrong.start) + 1
        controls = sum(byte < 32 and byte not in (9, 10, 12, 13) for byte in data[:4096])
        if controls > len(data[:4096]) // 50:
            raise Unreadable(
                "a binary file, not Markdown; remove it or give it its right ending"
            ) from None
        raise Unreadable(
            f"byte 0x{data[wrong.start]:02x} is not UTF-8, the file looks like {likely_encoding(data)}; "
            "save it as UTF-8",
            line,
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def likely_encoding(data: bytes) -> str:
    """The old encoding a text that is not UTF-8 most likely has."""
    try:
        data.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "Windows-1252"


def decode_gently(data: bytes) -> tuple[str, str]:
    """For imports, which write UTF-8 anew: the text, and the encoding that had to be guessed (or
    '')."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        try:
            return data.decode("utf-16").replace("\r\n", "\n").replace("\r", "\n"), "UTF-16"
        except UnicodeDecodeError:
            raise Unreadable(
                "the file begins like UTF-16 but does not read; save it as UTF-8"
            ) from None
    try:
        return decode(data), ""
    except Unreadable:
        if b"\0" in data:
            raise
        guess = likely_encoding(data)
        return data.decode(guess).replace("\r\n", "\n").replace("\r", "\n"), guess


def digest_of(files: list[PackFile]) -> str:
    """One digest for the names and contents of these files."""
    whole = hashlib.sha256()
    for file in files:
        try:
            part = hashlib.sha256(read_bytes(file.path)).hexdigest()
        except Unreadable:
            part = "unreadable"
        whole.update(f"{file.name}\0{part}\n".encode())
    return whole.hexdigest()
