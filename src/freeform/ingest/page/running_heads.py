"""Learns a book's running heads and feet from a sample of its pages, and takes them off every
page."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from freeform.core.record import Record
from freeform.ingest.model import Line

#: The share of a page's height, at the top and at the bottom, where running heads stand.
EDGE = 0.1
_NUMBERS = re.compile(r"\d+")
_FOLIO = re.compile(r"^\W*(page\s*)?(#|[ivxlc]+)(\s*(of|/)\s*#)?\W*$")


class RunningHeads(Record):
    """What repeats at the edges of the pages."""

    #: (words with their numbers as '#', height in hundredths of the page)
    lines: frozenset[tuple[str, int]] = frozenset()
    #: (font, size, height in hundredths): the style of lines that change with the chapter
    styles: frozenset[tuple[str, float, int]] = frozenset()
    #: Larger letters than this are a title, however often they stand there.
    largest: float = 1000.0

    def strip(self, lines: Sequence[Line], height: float) -> tuple[list[Line], list[str]]:
        """The lines that are the page's own, and the words taken off."""
        kept: list[Line] = []
        taken: list[str] = []
        for line in lines:
            if at_edge(line, height) and line.size <= self.largest and self._runs(line, height):
                taken.append(line.text)
            else:
                kept.append(line)
        return kept, taken

    def _runs(self, line: Line, height: float) -> bool:
        words, place = plain(line.text), at(line, height)
        near = (place - 1, place, place + 1)
        if any((words, spot) in self.lines for spot in near):
            return True
        style = (line.font, line.size)
        return len(line.text) < 80 and any((*style, spot) in self.styles for spot in near)


def sample_pages(numbers: Sequence[int]) -> list[int]:
    """About a tenth of the pages, in runs of four, so that left and right pages and their
    neighbours are seen."""
    wanted = max(24, min(len(numbers) // 10, 240))
    if len(numbers) <= wanted:
        return list(numbers)
    runs = wanted // 4
    step = len(numbers) / runs
    chosen = {
        min(len(numbers) - 1, int(run * step) + beside)
        for run in range(runs)
        for beside in range(4)
    }
    return [numbers[place] for place in sorted(chosen)]


def learn_running_heads(pages: Iterable[tuple[int, float, Sequence[Line]]]) -> RunningHeads:
    """From (number, height, lines) of sampled pages."""
    seen: dict[tuple[str, int], set[int]] = defaultdict(set)
    styled: dict[tuple[str, float, int], dict[str, set[int]]] = defaultdict(
        lambda: defaultdict(set)
    )
    body: Counter[tuple[str, float]] = Counter()
    total = 0
    for number, height, lines in pages:
        total += 1
        for line in lines:
            if not at_edge(line, height):
                body[(line.font, line.size)] += len(line.text)
                continue
            words, place = plain(line.text), at(line, height)
            seen[(words, place)].add(number)
            styled[(line.font, line.size, place)][words].add(number)
    if total < 3:
        return RunningHeads()
    often = {key: pages for key, pages in seen.items() if len(pages) >= _enough(key[0], total)}
    main = {style for style, _ in body.most_common(1)}
    largest = max((size for _, size in main), default=1000.0) * 1.3
    styles = frozenset(
        key
        for key, words in styled.items()
        if (key[0], key[1]) not in main and _changes_by_chapter(words.values(), total)
    )
    return RunningHeads(lines=frozenset(often), styles=styles, largest=largest)


def _enough(words: str, total: int) -> float:
    # A bare number may be a table's; a page number is on most pages (of one side at least).
    if _FOLIO.match(words):
        return max(3, 0.25 * total)
    return max(3, 0.06 * total)


def _changes_by_chapter(groups: Iterable[set[int]], total: int) -> bool:
    """Whether a style at one height is on many pages, and mostly says the same as a page nearby."""
    pages: set[int] = set()
    repeated: set[int] = set()
    for numbers in groups:
        pages |= numbers
        repeated |= {n for n in numbers if {n - 1, n + 1, n - 2, n + 2} & numbers}
    return len(pages) >= max(4, 0.3 * total) and len(repeated) >= 0.6 * len(pages)


def plain(text: str) -> str:
    """Words in lower case with every number as '#'."""
    return _NUMBERS.sub("#", text.lower()).strip()


def at_edge(line: Line, height: float) -> bool:
    """Whether a line stands where running heads do."""
    return line.bbox[3] < EDGE * height or line.bbox[1] > (1 - EDGE) * height


def at(line: Line, height: float) -> int:
    """Its height in hundredths of the page."""
    return round(100 * line.bbox[1] / max(1.0, height))
