"""Reads rows of a table by place: each cell whole, from left to right, before the next row.

Used where the file's own order is of no help: the lines of a cell then stand in rows with lines of
its neighbours.
"""

from collections.abc import Callable, Sequence

from freeform.ingest.model import Line

Row = list[Line]


def read_rows(rows: Sequence[Row]) -> list[Line]:
    """Lines in reading order: plain rows as they are, runs of rows with several pieces cell by
    cell."""
    ordered: list[Line] = []
    at = 0
    while at < len(rows):
        end = _table_end(rows, at)
        if end - at >= 2:
            ordered += _read_table(rows[at:end])
            at = end
        else:
            ordered += rows[at]
            at += 1
    return ordered


def base(row: Row) -> float:
    """Where a row stands."""
    return row[0].bbox[3] - 0.2 * row[0].size


def _table_end(rows: Sequence[Row], start: int) -> int:
    """One past the last row of a table that starts here; `start` itself when none does."""
    end, many = start, 0
    left = min(line.bbox[0] for line in rows[start])
    for at in range(start, len(rows)):
        row = rows[at]
        if at > start and base(row) - base(rows[at - 1]) > 2.4 * row[0].size:
            break
        if len(row) > 1:
            many, end = many + 1, at + 1
        # A lone piece belongs to the table when it stands inside it and the table goes on.
        elif (not many and at > start + 1) or row[0].bbox[0] < left + 4 or at - end >= 3:
            break
    if many < 2:
        return start
    # Lines that hang below the last full row are the rest of its cells.
    while end < len(rows) and len(rows[end]) == 1 and rows[end][0].bbox[0] > left + 4:
        if base(rows[end]) - base(rows[end - 1]) > 1.5 * rows[end][0].size:
            break
        end += 1
    return end


def _read_table(rows: Sequence[Row]) -> list[Line]:
    widest = max(rows, key=len)
    edges = [line.bbox[0] for line in widest]
    first = widest[0].bbox

    def leads(row: Row) -> bool:
        return row[0].bbox[0] < first[2] and (len(edges) < 2 or row[0].bbox[0] < edges[1] - 2)

    groups: list[list[Row]] = []
    for at, row in enumerate(rows):
        if not groups:
            groups.append([row])
        elif leads(row):
            if _leans_on(groups[-1], row, leads):
                groups[-1].append(row)
            else:
                groups.append([row])
        elif at + 1 < len(rows) and leads(rows[at + 1]) and _nearer_below(rows, at):
            groups.append([row])
        else:
            groups[-1].append(row)
    return [line for group in groups for line in _cell_by_cell(group, edges)]


def _leans_on(group: list[Row], row: Row, leads: Callable[[Row], bool]) -> bool:
    """The group so far only holds lines that stand above the row they belong to."""
    return (
        len(group) == 1 and not leads(group[0]) and base(row) - base(group[0]) < 1.5 * row[0].size
    )


def _nearer_below(rows: Sequence[Row], at: int) -> bool:
    above = base(rows[at]) - base(rows[at - 1])
    below = base(rows[at + 1]) - base(rows[at])
    return below < 0.8 * above


def _cell_by_cell(group: list[Row], edges: Sequence[float]) -> list[Line]:
    cells: list[list[Line]] = [[] for _ in edges]
    for row in group:
        for line in row:
            middle = (line.bbox[0] + line.bbox[2]) / 2
            starts = [
                at
                for at, edge in enumerate(edges)
                if edge <= max(line.bbox[0] + 6, min(middle, line.bbox[0] + 20))
            ]
            cells[starts[-1] if starts else 0].append(line)
    return [line for cell in cells for line in cell]
