"""The ways of having a memory store, for tests."""

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from freeform.adapters.graphiti.connect import connect
from freeform.adapters.graphiti.memories import GraphitiMemories
from freeform.adapters.sqlite.memory.memories import SqliteMemories
from freeform.players.memory.ports import MemoryStore

KUZU = "FREEFORM_TEST_KUZU"
STORES = ["graphiti-kuzu"] if os.environ.get(KUZU) else ["sqlite"]
"""Kuzu is the one graph database of Graphiti's that runs in a folder. It has a process of its own: its library and that of
llama.cpp, which other tests load, end each other. Neo4j and FalkorDB run on these same statements
where `FREEFORM_TEST_GRAPH` names one (`bolt://…`, `falkordb://…`): it must be empty."""
if GRAPH := os.environ.get("FREEFORM_TEST_GRAPH"):
    STORES.append("graphiti-server")


@asynccontextmanager
async def open_store(name: str, folder: Path) -> AsyncIterator[MemoryStore]:
    """One by name, its files in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    if name == "sqlite":
        store: SqliteMemories | GraphitiMemories = SqliteMemories(folder / "memory.db")
    elif name == "graphiti-kuzu":
        pytest.importorskip("kuzu", reason="the extra `graphiti` and kuzu are not installed")
        store = connect(f"kuzu:{folder / 'graph'}", scope="party")
    else:
        store = connect(GRAPH or "")
        await store._ask("MATCH (n) DETACH DELETE n")
    yield store
    await store.close()
