"""What everyone who counts calls to models promises: one suite, in memory, a file, Postgres and Redis."""

import asyncio
from pathlib import Path

import pytest

from freeform.adapters.postgres.counts import PostgresCounts
from freeform.adapters.postgres.links import PostgresLinks
from freeform.adapters.redis.counts import RedisCounts
from freeform.adapters.sqlite.counts import SqliteCounts
from freeform.core.clock import SystemClock
from freeform.core.ids import RandomIds
from freeform.core.llm.line import CallBucket, CallCounts, MemoryCounts
from freeform.core.llm.usage import Usage
from tests.players.conftest import redis_server

__all__ = ["redis_server"]


@pytest.fixture(params=["memory", "sqlite", "postgres", "redis"])
def two(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[CallCounts, CallCounts]:
    """The counts as two processes have them; in memory there is but one."""
    if request.param == "postgres":
        url = request.getfixturevalue("postgres")
        return tuple(PostgresCounts(PostgresLinks(url, keep=0)) for _ in range(2))
    if request.param == "redis":
        return tuple(RedisCounts(request.getfixturevalue("redis_server").url) for _ in range(2))
    if request.param == "sqlite":
        return tuple(SqliteCounts(tmp_path, SystemClock()) for _ in range(2))
    return (MemoryCounts(SystemClock()),) * 2


async def test_calls_of_two_processes_stand_in_one_line(two: tuple[CallCounts, CallCounts]) -> None:
    here, there = two
    # One a minute: the second waits about a minute, the third about two, whoever asks.
    bucket = CallBucket(RandomIds().new("server"), 1)
    waits = [(await each.take([bucket]))[0] for each in (here, there, here)]
    assert waits[0] == 0 and 30 < waits[1] <= 60 and 90 < waits[2] <= 120
    await there.give_back([bucket])
    (after,) = await here.take([bucket])
    assert 90 < after <= 120, "who went away is not waited for"
    other = CallBucket(RandomIds().new("table"), 1)
    both = await there.take([bucket, other])
    assert both[0] > 150 and both[1] == 0


async def test_many_at_once_get_places_one_after_another(
    two: tuple[CallCounts, CallCounts],
) -> None:
    bucket = CallBucket(RandomIds().new("server"), 1)
    asked = [each.take([bucket]) for _ in range(4) for each in two]
    waits = sorted([wait for (wait,) in await asyncio.gather(*asked)])
    assert [round(wait / 60) for wait in waits] == list(range(8)), "each place once"


async def test_what_a_person_used_is_added_up_by_the_day(
    two: tuple[CallCounts, CallCounts],
) -> None:
    here, there = two
    who, used = RandomIds().new("person"), Usage(calls=1, input_tokens=90, output_tokens=9)
    await here.add(who, "2091-03-15", used)
    await there.add(who, "2091-03-15", Usage(calls=1, input_tokens=10, cost_usd=0.5))
    await there.add(who, "2091-03-16", used)
    spent = await here.spent(who, "2091-03-15")
    assert (spent.calls, spent.input_tokens, spent.output_tokens) == (2, 100, 9)
    assert spent.cost_usd == pytest.approx(0.5)
    assert await there.spent(RandomIds().new("person"), "2091-03-15") == Usage()
