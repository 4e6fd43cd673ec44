"""The ways of having a memory store, for tests."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from freeform.adapters.sqlite.memories import SqliteMemories
from freeform.players.memory.ports import MemoryStore

STORES = ["sqlite"]


@asynccontextmanager
async def open_store(name: str, folder: Path) -> AsyncIterator[MemoryStore]:
    """One by name, its files in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    store = SqliteMemories(folder / "memory.db")
    yield store
    await store.close()
