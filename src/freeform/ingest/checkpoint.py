"""The folder a stage writes, and the meta file that says it is whole.

A stage counts as finished only when `stage_meta.json` has been renamed into its folder, and only
for the inputs whose digest stands in it. A killed run leaves a folder without one: the next run
empties it and does that stage again.
"""

import errno
import json
import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from freeform.core.errors import BadFile, UserError
from freeform.core.record import canonical
from freeform.ingest.model import StageMeta

META = "stage_meta.json"
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
R = TypeVar("R", bound=BaseModel)


def fingerprint(stage: str, version: int, settings: dict[str, Any], before: Sequence[str]) -> str:
    """The digest of everything a stage's outputs depend on."""
    return sha256(canonical([stage, version, settings, list(before)]).encode()).hexdigest()[:32]


def digest_file(path: Path) -> str:
    """Of the book itself. BadFile when it is not there or may not be read."""
    whole = sha256()
    try:
        with path.open("rb") as file:
            while piece := file.read(1 << 20):
                whole.update(piece)
    except IsADirectoryError:
        raise BadFile(str(path), "is a folder; give the PDF itself") from None
    except OSError as wrong:
        raise BadFile(str(path), f"cannot be read ({wrong.strerror}); check the path") from None
    return whole.hexdigest()


def read_meta(folder: Path) -> StageMeta | None:
    """The meta of a finished stage; None when there is none that reads."""
    try:
        return StageMeta.model_validate_json((folder / META).read_bytes())
    except (OSError, ValidationError):
        return None


def write_meta(folder: Path, meta: StageMeta) -> None:
    """The last thing a stage does: from now on it is finished."""
    write_whole(folder / META, meta.model_dump_json(indent=1))


def clear(folder: Path) -> None:
    """An empty folder. The meta goes first, so that half a folder is never taken for a whole
    one."""
    (folder / META).unlink(missing_ok=True)
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def write_whole(path: Path, text: str) -> None:
    """A file that is there whole or not at all, also after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def write_record(path: Path, record: BaseModel) -> None:
    """A record as readable JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(record.model_dump_json(indent=1), encoding="utf-8")


def write_json(path: Path, data: Any) -> None:
    """Plain data as readable JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(data, ensure_ascii=False, indent=1), encoding="utf-8")


def read_record_json(path: Path, shape: type[R]) -> R:
    """What an earlier stage wrote. BadFile says how to have it written anew."""
    try:
        return shape.model_validate_json(path.read_bytes())
    except OSError as wrong:
        raise BadFile(str(path), f"is gone ({wrong.strerror}); {_again(path)}") from None
    except ValidationError:
        raise BadFile(str(path), f"was changed and does not read; {_again(path)}") from None


def _again(path: Path) -> str:
    return f"run the ingest again with --from-stage {path.parent.name}"


@contextmanager
def keeping_room(stage: str, folder: Path) -> Iterator[None]:
    """Turns a full disk into a sentence; what the stage had begun is removed, finished stages
    stay."""
    try:
        yield
    except OSError as wrong:
        if wrong.errno in _NO_ROOM:
            shutil.rmtree(folder, ignore_errors=True)
            raise UserError(
                f"no room left on the disk in stage '{stage}' ({folder}); free some space, then run the same "
                "command again: finished stages are kept"
            ) from None
        if wrong.errno in (errno.EACCES, errno.EROFS, errno.EPERM):
            raise UserError(
                f"{wrong.filename or folder} may not be written; allow it, or choose another folder with --out"
            ) from None
        raise
