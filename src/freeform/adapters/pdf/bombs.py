"""Looks for streams that unpack to far more than any page holds, before a library unpacks them.

Deflate cannot grow data more than about 1,032 times, so only streams that are long enough to be dangerous (or packed
twice) are tried, and each only up to the limit: a normal book costs next to nothing.
"""

import mmap
import re
import zlib
from pathlib import Path

from freeform.core.errors import BadFile

#: Bytes one stream may unpack to. A page of vector maps stays well below; pictures are not unpacked here.
MOST_UNPACKED = 48_000_000
GROWTH = 1032
_STREAM = re.compile(rb"<<((?:[^<>]|<<[^<>]*>>|<[^<>]*>){0,2000}?)>>\s*stream\r?\n")
_LENGTH = re.compile(rb"/Length\s+(\d+)(?!\s+\d+\s+R)")


def check_streams(path: Path) -> None:
    """Raises BadFile for a file with such a stream."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for found in _STREAM.finditer(data):
            head = found[1]
            if b"FlateDecode" not in head and b"/Fl" not in head:
                continue
            if b"/Image" in head:
                continue
            twice = head.count(b"/FlateDecode") + len(re.findall(rb"/Fl\b", head)) > 1
            length = _LENGTH.search(head)
            size = int(length[1]) if length else data.find(b"endstream", found.end()) - found.end()
            if size * GROWTH < MOST_UNPACKED and not twice:
                continue
            if _unpacked(data[found.end() : found.end() + size], 2 if twice else 1) > MOST_UNPACKED:
                raise BadFile(
                    str(path),
                    f"holds a stream that unpacks to more than {MOST_UNPACKED // 1_000_000} MB, as no page of a book "
                    "does; print the book to a new PDF and ingest that.",
                )


def _unpacked(packed: bytes, times: int) -> int:
    """The size after unpacking, or just above the limit; 0 for what does not unpack."""
    for time in range(times):
        unpack = zlib.decompressobj()
        try:
            packed = unpack.decompress(packed, MOST_UNPACKED + 1)
        except zlib.error:
            return 0
        if len(packed) > MOST_UNPACKED:
            return len(packed)
        if time + 1 == times:
            return len(packed)
    return len(packed)
