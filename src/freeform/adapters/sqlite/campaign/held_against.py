"""Two files of one campaign held against each other."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from freeform.adapters.sql.compare import count_entries, first_difference, is_behind
from freeform.adapters.sqlite.db import plainly
from freeform.engine.campaign.archive import HeldAgainst


def hold_against(one: Path, two: Path) -> HeldAgainst:
    """What a copy has of another one."""
    with plainly(one), _open(one) as first, _open(two) as second:
        return HeldAgainst(
            entries=count_entries(first),
            difference=first_difference(first, second),
            is_behind=is_behind(second, first),
        )


@contextmanager
def _open(path: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(path)) as db:
        yield db
