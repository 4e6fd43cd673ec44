"""What a Bus promises, on a real RabbitMQ."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from freeform.adapters.rabbit.bus import RabbitBus
from freeform.core.errors import Unavailable, UserError
from freeform.lore.messages import DEAD_LETTERS, QUEUES, RESEARCHER, USER, VALIDATOR
from freeform.lore.ports import Bus
from tests.rabbit_server import RabbitServer

IN, OUT, PERSON = QUEUES[VALIDATOR], QUEUES[RESEARCHER], QUEUES[USER]


@pytest.fixture
async def bus(rabbit: RabbitServer) -> AsyncIterator[Bus]:
    made = RabbitBus(rabbit.url)
    yield made
    for queue in (*QUEUES.values(), DEAD_LETTERS):
        async with reading(made, queue) as seen:
            await asyncio.sleep(0.05)
            seen.clear()
    await made.close()


@asynccontextmanager
async def reading(bus: Bus, *queues: str) -> AsyncIterator[list[bytes]]:
    """What arrives while the block runs."""
    seen: list[bytes] = []

    async def take(body: bytes) -> None:
        seen.append(body)

    task = asyncio.create_task(bus.consume(queues, take))
    try:
        yield seen
    finally:
        task.cancel()
        await asyncio.wait({task})


async def until(there: list[bytes], count: int, seconds: float = 15.0) -> list[bytes]:
    async with asyncio.timeout(seconds):
        while len(there) < count:  # noqa: ASYNC110 - it grows in other tasks
            await asyncio.sleep(0.02)
    return there


async def test_a_message_reaches_its_queue_and_no_other(bus: Bus) -> None:
    await bus.publish(IN, "m1", b"for the validator")
    await bus.publish(PERSON, "m2", b"for a person")
    async with reading(bus, IN) as seen, reading(bus, PERSON, OUT) as others:
        assert await until(seen, 1) == [b"for the validator"]
        assert await until(others, 1) == [b"for a person"]


async def test_messages_wait_for_a_reader_and_come_in_order(bus: Bus) -> None:
    bodies = [f"n{n}".encode() for n in range(20)]
    for n, body in enumerate(bodies):
        await bus.publish(IN, f"m{n}", body)
    async with reading(bus, IN) as seen:
        assert await until(seen, 20) == bodies


async def test_what_cannot_be_taken_now_is_given_again(bus: Bus) -> None:
    await bus.publish(IN, "m1", b"again")
    tries: list[bytes] = []

    async def take(body: bytes) -> None:
        tries.append(body)
        if len(tries) < 3:
            raise Unavailable("the store is away")

    task = asyncio.create_task(bus.consume([IN], take))
    assert await until(tries, 3) == [b"again"] * 3
    await asyncio.sleep(0.3)
    task.cancel()
    await asyncio.wait({task})
    async with reading(bus, IN) as seen:
        await asyncio.sleep(0.5)
        assert seen == [], "acknowledged in the end"


async def test_a_reader_that_dies_loses_nothing(bus: Bus) -> None:
    await bus.publish(IN, "m1", b"held")
    holding = asyncio.Event()

    async def take(_: bytes) -> None:
        holding.set()
        await asyncio.sleep(60)

    task = asyncio.create_task(bus.consume([IN], take))
    await asyncio.wait_for(holding.wait(), 15)
    task.cancel()
    await asyncio.wait({task})
    async with reading(bus, IN) as seen:
        assert await until(seen, 1) == [b"held"]


async def test_what_is_refused_for_good_goes_to_the_dead_letters(bus: Bus) -> None:
    async def refuse(_: bytes) -> None:
        raise UserError("unknown message type")

    task = asyncio.create_task(bus.consume([IN], refuse))
    await bus.publish(IN, "m1", b"\xff odd")
    async with reading(bus, DEAD_LETTERS) as seen:
        assert await until(seen, 1) == [b"\xff odd"]
    task.cancel()
    await asyncio.wait({task})


async def test_a_routing_key_nobody_listens_to_is_an_error(bus: Bus) -> None:
    with pytest.raises(Unavailable) as wrong:
        await bus.publish("agent.nobody", "m1", b"x")
    assert not wrong.value.passing


# ── the broker itself ──


async def test_a_broker_restarted_in_mid_run_loses_nothing_and_readers_come_back(
    rabbit: RabbitServer,
) -> None:
    bus = RabbitBus(rabbit.url, seconds=3)
    async with reading(bus, IN) as seen:
        await bus.publish(IN, "m1", b"before")
        await until(seen, 1)
        await bus.publish(PERSON, "m2", b"kept on disk")
        await asyncio.to_thread(rabbit.stop)
        with pytest.raises(Unavailable, match="cannot be reached"):
            await bus.publish(IN, "m3", b"while it is down")
        await asyncio.to_thread(rabbit.start)
        await bus.publish(IN, "m3", b"after")
        assert await until(seen, 2, 30) == [b"before", b"after"]
    async with reading(bus, PERSON) as waiting:
        assert await until(waiting, 1) == [b"kept on disk"]
    await bus.close()


async def test_a_broker_that_is_not_there_is_said_so() -> None:
    bus = RabbitBus("amqp://guest:guest@127.0.0.1:9/", seconds=2)
    with pytest.raises(Unavailable, match="cannot be reached"):
        await bus.publish(IN, "m1", b"x")
    await bus.close()
