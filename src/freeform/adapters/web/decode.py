"""Bytes to text: what the server says of its letters is believed only as far as the bytes agree."""

import codecs
import re

from freeform.core.errors import NotFound

TEXTS = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "text/markdown",
    "application/json",
    "text/xml",
    "",
)
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
LEAST_TO_GUESS = 1000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(body: bytes, content_type: str, url: str) -> str:
    """The text of a page. Raises NotFound where it is none."""
    kind = content_type.split(";", 1)[0].strip().lower()
    if kind not in TEXTS:
        raise NotFound(f"{url} is {kind}, not text; it is left out")
    mark = next((name for start, name in _MARKS if body.startswith(start)), "")
    # Every encoding but UTF-16 has no zero bytes in it; a picture with a wrong name has many.
    if not mark and b"\0" in body[:4096]:
        raise NotFound(f"{url} says that it is text and is not; it is left out")
    declared = _CHARSET.search(content_type)
    meta = _META.search(body[:4096])
    names = [
        mark,
        declared[1] if declared else "",
        meta[1].decode("ascii") if meta else "",
        "utf-8",
    ]
    for name in dict.fromkeys(filter(None, names)):
        try:
            # A page that says Latin-1 is read as browsers do.
            text = body.decode(
                "cp1252" if name.lower() in ("iso-8859-1", "latin-1", "latin1", "ascii") else name
            )
        except (LookupError, UnicodeError):
            continue
        return _tidy(text)
    return _tidy(body.decode(_guessed(body), errors="replace"))


def _guessed(body: bytes) -> str:
    """The encoding that fits best, by what the letters look like; of a short text nobody can tell, so as browsers do."""
    if len(body) < LEAST_TO_GUESS:
        return "cp1252"
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return "cp1252"
    best = from_bytes(body[:200_000]).best()
    return best.encoding if best else "cp1252"


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")
