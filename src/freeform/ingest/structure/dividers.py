"""Headings that only divide a long list: `A` and `B` over spells, `Tier 1 Foes`. Pure.

They are often set like the entries they stand over, or larger than the chapter they stand in, so
their look does not say how deep they lie. What they stand between does: such a heading lies right
above the headings that follow it.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

#: Headings of a series, and headings that stand between two of them, at least.
LEAST, BETWEEN = 3, 2
#: Letters that a list by letters has at least.
LETTERS = 5
_NUMBER = re.compile(r"\d+")


class Title(NamedTuple):
    """A heading with its level by look."""

    text: str
    level: int


def series_key(title: str) -> tuple[str, int] | None:
    """The words of a numbered heading without its number, and the number; what brackets say is left
    out."""
    plain = re.sub(r"\([^)]*\)", " ", title.lower())
    number = _NUMBER.search(plain)
    words = re.findall(r"[^\W\d_]+", plain)
    if number is None or not words or len(_NUMBER.findall(plain)) > 1:
        return None
    return " ".join(words), int(number[0])


def numbered_dividers(titles: Sequence[Title]) -> frozenset[Title]:
    """The headings of numbered series that stand over others of their own level."""
    series: dict[tuple[str, int], list[tuple[int, int]]] = defaultdict(list)
    for place, title in enumerate(titles):
        key = series_key(title.text)
        if key is not None:
            series[key[0], title.level].append((key[1], place))
    found: set[Title] = set()
    for (_, level), numbers in series.items():
        if len(numbers) >= LEAST and _rises(numbers) and _stands_over(titles, level, numbers):
            found |= {titles[place] for _, place in numbers}
    return frozenset(found)


def _rises(numbers: Sequence[tuple[int, int]]) -> bool:
    return all(after[0] == before[0] + 1 for before, after in pairwise(numbers))


def _stands_over(titles: Sequence[Title], level: int, numbers: Sequence[tuple[int, int]]) -> bool:
    """Whether headings of the same level stand between two of a series, and none higher."""
    counts = []
    for (_, start), (_, end) in pairwise(numbers):
        between = [title.level for title in titles[start + 1 : end]]
        if any(other < level for other in between):
            return False
        counts.append(between.count(level))
    return median(counts) >= BETWEEN


def lettered(following: Sequence[tuple[str, str]]) -> bool:
    """Whether single letters, each with the heading that follows it, divide a list by letters."""
    letters = [letter for letter, _ in following]
    fits = [letter for letter, title in following if title[:1].upper() == letter]
    return (
        len(letters) >= LETTERS
        and len(fits) >= 0.8 * len(letters)
        and all(before < after for before, after in pairwise(letters))
    )


class Depth:
    """Puts headings below the divider they follow; sees the book's headings in order."""

    def __init__(self, dividers: frozenset[Title]) -> None:
        self.dividers = dividers
        self.open: int | None = None

    def level(self, title: Title) -> int:
        """The level of the next heading."""
        if title in self.dividers:
            self.open = title.level
            return title.level
        if self.open is None:
            return title.level
        if title.level < self.open:
            self.open = None
            return title.level
        return title.level + 1
