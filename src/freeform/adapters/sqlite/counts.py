"""`CallCounts` of all processes on one home: `limits.db`, one short transaction a call."""

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from freeform.adapters.sqlite.db import open_small, plainly, transaction
from freeform.core.clock import Clock
from freeform.core.llm.line import CallBucket, moved
from freeform.core.llm.usage import Usage

_SCHEMA = """
create table if not exists buckets (name text primary key, full_at real not null);
create table if not exists used (name text not null, day text not null, calls integer not null,
  input integer not null, output integer not null, cost real not null, primary key (name, day));
"""
_ADD = """
insert into used (name, day, calls, input, output, cost) values (?, ?, ?, ?, ?, ?)
on conflict (name, day) do update set calls = calls + excluded.calls,
  input = input + excluded.input, output = output + excluded.output, cost = cost + excluded.cost
"""


class SqliteCounts:
    """By the clock on the wall, which processes share."""

    def __init__(self, home: Path, clock: Clock) -> None:
        self._path, self._clock = home / "limits.db", clock
        self._opened: sqlite3.Connection | None = None

    async def take(self, buckets: Sequence[CallBucket]) -> list[float]:
        waits: list[float] = []
        with plainly(self._path), transaction(self._db(), "immediate") as db:
            now = self._clock.now().timestamp()
            for each in buckets:
                asked = "select full_at from buckets where name = ?"
                row = db.execute(asked, (each.name,)).fetchone()
                after, wait = moved(row[0] if row else 0.0, now, each)
                db.execute("insert or replace into buckets values (?, ?)", (each.name, after))
                waits.append(wait)
            db.execute("delete from buckets where full_at < ?", (now - 1,))
        return waits

    async def give_back(self, buckets: Sequence[CallBucket]) -> None:
        with plainly(self._path), transaction(self._db(), "immediate") as db:
            for each in buckets:
                back = "update buckets set full_at = full_at - ? where name = ?"
                db.execute(back, (each.step_s, each.name))

    async def add(self, name: str, day: str, usage: Usage) -> None:
        used = usage.calls, usage.input_tokens, usage.output_tokens, usage.cost_usd
        with plainly(self._path):
            self._db().execute(_ADD, (name, day, *used))

    async def spent(self, name: str, day: str) -> Usage:
        asked = "select calls, input, output, cost from used where name = ? and day = ?"
        with plainly(self._path):
            row = self._db().execute(asked, (name, day)).fetchone()
        return usage_of(row)

    def _db(self) -> sqlite3.Connection:
        if self._opened is None:
            self._opened = open_small(self._path, _SCHEMA)
        return self._opened


def usage_of(row: Sequence[float] | None) -> Usage:
    """Sums as they lie in a row, or nothing."""
    if row is None:
        return Usage()
    calls, input, output, cost = row
    return Usage(
        calls=int(calls), input_tokens=int(input), output_tokens=int(output), cost_usd=float(cost)
    )
