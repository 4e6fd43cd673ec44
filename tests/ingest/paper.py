"""Writes small books for the tests: text where it is wanted, in the order it is wanted."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from freeform.evals.suites.ingest_books import write_pdf

WIDTH, HEIGHT = 612.0, 792.0
LEFT, RIGHT, PITCH = 60.0, 330.0, 13.0


class Ink(NamedTuple):
    """A run of text at a place measured from the top left."""

    text: str
    x: float
    y: float
    size: float = 10.0
    bold: bool = False
    #: In hundredths of Courier's width; at 80 a column of 45 letters fits beside another.
    stretch: int = 80

    def draw(self, height: float) -> str:
        raw = self.text.encode("cp1252", "replace").decode("latin-1")
        for mark in "\\()":
            raw = raw.replace(mark, "\\" + mark)
        font = "F2" if self.bold else "F1"
        return f"BT /{font} {self.size} Tf {self.stretch} Tz {self.x} {height - self.y:.2f} Td ({raw}) Tj ET"


def column(lines: Sequence[str], x: float, *, top: float = 100.0, size: float = 10.0) -> list[Ink]:
    """Lines one below the other."""
    return [Ink(line, x, top + at * PITCH, size) for at, line in enumerate(lines)]


def save(
    pages: Sequence[Sequence[Ink]], path: Path, *, size: tuple[float, float] = (WIDTH, HEIGHT)
) -> Path:
    """The pages as a PDF, each drawn in the order given."""
    contents = ["\n".join(ink.draw(size[1]) for ink in page) for page in pages]
    write_pdf(contents, [size] * len(pages), path)
    return path


STORY = (
    "the lantern keeper walks the old wall at dusk and counts the boats that come home from the far banks while "
    "rain gathers over the hills beyond the mill where nobody has lived since the long winter took the miller and "
    "his three sons who had promised to mend the weir before the flood but never did so now the river goes where "
    "it likes and the town pays for it every spring with cellars full of mud and roads that lead into the water"
).split()


def prose(count: int, start: int = 0, width: int = 44) -> list[str]:
    """`count` lines of running text, never ending a sentence but at the end; different for each start."""
    lines: list[str] = []
    at, line = start, ""
    while len(lines) < count:
        word = f"{STORY[at % len(STORY)]}{at // len(STORY) or ''}"
        if len(line) + len(word) + 1 > width:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
        at += 1
    lines[-1] += "."
    return lines
