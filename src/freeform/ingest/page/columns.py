"""Finds the columns of a page and puts its lines in order by where they stand.

A page is cut into bands by what runs across its gutters (headings, wide tables); in a band the
columns are read from left to right, and in a column the rows from top to bottom. It is never sorted
by height alone.
"""

import itertools
from collections.abc import Sequence
from itertools import groupby
from statistics import median
from typing import NamedTuple

from freeform.ingest.model import Line
from freeform.ingest.page.cells import read_rows
from freeform.ingest.page.lines import in_column

#: A line wider than this share of the printed area cannot stand in a column.
NARROW = 0.62
#: The shortest line, in letters, that the middle line of a text column has: tables have shorter cells.
COLUMN_LETTERS = 15
FEWEST_LINES = 4


class Gutter(NamedTuple):
    """The white strip between two columns."""

    x0: float
    x1: float


def find_gutters(lines: Sequence[Line]) -> tuple[Gutter, ...]:
    """The gutters of a page, from left to right; none on a page of one column."""
    if len(lines) < 2 * FEWEST_LINES:
        return ()
    left = min(line.bbox[0] for line in lines)
    right = max(line.bbox[2] for line in lines)
    printed = right - left
    if printed < 100:
        return ()
    narrow = [line for line in lines if line.bbox[2] - line.bbox[0] < NARROW * printed]
    wide_letters = sum(len(line.text) for line in lines) - sum(len(line.text) for line in narrow)
    if sum(len(line.text) for line in narrow) < wide_letters / 2:
        return ()
    cover = _coverage(narrow, left, printed)
    gutters = [
        Gutter(left + 2 * a, left + 2 * b)
        for a, b in _valleys(cover)
        if 0.1 * printed < 2 * (a + b) / 2 < 0.9 * printed
    ]
    return _text_columns(narrow, gutters, left, right)


def _coverage(narrow: Sequence[Line], left: float, printed: float) -> list[int]:
    """How many lines stand over each strip of two points."""
    steps = [0] * (int(printed / 2) + 3)
    for line in narrow:
        steps[int((line.bbox[0] - left) / 2)] += 1
        steps[int((line.bbox[2] - left) / 2) + 1] -= 1
    cover, total = [], 0
    for step in steps:
        total += step
        cover.append(total)
    return cover


def _valleys(cover: Sequence[int]) -> list[tuple[int, int]]:
    """Runs of at least three strips (6 points) that few lines stand over, between crowded ones."""
    peak = max(cover)
    found: list[tuple[int, int]] = []
    for floor in (0.0, 0.04, 0.1, 0.2):
        low = floor * peak
        start = None
        for at, count in enumerate([*cover, peak]):
            if count <= low:
                start = at if start is None else start
            elif start is not None:
                wide = at - start >= 3
                new = all(at <= a or start >= b for a, b in found)
                beside = (
                    wide
                    and max(cover[:start] or [0]) > 3 * low
                    and max(cover[at:] or [0]) > 3 * low
                )
                if beside and new:
                    found.append((start, at))
                start = None
    return sorted(found)


def _text_columns(
    narrow: Sequence[Line], gutters: list[Gutter], left: float, right: float
) -> tuple[Gutter, ...]:
    """Drops gutters until what stands between them looks like text, not like the cells of a
    table."""
    while gutters:
        edges = [left - 1, *(edge for gutter in gutters for edge in gutter), right + 1]
        columns = list(zip(edges[::2], edges[1::2], strict=True))
        poor: int | None = None
        for at, (x0, x1) in enumerate(columns):
            inside = [line for line in narrow if line.bbox[0] >= x0 - 3 and line.bbox[2] <= x1 + 3]
            letters = median(len(line.text) for line in inside) if inside else 0
            if (
                len(inside) < FEWEST_LINES
                or letters < COLUMN_LETTERS
                or x1 - x0 < 0.12 * (right - left)
            ):
                poor = at
                break
        if poor is None:
            return tuple(gutters)
        # The poor column joins a neighbour: the one across the narrower gutter.
        sides = [index for index in (poor - 1, poor) if 0 <= index < len(gutters)]
        gutters.pop(min(sides, key=lambda index: gutters[index].x1 - gutters[index].x0))
    return ()


def column_of(line: Line, gutters: Sequence[Gutter]) -> int:
    """The column a line stands in; -1 when it runs across a gutter."""
    x0, _, x1, _ = line.bbox
    for at, gutter in enumerate(gutters):
        if x1 <= gutter.x1 + 4 and x0 < gutter.x0:
            return at
        if x0 < gutter.x0 - 2 and x1 > gutter.x1 + 4:
            return -1
    return len(gutters)


def in_rows(lines: Sequence[Line]) -> list[list[Line]]:
    """Lines of one baseline together, rows from top to bottom, each from left to right."""
    rows: list[list[Line]] = []
    for line in sorted(lines, key=_base):
        if rows and _base(line) - _base(rows[-1][0]) <= 0.3 * max(
            6.0, min(line.size, rows[-1][0].size)
        ):
            rows[-1].append(line)
        else:
            rows.append([line])
    for row in rows:
        row.sort(key=lambda line: line.bbox[0])
    return rows


def _base(line: Line) -> float:
    return line.bbox[3] - 0.2 * line.size


def order_by_place(lines: Sequence[Line], gutters: Sequence[Gutter]) -> list[Line]:
    """The lines in reading order, each with its column."""
    if not gutters:
        return read_rows(in_rows(lines))
    rows = in_rows(lines)
    across = [
        any(column_of(line, gutters) < 0 for line in row) or _is_wide_row(row, gutters)
        for row in rows
    ]
    _fill_tables(rows, across)
    ordered: list[Line] = []
    for wide, run in groupby(zip(rows, across, strict=True), key=lambda pair: pair[1]):
        band = [row for row, _ in run]
        if wide:
            ordered += [in_column(line, -1) for line in read_rows(band)]
        else:
            ordered += _read_band(band, gutters)
    return ordered


def _is_wide_row(row: list[Line], gutters: Sequence[Gutter]) -> bool:
    """A row of many short cells, none of which begins where a column does, is part of a table
    across the page."""
    if len(row) < 4 or median(len(line.text) for line in row) > 12:
        return False
    places = {column_of(line, gutters) for line in row}
    starts = any(abs(line.bbox[0] - gutter.x1) < 7 for line in row for gutter in gutters)
    return len(places) > 1 and not starts


def _fill_tables(rows: list[list[Line]], across: list[bool]) -> None:
    """Rows of many cells between two rows that run across belong to the same wide table."""
    wide = [at for at, yes in enumerate(across) if yes]
    for first, then in itertools.pairwise(wide):
        between = rows[first + 1 : then]
        many = all(len(row) >= 3 for row in between)
        # Between two rows of cells, a row or two of lone lines is the rest of a cell.
        rest = (
            min(len(rows[first]), len(rows[then])) >= 3
            and _base(rows[then][0]) - _base(rows[first][0]) < 48
        )
        if between and ((len(between) <= 4 and many) or (len(between) <= 2 and rest)):
            across[first + 1 : then] = [True] * len(between)


def _read_band(band: list[list[Line]], gutters: Sequence[Gutter]) -> list[Line]:
    columns: list[list[Line]] = [[] for _ in range(len(gutters) + 1)]
    for row in band:
        for line in row:
            columns[column_of(line, gutters)].append(line)
    return [
        in_column(line, at)
        for at, column in enumerate(columns)
        for line in read_rows(in_rows(column))
    ]
