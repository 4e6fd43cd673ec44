"""Joins the lines of a page into paragraphs, list items and tables. Pure.

A new paragraph shows by a wider gap, a change of style, an indent, a list mark, a bold opening, or
a short last line.
"""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Sequence

from freeform.ingest.model import Box, Line, PageBlock
from freeform.ingest.page.glyphs import is_bullet, join_hyphenated
from freeform.ingest.page.styles import family_of
from freeform.ingest.page.tables import find_tables

MARKS = "•·○●▪■□❏❐❑❒☐☑◻◯◇◆▢❖✦*–—"
_ITEM = re.compile(rf"^(?:[{MARKS}]\s+|\(?(?:\d{{1,2}}|[a-z])[.)]\s+(?=\S))")
_ENDS = re.compile(r"[.!?:;][\"”’)\]]*$")
_STOPS = re.compile(r"[.!?:][\"”’)\]]*$")
#: A line that is but a field: its label before a colon, or several labels with numbers.
_FIELD = re.compile(
    rf"^[{MARKS} ]{{0,2}}[^\W\d_][^:.]{{0,28}}:\s\S"
    r"|(?:\b[^\W\d_]+:? [+−-]?\d[^|,;·]*[|,;·] ?){2}"
)
#: Letters of a label at most, and the share of a column's width that stays free where a line was
#: broken on purpose.
LABEL, FREE = 30, 0.1


def page_blocks(lines: Sequence[Line], known: Collection[str] = frozenset()) -> list[PageBlock]:
    """The page's blocks in reading order. `known`: words of the book, for hyphens at line ends."""
    words = known if isinstance(known, (set, frozenset)) else frozenset(known)
    blocks: list[PageBlock] = []
    at = 0
    edges = _edges(lines)
    pitch = _pitches(lines)
    for table in find_tables(lines):
        blocks += _paragraphs(lines[at : table.start], edges, pitch, words)
        inside = lines[table.start : table.end]
        main = inside[-1]
        blocks.append(
            PageBlock(
                kind="table",
                text=table.markdown(),
                bbox=_around(inside),
                font=main.font,
                size=main.size,
                column=inside[0].column,
                lines=len(inside),
                rows=table.rows,
            )
        )
        at = table.end
    return blocks + _paragraphs(lines[at:], edges, pitch, words)


def look(line: Line) -> tuple[str, float, bool]:
    """The style a line has as part of a paragraph: that of its plain letters, if it has any."""
    for span in line.spans:
        if not span.bold and not span.italic and len(span.text.strip()) > 1:
            return (span.font, span.size, False)
    return (line.font, line.size, line.bold)


def run_in(line: Line) -> str:
    """The bold or bold-italic phrase a line opens with before its plain text, if it is one."""
    if not line.spans:
        return ""
    opening = ""
    for span in line.spans[is_mark(line.spans[0].text) :]:
        if not (span.bold or (span.italic and not opening)):
            break
        opening += span.text
    else:
        return ""
    opening = opening.strip()
    return opening if 1 < len(opening) < 80 and opening[0].isalnum() else ""


def bold_inside(run: Sequence[Line]) -> tuple[str, ...]:
    """The other bold phrases of a paragraph that opens with one: labels, where a line has several
    (`AC 7, HD 2, Att bite`)."""
    if not run_in(run[0]):
        return ()
    spans = [span for line in run for span in line.spans or ((line,) if not line.bold else ())]
    first = next((at for at, span in enumerate(spans) if not span.bold), len(spans))
    phrases = (span.text.strip(" .,:;-–—") for span in spans[first:] if span.bold)
    return tuple(phrase for phrase in phrases if 0 < len(phrase) <= LABEL and phrase[0].isalnum())


def is_mark(text: str) -> bool:
    """Whether a run is but the mark of a list item, as a box to tick."""
    return is_bullet(text) or text.strip() in tuple(MARKS)


def _edges(lines: Sequence[Line]) -> dict[int, tuple[float, float]]:
    """Left and right edge of each column."""
    lefts: dict[int, Counter[float]] = {}
    rights: dict[int, list[float]] = {}
    for line in lines:
        lefts.setdefault(line.column, Counter())[round(line.bbox[0])] += len(line.text)
        rights.setdefault(line.column, []).append(line.bbox[2])
    return {
        column: (
            min(x for x, n in lefts[column].items() if n >= 0.15 * max(lefts[column].values())),
            max(rights[column]),
        )
        for column in lefts
    }


def _pitches(lines: Sequence[Line]) -> dict[float, float]:
    """The usual distance from line to line, by letter size."""
    seen: dict[float, Counter[float]] = {}
    for a, b in itertools.pairwise(lines):
        step = b.bbox[3] - a.bbox[3]
        if a.column == b.column and a.size == b.size and 0.8 * a.size < step < 2.5 * a.size:
            seen.setdefault(a.size, Counter())[round(step * 2) / 2] += 1
    # The tightest common step: wider ones part paragraphs.
    return {
        size: min(s for s, n in steps.items() if n >= 0.3 * max(steps.values()))
        for size, steps in seen.items()
    }


def _paragraphs(
    lines: Sequence[Line],
    edges: dict[int, tuple[float, float]],
    pitch: dict[float, float],
    known: frozenset[str] | set[str],
) -> list[PageBlock]:
    blocks: list[PageBlock] = []
    run: list[Line] = []
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        if run and _begins(run, line, after, edges, pitch):
            blocks.append(_block(run, edges, known))
            run = []
        run.append(line)
    if run:
        blocks.append(_block(run, edges, known))
    return blocks


