"""A backup put back: everything is checked first, then it comes in at once or not at all."""

import hashlib
import json
import os
import shutil
import tempfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from freeform.core.errors import BadFile, Conflict, FreeformError, TooLarge, UserError
from freeform.core.record import Record
from freeform.services.operate.backup import (
    FORMAT,
    MADE_AGAIN,
    MANIFEST,
    PIECE,
    SECRETS,
    BackupManifest,
    KeptFile,
    Progress,
)
from freeform.settings import FILE
from freeform.wiring.operate import databases

MOST_MANIFEST = 200_000_000
NOTHING_CHANGED = "nothing was changed"


class Restored(Record):
    """What was put back, or found whole."""

    home: str
    version: str
    made_at: str
    files: int
    campaigns: int
    events: int
    kept: list[str]
    """What was in the home already and stays as it is."""
    left_out: list[str]


def check_backup(file: Path, progress: Progress = lambda done, total: None) -> Restored:
    """Unpacks it aside and checks every file and every event; puts nothing anywhere."""
    with tempfile.TemporaryDirectory(prefix="freeform-check-") as scratch:
        manifest = _unpacked(file, Path(scratch), progress)
    return _told(manifest, "", [])


def restore(file: Path, home: Path, progress: Progress = lambda done, total: None) -> Restored:
    """Puts a backup into a home that is empty. Whatever is wrong is found before that."""
    there = _check_empty(home)
    with _beside(home) as scratch:
        manifest = _unpacked(file, scratch, progress)
        _move_in(scratch, home, there)
    return _told(manifest, str(home), there)


def _told(manifest: BackupManifest, home: str, kept: list[str]) -> Restored:
    return Restored(
        home=home,
        version=manifest.version,
        made_at=manifest.made_at,
        files=len(manifest.files),
        campaigns=len(manifest.stories),
        events=sum(len(story.events) for story in manifest.stories),
        kept=kept,
        left_out=manifest.left_out,
    )


def _check_empty(home: Path) -> list[str]:
    """What may stay where it is: settings, and what is made again. Conflict when there is more."""
    if not home.exists():
        return []
    if not home.is_dir():
        raise UserError(f"{home} is a file; choose a folder with --to")
    there = [entry.name for entry in home.iterdir() if not entry.name.startswith(".")]
    more = [name for name in there if name not in (FILE, *MADE_AGAIN)]
    if more:
        raise Conflict(
            f"{home} holds {', '.join(sorted(more)[:3])} already; choose an empty folder with "
            f"--to, or move it away; {NOTHING_CHANGED}"
        )
    return [FILE] if FILE in there else []


@contextmanager
def _beside(home: Path) -> Iterator[Path]:
    """A folder on the same disk, gone afterwards."""
    try:
        home.parent.mkdir(parents=True, exist_ok=True)
        scratch = Path(tempfile.mkdtemp(prefix=f".{home.name}.restoring-", dir=home.parent))
    except OSError as wrong:
        reason = (wrong.strerror or "refused").lower()
        raise UserError(f"{home} cannot be written ({reason}); choose another with --to") from None
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _unpacked(file: Path, to: Path, progress: Progress) -> BackupManifest:
    try:
        with zipfile.ZipFile(file) as zip:
            manifest = _manifest(zip, file)
            _check_names(zip, manifest, file)
            for number, kept in enumerate(manifest.files):
                progress(number, len(manifest.files))
                _unpack(zip, kept, to, file)
            progress(len(manifest.files), len(manifest.files))
    except FileNotFoundError:
        raise BadFile(str(file), "there is no such file; check its name") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as wrong:
        reason = f"is damaged or no backup ({wrong}); take another; {NOTHING_CHANGED}"
        raise BadFile(str(file), reason) from None
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be read").lower()
        told = f"{reason}; check the file and the room on the disk; {NOTHING_CHANGED}"
        raise BadFile(str(file), told) from None
    for kept in manifest.files:
        _check_database(to / kept.path, kept.path)
    _check_stories(manifest, to, file)
    return manifest


