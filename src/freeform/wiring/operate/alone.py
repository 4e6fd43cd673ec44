"""Work that one process of several does, as long as it lives."""

from contextlib import AbstractContextManager
from pathlib import Path

from freeform.adapters.sqlite.file_lock import hold_file


def alone(lock: Path, busy: str) -> AbstractContextManager[None]:
    """Whoever holds that file is alone, among all processes; Conflict when another does."""
    return hold_file(lock, busy)
