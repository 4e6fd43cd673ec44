"""Puts right cells that ran together because columns stand close: heads over empty columns, columns
read as one, a number at the end of the name before it. Pure."""

import re
from collections.abc import Sequence

Rows = tuple[tuple[str, ...], ...]
_VALUE = re.compile(r"[+−–-]?\d[\d,./]*(?:[dD]\d*)?(?:[+−–-]\d+)?\*?")
#: A piece of a cell: a number with its unit, else a word.
_PIECE = re.compile(r"[+−–-]?\d[\d,.]* [a-z]{1,3}(?![\w])|\S+")
#: Share of a column's cells that must be numbers before one is looked for in a neighbour.
MOSTLY = 0.5
#: Share of a column's cells that must have as many pieces as one head has words for them.
WHOLE = 0.75
#: Share of the cells before an empty column that end with a number, for the column to be theirs.
ENDING = 0.8


def mended(rows: Rows) -> Rows:
    """The table with its head dealt over the columns it names, and numbers in their own columns."""
    if len(rows) < 3 or any(len(row) != len(rows[0]) for row in rows):
        return rows
    body = [list(row) for row in rows[1:]]
    for place in range(1, len(rows[0])):
        column = [row[place] for row in body]
        if _is_numbers(column) or (not rows[0][place] and _ends_before(body, place)):
            for row in body:
                _take_back(row, place)
    return _dealt((rows[0], *(tuple(row) for row in body)))


def _ends_before(body: Sequence[Sequence[str]], place: int) -> bool:
    """Whether a column is empty, and nearly every cell before it ends with a number that is its."""
    before = [row[place - 1].rpartition(" ") for row in body if row[place - 1].strip()]
    ending = [part for part in before if part[0] and _VALUE.fullmatch(part[2])]
    empty = not any(row[place].strip() for row in body)
    return empty and len(ending) >= 2 and len(ending) >= ENDING * len(before)


def _dealt(rows: Rows) -> Rows:
    """Heads of several words over empty ones beside them: each word names a column, or a part of
    one that was read together with others."""
    place = 0
    while place < len(rows[0]):
        left, right = _span(rows[0], place)
        words = rows[0][place].split()
        sizes = _sizes(rows, left, right, len(words)) if len(words) > 1 else None
        if sizes is None:
            place += 1
            continue
        rows = tuple(_deal(row, left, sizes, number == 0) for number, row in enumerate(rows))
        head = (*rows[0][:left], *words, *rows[0][left + len(words) :])
        rows = (head, *rows[1:])
        place = left + len(words)
    return rows


def _span(head: Sequence[str], place: int) -> tuple[int, int]:
    """The columns a head may name: its own and the empty ones beside it."""
    left, right = place, place
    while left > 1 and not head[left - 1]:
        left -= 1
    while right + 1 < len(head) and not head[right + 1]:
        right += 1
    return left, right


def _sizes(rows: Rows, left: int, right: int, words: int) -> list[int] | None:
    """How many columns each of these really is; None when that does not come to one for a word."""
    if right - left + 1 == words:
        return [1] * words if all(_used(rows, at) for at in range(left, right + 1)) else None
    sizes = [_pieces_in(rows, at) for at in range(left, right + 1)]
    if sum(sizes) != words or 0 in sizes or len(rows) < 4:
        return None
    # Columns that ran together hold numbers; one alone under its head may hold a number with a word
    # (`Base Price`, `50 gold`).
    parted = [at for at, size in enumerate(sizes, start=left) if size > 1]
    least = 2 if left == right else 1
    return sizes if all(_numbers_in(rows, at) >= least for at in parted) else None


def _pieces_in(rows: Rows, place: int) -> int:
    """The number of pieces nearly all cells of a column have; 0 when they differ."""
    cells = [_PIECE.findall(row[place]) for row in rows[1:] if row[place].strip()]
    for size in {len(cell) for cell in cells}:
        if sum(1 for cell in cells if len(cell) == size) >= max(3, WHOLE * len(cells)):
            return size
    return 0


def _numbers_in(rows: Rows, place: int) -> int:
    """How many columns of numbers a column would make."""
    cells = [_PIECE.findall(row[place]) for row in rows[1:] if row[place].strip()]
    size = _pieces_in(rows, place)
    columns = zip(*(cell for cell in cells if len(cell) == size), strict=True)
    return sum(1 for column in columns if _is_numbers(column))


def _deal(row: tuple[str, ...], left: int, sizes: Sequence[int], is_head: bool) -> tuple[str, ...]:
    """One row with its columns taken apart; what does not fit stays in the first of its cells."""
    cells: list[str] = []
    for at, size in enumerate(sizes, start=left):
        pieces = [] if is_head else _PIECE.findall(row[at])
        fits = size > 1 and len(pieces) == size
        cells += pieces if fits else [row[at], *[""] * (size - 1)]
    return (*row[:left], *cells, *row[left + len(sizes) :])


def _used(rows: Rows, place: int) -> bool:
    return sum(1 for row in rows[1:] if row[place].strip()) >= 0.3 * (len(rows) - 1)


def _is_numbers(column: Sequence[str]) -> bool:
    filled = [cell for cell in column if cell.strip()]
    numbers = [cell for cell in filled if _VALUE.match(cell.strip()) or cell.strip() in "—–-"]
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
