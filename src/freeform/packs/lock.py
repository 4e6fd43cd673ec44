"""The lock of a campaign: which version of each pack it was begun with, down to the bytes."""

import json
import os
import tempfile
from pathlib import Path

from pydantic import Field, ValidationError

from freeform.core.errors import BadFile
from freeform.core.record import Record


class Locked(Record):
    """One pack as a campaign knows it."""

    version: str
    digest: str


class Lock(Record):
    """`packs.lock`: pack id -> version and digest of its content."""

    format: int = 1
    packs: dict[str, Locked] = Field(default_factory=dict)


def read_lock(path: Path) -> Lock | None:
    """The lock in that file; None where there is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError):
        raise BadFile(
            str(path), "the lock does not read; restore it from a backup of the campaign"
        ) from None
    try:
        return Lock.model_validate_json(text)
    except ValidationError:
        raise BadFile(
            str(path), "the lock is damaged; restore it from a backup of the campaign"
        ) from None


def write_lock(path: Path, lock: Lock) -> None:
    """Writes the whole file or nothing."""
    text = json.dumps(lock.model_dump(), indent=2, sort_keys=True) + "\n"
    write_atomically(path, text.encode())


def write_atomically(path: Path, data: bytes) -> None:
    """The file has the old content or the new one, never half of either."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
