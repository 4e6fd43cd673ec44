"""Files that come over the wire, kept for as long as it takes to bring them in."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from fastapi import UploadFile

from freeform.services.arrivals.bring import Arrival

PIECE = 1_000_000
_LONGEST_NAME = 120
_UNSAFE = re.compile(r"[^\w .()+-]")


@asynccontextmanager
async def uploaded(file: UploadFile, *, campaign: str = "", id: str = "") -> AsyncIterator[Arrival]:
    """An upload as something to bring in; its file is gone afterwards."""
    name = safe_name(file.filename or "")
    with TemporaryDirectory(prefix="freeform-upload-") as folder:
        path = Path(folder) / name
        with path.open("wb") as out:
            piece = await file.read(PIECE)
            while piece:
                out.write(piece)
                piece = await file.read(PIECE)
        yield Arrival(path, name, campaign=campaign, id=id)


def safe_name(name: str) -> str:
    """The last part of a file's name, in letters that are safe in a folder of ours."""
    last = _UNSAFE.sub("_", Path(name.replace("\\", "/")).name).strip(" .")
    return last[-_LONGEST_NAME:] or "upload"
