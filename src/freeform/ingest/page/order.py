"""Chooses a page's reading order: the file's text stream, unless it hops about; else the places on
the page."""

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Literal, NamedTuple

from freeform.ingest.model import Line, RawPage
from freeform.ingest.page.columns import (
    Gutter,
    column_of,
    find_gutters,
    order_by_place,
)
from freeform.ingest.page.lines import (
    clean_spans,
    geometric_lines,
    in_column,
    stream_lines,
    whole_rows,
)
from freeform.ingest.page.panels import boxes_where_they_stand, in_panels
from freeform.ingest.page.running_heads import at_edge

#: Share of steps from line to line that may look wrong before the stream is given up.
MOST_DISORDER = 0.12


class Ordered(NamedTuple):
    """A page's lines in reading order."""

    lines: list[Line]
    order: Literal["stream", "geometry"]
    confidence: float
    gutters: tuple[Gutter, ...]

    @property
    def columns(self) -> int:
        """How many columns the page has."""
        return len(self.gutters) + 1


def order_page(page: RawPage, usual: Sequence[tuple[Gutter, ...]] = ()) -> Ordered:
    """Lines in reading order, with how sure that is. `usual`: the gutters of the book's other
    pages."""
    spans = clean_spans(page.spans, page.width, page.height)
    lines = whole_rows(stream_lines(spans))
    gutters = _gutters(lines, usual)
    # Running heads are drawn first or last; they say nothing about the text between.
    wrong = disorder([line for line in lines if not at_edge(line, page.height)], gutters)
    if wrong > MOST_DISORDER:
        panels = in_panels(lines)
        if panels is None:
            return place_page(geometric_lines(spans), usual)
        return Ordered(panels, "stream", 1 - MOST_DISORDER, gutters)
    if gutters:
        lines = [in_column(line, column_of(line, gutters)) for line in lines]
    else:
        lines = boxes_where_they_stand(lines)
    return Ordered(lines, "stream", round(1 - wrong, 3), gutters)


def place_page(lines: Sequence[Line], usual: Sequence[tuple[Gutter, ...]] = ()) -> Ordered:
    """Lines ordered by where they stand."""
    gutters = _gutters(lines, usual)
    return Ordered(
        order_by_place(lines, gutters), "geometry", _place_confidence(lines, gutters), gutters
    )


def common_gutters(pages: Sequence[tuple[Gutter, ...]]) -> tuple[tuple[Gutter, ...], ...]:
    """The gutters many pages share; left and right pages may differ, so up to two sets."""
    counted: Counter[tuple[int, ...]] = Counter()
    examples: dict[tuple[int, ...], tuple[Gutter, ...]] = {}
    for gutters in pages:
        if gutters:
            key = tuple(round((gutter.x0 + gutter.x1) / 16) for gutter in gutters)
            counted[key] += 1
            examples.setdefault(key, gutters)
    return tuple(
        examples[key] for key, count in counted.most_common(2) if count >= max(2, 0.2 * len(pages))
    )


def _gutters(lines: Sequence[Line], usual: Sequence[tuple[Gutter, ...]]) -> tuple[Gutter, ...]:
    own = find_gutters(lines)
    if own:
        return own
    # A page full of tables shows no gutter of its own: try the book's.
    for gutters in usual:
        places = [column_of(line, gutters) for line in lines]
        sides = [places.count(at) for at in range(len(gutters) + 1)]
        if (
            places
            and places.count(-1) <= 0.1 * len(places)
            and min(sides) >= 3
            and _starts_there(lines, places, gutters)
        ):
            return gutters
    return ()


def _starts_there(lines: Sequence[Line], places: Sequence[int], gutters: Sequence[Gutter]) -> bool:
    """Whether many rows begin at the columns' left edges: a wide table's cells stand anywhere."""
    for at, gutter in enumerate(gutters, start=1):
        inside = [line for line, place in zip(lines, places, strict=True) if place == at]
        rows = len({round(line.bbox[3] / 4) for line in inside})
        if sum(1 for line in inside if abs(line.bbox[0] - gutter.x1) < 7) < 0.3 * rows:
            return False
    return True


def disorder(lines: Sequence[Line], gutters: Sequence[Gutter]) -> float:
    """Share of steps that no reader would take: up within a column, or to and fro between
    columns."""
    if len(lines) < 3:
        return 0.0
    wrong = switches = 0
    edges = _edges(lines, gutters)
    places = [column_of(line, gutters) for line in lines]
    spanning = sum(1 for before, at in itertools.pairwise(places) if at == -1 and before != -1)
    for (a, b), (before, at) in zip(
        itertools.pairwise(lines), itertools.pairwise(places), strict=True
    ):
        height = max(6.0, a.bbox[3] - a.bbox[1])
        up = a.bbox[1] - b.bbox[1]
        if before == at or -1 in (before, at):
            # Up and to the right within a few lines is the next cell of a table.
            cell = b.bbox[0] >= a.bbox[2] - 3 and up < 12 * height
            if up > 0.6 * height and not cell and (before == at or up > 3 * height):
                wrong += 1
        elif abs(up) > 2 * height or _fills(a, before, edges) or _fills(b, at, edges):
            switches += 1  # else the next cell of a table across the page
    allowed = len(gutters) * (spanning + 1) + 1
    wrong += max(0, switches - allowed)
    return min(1.0, wrong / (len(lines) - 1))


def _edges(lines: Sequence[Line], gutters: Sequence[Gutter]) -> list[tuple[float, float]]:
    """Left and right edge of each column."""
    lefts = [min(line.bbox[0] for line in lines), *(gutter.x1 for gutter in gutters)]
    rights = [*(gutter.x0 for gutter in gutters), max(line.bbox[2] for line in lines)]
    return list(zip(lefts, rights, strict=True))


def _fills(line: Line, column: int, edges: Sequence[tuple[float, float]]) -> bool:
    """Whether a line fills its column as running text does and a table's cell does not."""
    left, right = edges[column]
    return line.bbox[2] - line.bbox[0] > 0.62 * (right - left)


def _place_confidence(lines: Sequence[Line], gutters: Sequence[Gutter]) -> float:
    """High when few lines cross the gutters and few overlap one another."""
    if not lines:
        return 1.0
    crossing = sum(1 for line in lines if gutters and column_of(line, gutters) < 0) / len(lines)
    boxes = sorted((line.bbox for line in lines), key=lambda box: box[1])
    overlapping = 0
    for a, b in itertools.pairwise(boxes):
        across = min(a[2], b[2]) - max(a[0], b[0])
        down = min(a[3], b[3]) - max(a[1], b[1])
        overlapping += across > 2 and down > 0.6 * min(a[3] - a[1], b[3] - b[1])
    return round(max(0.3, 0.95 - 0.5 * crossing - 0.8 * overlapping / len(lines)), 3)
