"""What happens at tables, between processes on one home: rows in order, in `news.db`.

SQLite lets one write at a time, so rows appear in the order of their numbers. Whoever waits looks
at the file's version, which costs some microseconds, and reads on from the last row it has seen.
"""

import asyncio
import hashlib
import json
import logging
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import ExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

from freeform.adapters.sqlite.db import open_small, plainly, transaction
from freeform.adapters.sqlite.file_lock import hold_file
from freeform.adapters.sqlite.people import held_in_turn, lease_file
from freeform.core.errors import Conflict
from freeform.core.ids import RandomIds
from freeform.core.log import tell
from freeform.players.people.news import pass_news_on
from freeform.players.people.ports import TableNews

_LOG = logging.getLogger("freeform.web")
REPLAYED = 2_000
"""The last pieces that a new process is told of."""
LOOK_S, AGAIN_S = 0.02, 0.5
KEPT = "-1 hour"
_SCHEMA = """
create table if not exists run (one integer primary key check (one = 1), name text not null);
create table if not exists news (id integer primary key autoincrement, kind text not null,
  data text not null, people text not null, at text not null default current_timestamp);
drop table if exists claims;
create table if not exists claimed (key text primary key, process text not null,
  done integer not null default 0, at text not null default current_timestamp) without rowid;
"""


class SqliteWire:
    """The `TableWire` of one of several processes on one home."""

    def __init__(self, home: Path, process: str) -> None:
        self._home, self._path = home, home / "news.db"
        self.process, self.run = process, ""
        self._last = 0
        self._kept: deque[TableNews] = deque(maxlen=REPLAYED)
        self._waiting: list[tuple[str, str, str]] = []
        self._more = asyncio.Event()
        self._listeners: list[Callable[[TableNews], None]] = []
        self._tasks: list[asyncio.Task[None]] = []
        self._alive = ExitStack()

    @property
    def last(self) -> int:
        """The number of the newest piece of news that it knows of, kept or not."""
        return self._last

    def send(self, kind: str, data: dict[str, Any], people: Sequence[str]) -> None:
        """Tells every process, this one too; in the order told, each once."""
        told = json.dumps(data, ensure_ascii=False), json.dumps(list(people))
        self._waiting.append((kind, *told))
        self._more.set()

    def hear(self, listener: Callable[[TableNews], None]) -> None:
        """Calls with each piece of news from now on, after the last ones that are still kept."""
        for news in self._kept:
            listener(news)
        self._listeners.append(listener)

    @asynccontextmanager
    async def lease(self, campaign: str) -> AsyncIterator[None]:
        """Inside, no other process plays what is due at that table."""
        # Whoever has no wire (a bot of its own, the command line) holds the table's own file.
        name = hashlib.sha256(campaign.encode()).hexdigest()[:24]
        own = lease_file(self._home, campaign)
        async with held_in_turn(own or self._home / "leases" / f"{name}.lock"):
            yield

    async def claim(self, key: str) -> bool:
        """Takes a key, for an hour; False where any process has taken it. One that was taken by a
        process that is gone, and not kept, is free."""
        with plainly(self._path), transaction(self._out, "immediate") as db:
            db.execute("delete from claimed where at < datetime('now', ?)", (KEPT,))
            asked = "select process from claimed where key = ? and not done"
            begun = db.execute(asked, (key,)).fetchone()
            if begun and not self._lives(begun[0]):
                db.execute("delete from claimed where key = ?", (key,))
            row = (key, self.process)
            taken = db.execute("insert or ignore into claimed (key, process) values (?, ?)", row)
            return taken.rowcount == 1

    async def keep(self, key: str) -> None:
        """What a key was taken for is done."""
        with plainly(self._path), transaction(self._out, "immediate") as db:
            db.execute("update claimed set done = 1 where key = ?", (key,))

    async def give_back(self, key: str) -> None:
        """Nothing came of what a key was taken for: whoever comes again may take it."""
        with plainly(self._path), transaction(self._out, "immediate") as db:
            db.execute("delete from claimed where key = ?", (key,))

    def open(self) -> None:
        """Joins the others."""
        self._alive.enter_context(hold_file(self._alive_file(self.process)))
        with plainly(self._path):
            self._out, self._in = (open_small(self._path, _SCHEMA) for _ in range(2))
            # What was told is told; the story is kept elsewhere.
            self._out.execute("pragma synchronous = off")
            new = RandomIds().new("run")
            self._out.execute("insert or ignore into run (one, name) values (1, ?)", (new,))
            (self.run,) = self._in.execute("select name from run").fetchone()
            self._out.execute("delete from news where at < datetime('now', ?)", (KEPT,))
            (newest,) = self._in.execute("select max(id) from news").fetchone()
            self._last = newest or self._newest()
            first = max(0, self._last - REPLAYED)
            self._kept.extend(_news(row) for row in self._after(first))
        for work in (self._listen, self._speak):
            self._tasks.append(asyncio.create_task(self._again(work)))

    async def close(self) -> None:
        """Writes what waits, and leaves."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        with suppress(sqlite3.Error):
            self._write()
        self._out.close()
        self._in.close()
        self._alive.close()
        self._alive_file(self.process).unlink(missing_ok=True)

    def _alive_file(self, process: str) -> Path:
        """What a process holds as long as it lives, however it ends."""
        return self._home / "leases" / f"{process}.alive"

    def _lives(self, process: str) -> bool:
        path = self._alive_file(process)
        if not path.exists():
            return False
        try:
            with hold_file(path):
                path.unlink()
        except Conflict:
            return True
        return False

    def _newest(self) -> int:
        """The last number that was given, where nothing of it is kept."""
        row = self._in.execute("select seq from sqlite_sequence where name = 'news'").fetchone()
        return int(row[0]) if row else 0

    def _after(self, number: int) -> list[tuple[Any, ...]]:
        asked = "select id, kind, data, people from news where id > ? order by id limit ?"
        return self._in.execute(asked, (number, REPLAYED)).fetchall()

    async def _again(self, work: Callable[[], Any]) -> None:
        """Goes on after whatever the disk says: what waits is told when it can be."""
        while True:
            try:
                await work()
            except sqlite3.Error as wrong:
                tell(_LOG, logging.WARNING, "news_wait", why=str(wrong))
            await asyncio.sleep(AGAIN_S)

    async def _listen(self) -> None:
        seen = -1
        while True:
            (version,) = self._in.execute("pragma data_version").fetchone()
            if version != seen:
                seen = version
                self._pass_on()
            await asyncio.sleep(LOOK_S)

    def _pass_on(self) -> None:
        while rows := self._after(self._last):
            for row in rows:
                self._last = row[0]
                pass_news_on(_news(row), self._listeners, self._kept)

    async def _speak(self) -> None:
        while True:
            if not self._waiting:
                self._more.clear()
            await self._more.wait()
            self._write()
            self._pass_on()

    def _write(self) -> None:
        batch = list(self._waiting)
        with transaction(self._out, "immediate") as db:
            db.executemany("insert into news (kind, data, people) values (?, ?, ?)", batch)
            if batch and self._last % 1_000 < len(batch):
                db.execute("delete from news where at < datetime('now', ?)", (KEPT,))
        del self._waiting[: len(batch)]


def _news(row: tuple[Any, ...]) -> TableNews:
    number, kind, data, people = row
    return TableNews(number=number, kind=kind, data=json.loads(data), people=json.loads(people))