def _manifest(zip: zipfile.ZipFile, file: Path) -> BackupManifest:
    try:
        entry = zip.getinfo(MANIFEST)
    except KeyError:
        raise BadFile(str(file), f"is no backup of Freeform RPG; {NOTHING_CHANGED}") from None
    if entry.file_size > MOST_MANIFEST:
        raise TooLarge(f"{file}: its list of files is far too long; {NOTHING_CHANGED}")
    data = zip.read(entry)
    _check_format(data, file)
    try:
        return BackupManifest.model_validate_json(data)
    except (ValidationError, ValueError):
        reason = f"is damaged: its list of files does not read; {NOTHING_CHANGED}"
        raise BadFile(str(file), reason) from None


def _check_format(data: bytes, file: Path) -> None:
    try:
        number = json.loads(data)["format"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return
    if isinstance(number, int) and number > FORMAT:
        raise UserError(
            f"{file} was made by a newer Freeform RPG (format {number}, this one reads {FORMAT}); "
            f"update this one; {NOTHING_CHANGED}"
        )


def _check_names(zip: zipfile.ZipFile, manifest: BackupManifest, file: Path) -> None:
    """All that is listed is there, nothing else is, and nothing leads out of the home."""
    listed = [f"home/{kept.path}" for kept in manifest.files] + [MANIFEST]
    if sorted(listed) != sorted(zip.namelist()):
        reason = f"is damaged: it does not hold what its list says; {NOTHING_CHANGED}"
        raise BadFile(str(file), reason)
    for kept in manifest.files:
        parts = PurePosixPath(kept.path).parts
        odd = "\\" in kept.path or "\0" in kept.path or ":" in kept.path
        if not parts or ".." in parts or parts[0].startswith("/") or odd:
            reason = f"holds '{kept.path[:60]}', which leads out of its folder; {NOTHING_CHANGED}"
            raise BadFile(str(file), reason)


def _unpack(zip: zipfile.ZipFile, kept: KeptFile, to: Path, file: Path) -> None:
    target = to / kept.path
    target.parent.mkdir(parents=True, exist_ok=True)
    if kept.path in SECRETS:
        target.touch(mode=0o600)
    digest, size = hashlib.sha256(), 0
    with zip.open(f"home/{kept.path}") as source, target.open("wb") as out:
        while (piece := source.read(PIECE)) and size <= kept.size:
            digest.update(piece)
            size += len(piece)
            out.write(piece)
    if (size, digest.hexdigest()) != (kept.size, kept.sha256):
        reason = f"is damaged: '{kept.path}' is not what was put in; {NOTHING_CHANGED}"
        raise BadFile(str(file), reason)


def _check_database(path: Path, shown: str) -> None:
    if databases.is_database(path):
        databases.check_database(path, shown)


def _check_stories(manifest: BackupManifest, to: Path, file: Path) -> None:
    """Every campaign event by event."""
    for story in manifest.stories:
        try:
            found = databases.story_digest(to / story.path)
        except FreeformError:
            found = ([], "")
        if found != (story.events, story.branches):
            reason = f"is damaged: the log of '{story.path}' is not what was put in"
            raise BadFile(str(file), f"{reason}; {NOTHING_CHANGED}")


def _move_in(scratch: Path, home: Path, kept: list[str]) -> None:
    """All at once where the home is new; else entry by entry, and back again if one refuses."""
    moved: list[str] = []
    try:
        if not home.exists():
            os.replace(scratch, home)
            scratch.mkdir()
            return
        for entry in sorted(scratch.iterdir()):
            if entry.name not in kept:
                os.replace(entry, home / entry.name)
                moved.append(entry.name)
    except OSError as wrong:
        for name in moved:
            os.replace(home / name, scratch / name)
        reason = (wrong.strerror or "refused").lower()
        raise UserError(f"{home} cannot be written ({reason}); {NOTHING_CHANGED}") from None
