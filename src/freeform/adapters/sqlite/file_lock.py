"""A file that one process holds at a time, and that the system lets go of when the process dies."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from freeform.core.errors import Conflict


@contextmanager
def hold_file(path: Path, busy: str) -> Iterator[None]:
    """Holds the file inside; Conflict with that sentence when another process has it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        try:
            _lock(file.fileno())
        except OSError as taken:
            raise Conflict(busy) from taken
        yield


if os.name == "nt":
    import msvcrt

    def _lock(number: int) -> None:
        msvcrt.locking(number, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
else:
    import fcntl

    def _lock(number: int) -> None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
