"""Panels of a page: cards in a grid, and boxes that stand beside the text. Pure.

A file draws each panel whole, so that its stream hops up and to the right where the next begins;
that looks like disorder, and is the order in which people read. A box beside the text is often
drawn before all of it, and is read where it stands.
"""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from freeform.ingest.model import Box, Line
from freeform.ingest.page.lines import in_column

#: Panels with a title of their own that make a grid, and their share of all that the stream draws.
FEWEST, MOST = 3, 0.75
#: How much larger a panel's title is than what stands below it.
TITLE = 1.12
#: In heights of a line: how far up the stream goes for another panel, and what parts two boxes.
UP, APART = 0.6, 1.6
#: Lines of boxes that a page has at most.
MANY = 200


def in_panels(lines: Sequence[Line]) -> list[Line] | None:
    """The lines as the file draws them, panel by panel, each in the column it stands in; None where
    what is drawn at once has no titles or overlaps."""
    panels = _drawn_at_once(lines)
    titled = [panel for panel in panels if _is_titled(panel)]
    looks = {(panel[0].font, panel[0].size) for panel in titled}
    if len(titled) < max(FEWEST, MOST * len(panels)) or len(looks) > max(1, len(titled) // 3):
        return None
    boxes = [around(panel) for panel in panels]
    if any(_overlap(a, b) for at, a in enumerate(boxes) for b in boxes[at + 1 :]):
        return None
    lefts = _lefts(boxes)
    return [
        in_column(line, _nearest(box[0], lefts))
        for panel, box in zip(panels, boxes, strict=True)
        for line in panel
    ]


def boxes_where_they_stand(lines: Sequence[Line]) -> list[Line]:
    """The lines with boxes that were drawn before the text, and stand beside it, put behind the
    line above which they begin."""
    at = next((n for n, (a, b) in enumerate(pairwise(lines), 1) if _hops_up(a, b)), 0)
    first, text = lines[:at], list(lines[at:])
    if not 0 < len(first) <= MANY or _letters(first) >= _letters(text):
        return list(lines)
    if any(_overlap(around([a]), around([b])) or _over(a, b) for a in first for b in text):
        return list(lines)
    for box in reversed(_boxes(first)):
        top = min(line.bbox[1] for line in box) + 0.5 * box[0].size
        place = next((n for n, line in enumerate(text) if line.bbox[3] > top), len(text))
        text[place:place] = box
    return text


def _drawn_at_once(lines: Sequence[Line]) -> list[list[Line]]:
    """The lines cut where the stream goes up, or far down into another row of panels."""
    panels: list[list[Line]] = []
    for line in lines:
        if not panels or _hops(panels[-1], line):
            panels.append([])
        panels[-1].append(line)
    return panels


def _hops(panel: Sequence[Line], line: Line) -> bool:
    last, left = panel[-1], min(each.bbox[0] for each in panel)
    bigger = line.size > TITLE * last.size and line.size >= panel[0].size
    return _hops_up(last, line) or (bigger and line.bbox[0] < left + last.size)


def _hops_up(last: Line, line: Line) -> bool:
    return last.bbox[1] - line.bbox[1] > UP * max(6.0, last.bbox[3] - last.bbox[1])


def _is_titled(panel: Sequence[Line]) -> bool:
    rest = [line.size for line in panel[1:]]
    return len(rest) > 1 and panel[0].size >= TITLE * median(rest)


def around(lines: Sequence[Line]) -> Box:
    """The box that holds all of them."""
    sides = list(zip(*(line.bbox for line in lines), strict=True))
    return min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])


def _overlap(a: Box, b: Box) -> bool:
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


def _lefts(boxes: Sequence[Box]) -> list[float]:
    """The left edges of panels, those that are nearly alike as one."""
    found: list[float] = []
    for left in sorted(box[0] for box in boxes):
        if not found or left - found[-1] > 12:
            found.append(left)
    return found


def _nearest(left: float, lefts: Sequence[float]) -> int:
    return min(range(len(lefts)), key=lambda at: abs(lefts[at] - left))


def _letters(lines: Sequence[Line]) -> int:
    return sum(len(line.text) for line in lines)


def _over(line: Line, other: Line) -> bool:
    """Whether a line of a box stands on the row of a line that begins right of it: a first column
    of text, no box beside it, unless the text is on its left."""
    return other.bbox[0] > line.bbox[2] and abs(line.bbox[3] - other.bbox[3]) < 0.5 * line.size


def _boxes(lines: Sequence[Line]) -> list[list[Line]]:
    """What was drawn first, cut where it leaves more room than between lines."""
    boxes: list[list[Line]] = []
    for line in lines:
        low = max((each.bbox[3] for each in boxes[-1]), default=0.0) if boxes else 0.0
        if not boxes or line.bbox[1] - low > APART * line.size:
            boxes.append([])
        boxes[-1].append(line)
    return boxes
