"""Blanks that a file does not write but sets, as space between two letters of one run.

Some typesetters (groff among them) widen the space between the last letter of a word and the
first of the next instead of writing a blank, and a library that joins letters into runs then
loses the blank (`arethe characters`). Where that happens its runs reach into each other;
blanks are then put where the letters stand apart.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Sequence

from freeform.adapters.pdf.leftward import CELL_GAP, WORD_GAP, Letter
from freeform.adapters.pdf.rows import Run

#: Runs that reach into the next one by more than a word's gap, of which this many make a habit.
HABIT = 3


def hides_blanks(runs: Sequence[Run]) -> bool:
    """Whether runs of a page end behind the place where the next begins: their last letter was
    moved, and the run does not know."""
    return sum(map(_reaches, runs, runs[1:])) >= HABIT


def _reaches(run: Run, then: Run) -> bool:
    if run.text[-1:].isspace() or then.text[:1].isspace() or abs(run.bbox[3] - then.bbox[3]) > 0.5:
        return False
    deep = run.bbox[2] - then.bbox[0]
    return run.bbox[0] < then.bbox[0] and WORD_GAP * run.size < deep < CELL_GAP * run.size


def with_blanks(runs: Sequence[Run], letters: Iterable[Letter]) -> tuple[Run, ...]:
    """The runs, each written anew from its letters: a blank stands where one is drawn or where a
    gap parts words, and the run ends with its last letter. One whose letters are not found
    stays."""
    rows: dict[int, list[Letter]] = defaultdict(list)
    for letter in letters:
        rows[_row(letter.run)].append(letter)
    for row in rows.values():
        row.sort(key=_left)
    return tuple(_respaced(run, rows[_row(run)]) for run in runs)


def _row(run: Run) -> int:
    """The line that a run stands on, in half points."""
    return round(2 * run.bbox[3])


def _left(letter: Letter) -> float:
    return letter.run.bbox[0]


def _respaced(run: Run, row: Sequence[Letter]) -> Run:
    first = bisect_left(row, run.bbox[0] - 0.5, key=_left)
    wanted = "".join(run.text.split())
    said, blank, end = "", run.text[:1].isspace(), run.bbox[0]
    for letter in row[first:]:
        if len(said.replace(" ", "")) >= len(wanted):
            break
        if letter.text.isspace():
            blank = True
            continue
        wide = bool(said.strip()) and letter.run.bbox[0] - end > WORD_GAP * run.size
        said += (" " if blank or wide else "") + letter.text
        blank, end = False, letter.run.bbox[2]
    if not wanted or said.replace(" ", "") != wanted:
        return run
    last = " " if run.text[-1:].isspace() else ""
    return run._replace(text=said + last, bbox=(*run.bbox[:2], end, run.bbox[3]))
