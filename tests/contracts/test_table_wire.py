"""One suite for every wire between processes: what a key is claimed for is done once, whoever is asked."""

import asyncio
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import psycopg
import pytest

from freeform.players.people.ports import TableWire
from freeform.settings import Settings
from freeform.wiring.store.wire import opened_wire

DIES = """
import asyncio, os, sys
from pathlib import Path
from freeform.settings import Settings
from freeform.wiring.store.wire import opened_wire

async def main():
    settings = Settings(home=Path(sys.argv[1]), store_url=sys.argv[2])
    async with opened_wire(settings, several=True) as (wire, _):
        await wire.claim("begun")
        await wire.claim("kept")
        await wire.keep("kept")
        os._exit(9)

asyncio.run(main())
"""
"""A process that ends in the midst of its work, without a word to anybody."""


@pytest.fixture(params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    url = request.getfixturevalue("postgres") if request.param == "postgres" else ""
    return Settings(home=tmp_path, store_url=url)


@pytest.fixture
async def two(settings: Settings) -> AsyncIterator[tuple[TableWire, TableWire]]:
    """The wire as two processes have it."""
    async with (
        opened_wire(settings, several=True) as (here, _),
        opened_wire(settings, several=True) as (there, _),
    ):
        assert here and there
        yield here, there


async def test_a_key_is_taken_once_until_it_is_given_back(two: tuple[TableWire, TableWire]) -> None:
    here, there = two
    assert await here.claim("k") and await there.claim("other")
    assert not await there.claim("k") and not await here.claim("k")
    await here.give_back("k")
    assert await there.claim("k") and not await here.claim("k")
    await there.keep("k")
    assert not await here.claim("k") and not await there.claim("k")


async def test_what_a_process_began_that_is_gone_may_be_done_by_another(
    settings: Settings, two: tuple[TableWire, TableWire]
) -> None:
    url = settings.store_url.get_secret_value()
    died = await asyncio.create_subprocess_exec(sys.executable, "-c", DIES, str(settings.home), url)
    assert await died.wait() == 9
    if url:  # nobody has heard of it for a minute
        with psycopg.connect(url) as db:
            aged = "update freeform.servers set seen = now() - interval '2 minutes'"
            mine = [each.process for each in two]
            db.execute(f"{aged} where process <> all(%s)", (mine,))
    here, there = two
    assert not await here.claim("kept")
    assert await here.claim("begun") and not await there.claim("begun")


async def test_what_a_process_that_left_had_begun_is_free(
    settings: Settings, two: tuple[TableWire, TableWire]
) -> None:
    async with opened_wire(settings, several=True) as (third, _):
        assert third and await third.claim("k")
        assert not await two[0].claim("k")
    assert await two[0].claim("k")
