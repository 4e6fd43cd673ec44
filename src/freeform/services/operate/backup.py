"""A whole home in one file, made while a server runs: every file with its digest, every campaign
with a digest of each event."""

import contextlib
import hashlib
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import Field

from freeform import __version__
from freeform.core.clock import SystemClock
from freeform.core.errors import BadFile, Conflict, NotFound
from freeform.core.record import Record
from freeform.services.operate.secrets import without_kept_keys, without_secrets
from freeform.settings import FILE, Settings
from freeform.settings.kept import FILE as KEPT
from freeform.wiring.operate import databases

FORMAT = 1
MANIFEST = "backup.json"
PIECE = 1 << 20
MADE_AGAIN = ("index", "logs")
"""Folders that are not taken: indexes are made again, a log is this machine's own."""
SECRETS = {
    FILE: without_secrets,
    KEPT: without_kept_keys,
    "accounts.db": databases.without_passwords,
}
"""Files with keys in them, for their owner's eyes only, and what takes the keys out."""
_BESIDE = ("-wal", "-shm", "-journal", ".lock", ".part")
Progress = Callable[[int, int], None]


class KeptFile(Record):
    """One file of a home."""

    path: str
    size: int
    sha256: str


class KeptStory(Record):
    """One campaign's log: a digest of each event, and of where its branches stand."""

    path: str
    events: list[str]
    branches: str


class BackupManifest(Record):
    """What a backup says of itself."""

    format: int
    version: str
    made_at: str
    files: list[KeptFile] = Field(default_factory=list)
    stories: list[KeptStory] = Field(default_factory=list)
    secrets: bool = False
    left_out: list[str] = Field(default_factory=list)


class BackupMade(Record):
    """What was written."""

    path: str
    files: int
    campaigns: int
    events: int
    bytes: int
    left_out: list[str]


def back_up(
    settings: Settings,
    to: Path,
    *,
    secrets: bool = False,
    replace: bool = False,
    progress: Progress = lambda done, total: None,
) -> BackupMade:
    """Writes the home into one file. Nothing is written there unless all of it could be."""
    home = settings.home
    if not home.is_dir():
        raise NotFound(f"there is nothing at {home} to back up; choose another with --home")
    if _is_there(to) and not replace:
        raise Conflict(f"{to} is there already; choose another name, or allow it with --force")
    beside = to.with_name(f".{to.name}.{os.getpid()}.part")
    try:
        beside.parent.mkdir(parents=True, exist_ok=True)
        beside.touch(mode=0o600 if secrets else 0o666)
        with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED) as zip:
            manifest = _write(settings, zip, secrets, progress, to.absolute())
        with beside.open("rb+") as written:
            os.fsync(written.fileno())
        os.replace(beside, to)
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be written").lower()
        raise BadFile(str(to), f"{reason}; choose another place, or free some room") from None
    finally:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
    return BackupMade(
        path=str(to),
        files=len(manifest.files),
        campaigns=len(manifest.stories),
        events=sum(len(story.events) for story in manifest.stories),
        bytes=to.stat().st_size,
        left_out=manifest.left_out,
    )


def _is_there(file: Path) -> bool:
    try:
        return file.exists()
    except OSError as wrong:
        reason = (wrong.strerror or "it does not read").lower()
        raise BadFile(str(file)[:100], f"{reason}; choose another name") from None


def _write(
    settings: Settings, zip: zipfile.ZipFile, secrets: bool, progress: Progress, itself: Path
) -> BackupManifest:
    home = settings.home
    files = [file for file in _taken(home) if file != itself]
    kept: list[KeptFile] = []
    stories: list[KeptStory] = []
    left_out: list[str] = [f"{name}/ (made again)" for name in MADE_AGAIN if (home / name).exists()]
    if settings.store_url.get_secret_value():
        left_out.append("campaigns and shared tables in Postgres (back them up with pg_dump)")
    with tempfile.TemporaryDirectory(prefix="freeform-backup-") as scratch:
        for number, file in enumerate(files):
            progress(number, len(files))
            name = file.relative_to(home).as_posix()
            copy = _one_moment(file, Path(scratch))
            if copy is None:  # gone since, as a draft that was thrown away
                continue
            if name in SECRETS and not secrets:
                left_out += [f"{name}: {each}" for each in SECRETS[name](copy)]
            if file.name == "table.db":
                events, branches = databases.story_digest(copy)
                stories.append(KeptStory(path=name, events=events, branches=branches))
            kept.append(_add(zip, copy, name))
    progress(len(files), len(files))
    manifest = BackupManifest(
        format=FORMAT,
        version=__version__,
        made_at=SystemClock().now().isoformat(timespec="seconds"),
        files=kept,
        stories=stories,
        secrets=secrets,
        left_out=left_out,
    )
    zip.writestr(MANIFEST, manifest.model_dump_json(indent=1))
    return manifest


def _taken(home: Path) -> Iterator[Path]:
    """The files of a home. A campaign's log comes after what stands beside it: what was handed in
    at a table and played meanwhile is then in both, and never in neither."""
    found: list[Path] = []
    for folder, folders, names in os.walk(home):
        at = Path(folder)
        if at == home:
            folders[:] = [name for name in folders if name not in MADE_AGAIN]
        folders[:] = [name for name in folders if not name.startswith(".")]
        taken = [name for name in names if not name.startswith(".") and not name.endswith(_BESIDE)]
        found += [at / name for name in taken if not (at / name).is_symlink()]
    yield from sorted(found, key=lambda file: (file.parent, file.name == "table.db", file.name))


def _one_moment(file: Path, scratch: Path) -> Path | None:
    """A copy that no longer changes; None where the file is gone."""
    copy = scratch / "copy"
    copy.unlink(missing_ok=True)
    try:
        if databases.is_database(file):
            databases.copy_moment(file, copy)
        else:
            copy.write_bytes(file.read_bytes())
    except FileNotFoundError:
        return None
    return copy


def _add(zip: zipfile.ZipFile, copy: Path, name: str) -> KeptFile:
    digest, size = hashlib.sha256(), 0
    entry = zipfile.ZipInfo(f"home/{name}")
    entry.compress_type = zipfile.ZIP_DEFLATED
    with copy.open("rb") as source, zip.open(entry, "w", force_zip64=True) as out:
        while piece := source.read(PIECE):
            digest.update(piece)
            size += len(piece)
            out.write(piece)
    return KeptFile(path=name, size=size, sha256=digest.hexdigest())
