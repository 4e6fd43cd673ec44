"""Chooses a page's reading order: the file's text stream, unless it hops about; else the places on the page."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from freeform.ingest.columns import Gutter, column_of, find_gutters, order_by_place
from freeform.ingest.lines import clean_spans, geometric_lines, stream_lines
from freeform.ingest.model import Line, RawPage

#: Share of steps from line to line that may look wrong before the stream is given up.
MOST_DISORDER = 0.12


class Ordered(NamedTuple):
    """A page's lines in reading order."""

    lines: list[Line]
    order: Literal["stream", "geometry"]
    confidence: float
    columns: int


def order_page(page: RawPage) -> Ordered:
    """Lines in reading order, with how sure that is."""
    spans = clean_spans(page.spans, page.width, page.height)
    lines = stream_lines(spans)
    gutters = find_gutters(lines)
    wrong = disorder(lines, gutters)
    if wrong > MOST_DISORDER:
        placed = geometric_lines(spans)
        gutters = find_gutters(placed)
        return Ordered(
            order_by_place(placed, gutters), "geometry", _place_confidence(placed, gutters), len(gutters) + 1
        )
    if gutters:
        lines = [line.model_copy(update={"column": column_of(line, gutters)}) for line in lines]
    return Ordered(lines, "stream", round(1 - wrong, 3), len(gutters) + 1)


def disorder(lines: Sequence[Line], gutters: Sequence[Gutter]) -> float:
    """Share of steps that no reader would take: up within a column, or to and fro between columns."""
    if len(lines) < 3:
        return 0.0
    wrong = switches = 0
    places = [column_of(line, gutters) for line in lines]
    spanning = sum(1 for before, at in zip(places, places[1:], strict=False) if at == -1 and before != -1)
    for (a, b), (before, at) in zip(
        zip(lines, lines[1:], strict=False), zip(places, places[1:], strict=False), strict=True
    ):
        height = max(6.0, a.bbox[3] - a.bbox[1])
        up = a.bbox[1] - b.bbox[1]
        if before == at or -1 in (before, at):
            # Up and to the right within a few lines is the next cell of a table.
            cell = b.bbox[0] >= a.bbox[2] - 3 and up < 12 * height
            if up > 0.6 * height and not cell and (before == at or up > 3 * height):
                wrong += 1
        else:
            switches += 1
    allowed = len(gutters) * (spanning + 1) + 1
    wrong += max(0, switches - allowed)
    return min(1.0, wrong / (len(lines) - 1))


def _place_confidence(lines: Sequence[Line], gutters: Sequence[Gutter]) -> float:
    """High when few lines cross the gutters and few overlap one another."""
    if not lines:
        return 1.0
    crossing = sum(1 for line in lines if gutters and column_of(line, gutters) < 0) / len(lines)
    boxes = sorted((line.bbox for line in lines), key=lambda box: box[1])
    overlapping = 0
    for a, b in zip(boxes, boxes[1:], strict=False):
        across = min(a[2], b[2]) - max(a[0], b[0])
        down = min(a[3], b[3]) - max(a[1], b[1])
        overlapping += across > 2 and down > 0.6 * min(a[3] - a[1], b[3] - b[1])
    return round(max(0.3, 0.95 - 0.5 * crossing - 0.8 * overlapping / len(lines)), 3)
