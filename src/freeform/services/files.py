"""Files of this machine that a person names."""

from pathlib import Path

from freeform.core.errors import BadFile


def file_bytes(path: Path) -> bytes:
    """What is in a file. BadFile says why it cannot be read."""
    try:
        return path.read_bytes()
    except IsADirectoryError:
        raise BadFile(str(path), "a folder; give the character's file") from None
    except OSError as wrong:
        reason = (wrong.strerror or "cannot be read").lower()
        raise BadFile(str(path), f"{reason}; check the path") from None


def write_new(path: Path, content: bytes) -> None:
    """Writes a file that is not there yet. BadFile says why it cannot be written."""
    try:
        with path.open("xb") as out:
            out.write(content)
    except FileExistsError:
        raise BadFile(str(path), "is there already; give another name") from None
    except OSError as wrong:
        reason = (wrong.strerror or "cannot be written").lower()
        raise BadFile(str(path), f"{reason}; choose another place") from None
