"""Puts right cells that ran together because columns stand close: heads over empty columns, a
number at the end of the name before it. Pure."""

import re
from collections.abc import Sequence

Rows = tuple[tuple[str, ...], ...]
_VALUE = re.compile(r"[+−–-]?\d[\d,./]*(?:[dD]\d*)?(?:[+−–-]\d+)?\*?")
#: Share of a column's cells that must be numbers before one is looked for in a neighbour.
MOSTLY = 0.5
#: Share of a column's cells that must have as many words as its head before it is taken apart.
WHOLE = 0.9


def mended(rows: Rows) -> Rows:
    """The table with its head dealt over the columns it names, and numbers in their own columns."""
    if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows):
        return rows
    rows = _parted(rows)
    head = _dealt_head(rows)
    body = [list(row) for row in rows[1:]]
    for place in range(1, len(head)):
        if _is_numbers([row[place] for row in body]):
            for row in body:
                _take_back(row, place)
    return (tuple(head), *(tuple(row) for row in body))


def _parted(rows: Rows) -> Rows:
    """Columns that were read as one, taken apart: the head has as many words as nearly every cell
    below it, and two of the columns so made hold numbers."""
    place = 0
    while place < len(rows[0]):
        words = rows[0][place].split()
        if len(words) > 1 and _reads_as(rows, place, len(words)):
            rows = tuple(_part(row, place, len(words)) for row in rows)
            place += len(words)
        else:
            place += 1
    return rows


def _reads_as(rows: Rows, place: int, number: int) -> bool:
    cells = [row[place].split() for row in rows[1:] if row[place].strip()]
    fitting = [cell for cell in cells if len(cell) == number]
    if len(fitting) < 3 or len(fitting) < WHOLE * len(cells):
        return False
    columns = zip(*fitting, strict=True)
    return sum(1 for column in columns if _is_numbers(column)) >= 2


def _part(row: tuple[str, ...], place: int, number: int) -> tuple[str, ...]:
    """One row; what does not fit stays in the first of the new cells."""
    words = row[place].split()
    parts = words if len(words) == number else [row[place], *[""] * (number - 1)]
    return (*row[:place], *parts, *row[place + 1 :])


def _dealt_head(rows: Rows) -> list[str]:
    """A head of as many words as it has columns, itself and empty ones beside it, names each."""
    head = list(rows[0])
    for place, words in enumerate(rows[0]):
        parts = words.split()
        if len(parts) < 2:
            continue
        left, right = place, place
        while left > 1 and not rows[0][left - 1]:
            left -= 1
        while right + 1 < len(head) and not rows[0][right + 1]:
            right += 1
        used = all(_used(rows, at) for at in range(left, right + 1))
        if used and right - left + 1 == len(parts):
            head[left : right + 1] = parts
    return head


def _used(rows: Rows, place: int) -> bool:
    return sum(1 for row in rows[1:] if row[place].strip()) >= 0.3 * (len(rows) - 1)


def _is_numbers(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell.strip()]
    numbers = [cell for cell in filled if _VALUE.fullmatch(cell.strip()) or cell.strip() in "—–-"]
    return len(filled) >= 2 and len(numbers) >= MOSTLY * len(column)


def _take_back(row: list[str], place: int) -> None:
    """Moves a number into its empty cell, from the end of the cell before or the start of the one
    behind."""
    if row[place].strip():
        return
    before, _, last = row[place - 1].rpartition(" ")
    if before and _VALUE.fullmatch(last):
        row[place - 1], row[place] = before, last
        return
    if place + 1 < len(row):
        first, _, rest = row[place + 1].partition(" ")
        if rest and _VALUE.fullmatch(first):
            row[place], row[place + 1] = first, rest
