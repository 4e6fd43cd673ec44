"""Reads the terms a book prints for itself. Pure.

Only well-known public licences are read, each by its own name, and only from a sentence that puts
this work under it; anything else stays unknown, and the pack private.
"""

import re
from collections.abc import Iterable

from freeform.core.text import shorten
from freeform.packs.model import License

_TERMS: tuple[tuple[str, str], ...] = (
    ("cc-by-nc", r"Creative Commons Attribution[- ]Non-?Commercial|\bCC[- ]BY[- ]NC\b"),
    ("cc-by-nd", r"Creative Commons Attribution[- ]No-?Deriv|\bCC[- ]BY[- ]ND\b"),
    ("cc-by-sa", r"Creative Commons Attribution[- ]Share-?Alike|\bCC[- ]BY[- ]SA\b"),
    ("cc-by", r"Creative Commons Attribution\b|\bCC[- ]BY\b"),
    ("cc0", r"\bCC0\b|Creative Commons Zero|dedicated to the public domain"),
    ("ogl", r"Open Game Licen[cs]e(?:,? Version 1\.0a?)?|\bOGL 1\.0a\b"),
    ("orc", r"\bORC Licen[cs]e\b|Open RPG Creative Licen[cs]e"),
)
_READ = [(name, re.compile(pattern, re.I)) for name, pattern in _TERMS]
_PUTS = re.compile(
    r"\b(?:licen[cs]ed|released|available|published|distributed|dedicated|permission|pursuant|"
    r"terms|under)\b",
    re.I,
)
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z“\"])|\n+")
_OWED = re.compile(r"\b(?:this work (?:includes|is based)|attribution (?:statement|line)?:)", re.I)
#: Letters of the line that is kept.
LONGEST = 400


def read_licence(pages: Iterable[str]) -> License | None:
    """The licence of the first sentence that says so, with the line it asks for; None without one.
    `pages`: the texts of the book's pages, those that most likely say it first."""
    for text in pages:
        pieces = [piece.strip() for piece in _SENTENCE.split(text)]
        for piece in pieces:
            name = next((name for name, pattern in _READ if pattern.search(piece)), "")
            if name and _PUTS.search(piece):
                owed = next((other for other in pieces if _OWED.search(other)), piece)
                line = " ".join(re.sub(r"[*_#>]", "", owed).split())
                return License(type=name, attribution=shorten(line, LONGEST))
    return None
