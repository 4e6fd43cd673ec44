"""Two copies of a campaign held against each other, entry by entry."""

import zlib
from collections.abc import Iterator
from itertools import zip_longest
from typing import Any

from freeform.adapters.sql.carry import BRANCHES, EVENTS, LOG, STATE, TAPES, Carried, rows_of
from freeform.adapters.sql.ports import Db


def first_difference(one: Db, two: Db) -> str:
    """Where two copies differ, in words; '' when all of it is the same."""
    for carried in (LOG, BRANCHES, EVENTS, *STATE, TAPES):
        pairs = zip_longest(_rows(one, carried), _rows(two, carried))
        for number, (mine, other) in enumerate(pairs, start=1):
            if mine != other:
                return f"row {number} of {carried.table}"
    return ""


def is_behind(one: Db, two: Db) -> bool:
    """Whether all entries of the first are in the second, and are the same there."""
    others = _rows(two, LOG)
    return all(mine == next(others, None) for mine in _rows(one, LOG))


def count_entries(db: Db) -> int:
    """How many entries a log has."""
    return int(db.execute("select count(*) from log").fetchone()[0])


def _rows(db: Db, carried: Carried) -> Iterator[tuple[Any, ...]]:
    for rows in rows_of(db, carried):
        for row in rows:
            yield tuple(map(_said, row)) if carried is TAPES else row


def _said(value: Any) -> Any:
    """A text of a tape, compressed or not."""
    return zlib.decompress(value).decode() if isinstance(value, bytes) else value
