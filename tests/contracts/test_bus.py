"""What a Bus promises, on a real RabbitMQ."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aio_pika
import pytest

from freeform.adapters.rabbit.bus import RabbitBus
from freeform.core.errors import Unavailable, UserError
from freeform.lore.messages import DEAD_LETTERS, QUEUES, RESEARCHER, USER, VALIDATOR
from freeform.lore.ports import Bus
from tests.patience import PATIENCE
from tests.rabbit_server import RabbitServer

IN, OUT, PERSON = QUEUES[VALIDATOR], QUEUES[RESEARCHER], QUEUES[USER]


@pytest.fixture
async def emptied(rabbit: RabbitServer) -> AsyncIterator[RabbitServer]:
    yield rabbit
    await purge(rabbit.url)


@pytest.fixture
async def bus(emptied: RabbitServer) -> AsyncIterator[Bus]:
    made = RabbitBus(emptied.url, seconds=PATIENCE)
    yield made
    await made.close()


async def purge(url: str) -> None:
    """Leaves every queue empty for the next test."""
    connection = await aio_pika.connect_robust(url)
    async with connection, connection.channel() as channel:
        for name in (*QUEUES.values(), DEAD_LETTERS):
            queue = await channel.get_queue(name, ensure=False)
            await queue.purge()


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


async def until(there: list[bytes], count: int) -> list[bytes]:
    """Waits for the messages as long as the test may take; how quick a broker is does not matter."""
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
    # What comes after it is taken only when it is done with; then it does not come again.
    await bus.publish(IN, "m2", b"next")
    assert await until(tries, 4) == [b"again"] * 3 + [b"next"]
    task.cancel()
    await asyncio.wait({task})
    await bus.publish(IN, "m3", b"last")
    async with reading(bus, IN) as seen:
        assert (await until(seen, 1))[-1] == b"last"
        assert b"again" not in seen, "acknowledged in the end"


async def test_a_reader_that_dies_loses_nothing(bus: Bus) -> None:
    await bus.publish(IN, "m1", b"held")
    holding = asyncio.Event()

    async def take(_: bytes) -> None:
        holding.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(bus.consume([IN], take))
    await holding.wait()
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


async def publish_when_it_is_up(bus: Bus, queue: str, message_id: str, body: bytes) -> None:
    """The broker's port is open a while before it takes messages. One that was taken while we gave up comes twice."""
    while True:
        try:
            return await bus.publish(queue, message_id, body)
        except Unavailable as away:
            assert away.passing


async def test_a_broker_restarted_in_mid_run_loses_nothing_and_readers_come_back(
    emptied: RabbitServer,
) -> None:
    rabbit = emptied
    bus = RabbitBus(rabbit.url, seconds=20)
    async with reading(bus, IN) as seen:
        await publish_when_it_is_up(bus, IN, "m1", b"before")
        await until(seen, 1)
        await publish_when_it_is_up(bus, PERSON, "m2", b"kept on disk")
        await asyncio.to_thread(rabbit.stop)
        with pytest.raises(Unavailable, match="cannot be reached"):
            await bus.publish(IN, "m3", b"while it is down")
        await asyncio.to_thread(rabbit.start)
        await publish_when_it_is_up(bus, IN, "m3", b"after")
        while b"after" not in seen:  # noqa: ASYNC110 - it grows in another task
            await asyncio.sleep(0.02)
        assert list(dict.fromkeys(seen)) == [b"before", b"after"]
    async with reading(bus, PERSON) as waiting:
        assert set(await until(waiting, 1)) == {b"kept on disk"}
    await bus.close()


async def test_a_broker_that_is_not_there_is_said_so() -> None:
    bus = RabbitBus("amqp://guest:guest@127.0.0.1:9/", seconds=2)
    with pytest.raises(Unavailable, match="cannot be reached"):
        await bus.publish(IN, "m1", b"x")
    await bus.close()
