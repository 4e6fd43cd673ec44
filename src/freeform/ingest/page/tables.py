"""Sees tables in lines that follow each other: cells step to the right, rows return to the left.

Works on lines in reading order, so a cell of several lines is read whole before the next one.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from freeform.ingest.model import Line
from freeform.ingest.page.glyphs import join_hyphenated
from freeform.ingest.page.merged_cells import mended


class Cell:
    """Lines one below the other, in one column of a table."""

    def __init__(self, line: Line) -> None:
        self.lines = [line]
        #: The line this cell is a piece of, when one line holds several cells.
        self.whole: Line | None = None
        self.x0, self.y0, self.x1, self.y1 = line.bbox

    def add(self, line: Line) -> None:
        """One more line, further down."""
        self.lines.append(line)
        self.x0, self.x1 = min(self.x0, line.bbox[0]), max(self.x1, line.bbox[2])
        self.y0, self.y1 = min(self.y0, line.bbox[1]), max(self.y1, line.bbox[3])

    @property
    def text(self) -> str:
        """The cell's words on one line."""
        whole = ""
        for line in self.lines:
            whole = join_hyphenated(whole, line.text)
        return whole.replace("|", "/")


class PageTable(NamedTuple):
    """A table: where it stands among the lines it was found in, and its cells."""

    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]

    def markdown(self) -> str:
        """As a pipe table, the first row as its head."""
        return pipe_table(self.rows)


def pipe_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as a Markdown table."""
    width = max(len(row) for row in rows)
    full = [[*row, *[""] * (width - len(row))] for row in rows]
    lines = ["| " + " | ".join(row) + " |" for row in full]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def find_tables(lines: Sequence[Line]) -> list[PageTable]:
    """The tables among lines in reading order, first to last, none overlapping."""
    rows = _rows(lines)
    for above, below in pairwise(range(len(rows))):
        rows[below] = _spread(rows[below], rows[above]) or rows[below]
        rows[above] = _spread(rows[above], rows[below]) or rows[above]
    tables: list[PageTable] = []
    at = 0
    while at < len(rows):
        if len(rows[at]) < 2:
            at += 1
            continue
        end = _table_end(rows, at)
        count = sum(1 for row in rows[at:end] if len(row) > 1)
        if count >= 2:
            start = _line_count(rows[:at])
            length = _line_count(rows[at:end])
            tables.append(PageTable(start, start + length, mended(_aligned(rows[at:end]))))
        at = end
    return tables


def _rows(lines: Sequence[Line]) -> list[list[Cell]]:
    """All lines as rows of cells; a paragraph is a row of one cell."""
    rows: list[list[Cell]] = []
    for line in lines:
        if not rows:
            rows.append([Cell(line)])
            continue
        row = rows[-1]
        cell = row[-1]
        step = _step(row, cell, line)
        if step == "right":
            if len(row) == 1 and len(cell.lines) > 1:
                row = _split(rows, line)
            row.append(Cell(line))
        elif step == "below":
            cell.add(line)
        else:
            rows.append([Cell(line)])
    return rows


def _step(row: list[Cell], cell: Cell, line: Line) -> str:
    last = cell.lines[-1]
    height = max(6.0, line.bbox[3] - line.bbox[1])
    x0, y0, x1, _ = line.bbox
    top = min(other.y0 for other in row)
    bottom = max(other.y1 for other in row)
    if x0 >= cell.x1 - 1 and top - 1.6 * height < y0 < bottom - 0.2 * height:
        return "right"
    under = -0.4 * height < y0 - last.bbox[3] < 0.75 * height
    overlaps = min(x1, cell.x1) - max(x0, cell.x0) > 0
    alike = line.size == last.size and line.bold == last.bold
    if under and overlaps and (alike or len(row) > 1) and (len(row) == 1 or x0 > row[-2].x1 - 1):
        return "below"
    return "new"


def _split(rows: list[list[Cell]], line: Line) -> list[Cell]:
    """A paragraph above a table ends with the row's first cell: cut it where the new line's row
    begins."""
    cell = rows[-1][0]
    height = max(6.0, line.bbox[3] - line.bbox[1])
    at = next(
        (
            index
            for index, own in enumerate(cell.lines)
            if abs(own.bbox[3] - line.bbox[3]) < 0.4 * height
        ),
        len(cell.lines) - 1,
    )
    # A first cell of some lines whose neighbour stands level with its middle is one cell.
    if at == 0:
        return rows[-1]
    above, below = cell.lines[:at], cell.lines[at:]
    rows[-1] = [_cell(above)]
    rows.append([_cell(below)])
    return rows[-1]


def _cell(lines: Sequence[Line]) -> Cell:
    cell = Cell(lines[0])
    for line in lines[1:]:
        cell.add(line)
    return cell


def _line_count(rows: list[list[Cell]]) -> int:
    return len({id(cell.whole or line) for row in rows for cell in row for line in cell.lines})


def _spread(row: list[Cell], guide: list[Cell]) -> list[Cell] | None:
    """A line whose words stand so close that it looks like one cell, dealt out under the cells
    beside it."""
    if len(guide) < 3 or len(row) >= len(guide) or any(len(cell.lines) > 1 for cell in row):
        return None
    gap = abs(row[0].y0 - guide[0].y0)
    if gap > 3.2 * max(6.0, row[0].y1 - row[0].y0):
        return None
    out: list[Cell] = []
    for cell in row:
        under = [other for other in guide if min(cell.x1, other.x1) - max(cell.x0, other.x0) > 0]
        if len(under) < 2:
            out.append(cell)
            continue
        words = _dealt(cell, under)
        if words is None:
            return None
        out += [_word_cell(cell, other, text) for other, text in zip(under, words, strict=True)]
    return out if len(out) > len(row) and len(out) >= 3 else None


def _dealt(cell: Cell, under: list[Cell]) -> list[str] | None:
    """The words of a cell by the place each seems to have; None when a place stays empty."""
    text = cell.lines[0].text
    scale = (cell.x1 - cell.x0) / max(1, len(text))
    dealt: list[list[str]] = [[] for _ in under]
    for found in re.finditer(r"\S+", text):
        middle = cell.x0 + scale * (found.start() + found.end()) / 2
        place = min(
            range(len(under)), key=lambda at: abs((under[at].x0 + under[at].x1) / 2 - middle)
        )
        dealt[place].append(found[0])
    # Figures stand in columns; a sentence below a table does too, but it is no row.
    figures = sum(
        1
        for words in dealt
        if any(letter.isdigit() or letter == "—" for word in words for letter in word)
    )
    return (
        [" ".join(words) for words in dealt] if all(dealt) and figures >= 0.6 * len(dealt) else None
    )


def _word_cell(cell: Cell, place: Cell, text: str) -> Cell:
    line = cell.lines[0]
    _, y0, _, y1 = line.bbox
    made = Cell(line.model_copy(update={"text": text, "bbox": (place.x0, y0, place.x1, y1)}))
    made.whole = line
    return made


def _table_end(rows: list[list[Cell]], start: int) -> int:
    """One past the last row of the table that starts here."""
    end = start + 1
    while end < len(rows):
        row, above = rows[end], rows[end - 1]
        gap = min(cell.y0 for cell in row) - max(cell.y1 for cell in above)
        height = max(6.0, row[0].lines[0].bbox[3] - row[0].lines[0].bbox[1])
        if not -2.0 * height < gap < 2.2 * height:
            break
        if len(row) > 1:
            if not _fits(rows[start:end], row):
                break
            end += 1
            continue
        # A row of one short cell is a heading inside the table, if the table goes on below it.
        only = row[0]
        more = end + 1 < len(rows) and len(rows[end + 1]) > 1
        if not (
            more
            and len(only.lines) == 1
            and len(only.text) < 40
            and _fits(rows[start:end], rows[end + 1])
        ):
            break
        left = min(cell.x0 for cell in rows[start])
        if (
            abs(only.x0 - left) > 3 * height
            or only.lines[0].size > 1.15 * rows[start][0].lines[0].size
        ):
            break
        end += 1
    return end


def _fits(above: list[list[Cell]], row: list[Cell]) -> bool:
    """Whether a row's cells stand below those of the table so far."""
    base = max(above, key=len)
    hits = sum(1 for cell in row if any(min(cell.x1, o.x1) - max(cell.x0, o.x0) > -8 for o in base))
    return hits >= 0.6 * len(row)


