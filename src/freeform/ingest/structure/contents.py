"""Reads what a book prints about itself: its contents pages and its index. Pure."""

import itertools
import re
from collections.abc import Iterable, Sequence

from freeform.core.record import Record
from freeform.ingest.model import Page

_LEADER = re.compile(
    r"([^\n|.…]{2,80}?)\s*(?:\.\s?){3,}\s*(\d{1,4})\b|([^\n|.…]{2,80}?)\s*…+\s*(\d{1,4})\b"
)
_DOTS = re.compile(r"(?:\.\s?){3}|…")
_PLAIN_ENTRY = re.compile(r"([A-Z][^\n|\d]{2,60}?)[\s:–—-]+(\d{1,3})(?=\s|$)")
_INDEX_ENTRY = re.compile(
    r"([A-Za-z][A-Za-z’' ,()/-]{2,50}?),? +(\d{1,3}(?:\s?[–-]\s?\d{1,3})?(?:, \d{1,3})*)(?=\s|$)"
)
_CONTENTS = re.compile(r"^\W*(table of )?contents\W*$", re.I)
_INDEX = re.compile(r"^\W*(general |rules )?index\W*$", re.I)


class Printed(Record):
    """Entries with the printed number of their page, and the pages of the file that hold them."""

    entries: tuple[tuple[str, int], ...] = ()
    pages: tuple[int, ...] = ()


class ContentsReader:
    """Sees the pages go by, and knows the contents and the index at the end."""

    def __init__(self, page_count: int) -> None:
        self.front = max(12, page_count // 12)
        self.back = page_count - max(12, page_count // 10)
        self.contents: list[tuple[str, int]] = []
        self.contents_pages: list[int] = []
        self.index: list[tuple[str, int]] = []
        self.index_pages: list[int] = []

    def see(self, page: Page, place: int) -> None:
        """One page; `place` counts pages read, from 1."""
        if place <= self.front:
            self._see_contents(page, place)
        if place >= self.back and place > 3:
            self._see_index(page, place)

    def _see_contents(self, page: Page, place: int) -> None:
        titled = any(_CONTENTS.match(block.text) for block in page.blocks[:4])
        goes_on = bool(self.contents_pages) and self.contents_pages[-1] == page.page_num - 1
        text = page.text
        led = _LEADER.findall(text) if _DOTS.search(text) else []
        found = [(a or c, int(b or d)) for a, b, c, d in led]
        if len(found) < 5:
            rows = [row for block in page.blocks for row in block.rows]
            found = [
                (row[0], int(row[-1]))
                for row in rows
                if len(row) > 1 and row[-1].isdigit() and row[0]
            ]
        if len(found) < 5 and (titled or goes_on):
            found = [(title, int(number)) for title, number in _PLAIN_ENTRY.findall(text)]
        rising = sum(1 for (_, a), (_, b) in itertools.pairwise(found) if b >= a)
        enough = len(found) >= (4 if titled else 8) and rising >= 0.75 * (len(found) - 1)
        words = len(text.split())
        if enough and (titled or goes_on or len(found) * 12 > words):
            self.contents += [(tidy(title), number) for title, number in found if tidy(title)]
            self.contents_pages.append(page.page_num)

    def _see_index(self, page: Page, place: int) -> None:
        titled = any(_INDEX.match(block.text) for block in page.blocks[:4])
        goes_on = bool(self.index_pages) and self.index_pages[-1] == page.page_num - 1
        if not (titled or goes_on):
            return
        found = _INDEX_ENTRY.findall(page.text)
        if len(found) < 12:
            return
        self.index += [(tidy(title), int(re.split(r"\D", numbers)[0])) for title, numbers in found]
        self.index_pages.append(page.page_num)


def tidy(title: str) -> str:
    """An entry without leaders and list marks."""
    return " ".join(re.sub(r"^[\W\d_]+|[\s.…:–—-]+$", "", title).split())


def page_offset(
    entries: Sequence[tuple[str, int]], places: Iterable[tuple[str, int]]
) -> int | None:
    """What to add to a printed number to get the file's page, from titles found on their pages."""
    where: dict[str, list[int]] = {}
    for title, page in places:
        where.setdefault(title.lower(), []).append(page)
    votes: dict[int, int] = {}
    for title, printed in entries:
        for page in where.get(title.lower(), [])[:4]:
            votes[page - printed] = votes.get(page - printed, 0) + 1
    if not votes:
        return None
    best = max(votes, key=lambda offset: votes[offset])
    return best if votes[best] >= max(2, 0.2 * len(entries)) else None
