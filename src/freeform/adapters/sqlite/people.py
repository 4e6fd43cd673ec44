"""Shared tables on disk: `campaigns/<id>/people.db` beside the story, never in its export."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from threading import RLock

from freeform.adapters.sql.names import check_id, is_id
from freeform.adapters.sqlite.db import open_file, plainly, transaction
from freeform.adapters.sqlite.file_lock import hold_file
from freeform.core.errors import Conflict, NotFound
from freeform.players.people.model import ChatLine, SharedTable
from freeform.players.people.ports import TableChange, not_open

KEPT_OPEN = 64
LEASE, AGAIN_S = "playing.lock", 0.05
"""The file that whoever plays at a table holds, and how soon another looks whether it is free."""


class SqliteTables:
    """One small file for each table that was opened to others."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "campaigns"
        self._open: dict[str, sqlite3.Connection] = {}
        self._lock = RLock()

    async def find(self, campaign: str) -> SharedTable | None:
        if not self._path(campaign).exists():
            return None
        with self._using(campaign, "deferred") as db:
            return _table(db)

    async def open(self, table: SharedTable) -> SharedTable:
        with self._using(table.campaign, "immediate", make=True) as db:
            standing = _table(db)
            if standing:
                return standing
            db.execute(
                "insert into shared_table (one, record) values (1, ?)", (table.model_dump_json(),)
            )
        return table

    async def change(self, campaign: str, change: TableChange) -> SharedTable:
        with self._using(campaign, "immediate") as db:
            standing = _table(db)
            if standing is None:
                raise NotFound(not_open(campaign))
            changed = change(standing)
            if changed != standing:
                db.execute("update shared_table set record = ?", (changed.model_dump_json(),))
        return changed

    async def say(self, campaign: str, line: ChatLine) -> ChatLine:
        with self._using(campaign, "immediate") as db:
            sql = "insert into talk (line) values (?)"
            number = db.execute(sql, (line.model_dump_json(exclude={"no"}),)).lastrowid
        return line.model_copy(update={"no": number})

    async def talk(self, campaign: str, after: int = 0, most: int = 200) -> list[ChatLine]:
        if not self._path(campaign).exists():
            return []
        with self._using(campaign, "deferred") as db:
            rows = db.execute(
                "select no, line from talk where no > ? order by no desc limit ?", (after, most)
            ).fetchall()
        lines = [(number, ChatLine.model_validate_json(text)) for number, text in reversed(rows)]
        return [line.model_copy(update={"no": number}) for number, line in lines]

    @asynccontextmanager
    async def lease(self, campaign: str) -> AsyncIterator[None]:
        """Waits for whoever plays there, in this process or another; the system lets go for who
        dies."""
        if not self._path(campaign).exists():  # nobody was ever invited, or the story is gone
            yield
            return
        async with held_in_turn(self._path(campaign).with_name(LEASE)):
            yield

    def written_elsewhere(self, campaign: str) -> int:
        """Changes when another process has written; 0 where nobody was ever invited."""
        path = self._path(campaign)
        if not path.exists():
            return 0
        with self._lock, plainly(path):
            (number,) = self._db(campaign, make=False).execute("pragma data_version").fetchone()
            return int(number)

    def close(self) -> None:
        """Lets go of every file."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def _path(self, campaign: str) -> Path:
        return self._folder / check_id(campaign) / "people.db"

    @contextmanager
    def _using(
        self, campaign: str, kind: str, *, make: bool = False
    ) -> Iterator[sqlite3.Connection]:
        path = self._path(campaign)
        with self._lock, plainly(path), transaction(self._db(campaign, make), kind) as db:
            yield db

    def _db(self, campaign: str, make: bool) -> sqlite3.Connection:
        path = self._path(campaign)
        if not path.exists():
            self._let_go(campaign)  # the story was removed, and its file with it
            if not make:
                raise NotFound(not_open(campaign))
        db = self._open.pop(campaign, None)
        if db is None:
            db = open_file(path, "people_migrations")
        self._open[campaign] = db
        if len(self._open) > KEPT_OPEN:
            self._let_go(next(iter(self._open)))
        return db

    def _let_go(self, campaign: str) -> None:
        db = self._open.pop(campaign, None)
        if db is not None:
            db.close()


def lease_file(home: Path, campaign: str) -> Path | None:
    """What whoever plays at that table holds; None where nobody was ever invited."""
    people = home / "campaigns" / campaign / "people.db"
    return people.with_name(LEASE) if is_id(campaign) and people.exists() else None


@asynccontextmanager
async def held_in_turn(path: Path) -> AsyncIterator[None]:
    """Inside, the file is ours; it is waited for."""
    while True:
        held = hold_file(path)
        try:
            held.__enter__()
            break
        except Conflict:
            await asyncio.sleep(AGAIN_S)
    try:
        yield
    finally:
        held.__exit__(None, None, None)


def _table(db: sqlite3.Connection) -> SharedTable | None:
    row = db.execute("select record from shared_table").fetchone()
    return SharedTable.model_validate_json(row[0]) if row else None
