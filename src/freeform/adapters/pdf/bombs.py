"""Looks for streams made to choke a reader, before a library unpacks them: far too long, or far too many pieces.

Most streams are judged by their first 2 kB: what packs no better than text does is harmless unless it is long. So a
normal book costs next to nothing.
"""

import mmap
import re
import zlib
from pathlib import Path

from freeform.core.errors import BadFile

#: Bytes one stream may unpack to. A page of vector maps stays well below; pictures are not unpacked here.
MOST_UNPACKED = 48_000_000
#: Pieces of text one page may draw; a page that sets every letter alone has some thousand.
MOST_PIECES = 40_000
#: A stream that is longer than this, or packs better than this many times, is unpacked whole.
LONG, TIGHT, PROBE = 150_000, 25, 2048
_STREAM = re.compile(rb"<<((?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}?)>>\s*stream\r?\n")
_LENGTH = re.compile(rb"/Length\s+(\d+)(?!\s+\d+\s+R)")
_SHOW = re.compile(rb"T[jJ]\b")


def check_streams(path: Path) -> None:
    """Raises BadFile for a file with such a stream."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for found in _STREAM.finditer(data):
            head = found[1]
            if b"/Fl" not in head or b"/Image" in head:
                continue
            length = _LENGTH.search(head)
            size = int(length[1]) if length else data.find(b"endstream", found.end()) - found.end()
            packed = data[found.end() : found.end() + size]
            twice = len(re.findall(rb"/Fl(?:ateDecode)?\b", head)) > 1
            if (
                not twice
                and len(packed) < LONG
                and len(_unpack(packed[:PROBE])) < TIGHT * min(PROBE, len(packed))
            ):
                continue
            unpacked = _unpack(packed)
            if twice and len(unpacked) <= MOST_UNPACKED:
                unpacked = _unpack(unpacked)
            if len(unpacked) > MOST_UNPACKED or len(_SHOW.findall(unpacked)) > MOST_PIECES:
                raise BadFile(
                    str(path),
                    "holds a page with far more in it than any page of a book has, as files made to break readers do; "
                    "print the book to a new PDF and ingest that.",
                )


def _unpack(packed: bytes) -> bytes:
    """The data, at most a byte above the limit; nothing for what does not unpack."""
    try:
        return zlib.decompressobj().decompress(packed, MOST_UNPACKED + 1)
    except zlib.error:
        return b""
