"""Turns boxes of a page whose text runs sideways or upside down, so that the rest sees upright text."""

from typing import TypeAlias

from freeform.adapters.pdf.rows import Box

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
