"""Dates as people write them: 2026-02-07, 7.2.2026, 2/7/2026, 7 February 2026, February 7."""

import re
from dataclasses import dataclass

from freeform.language.tables import cues

_COMPACT = re.compile(r"\b(20\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])\b")
_ISO = re.compile(r"\b(\d{4})[-./](\d{1,2})[-./](\d{1,2})(?!\d)")
_DOTS = re.compile(r"\b(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4}|\d{2})\b")
_SLASHES = re.compile(r"\b(\d{1,2})/(\d{1,2})/(\d{4}|\d{2})\b")


def _months() -> dict[str, int]:
    """Months by their names and the beginnings of them."""
    found: dict[str, int] = {}
    for number, names in cues("months").items():
        for name in names.split():
            found[name] = int(number)
            found.setdefault(name[:3], int(number))
    return found


MONTHS = _months()
_NAMES = "|".join(sorted((re.escape(name) for name in MONTHS), key=len, reverse=True))
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?({_NAMES})\.?(?:,?\s+(\d{{4}}))?\b", re.I
)
_MONTH_FIRST = re.compile(
    rf"\b({_NAMES})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(\d{{4}}))?", re.I
)


@dataclass(frozen=True)
class DayRef:
    """A day; the year is 0 where none is told."""

    year: int
    month: int
    day: int

    @property
    def iso(self) -> str:
        """`2026-02-07`, or '' without a year."""
        return f"{self.year:04d}-{self.month:02d}-{self.day:02d}" if self.year else ""

    def is_on(self, iso: str) -> bool:
        """Whether it is that day, of that year if it tells one."""
        return iso.endswith(f"-{self.month:02d}-{self.day:02d}") and (
            not self.year or iso.startswith(f"{self.year:04d}")
        )


def day_comes_first(text: str) -> bool:
    """Whether 2/7 is the second of July in this text: told by any date that can be read one way
    only. Without one, the month comes first."""
    return any(int(first) > 12 for first, _, _ in _SLASHES.findall(text))


def find_day(text: str, *, day_first: bool = False) -> DayRef | None:
    """The first date in a text; None where there is none."""
    if hit := _ISO.search(text) or _COMPACT.search(text):
        return _made(hit[1], hit[2], hit[3])
    if hit := _DOTS.search(text):
        return _made(hit[3], hit[2], hit[1])
    if hit := _SLASHES.search(text):
        month, day = (hit[2], hit[1]) if day_first else (hit[1], hit[2])
        return _made(hit[3], month, day)
    if hit := _DAY_FIRST.search(text):
        return _made(hit[3] or "0", str(MONTHS[hit[2].lower()]), hit[1])
    if hit := _MONTH_FIRST.search(text):
        return _made(hit[3] or "0", str(MONTHS[hit[1].lower()]), hit[2])
    return None


def bare_of_day(text: str) -> str:
    """A text without its dates: the words that stand beside them."""
    for pattern in (_ISO, _COMPACT, _DOTS, _SLASHES, _DAY_FIRST, _MONTH_FIRST):
        text = pattern.sub(" ", text)
    return re.sub(r"[^\w\s]", " ", text)


def _made(year: str, month: str, day: str) -> DayRef | None:
    full = int(year) + (2000 if 0 < int(year) < 100 else 0)
    if not (1 <= int(month) <= 12 and 1 <= int(day) <= 31):
        return None
    return DayRef(full, int(month), int(day))
