"""The adapters of memory: where a party's facts are kept."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from freeform.adapters.graphiti.memories import GraphitiMemories
from freeform.adapters.sql.names import check_id
from freeform.adapters.sqlite.memory.memories import SqliteMemories
from freeform.players.memory.ports import MemoryStore
from freeform.settings import Settings


def open_memories(settings: Settings, party: str) -> SqliteMemories | GraphitiMemories:
    """A party's memory: in its own folder, or in the graph that the settings name."""
    if url := settings.memory_url.get_secret_value():
        from freeform.adapters.graphiti.connect import connect

        return connect(url, scope=party)
    return SqliteMemories(settings.home / "parties" / party / "memory.db")


def open_companion_memories(settings: Settings, campaign: str) -> SqliteMemories | GraphitiMemories:
    """What AI players at a campaign's table remember: beside its story, never in its export."""
    if url := settings.memory_url.get_secret_value():
        from freeform.adapters.graphiti.connect import connect

        return connect(url, scope=f"{campaign}_company")
    return SqliteMemories(settings.home / "campaigns" / check_id(campaign) / "companions.db")


@asynccontextmanager
async def scratch_memory() -> AsyncIterator[MemoryStore]:
    """A memory that lasts as long as its use: for measuring."""
    with TemporaryDirectory() as folder:
        store = SqliteMemories(Path(folder) / "memory.db")
        try:
            yield store
        finally:
            await store.close()
