"""The file of the players' memory: one asks at a time; its groups, and whole facts by row."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from freeform.adapters.sqlite.db import open_file, plainly
from freeform.adapters.sqlite.memory import rows as m
from freeform.adapters.sqlite.passages.rows import marks
from freeform.players.memory.model import MemoryFact
from freeform.players.memory.ports import When

T = TypeVar("T")


class MemoryFile:
    """What all questions to it share."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._db = open_file(path, "memory_migrations")
        self._db.execute("pragma mmap_size = 1073741824")
        self._lock = threading.Lock()
        self._groups: dict[str, int] = {}
        self._tables: set[int] = set()

    async def close(self) -> None:
        """Lets go of the file."""
        with self._lock:
            self._db.close()

    async def _run(
        self,
        work: Callable[[sqlite3.Connection], T],
        *,
        brief: bool = False,
        if_: Callable[[sqlite3.Connection], bool] = lambda db: True,
    ) -> T:
        """Does the work on another thread, one at a time. Brief work is done here, if no one else
        is at it."""

        def locked() -> T:
            with self._lock, plainly(self._path):
                return work(self._db)

        if brief and self._lock.acquire(blocking=False):
            try:
                with plainly(self._path):
                    if if_(self._db):
                        return work(self._db)
            finally:
                self._lock.release()
        return await asyncio.to_thread(locked)

    def _make_group(self, db: sqlite3.Connection, name: str) -> int:
        if name not in self._groups:
            db.execute("insert or ignore into groups (name) values (?)", [name])
            (self._groups[name],) = db.execute(
                "select no from groups where name = ?", [name]
            ).fetchone()
        return self._groups[name]

    def _numbers(self, db: sqlite3.Connection, groups: Sequence[str]) -> list[int]:
        """The groups that exist; each once."""
        for name in groups:
            if name not in self._groups:
                if row := db.execute("select no from groups where name = ?", [name]).fetchone():
                    self._groups[name] = row[0]
        return [self._groups[name] for name in dict.fromkeys(groups) if name in self._groups]

    def _table(self, db: sqlite3.Connection, group: int) -> str:
        if group not in self._tables:
            m.words_table(db, group)
            self._tables.add(group)
        return f"words_{group}"

    def _whole(self, db: sqlite3.Connection, numbers: Sequence[int]) -> list[MemoryFact]:
        """The facts of these rows, in this order."""
        found: dict[int, MemoryFact] = {}
        for start in range(0, len(numbers), m.MAX_VARIABLES):
            part = numbers[start : start + m.MAX_VARIABLES]
            rows = db.execute(f"{m.SELECT_NO} where f.no in ({marks(part)})", part)
            found |= {row[-1]: m.fact_of(row) for row in rows}
        return [found[number] for number in numbers]

    def _then(
        self, db: sqlite3.Connection, found: Sequence[int], when: When | None
    ) -> dict[int, str]:
        """Those of these facts that count at that moment, with their ids."""
        then, values = m.at(when)
        kept: dict[int, str] = {}
        for start in range(0, len(found), m.MAX_VARIABLES):
            part = found[start : start + m.MAX_VARIABLES]
            sql = f"select f.no, f.id from facts f where f.no in ({marks(part)}){then}"
            kept |= dict(db.execute(sql, [*part, *values]).fetchall())
        return kept
