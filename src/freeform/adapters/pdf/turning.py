"""Turns boxes of a page whose text runs sideways or upside down, so that the rest sees upright
text."""

from collections.abc import Sequence
from typing import TypeAlias

from freeform.adapters.pdf.rows import Box, Run

#: Degrees, against the clock, that the text is turned by.
Turn: TypeAlias = int


def turned(box: Box, turn: Turn, width: float, height: float) -> Box:
    """The box (from the top left) after the page is turned back upright."""
    x0, y0, x1, y1 = box
    if turn == 90:  # the text climbs: the left edge of the page is its top
        return (height - y1, x0, height - y0, x1)
    if turn == 270:  # the text descends: the right edge is its top
        return (y0, width - x1, y1, width - x0)
    if turn == 180:
        return (width - x1, height - y1, width - x0, height - y0)
    return box


def upright(
    found: Sequence[tuple[Run, Turn]], width: float, height: float
) -> tuple[tuple[Run, ...], Turn]:
    """The runs of a page turned as most of its letters are, and by how much; on a sideways page the
    others are left out."""
    turns = [turn for run, turn in found for _ in run.text]
    turn = max((0, 90, 180, 270), key=turns.count) if turns else 0
    if not turn:
        return tuple(run for run, _ in found), turn
    return tuple(
        r._replace(bbox=turned(r.bbox, turn, width, height)) for r, own in found if own == turn
    ), turn
