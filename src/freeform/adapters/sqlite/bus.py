"""SqliteBus: the exchange and its queues in one file, for agents in several processes without a broker."""

import asyncio
import sqlite3
from collections.abc import Sequence
from pathlib import Path

from freeform.adapters.sqlite.db import plainly, transaction
from freeform.core.clock import Clock, SystemClock
from freeform.core.errors import FreeformError, Unavailable
from freeform.lore.messages import DEAD_LETTERS, QUEUES
from freeform.lore.ports import Take

LOOK_S = 0.2
LEASE_S = 60.0
"""A message taken by a process that died is given again after so long."""


class SqliteBus:
    """Durable, at least once, in order for each queue. A queue's message is held by one reader at a time."""

    def __init__(self, file: Path, clock: Clock | None = None) -> None:
        self._file, self._clock = file, clock or SystemClock()
        with plainly(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(file, isolation_level=None, timeout=30)
            self._db.execute("pragma journal_mode = wal")
            self._db.execute("pragma synchronous = full")
            self._db.execute(
                "create table if not exists message (seq integer primary key autoincrement, queue text not null, "
                "message_id text not null, body blob not null, held_until real not null default 0)"
            )
            self._db.execute("create index if not exists message_by_queue on message (queue, seq)")

    async def publish(self, routing_key: str, message_id: str, body: bytes) -> None:
        """Returns when it is on disk."""
        if routing_key not in (*QUEUES.values(), DEAD_LETTERS):
            raise Unavailable(f"no queue listens to '{routing_key}'", passing=False)
        with plainly(self._file), transaction(self._db, "immediate") as db:
            db.execute(
                "insert into message (queue, message_id, body) values (?, ?, ?)",
                (routing_key, message_id, body),
            )

    async def consume(self, queues: Sequence[str], take: Take) -> None:
        """Until cancelled."""
        while True:
            if not any([await self._give(queue, take) for queue in queues]):
                await asyncio.sleep(LOOK_S)

    async def _give(self, queue: str, take: Take) -> bool:
        now = self._clock.now().timestamp()
        with plainly(self._file), transaction(self._db, "immediate") as db:
            found = db.execute(
                "select seq, body from message where queue = ? and held_until < ? order by seq limit 1",
                (queue, now),
            ).fetchone()
            if found is None:
                return False
            seq, body = found
            db.execute("update message set held_until = ? where seq = ?", (now + LEASE_S, seq))
        try:
            await take(body)
        except Unavailable:
            self._do("update message set held_until = ? where seq = ?", (now + LOOK_S, seq))
            return False
        except FreeformError:
            self._do(
                "update message set queue = ?, held_until = 0 where seq = ?", (DEAD_LETTERS, seq)
            )
            return True
        except BaseException:
            self._do("update message set held_until = 0 where seq = ?", (seq,))
            raise
        self._do("delete from message where seq = ?", (seq,))
        return True

    def _do(self, statement: str, given: tuple[object, ...]) -> None:
        with plainly(self._file), transaction(self._db, "immediate") as db:
            db.execute(statement, given)

    async def close(self) -> None:
        """Closes the file."""
        self._db.close()
