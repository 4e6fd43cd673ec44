"""Compares a book as we read it with its Markdown twin: words, order, headings, sections, tables.
Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from rapidfuzz.distance import Indel

from freeform.core.record import Record

GRAM = 5
#: A paragraph is found by the first of its runs of this many words that occurs once in our text.
ANCHOR = 8
_WORD = re.compile(r"[a-z0-9]+")
_SETEXT = re.compile(r"(?m)^(\S.*)\n(=|-){4,}\s*$")
_HEADING = re.compile(r"(?m)^(#{1,6})\s+(.+?)\s*#*\s*$")
_PIPE = re.compile(r"^\s*\|.*\|\s*$")
_RULE = re.compile(r"^[\s|:+=-]+$")


class TwinHeading(Record):
    """A heading of a Markdown text with the text up to the next."""

    title: str
    level: int
    text: str


def words(text: str) -> list[str]:
    """A text's words for comparing: lower case, apostrophes dropped, figures kept."""
    return _WORD.findall(text.lower().replace("’", "").replace("'", ""))


def plain(title: str) -> str:
    """A heading for comparing."""
    return "".join(words(re.sub(r"\{[^}]*\}", "", title)))


def read_twin(folder: Path) -> str:
    """The twin's files in order, without a converter's leftovers: grid tables (which cut words) and
    attributes."""
    text = "\n\n".join(file.read_text(encoding="utf-8") for file in sorted(folder.glob("*.md")))
    kept: list[str] = []
    grid = False
    for line in text.split("\n"):
        if re.match(r"^\s*\+[-=+:]{3,}", line):
            grid = True
        elif grid and not line.strip().startswith("|"):
            grid = False
        if not grid:
            kept.append(line)
    text = re.sub(r"\[([^\]]*)\]\{[^}]*\}", r"\1", "\n".join(kept))
    text = re.sub(r"\]\{[^}]*\}|\{\s*[.#][^}]*\}|<[^>\n]+>", "", text)
    return _SETEXT.sub(lambda found: f"{'#' if found[2] == '=' else '##'} {found[1]}", text)


def grams(text: str) -> set[tuple[str, ...]]:
    """Every run of five words."""
    run = words(re.sub(r"(?m)^[\s|:+=-]+$", "", text))
    return {tuple(run[at : at + GRAM]) for at in range(len(run) - GRAM + 1)}


def gram_share(ours: str, twin: str) -> float:
    """Share of the twin's runs of five words that we have."""
    wanted = grams(twin)
    return len(wanted & grams(ours)) / max(1, len(wanted))


def reading_order(ours: str, twin: str) -> tuple[float, int]:
    """Share of neighbouring paragraphs of the twin that follow each other in ours, and how many
    pairs."""
    run = words(ours)
    where: dict[tuple[str, ...], int] = {}
    twice: set[tuple[str, ...]] = set()
    for at in range(len(run) - ANCHOR + 1):
        key = tuple(run[at : at + ANCHOR])
        if key in where:
            twice.add(key)
        where[key] = at
    found: list[int | None] = []
    for paragraph in re.split(r"\n\s*\n", twin):
        if paragraph.lstrip().startswith(("#", "|", "+")):
            continue
        own = words(paragraph)
        if len(own) < ANCHOR:
            continue
        keys = (tuple(own[at : at + ANCHOR]) for at in range(len(own) - ANCHOR + 1))
        found.append(next((where[key] for key in keys if key in where and key not in twice), None))
    pairs = [(a, b) for a, b in pairwise(found) if a is not None and b is not None]
    return sum(1 for a, b in pairs if b > a) / max(1, len(pairs)), len(pairs)


def headings(text: str) -> list[TwinHeading]:
    """The headings of a Markdown text, each with what stands below it."""
    found = list(_HEADING.finditer(text))
    ends = [*(heading.start() for heading in found[1:]), len(text)][: len(found)]
    return [
        TwinHeading(title=heading[2], level=len(heading[1]), text=text[heading.end() : end])
        for heading, end in zip(found, ends, strict=True)
        if plain(heading[2])
    ]


def compare_headings(ours: Sequence[TwinHeading], twin: Sequence[TwinHeading]) -> dict[str, float]:
    """Recall and precision as bags of titles; levels by whether the step from heading to heading
    agrees."""
    mine, theirs = Counter(plain(h.title) for h in ours), Counter(plain(h.title) for h in twin)
    hits = (mine & theirs).total()
    matched = _matched(ours, twin)
    steps = [
        _sign(a[0].level - b[0].level) == _sign(a[1].level - b[1].level)
        for a, b in pairwise(matched)
    ]
    similar = [
        Indel.normalized_similarity(words(a.text)[:3000], words(b.text)[:3000]) for a, b in matched
    ]
    return {
        "heading_recall": round(hits / max(1, theirs.total()), 4),
        "heading_precision": round(hits / max(1, mine.total()), 4),
        "heading_levels": round(sum(steps) / max(1, len(steps)), 4),
        "section_similarity": round(sum(similar) / max(1, len(twin)), 4),
    }


def _matched(
    ours: Sequence[TwinHeading], twin: Sequence[TwinHeading]
) -> list[tuple[TwinHeading, TwinHeading]]:
    """The same titles, the first with the first, the second with the second."""
    places: dict[str, list[TwinHeading]] = defaultdict(list)
    for heading in ours:
        places[plain(heading.title)].append(heading)
    pairs = []
    for heading in twin:
        if places[plain(heading.title)]:
            pairs.append((places[plain(heading.title)].pop(0), heading))
    return pairs


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def table_rows(text: str) -> Iterator[tuple[str, ...]]:
    """The rows of all pipe tables, cells as words, empty cells dropped."""
    for line in text.split("\n"):
        if _PIPE.match(line) and not _RULE.match(line):
            cells = tuple("".join(words(cell)) for cell in line.strip().strip("|").split("|"))
            row = tuple(cell for cell in cells if cell)
            if len(row) > 1:
                yield row


def table_share(ours: str, twin: str) -> tuple[float | None, int]:
    """Share of the twin's table rows that a table of ours has cell by cell, and how many; None
    without tables."""
    wanted = Counter(table_rows(twin))
    if not wanted:
        return None, 0
    return round((wanted & Counter(table_rows(ours))).total() / wanted.total(), 4), wanted.total()


def similarity(ours: Iterable[str], theirs: Iterable[str]) -> float:
    """How alike two runs of words are in order: twice the longest common run over both lengths."""
    return float(Indel.normalized_similarity(list(ours), list(theirs)))
