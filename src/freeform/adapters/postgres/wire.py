"""What happens at tables, between processes: rows in order, and NOTIFY to say that there are more.

Whoever loses the connection reads on from the last row it has seen, so a gap is made up. Rows are
written under one lock: a later number is never seen before an earlier one.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import psycopg

from freeform.adapters.postgres.complaints import in_plain_words
from freeform.adapters.postgres.links import ALIVE, CONNECT_S, SCHEMA, PostgresLinks, VisibleText
from freeform.players.people.news import pass_news_on
from freeform.players.people.ports import TableNews

NEWS_LOCK, LEASE_LOCK = 7_319_204_412, 7_319_204
CHANNEL = "freeform_news"
REPLAYED = 2_000
"""The last pieces that a new process is told of."""
AGAIN_S, LOOK_S, LEASE_S, SEEN_S, CLOSE_S = 0.25, 5.0, 0.1, 10.0, 2.0
_KEPT = "1 hour"
_COLUMNS = "id, kind, data, people"
_CLAIM = """
insert into claims as taken (key, process, done) values (%s, %s, false)
on conflict (key) do update set process = excluded.process, at = now()
where not taken.done and not exists (
  select from servers where process = taken.process and seen > now() - interval '1 minute')
returning key
"""
"""A process that says nothing for a minute is gone; one that ends says so."""
Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class PostgresWire:
    """The `TableWire` of one process."""

    def __init__(self, links: PostgresLinks, process: str, said: dict[str, str]) -> None:
        self._links, self.process, self.run, self._said = links, process, "", said
        self._sent, self._last = 0, 0
        self._waiting: list[tuple[str, int, str, str, str]] = []
        self._more, self._all_sent = asyncio.Event(), asyncio.Event()
        self._all_sent.set()
        self._listeners: list[Callable[[TableNews], None]] = []
        self._kept: deque[TableNews] = deque(maxlen=REPLAYED)
        self._tasks: list[asyncio.Task[None]] = []
        self._leases: Connection | None = None
        self._leasing = asyncio.Lock()

    @property
    def last(self) -> int:
        """The number of the newest piece of news that it knows of, kept or not."""
        return self._last

    def send(self, kind: str, data: dict[str, Any], people: Sequence[str]) -> None:
        """Tells every process, this one too; in the order told, each once."""
        self._sent += 1
        told = json.dumps(data, ensure_ascii=False), json.dumps(list(people))
        self._waiting.append((self.process, self._sent, kind, *told))
        self._all_sent.clear()
        self._more.set()

    def hear(self, listener: Callable[[TableNews], None]) -> None:
        """Calls with each piece of news from now on, after the last ones that are still kept."""
        for news in self._kept:
            listener(news)
        self._listeners.append(listener)

    @asynccontextmanager
    async def lease(self, campaign: str) -> AsyncIterator[None]:
        """Inside, no other process plays what is due at that table."""
        held = False
        while not held:
            held = await self._asked("select pg_try_advisory_lock(%s, hashtext(%s))", campaign)
            if not held:
                await asyncio.sleep(LEASE_S)
        try:
            yield
        finally:
            await self._asked("select pg_advisory_unlock(%s, hashtext(%s))", campaign)

    async def claim(self, key: str) -> bool:
        """Takes a key, for an hour; False where any process has taken it. One that was taken by a
        process that is gone, and not kept, is free."""
        return bool(await self._on_claims(_CLAIM, key, self.process))

    async def keep(self, key: str) -> None:
        """What a key was taken for is done."""
        await self._on_claims("update claims set done = true where key = %s returning key", key)

    async def give_back(self, key: str) -> None:
        """Nothing came of what a key was taken for: whoever comes again may take it."""
        await self._on_claims("delete from claims where key = %s returning key", key)

    async def open(self) -> list[str]:
        """Joins the others; says where their settings differ from ours, as `name: theirs`."""
        with in_plain_words(self._links.shown):
            db = await self._connect()
            try:
                self.run = (await _rows(db, "select name from run"))[0][0]
                differing = await self._join(db)
                rows = await _rows(
                    db, f"select {_COLUMNS} from news order by id desc limit {REPLAYED}"
                )
                self._kept.extend(_news(row) for row in reversed(rows))
                self._last = rows[0][0] if rows else await self._newest(db)
            finally:
                await db.close()
        for work in (self._listen, self._speak, self._stay):
            self._tasks.append(asyncio.create_task(self._again(work)))
        return differing

    async def close(self) -> None:
        """Sends what waits, if that can be done at once, and leaves."""
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._all_sent.wait()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._leases:
            await self._leases.close()
        with suppress(psycopg.Error):
            async with await self._connect() as db:
                await db.execute("delete from servers where process = %s", (self.process,))

    async def _newest(self, db: Connection) -> int:
        rows = await _rows(db, "select last_value from news_id_seq where is_called")
        return int(rows[0][0]) if rows else 0

    async def _join(self, db: Connection) -> list[str]:
        await db.execute("delete from servers where seen < now() - interval '1 minute'")
        others = await _rows(db, "select said from servers")
        await db.execute(
            "insert into servers (process, said) values (%s, %s)",
            (self.process, json.dumps(self._said)),
        )
        found: dict[str, str] = {}
        for (text,) in others:
            theirs = json.loads(text)
            found |= {
                name: f"`{name}` is {theirs[name] or 'unset'} there and {ours or 'unset'} here"
                for name, ours in self._said.items()
                if theirs.get(name, ours) != ours
            }
        return list(found.values())

    async def _again(self, work: Callable[[Connection], Any]) -> None:
        """Goes on with a new connection whenever one is lost."""
        while True:
            with suppress(psycopg.OperationalError):
                async with await self._connect() as db:
                    await work(db)
            await asyncio.sleep(AGAIN_S)

    async def _listen(self, db: Connection) -> None:
        await db.execute(f"listen {CHANNEL}")
        while True:
            rows = await _rows(
                db,
                f"select {_COLUMNS} from news where id > %s order by id limit {REPLAYED}",
                self._last,
            )
            for row in rows:
                self._last = row[0]
                pass_news_on(_news(row), self._listeners, self._kept)
            if len(rows) < REPLAYED:
                # Others may have spoken between the two: the notice then waits for us already.
                async for _ in db.notifies(timeout=LOOK_S, stop_after=1):
                    pass

    async def _speak(self, db: Connection) -> None:
        await db.execute("set synchronous_commit = off")  # told is told; the story is kept apart
        while True:
            await self._more.wait()
            self._more.clear()
            batch = list(self._waiting)
            if not batch:
                continue
            try:
                async with db.transaction(), db.cursor() as cursor:
                    await cursor.execute("select pg_advisory_xact_lock(%s)", (NEWS_LOCK,))
                    await cursor.executemany(
                        "insert into news (sender, number, kind, data, people)"
                        " values (%s, %s, %s, %s, %s) on conflict (sender, number) do nothing",
                        batch,
                    )
                    await cursor.execute(f"notify {CHANNEL}")
            except BaseException:
                self._more.set()  # they wait still
                raise
            del self._waiting[: len(batch)]
            if not self._waiting:
                self._all_sent.set()

    async def _stay(self, db: Connection) -> None:
        while True:
            await db.execute(
                "insert into servers (process, said) values (%s, %s)"
                " on conflict (process) do update set seen = now()",
                (self.process, json.dumps(self._said)),
            )
            for kept in ("news", "claims"):
                await db.execute(f"delete from {kept} where at < now() - interval '{_KEPT}'")
            await asyncio.sleep(SEEN_S)

    async def _asked(self, question: str, campaign: str) -> bool:
        """One question about a lease; those of a lost connection are gone by themselves."""
        async with self._leasing:
            try:
                rows = await _rows(await self._shared(), question, LEASE_LOCK, campaign)
                return bool(rows[0][0])
            except psycopg.OperationalError:
                return False

    async def _on_claims(self, question: str, *values: str) -> list[tuple[Any, ...]]:
        async with self._leasing:
            with in_plain_words(self._links.shown):
                return await _rows(await self._shared(), question, *values)

    async def _shared(self) -> Connection:
        """The connection of leases and claims, anew where it was lost."""
        if self._leases is None or self._leases.closed:
            self._leases = await self._connect()
        return self._leases

    async def _connect(self) -> Connection:
        db = await Connection.connect(
            self._links.url,
            autocommit=True,
            connect_timeout=CONNECT_S,
            application_name="freeform-rpg news",
            **ALIVE,
        )
        try:
            db.adapters.register_dumper(str, VisibleText)
            await db.execute(f"set search_path to {SCHEMA}")
        except BaseException:  # who leaves while it is being opened leaves it shut
            await db.close()
            raise
        return db


async def _rows(db: Connection, question: Any, *values: Any) -> list[tuple[Any, ...]]:
    return await (await db.execute(question, values or None)).fetchall()


def _news(row: tuple[Any, ...]) -> TableNews:
    number, kind, data, people = row
    return TableNews(number=number, kind=kind, data=json.loads(data), people=json.loads(people))
