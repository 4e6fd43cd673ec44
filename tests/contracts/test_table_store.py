"""One suite for every place that keeps who sits at a table."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from freeform.adapters.memory.people import MemoryTables
from freeform.adapters.postgres.links import PostgresLinks
from freeform.adapters.postgres.people import PostgresTables
from freeform.adapters.sqlite.people import SqliteTables
from freeform.core.errors import Conflict, NotFound
from freeform.players.people.model import ChatLine, SharedTable, TablePerson
from freeform.players.people.ports import TableStore


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[TableStore]:
    if request.param == "memory":
        yield MemoryTables()
        return
    tables: SqliteTables | PostgresTables = (
        PostgresTables(PostgresLinks(request.getfixturevalue("postgres")))
        if request.param == "postgres"
        else SqliteTables(tmp_path)
    )
    yield tables
    tables.close()


def shared(campaign: str = "a", host: str = "p1") -> SharedTable:
    anna = TablePerson(id="p1", name="Änna “A”", role="player", owner=True)
    return SharedTable(campaign=campaign, host=host, people=[anna])


def line(text: str, *to: str) -> ChatLine:
    return ChatLine(by="p1", to=list(to), text=text, at="2091-03-15T19:00:00+00:00")


async def test_a_table_that_nobody_opened_is_not_there(store: TableStore) -> None:
    assert await store.find("a") is None
    assert await store.talk("a") == []
    with pytest.raises(NotFound, match="is played alone; open it"):
        await store.change("a", lambda table: table)
    with pytest.raises(NotFound, match="is played alone"):
        await store.say("a", line("hello"))
    assert await store.find("a") is None


async def test_opening_twice_keeps_the_first(store: TableStore) -> None:
    assert await store.open(shared()) == shared()
    assert await store.open(shared(host="p9")) == shared()
    assert await store.find("a") == shared()
    assert await store.find("b") is None


async def test_a_change_is_kept_whole_or_not_at_all(store: TableStore) -> None:
    await store.open(shared())

    def refuse(table: SharedTable) -> SharedTable:
        raise Conflict("no")

    with pytest.raises(Conflict):
        await store.change("a", refuse)
    assert await store.find("a") == shared()
    later = await store.change("a", lambda t: t.model_copy(update={"round": t.round + 1}))
    assert later.round == 2 and await store.find("a") == later


async def test_of_many_changes_none_is_lost(store: TableStore) -> None:
    await store.open(shared())

    def count(table: SharedTable) -> SharedTable:
        return table.model_copy(update={"round": table.round + 1})

    await asyncio.gather(*(store.change("a", count) for _ in range(20)))
    found = await store.find("a")
    assert found and found.round == 21


async def test_talk_is_numbered_and_comes_back_in_order(store: TableStore) -> None:
    await store.open(shared())
    said = [await store.say("a", line(f"line {n} “ü”", "p2")) for n in range(5)]
    assert [each.no for each in said] == [1, 2, 3, 4, 5]
    assert await store.talk("a") == said
    assert await store.talk("a", after=3) == said[3:]
    assert await store.talk("a", most=2) == said[3:]


async def test_two_processes_share_a_table(tmp_path: Path) -> None:
    one, two = SqliteTables(tmp_path), SqliteTables(tmp_path)
    await one.open(shared())
    await two.change("a", lambda table: table.model_copy(update={"mode": "rounds"}))
    found = await one.find("a")
    assert found and found.mode == "rounds"
    one.close()
    two.close()
    assert not list((tmp_path / "campaigns" / "a").glob("*-wal"))
