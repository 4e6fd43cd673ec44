"""What every suite reports."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record


class SuiteReport(Record):
    """What `eval SUITE --json` prints. Every figure comes with how many cases stand behind it."""

    suite: str
    n: int
    metrics: dict[str, Any]
    cases: list[dict[str, Any]] = Field(default_factory=list)
    notes: list[str] = Field(default_factory=list)


def find_data(data: Path | None, folder: str, pattern: str, what: str) -> list[Path]:
    """The data files of a suite: in the folder itself, or in its own folder below; NotFound says
    where to put them."""
    if data is None:
        raise NotFound(
            f"no data folder: give --data DIR, or set FREEFORM_DATA; {what} go into DIR/{folder}"
        )
    for place in (data / folder, data):
        found = sorted(place.glob(pattern)) if place.is_dir() else []
        if found:
            return found
    raise NotFound(
        f"no {what} in {data}; put {pattern} into {data / folder}, or give another --data DIR"
    )


def mean(values: Iterable[float]) -> float | None:
    """The mean to four places; None of nothing."""
    rows = list(values)
    return round(sum(rows) / len(rows), 4) if rows else None
