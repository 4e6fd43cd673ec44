"""The adapters of memory: where a party's facts are kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from freeform.adapters.sqlite.memories import SqliteMemories
from freeform.players.memory.ports import MemoryStore


@asynccontextmanager
async def scratch_memory() -> AsyncIterator[MemoryStore]:
    """A memory that lasts as long as its use: for measuring."""
    with TemporaryDirectory() as folder:
        store = SqliteMemories(Path(folder) / "memory.db")
        try:
            yield store
        finally:
            await store.close()