def _aligned(rows: list[list[Cell]]) -> tuple[tuple[str, ...], ...]:
    """Cells put into columns by where they stand."""
    counts = [len(row) for row in rows]
    most = max(counts)
    base = max((row for row in rows if len(row) == most), key=lambda row: row[-1].x1 - row[0].x0)
    spans = [[cell.x0, cell.x1] for cell in base]
    for row in rows:
        for cell in row:
            over = [span for span in spans if min(cell.x1, span[1]) - max(cell.x0, span[0]) > 0]
            if len(over) == 1:
                over[0][0], over[0][1] = min(over[0][0], cell.x0), max(over[0][1], cell.x1)
    out: list[tuple[str, ...]] = []
    for row in rows:
        texts = [""] * len(spans)
        for cell in row:
            place = max(range(len(spans)), key=lambda at: _closeness(cell, spans[at]))
            texts[place] = f"{texts[place]} {cell.text}".strip()
        out.append(tuple(texts))
    return _one_head(rows, out)


def _closeness(cell: Cell, span: list[float]) -> float:
    overlap = min(cell.x1, span[1]) - max(cell.x0, span[0])
    return overlap if overlap > 0 else -abs((cell.x0 + cell.x1) / 2 - (span[0] + span[1]) / 2)


def _one_head(rows: list[list[Cell]], out: list[tuple[str, ...]]) -> tuple[tuple[str, ...], ...]:
    """Head lines in bold that stand above each other become one head."""
    bold = 0
    while bold < len(rows) and all(line.bold for cell in rows[bold] for line in cell.lines):
        bold += 1
    if 1 < bold < len(rows) and bold <= 3:
        head = tuple(
            " ".join(part for part in column if part) for column in zip(*out[:bold], strict=True)
        )
        return (head, *out[bold:])
    return tuple(out)
