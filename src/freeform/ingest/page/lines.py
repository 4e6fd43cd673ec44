"""Makes printed lines out of runs of text: by the file's own order, or by where the runs stand on
the page.

A line here ends where the page shows a wide gap, so the cells of a table row are lines of their
own.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeAlias

from freeform.ingest.model import Box, Line, Span
from freeform.ingest.page.glyphs import is_bullet, mend

#: In widths of the letter's size: a gap that parts words, one that parts cells or columns, one after a list mark.
WORD_GAP, CELL_GAP, BULLET_GAP = 0.16, 1.15, 4.0
#: How many times as wide as the narrowest the widest gap of a stretched row may be: bold blanks
#: are wider.
STRETCHED = 1.5
#: In points: how far a shadow or a false bold stands from its letters.
SHADOW = 1.5
#: Where the same words were drawn, by squares as wide as a shadow.
Places: TypeAlias = dict[tuple[int, int], list[tuple[float, float]]]


def clean_spans(spans: Iterable[Span], width: float, height: float) -> list[Span]:
    """The runs that show: mended, on the page, and once where a shadow or a false bold draws them
    twice."""
    kept: list[Span] = []
    drawn: dict[str, Places] = {}
    for span in spans:
        text = mend(span.text)
        if not text:
            continue
        x0, y0, x1, y1 = span.bbox
        if x1 < -1 or y1 < -1 or x0 > width + 1 or y0 > height + 1:
            continue
        if not text.isspace():
            places = drawn.setdefault(text, {})
            if _stands_at(places, x0, y0):
                continue
            places.setdefault((int(x0 // SHADOW), int(y0 // SHADOW)), []).append((x0, y0))
        kept.append(span if text == span.text else _said(span, text, span.bbox))
    return kept


def _stands_at(places: Places, x0: float, y0: float) -> bool:
    """Whether one of them is less than a shadow's width away; only near ones are looked at."""
    if not places:
        return False
    across, down = int(x0 // SHADOW), int(y0 // SHADOW)
    return any(
        abs(x - x0) < SHADOW and abs(y - y0) < SHADOW
        for column in (across - 1, across, across + 1)
        for row in (down - 1, down, down + 1)
        for x, y in places.get((column, row), ())
    )


def _said(span: Span, text: str, bbox: Box) -> Span:
    """The run with other words and place. Built anew: copying a record costs several times as
    much."""
    return Span(
        text=text,
        bbox=bbox,
        font=span.font,
        size=span.size,
        bold=span.bold,
        italic=span.italic,
        color=span.color,
    )


def in_column(line: Line, column: int) -> Line:
    """The line, known to stand in that column."""
    if line.column == column:
        return line
    return Line(
        text=line.text,
        bbox=line.bbox,
        font=line.font,
        size=line.size,
        bold=line.bold,
        italic=line.italic,
        color=line.color,
        spans=line.spans,
        column=column,
    )


def stream_lines(spans: Sequence[Span]) -> list[Line]:
    """Lines in stream order: a run joins the line before it when it goes on where that one ends."""
    lines: list[Line] = []
    run: list[Span] = []
    for span in spans:
        if run and not _goes_on(run, span):
            _close(run, lines)
            run = []
        if run or not span.text.isspace():
            run.append(span)
    if run:
        _close(run, lines)
    return lines


def whole_rows(lines: Sequence[Line]) -> list[Line]:
    """Lines in stream order, with rows whole that were stretched to the width of their column: the
    line above or below fills the same width in one piece, and the gaps are alike, as those of no
    table are."""
    made: list[Line] = []
    at = 0
    while at < len(lines):
        end = at + 1
        while end < len(lines) and _follows(lines[end - 1], lines[end]):
            end += 1
        row = lines[at:end]
        beside = [*lines[max(0, at - 1) : at], *lines[end : end + 1]]
        if len(row) > 1 and _is_stretched(row, [line for line in beside if _as_wide(row, line)]):
            _close([span for line in row for span in _spans(line)], made)
        else:
            made += row
        at = end
    return made


def _follows(line: Line, then: Line) -> bool:
    """Whether a line stands behind another on its row."""
    gap = then.bbox[0] - line.bbox[2]
    level = abs(line.bbox[3] - then.bbox[3]) < 0.1 * line.size and line.size == then.size
    return level and 0 < gap < BULLET_GAP * line.size


def _is_stretched(row: Sequence[Line], beside: Sequence[Line]) -> bool:
    gaps = [then.bbox[0] - line.bbox[2] for line, then in pairwise(row)]
    return bool(beside) and len(gaps) > 1 and max(gaps) <= STRETCHED * min(gaps)


def _as_wide(row: Sequence[Line], line: Line) -> bool:
    ends = abs(line.bbox[0] - row[0].bbox[0]) < 2 and abs(line.bbox[2] - row[-1].bbox[2]) < 2
    return ends and abs(line.bbox[3] - row[0].bbox[3]) < 2 * line.size


def _spans(line: Line) -> Sequence[Span]:
    if line.spans:
        return line.spans
    return (
        Span(
            text=line.text,
            bbox=line.bbox,
            font=line.font,
            size=line.size,
            bold=line.bold,
            italic=line.italic,
            color=line.color,
        ),
    )


def geometric_lines(spans: Sequence[Span]) -> list[Line]:
    """Lines by place alone: rows of equal baseline, cut at wide gaps. For a stream that cannot be
    trusted."""
    rows: list[tuple[float, list[Span]]] = []
    for span in sorted((s for s in spans if not s.text.isspace()), key=_baseline):
        base = _baseline(span)
        for at in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            if abs(rows[at][0] - base) <= 0.25 * min(span.size or 10, 14):
                rows[at][1].append(span)
                break
        else:
            rows.append((base, [span]))
    lines: list[Line] = []
    for _, row in rows:
        run: list[Span] = []
        for span in sorted(row, key=_left):
            if run and not _goes_on(run, span):
                _close(run, lines)
                run = []
            run.append(span)
        _close(run, lines)
    return lines


def _baseline(span: Span) -> float:
    return span.bbox[3] - 0.2 * span.size


def _left(span: Span) -> float:
    return span.bbox[0]


def _goes_on(run: list[Span], span: Span) -> bool:
    last = run[-1]
    x0, y0, _, y1 = span.bbox
    _, ly0, lx1, ly1 = last.bbox
    overlap = min(y1, ly1) - max(y0, ly0)
    lower = min(y1 - y0, ly1 - ly0)
    if overlap < 0.5 * lower:
        return False
    size = max(min(span.size, last.size), 4.0)
    gap = x0 - lx1
    if _drop_cap(last, span):
        return -size < gap < 2 * size
    # Half a size apart is a superscript; more is another line.
    if abs(_baseline(span) - _baseline(last)) > 0.5 * size:
        return False
    if is_bullet("".join(piece.text for piece in run)):
        return -0.5 * size < gap < BULLET_GAP * size
    # A run that only holds a blank may be as wide as it likes, up to a cell's gap.
    if x0 < run[0].bbox[0] - size:
        return False
    return -1.2 * size < gap < CELL_GAP * size


def _drop_cap(first: Span, then: Span) -> bool:
    letter = first.text.strip()
    return len(letter) == 1 and letter.isupper() and first.size > 1.8 * then.size > 0


def _close(run: list[Span], lines: list[Line]) -> None:
    while run and run[-1].text.isspace():
        run = run[:-1]
    if not run:
        return
    text = ""
    merged: list[Span] = []
    for span in run:
        piece = span.text
        if merged:
            last = merged[-1]
            gap = span.bbox[0] - last.bbox[2]
            apart = gap > WORD_GAP * max(4.0, min(span.size, last.size)) and not _drop_cap(
                last, span
            )
            if apart and not text.endswith(" ") and not piece.startswith(" "):
                piece = " " + piece
            if text.endswith(" "):
                piece = piece.lstrip()
            same = last.font == span.font and last.size == span.size and last.bold == span.bold
            if same and last.italic == span.italic and last.color == span.color:
                merged[-1] = _said(last, last.text + piece, _around(last.bbox, span.bbox))
                text += piece
                continue
        else:
            piece = piece.lstrip()
        text += piece
        merged.append(span if piece == span.text else _said(span, piece, span.bbox))
    text = text.strip()
    if text:
        lines.append(_line(text, merged))


def _line(text: str, merged: list[Span]) -> Line:
    main = max(merged, key=lambda span: len(span.text.strip())) if len(merged) > 1 else merged[0]
    box = merged[0].bbox
    for span in merged[1:]:
        box = _around(box, span.bbox)
    if _drop_cap(merged[0], main):
        box = (box[0], main.bbox[1], box[2], main.bbox[3])
    return Line(
        text=text,
        bbox=box,
        font=main.font,
        size=main.size,
        bold=main.bold,
        italic=main.italic,
        color=main.color,
        spans=tuple(merged) if len(merged) > 1 else (),
    )


def _around(a: Box, b: Box) -> Box:
    return (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))
