"""A file that one process holds at a time, and that the system lets go of when the process dies."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from freeform.core.errors import Conflict, UserError


@contextmanager
def hold_file(path: Path, busy: str = "", *, wait: bool = False) -> Iterator[None]:
    """Holds the file inside. When another has it: Conflict with that sentence, or `wait`."""
    # Imported here: only long work takes a lock, and every start would pay for it.
    from filelock import lock_descriptor

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        opened = path.open("a+b")
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be written").lower()
        raise UserError(f"{path} cannot be kept: {reason}; check the disk") from wrong
    with opened as file:
        try:
            free = lock_descriptor(file.fileno(), blocking=wait, poll_interval=0.01)
        except OSError as wrong:
            raise UserError(
                f"{path} cannot be locked ({wrong.strerror}); keep it on a disk of this machine"
            ) from wrong
        if not free:
            raise Conflict(busy)
        yield
