"""Where a round's checkpoints lie: a SQLite file beside the party, a Postgres server, or nowhere
(in memory)."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

from freeform.adapters.sqlite.db import BUSY_MS, plainly
from freeform.core.errors import Unavailable, UserError

MISSING = "AI players need the extra `players`: install freeform-rpg[players]"


class SqliteCheckpoints:
    """`parties/<id>/checkpoints.db`, by LangGraph's own SQLite saver without its thread."""

    def __init__(self, home: Path) -> None:
        self._home = home

    @asynccontextmanager
    async def opened(self, party: str) -> AsyncIterator[Any]:
        """The saver, open meanwhile."""
        try:
            from freeform.adapters.langgraph.sqlite_saver import DirectSqliteSaver
        except ImportError as absent:
            raise UserError(MISSING) from absent
        path = self._home / "parties" / party / "checkpoints.db"
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=BUSY_MS / 1000, check_same_thread=False)) as db:
            saver = DirectSqliteSaver(db)
            with plainly(path):
                # As our other files: a killed process loses nothing it was told is saved.
                db.execute("pragma journal_mode = wal")
                db.execute("pragma synchronous = normal")
                saver.setup()
            yield saver

    async def trim(self, saver: Any, thread: str, keep: int) -> None:
        """All but the newest checkpoints of a thread go, with their writes."""
        old = (
            "checkpoint_id < (select checkpoint_id from checkpoints where thread_id = ? "
            "order by checkpoint_id desc limit 1 offset ?)"
        )
        with saver.cursor() as db:
            for table in ("writes", "checkpoints"):
                db.execute(
                    f"delete from {table} where thread_id = ? and {old}", (thread, thread, keep)
                )


class PostgresCheckpoints:
    """A Postgres server, by LangGraph's own saver."""

    def __init__(self, url: str) -> None:
        self._url = url

    @asynccontextmanager
    async def opened(self, party: str) -> AsyncIterator[Any]:
        """The saver, open meanwhile; its tables are made when they are not there."""
        try:
            import psycopg
            from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
        except ImportError as absent:
            raise UserError("checkpoints in Postgres need the extra `players-postgres`") from absent
        try:
            async with asyncio.timeout(20):
                opening = AsyncPostgresSaver.from_conn_string(self._url)
                saver = await opening.__aenter__()
                await saver.setup()
        except (psycopg.OperationalError, TimeoutError) as gone:
            raise Unavailable(
                f"Postgres does not answer ({gone}); start it, or clear `players_checkpoints`"
            ) from gone
        try:
            yield saver
        finally:
            await opening.__aexit__(None, None, None)

    async def trim(self, saver: Any, thread: str, keep: int) -> None:
        """All but the newest checkpoints of a thread go."""
        old = (
            "checkpoint_id < (select checkpoint_id from checkpoints where thread_id = %s "
            "order by checkpoint_id desc limit 1 offset %s)"
        )
        async with saver.lock, saver.conn.cursor() as cursor:
            for table in ("checkpoint_writes", "checkpoints"):
                await cursor.execute(
                    f"delete from {table} where thread_id = %s and {old}", (thread, thread, keep)
                )


class MemoryCheckpoints:
    """Checkpoints that last as long as the program, for experiments."""

    def __init__(self) -> None:
        self._saver: Any = None

    @asynccontextmanager
    async def opened(self, party: str) -> AsyncIterator[Any]:
        """One saver for all parties."""
        try:
            from langgraph.checkpoint.memory import InMemorySaver
        except ImportError as absent:
            raise UserError(MISSING) from absent
        self._saver = self._saver or InMemorySaver()
        yield self._saver

    async def trim(self, saver: Any, thread: str, keep: int) -> None:
        """Drops all but the newest checkpoints."""
        spaces = saver.storage.get(thread, {})
        for space in spaces.values():
            for old in sorted(space)[:-keep]:
                del space[old]
                saver.writes.pop((thread, "", old), None)
