"""Parties on disk: `parties/<id>/party.db` holds the party, its messages, its rounds, and what a
round has done so far."""

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from threading import RLock
from typing import Any

from freeform.adapters.sql.names import check_id
from freeform.adapters.sqlite.db import open_file, plainly, transaction
from freeform.core.clock import Clock
from freeform.core.errors import Conflict
from freeform.players.model import Message, Party, RoundRecord
from freeform.players.round.options import current, deeds_in, missing


class PartyFiles:
    """The open files of parties under a home."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "parties"
        self._open: dict[str, sqlite3.Connection] = {}
        self._lock = RLock()

    def path(self, party: str) -> Path:
        """Where a party lies."""
        return self._folder / check_id(party) / "party.db"

    def names(self) -> list[str]:
        """Every party on disk."""
        return sorted(path.parent.name for path in self._folder.glob("*/party.db"))

    @contextmanager
    def using(self, party: str, kind: str, *, make: bool = False) -> Iterator[sqlite3.Connection]:
        """The party's database inside a transaction, `deferred` to read or `immediate` to write."""
        with self._lock, plainly(self.path(party)), transaction(self._db(party, make), kind) as db:
            yield db

    def close(self) -> None:
        """Lets go of every file."""
        with self._lock:
            while self._open:
                self._open.popitem()[1].close()

    def _db(self, party: str, make: bool) -> sqlite3.Connection:
        if party in self._open:
            return self._open[party]
        path = self.path(party)
        if not make and not path.exists():
            raise missing(party, self.names())
        self._open[party] = open_file(path, "party_migrations")
        return self._open[party]


class SqliteChannels:
    """Messages in the party's file, each in its list, in the order they came."""

    def __init__(self, files: PartyFiles, clock: Clock, hours: float = 24.0) -> None:
        self._files, self._clock, self._hours = files, clock, hours

    async def push(self, party: str, lists: Sequence[str], message: Message) -> Message:
        text = message.model_dump_json()
        with self._files.using(party, "immediate") as db:
            for name in lists:
                added = db.execute(
                    "insert or ignore into messages (list, id, message) values (?, ?, ?)",
                    (name, message.id, text),
                ).rowcount
                if not added:
                    row = db.execute(
                        "select message from messages where list = ? and id = ?", (name, message.id)
                    )
                    (text,) = row.fetchone()
                    message = _message(text)
        return message

    async def read(self, party: str, name: str, most: int) -> list[Message]:
        with self._files.using(party, "deferred") as db:
            rows = db.execute(
                "select message from messages where list = ? order by no desc limit ?", (name, most)
            ).fetchall()
        return current((_message(row[0]) for row in reversed(rows)), self._clock, self._hours)


@lru_cache(maxsize=4_096)
def _message(text: str) -> Message:
    """A kept message. A round reads the same ones for every agent, so it is read once."""
    return Message.model_validate_json(text)


class SqliteParties:
    """Parties and rounds, one file each."""

    def __init__(self, files: PartyFiles) -> None:
        self._files = files

    async def create(self, party: Party) -> None:
        if party.id in self._files.names():
            raise Conflict(f"there is a party '{party.id}' already; choose another name")
        with self._files.using(party.id, "immediate", make=True) as db:
            db.execute("insert into party (one, party) values (1, ?)", (party.model_dump_json(),))

    async def get(self, party: str) -> Party:
        with self._files.using(party, "deferred") as db:
            return Party.model_validate_json(db.execute("select party from party").fetchone()[0])

    async def update(self, party: Party) -> None:
        with self._files.using(party.id, "immediate") as db:
            db.execute("update party set party = ?", (party.model_dump_json(),))

    async def names(self) -> list[str]:
        return self._files.names()

    async def done(self, party: str, key: str) -> Any | None:
        with self._files.using(party, "deferred") as db:
            row = db.execute("select value from done where key = ?", (key,)).fetchone()
        return json.loads(row[0]) if row else None

    async def keep(self, party: str, round: int, key: str, value: Any) -> Any:
        with self._files.using(party, "immediate") as db:
            text = json.dumps(value, ensure_ascii=False)
            sql = "insert or ignore into done (key, round, value) values (?, ?, ?)"
            if not db.execute(sql, (key, round, text)).rowcount:
                (text,) = db.execute("select value from done where key = ?", (key,)).fetchone()
        return json.loads(text)

    async def forget(self, party: str, before: int) -> None:
        with self._files.using(party, "immediate") as db:
            db.execute("delete from done where round < ?", (before,))

    async def tried(self, party: str) -> dict[str, int]:
        with self._files.using(party, "deferred") as db:
            return dict(db.execute("select deed, times from tried").fetchall())

    async def record(self, party: str, round: RoundRecord) -> None:
        with self._files.using(party, "immediate") as db:
            new = db.execute(
                "insert or ignore into rounds (round, record) values (?, ?)",
                (round.round, round.model_dump_json()),
            ).rowcount
            for deed in deeds_in(round) if new else []:
                db.execute(
                    "insert into tried (deed, times) values (?, 1) on conflict (deed) do update set times = times + 1",
                    (deed,),
                )

    async def rounds(
        self, party: str, first: int = 1, last: int | None = None
    ) -> list[RoundRecord]:
        with self._files.using(party, "deferred") as db:
            rows = db.execute(
                "select record from rounds where round between ? and ? order by round",
                (first, last or 1 << 60),
            ).fetchall()
        return [RoundRecord.model_validate_json(row[0]) for row in rows]

    async def count(self, party: str) -> int:
        with self._files.using(party, "deferred") as db:
            return int(db.execute("select coalesce(max(round), 0) from rounds").fetchone()[0])
