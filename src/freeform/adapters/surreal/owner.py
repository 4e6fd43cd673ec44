"""One owner for one folder: the embedded engine takes no lock of its own, and two writers would lose each other's rows."""

import os
from pathlib import Path

from freeform.core.errors import UserError

FILE = "owner.lock"


class Ownership:
    """Holds a folder for this process until it is let go; the system lets go when the process dies."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._held = os.open(folder / FILE, os.O_RDWR | os.O_CREAT, 0o644)
        if not _lock(self._held):
            owner = os.read(self._held, 200).decode(errors="replace").strip()
            os.close(self._held)
            raise UserError(
                f"{folder} belongs to process {owner or 'of another program'}; end it, or speak to it: run "
                "`freeform-rpg lore mcp storage` once and set `lore_storage_url` to its address"
            )
        os.ftruncate(self._held, 0)
        os.write(self._held, f"{os.getpid()}\n".encode())

    def release(self) -> None:
        """Lets go; a second time is harmless."""
        if self._held >= 0:
            os.close(self._held)
            self._held = -1


def _lock(file: int) -> bool:
    """Takes the lock if it is free."""
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        try:
            # A byte far behind the text, so that others can read who the owner is.
            os.lseek(file, 1 << 20, os.SEEK_SET)
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined, unused-ignore]
            os.lseek(file, 0, os.SEEK_SET)
        except OSError:
            os.lseek(file, 0, os.SEEK_SET)
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
