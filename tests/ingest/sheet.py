"""Pages that are written from the top down, in one column or in two, for small books of tests."""

import unicodedata
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pymupdf

ROMAN, BOLD, ITALIC, ICONS = "helv", "hebo", "heit", "zadb"
Thing = dict[str, Any]


class Stranger(NamedTuple):
    """A book on disk and the things that it has: name, kind and fields."""

    pdf: Path
    things: list[Thing]


class Sheet:
    """Pages that are written from the top down, in one column or in two."""

    def __init__(self, size: tuple[float, float], columns: int = 1) -> None:
        self.document = pymupdf.open()
        self.size, self.columns = size, columns
        self.margin, self.gutter = 40.0, 18.0
        self.at = columns
        self.page: Any = None
        self.y = 0.0
        self.room(0)

    @property
    def width(self) -> float:
        inner = self.size[0] - 2 * self.margin - self.gutter * (self.columns - 1)
        return inner / self.columns

    @property
    def left(self) -> float:
        return self.margin + self.at * (self.width + self.gutter)

    def turn(self) -> None:
        """A new page."""
        self.page = self.document.new_page(width=self.size[0], height=self.size[1])
        self.at, self.y = 0, self.margin

    def room(self, height: float) -> None:
        """Goes on in the next column or page where `height` does not fit."""
        if self.page is not None and self.y + height <= self.size[1] - self.margin:
            return
        if self.page is None or self.at + 1 >= self.columns:
            self.turn()
        else:
            self.at, self.y = self.at + 1, self.margin

    def text(self, words: str, font: str = ROMAN, size: float = 9.0, *, after: float = 3.0) -> None:
        """A paragraph; parts between asterisks are bold."""
        line: list[tuple[str, str]] = []
        used = 0.0
        weight = font
        for word in words.split():
            if word.startswith("*"):
                word, weight = word[1:], BOLD
            ends = word.endswith("*")
            word = word.rstrip("*")
            wide = _wide(word + " ", weight, size)
            if used + wide > self.width and line:
                self._set(line, size)
                line, used = [], 0.0
            line.append((word, weight))
            used += wide
            weight = font if ends else weight
        self._set(line, size)
        self.y += after

    def _set(self, line: Sequence[tuple[str, str]], size: float) -> None:
        self.room(size * 1.3)
        self.y += size * 1.3
        x = self.left
        for word, font in line:
            self.page.insert_text((x, self.y), word, fontname=font, fontsize=size)
            x += _wide(word + " ", font, size)

    def row(self, cells: Sequence[str], tabs: Sequence[float], font: str = ROMAN) -> None:
        """A row of a table without lines."""
        self.room(12)
        self.y += 12
        for cell, tab in zip(cells, tabs, strict=True):
            self.page.insert_text((self.left + tab, self.y), cell, fontname=font, fontsize=8.5)

    def save(self, path: Path) -> Path:
        self.document.save(str(path))
        self.document.close()
        return path


def _wide(text: str, font: str, size: float) -> float:
    """The width of a text; PyMuPDF knows that of letters without accents alone."""
    letters = unicodedata.normalize("NFKD", text.replace("×", "x").replace("ß", "b"))
    bare = "".join(letter for letter in letters if not unicodedata.combining(letter))
    return float(pymupdf.get_text_length(bare, fontname=font, fontsize=size))