def _begins(
    run: Sequence[Line],
    line: Line,
    after: Line | None,
    edges: dict[int, tuple[float, float]],
    pitch: dict[float, float],
) -> bool:
    """Whether a line opens a new paragraph after the run."""
    last = run[-1]
    if _ITEM.match(line.text) and not (line.text[0].isalnum() and not _STOPS.search(last.text)):
        return True
    (font, size, bold), (own_font, own_size, own_bold) = look(last), look(line)
    if abs(size - own_size) > 0.55 or bold != own_bold:
        return True
    if family_of(font) != family_of(own_font) and (bold or not (last.spans or line.spans)):
        return True  # two headings, one below the other, or a title in another hand
    short_before = last.bbox[2] < edges[last.column][1] - 0.3 * (
        edges[last.column][1] - edges[last.column][0]
    )
    if last.color != line.color and short_before and not (last.spans or line.spans):
        return True
    if font != own_font and (last.italic != line.italic) and not (last.spans or line.spans):
        # A line wholly in italics next to one that is not: a caption, a type line, a quotation.
        own_line = last.italic and len(run) == 1 and line.text[:1].isupper()
        if own_line or _STOPS.search(last.text) or last.bbox[2] < 0.8 * edges[last.column][1]:
            return True
    left, right = edges[line.column]
    if last.column != line.column or line.bbox[1] < last.bbox[1] - line.size:
        return _starts_anew(last, line, left)
    step = line.bbox[3] - last.bbox[3]
    if step < 0.5 * line.size:
        return False
    if step > 1.12 * pitch.get(line.size, 1.25 * line.size) + 0.8:
        return True
    ended = bool(_ENDS.search(last.text))
    listing = last.text.endswith((",", ";")) and not _broken_on_purpose(last, line, left, right)
    if run_in(line) and (ended or run_in(run[0]) or _ITEM.match(run[0].text)) and not listing:
        return True
    if _broken_on_purpose(last, line, left, right) and (run_in(line) or _is_field(run, line)):
        return True
    indent = line.bbox[0] - last.bbox[0]
    if indent > 0.7 * line.size:
        hanging = (
            after is not None
            and after.column == line.column
            and abs(after.bbox[0] - line.bbox[0]) < 2
        )
        first = len(run) == 1
        return ended and not (hanging and first)
    if indent < -0.7 * line.size and len(run) > 1:
        return ended or (line.text[:1].isupper() and last.bbox[2] < right - 0.3 * (right - left))
    short = last.bbox[2] < right - 0.2 * (right - left)
    return bool(
        short
        and _STOPS.search(last.text)
        and not line.text[:1].islower()
        and not _ITEM.match(run[0].text)
    )


def _broken_on_purpose(last: Line, line: Line, left: float, right: float) -> bool:
    """Whether the next line's first word would have had room behind the last."""
    if line.text[:1].islower():
        return False
    word = len(line.text.split()[0]) + 1
    wide = (line.bbox[2] - line.bbox[0]) * word / len(line.text)
    return last.bbox[2] + wide < right - FREE * (right - left)


def _is_field(run: Sequence[Line], line: Line) -> bool:
    """Whether the run is a single line that says a field and is over."""
    last = run[-1]
    return len(run) == 1 and bool(run_in(last) or _FIELD.search(last.text)) and not line.bold


def _starts_anew(last: Line, line: Line, left: float) -> bool:
    """Across a column break: a paragraph goes on when its sentence does."""
    if run_in(line) or (_STOPS.search(last.text) and not last.text.endswith(":")):
        return not line.text[:1].islower()
    return (
        line.bbox[0] - left > 0.7 * line.size
        and line.text[:1].isupper()
        and bool(_ENDS.search(last.text))
    )


def _block(
    run: Sequence[Line], edges: dict[int, tuple[float, float]], known: frozenset[str] | set[str]
) -> PageBlock:
    text = ""
    for line in run:
        text = join_hyphenated(text, line.text, known)
    first = run[0]
    opening = run_in(first)
    led = first.spans[is_mark(first.spans[0].text)] if opening else None
    item = _ITEM.match(text)
    if item and text[0] in MARKS:
        text = "- " + text[item.end() :]
        if opening and text[2:].startswith(opening):
            text = f"- **{opening}**{text[2 + len(opening) :]}"
    elif opening and text.startswith(opening):
        text = f"**{opening}**{text[len(opening) :]}"
    font, size, bold = look(max(run, key=lambda line: len(line.text)))
    main = max(run, key=lambda line: len(line.text))
    return PageBlock(
        kind="item" if item else "text",
        text=text,
        bbox=_around(run),
        font=font,
        size=size,
        bold=bold,
        italic=main.italic,
        color=main.color,
        column=first.column,
        lines=len(run),
        run_in=opening,
        run_in_font=led.font if led else "",
        run_in_size=led.size if led else 0.0,
        bold_inside=bold_inside(run),
        indented=first.bbox[0] - edges[first.column][0] > 0.7 * size,
    )


def _around(lines: Sequence[Line]) -> Box:
    return (
        min(line.bbox[0] for line in lines),
        min(line.bbox[1] for line in lines),
        max(line.bbox[2] for line in lines),
        max(line.bbox[3] for line in lines),
    )
