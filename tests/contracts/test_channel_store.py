"""One suite for every place that keeps a party's messages."""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from freeform.adapters.memory.party import MemoryChannels
from freeform.adapters.redis.channels import RedisChannels
from freeform.adapters.sqlite.party import PartyFiles, SqliteChannels, SqliteParties
from freeform.core.clock import HandClock
from freeform.core.errors import Unavailable
from freeform.engine.authored.library import load_scenario, load_system
from freeform.players.model import Channel, Message, Party
from freeform.players.party.persona import choose_personas, seat_all
from freeform.players.ports import ChannelStore
from tests.players.conftest import RedisServer, redis_server

__all__ = ["redis_server"]


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture(params=["memory", "sqlite", "redis"])
async def store(
    request: pytest.FixtureRequest, tmp_path: Path, clock: HandClock
) -> AsyncIterator[ChannelStore]:
    if request.param == "memory":
        yield MemoryChannels(clock)
        return
    if request.param == "redis":
        server: RedisServer = request.getfixturevalue("redis_server")
        yield RedisChannels(server.url, clock)
        return
    files = PartyFiles(tmp_path)
    story = load_scenario("dead_drop")
    seats = seat_all(choose_personas("1"), story, load_system(story.system), [])
    await SqliteParties(files).create(
        Party(id="p", campaign="p", scenario="dead_drop", seed=1, seats=seats)
    )
    yield SqliteChannels(files, clock)
    files.close()


@pytest.fixture
def name(request: pytest.FixtureRequest) -> Iterator[str]:
    yield f"list:{request.node.name}"


def said(id: str, text: str, clock: HandClock) -> Message:
    at = clock.now().isoformat(timespec="seconds")
    return Message(id=id, channel=Channel.OOC, from_agent="alex", content=text, at=at)


async def test_messages_come_back_in_the_order_they_were_said(
    store: ChannelStore, name: str, clock: HandClock
) -> None:
    for n in range(7):
        await store.push("p", [name], said(f"m{n}", f"line {n} “ü”", clock))
    assert [m.content for m in await store.read("p", name, 3)] == [
        "line 4 “ü”",
        "line 5 “ü”",
        "line 6 “ü”",
    ]
    assert await store.read("p", f"{name}:other", 3) == []


async def test_the_first_of_two_with_one_id_stands(
    store: ChannelStore, name: str, clock: HandClock
) -> None:
    first = await store.push("p", [name], said("same", "first", clock))
    second = await store.push("p", [name], said("same", "second", clock))
    assert (first.content, second.content) == ("first", "first")
    assert [m.content for m in await store.read("p", name, 9)] == ["first"]


async def test_messages_run_out(store: ChannelStore, name: str, clock: HandClock) -> None:
    await store.push("p", [name], said("old", "old", clock))
    clock.advance(13 * 3600)
    await store.push("p", [name], said("new", "new", clock))
    clock.advance(12 * 3600)
    assert [m.content for m in await store.read("p", name, 9)] == ["new"]


async def test_a_redis_that_is_gone_is_unavailable_and_says_what_to_do(clock: HandClock) -> None:
    gone = RedisChannels("redis://127.0.0.1:1/0", clock)
    with pytest.raises(Unavailable, match="start it and run again"):
        await gone.push("p", ["x"], said("m", "x", clock))
