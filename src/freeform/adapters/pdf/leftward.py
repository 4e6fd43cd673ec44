"""Lines of scripts that run from right to left, put together letter by letter from where each
stands.

Files draw such lines forwards, backwards or word by word, and a library that turns whole runs
round turns their numbers too (`3d6+2` became `2+6d3`). Places do not lie: letters are sorted across
the page and then read from the right, figures and Latin words from the left.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from freeform.adapters.pdf.rows import Run

#: In widths of the letter's size: a gap that parts words, and one that parts cells or columns.
WORD_GAP, CELL_GAP = 0.16, 1.15
_CLASS = {"L": "L", "EN": "N", "AN": "N", "R": "R", "AL": "R", "NSM": "R", "ES": "S", "CS": "S"}
_CLASS |= {"ET": "T", "WS": "W"}
#: A word or number that runs rightward, by the classes of its letters; a sign before it, a percent
#: behind.
_RIGHTWARD = re.compile(r"S?[LN]+(?:[SOT]+[LN]+)*T*")
_MIRROR = str.maketrans("()[]{}<>«»", ")(][}{><»«")


class Letter(NamedTuple):
    """One letter with the run it would be alone."""

    text: str
    run: Run


def runs_leftward(text: str) -> bool:
    """Whether most of the letters belong to a script that runs from right to left."""
    return 2 * _leftward(text) > sum(1 for letter in text if letter.isalpha())


def _leftward(text: str) -> int:
    if text.isascii():
        return 0
    return sum(1 for letter in text if unicodedata.bidirectional(letter) in ("R", "AL"))


def logical_order(shown: str) -> list[int]:
    """The places of the letters of a line as it is shown, in the order in which it is read."""
    classes = "".join(_CLASS.get(unicodedata.bidirectional(letter), "O") for letter in shown)
    kept: list[tuple[int, int]] = []
    for found in _RIGHTWARD.finditer(classes):
        start, end = found.span()
        # Behind a Latin word what stands beside it goes on rightward; numbers alone do not.
        if kept and "L" in classes[slice(*kept[-1])] and "R" not in classes[kept[-1][1] : start]:
            start = kept.pop()[0]
        kept.append((start, end))
    order: list[int] = []
    at = len(shown)
    for start, end in reversed(kept):
        order += range(at - 1, end - 1, -1)
        order += range(start, end)
        at = start
    return [*order, *range(at - 1, -1, -1)]


def lines_of(letters: Iterable[Letter], width: float) -> tuple[Run, ...]:
    """The page's lines as runs of one look, seen in a mirror: with the right edge on the left,
    columns, indents and cells follow each other as on any other page."""
    found: list[Run] = []
    for row in _rows(letters):
        for cell in _cells(row):
            found += _runs(cell, width)
    return tuple(found)


def mirrored(run: Run, width: float) -> Run:
    """A run where it stands on the mirrored page."""
    x0, y0, x1, y1 = run.bbox
    return run._replace(bbox=(width - x1, y0, width - x0, y1))


def _rows(letters: Iterable[Letter]) -> list[list[Letter]]:
    rows: list[list[Letter]] = []
    base = 0.0
    for letter in sorted(letters, key=_bottom):
        if not rows or _bottom(letter) - base > 0.3 * letter.run.size:
            rows.append([])
            base = _bottom(letter)
        rows[-1].append(letter)
    return rows


def _bottom(letter: Letter) -> float:
    return letter.run.bbox[3] - 0.2 * letter.run.size


def _left(letter: Letter) -> float:
    return letter.run.bbox[0]


def _with_marks(row: Iterable[Letter]) -> list[Letter]:
    """The letters of a row without blanks, points and vowels joined to the letter they are at."""
    letters: list[Letter] = []
    marks: list[Letter] = []
    for one in row:
        if one.text and not one.text.isspace():
            (marks if unicodedata.combining(one.text[0]) else letters).append(one)
    for mark in marks:
        middle = (mark.run.bbox[0] + mark.run.bbox[2]) / 2
        place = min(range(len(letters)), key=lambda at: _off(letters[at], middle), default=-1)
        if place >= 0:
            base = letters[place]
            letters[place] = base._replace(text=base.text + mark.text)
    return letters


def _off(letter: Letter, middle: float) -> float:
    """How far from a letter's middle that is."""
    return abs((letter.run.bbox[0] + letter.run.bbox[2]) / 2 - middle)


def _cells(row: Iterable[Letter]) -> list[list[Letter]]:
    """The letters of a row from the left, cut at wide gaps, with a blank where a narrow one is."""
    cells: list[list[Letter]] = []
    for letter in sorted(_with_marks(row), key=_left):
        last = cells[-1][-1] if cells else letter
        gap = letter.run.bbox[0] - last.run.bbox[2]
        if not cells or gap > CELL_GAP * letter.run.size:
            cells.append([])
        elif gap > WORD_GAP * letter.run.size:
            cells[-1].append(Letter(" ", last.run))
        cells[-1].append(letter)
    return cells


def _runs(cell: Sequence[Letter], width: float) -> list[Run]:
    shown = "".join(letter.text[:1] for letter in cell)
    if not _leftward(shown):
        order: Sequence[int] = range(len(cell))
    else:
        order = logical_order(shown)
    said = [cell[at].text for at in order]
    if _leftward(shown):
        said = _brackets(said)
    runs: list[Run] = []
    for at, text in zip(order, said, strict=True):
        own = cell[at].run
        x0, y0, x1, y1 = own.bbox
        box = (width - x1, y0, width - x0, y1)
        if runs and _look(runs[-1]) == _look(own):
            a0, b0, a1, b1 = runs[-1].bbox
            box = (min(a0, box[0]), min(b0, box[1]), max(a1, box[2]), max(b1, box[3]))
            runs[-1] = runs[-1]._replace(text=runs[-1].text + text, bbox=box)
        else:
            runs.append(own._replace(text=text, bbox=box))
    return runs


def _look(run: Run) -> tuple[str, float, bool, bool, int]:
    return (run.font, run.size, run.bold, run.italic, run.color)


def _brackets(said: list[str]) -> list[str]:
    """Brackets the right way round: a file tells the shape that shows or the sign that is meant,
    and an opening one comes first."""
    marks = [mark for mark in said if mark in ("(", ")", "[", "]")]
    if marks and marks[0] in (")", "]"):
        return [text.translate(_MIRROR) for text in said]
    return said
