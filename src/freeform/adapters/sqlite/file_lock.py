"""A file that one process holds at a time, and that the system lets go of when the process dies."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from freeform.core.errors import Conflict, UserError


@contextmanager
def hold_file(path: Path, busy: str) -> Iterator[None]:
    """Holds the file inside; Conflict with that sentence when another process has it."""
    # Imported here: only long work takes a lock, and every start would pay for it.
    from filelock import lock_descriptor

    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+b") as file:
        try:
            free = lock_descriptor(file.fileno(), blocking=False)
        except OSError as wrong:
            raise UserError(
                f"{path} cannot be locked ({wrong.strerror}); keep it on a disk of this machine"
            ) from wrong
        if not free:
            raise Conflict(busy)
        yield
