"""RabbitBus: persistent messages, confirmed by the broker, given at least once. It waits out a
broker that restarts."""

import asyncio
import logging
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from aio_pika.exceptions import AMQPError, DeliveryError
from faststream import AckPolicy
from faststream.exceptions import FastStreamException
from faststream.rabbit import (
    Channel,
    ExchangeType,
    RabbitBroker,
    RabbitExchange,
    RabbitMessage,
    RabbitQueue,
)
from pamqp.commands import Basic

from freeform.core.errors import FreeformError, Unavailable
from freeform.lore.messages import DEAD_LETTERS, EXCHANGE, QUEUES
from freeform.lore.ports import Take

TOPIC = RabbitExchange(EXCHANGE, type=ExchangeType.TOPIC, durable=True)
DEAD = RabbitExchange(DEAD_LETTERS, type=ExchangeType.FANOUT, durable=True)
DEAD_QUEUE = RabbitQueue(DEAD_LETTERS, durable=True)


def queue(name: str) -> RabbitQueue:
    """A queue of that name with that routing key; what is refused goes to the dead letters."""
    if name == DEAD_LETTERS:
        return DEAD_QUEUE
    return RabbitQueue(
        name, durable=True, routing_key=name, arguments={"x-dead-letter-exchange": DEAD_LETTERS}
    )


def exchange_of(name: str) -> RabbitExchange:
    """Where a queue's messages come from."""
    return DEAD if name == DEAD_LETTERS else TOPIC


async def declare(broker: RabbitBroker) -> None:
    """All queues, so that a message is kept even before its reader has ever run."""
    topic, dead = await broker.declare_exchange(TOPIC), await broker.declare_exchange(DEAD)
    grave = await broker.declare_queue(DEAD_QUEUE)
    await grave.bind(dead)
    await grave.bind(topic, routing_key=DEAD_LETTERS)
    for name in QUEUES.values():
        made = await broker.declare_queue(queue(name))
        await made.bind(topic, routing_key=name)


T = TypeVar("T")
TROUBLE = (AMQPError, FastStreamException, OSError, TimeoutError, RuntimeError)
"""What the libraries raise while a broker is away; a closed channel is a RuntimeError among
them."""
AGAIN_S = 0.5


class RabbitBus:
    """The bus by the address of a RabbitMQ server."""

    def __init__(self, url: str, *, seconds: float = 10.0) -> None:
        self._url, self._seconds = url, seconds
        self._out: RabbitBroker | None = None
        self._lock = asyncio.Lock()

    async def publish(self, routing_key: str, message_id: str, body: bytes) -> None:
        """Returns when the broker has it on disk. An unknown routing key is dropped by nobody: it
        is an error here."""
        try:
            broker = await self._sender()
            said = await within(
                self._seconds,
                broker.publish(
                    body,
                    exchange=TOPIC,
                    routing_key=routing_key,
                    message_id=message_id,
                    correlation_id=message_id,
                    persist=True,
                    mandatory=True,
                    content_type="application/json",
                ),
            )
        except DeliveryError as wrong:
            raise Unavailable(
                f"RabbitMQ did not take a message for '{routing_key}': {wrong}", passing=False
            ) from wrong
        except TROUBLE as wrong:
            await self._forget()
            raise Unavailable(
                f"RabbitMQ cannot be reached ({type(wrong).__name__}); the message is kept"
            ) from wrong
        if not isinstance(said, Basic.Ack):
            raise Unavailable(
                f"RabbitMQ did not confirm a message for '{routing_key}'; it is sent again"
            )

    async def _sender(self) -> RabbitBroker:
        async with self._lock:
            if self._out is None:
                broker = self._broker(Channel(publisher_confirms=True, on_return_raises=True))
                try:
                    await within(self._seconds, _ready(broker))
                except BaseException:
                    await _stop(broker)
                    raise
                self._out = broker
            return self._out

    async def _forget(self) -> None:
        async with self._lock:
            broker, self._out = self._out, None
        if broker:
            await _stop(broker)

    async def consume(self, queues: Sequence[str], take: Take) -> None:
        """Until cancelled. A message is acknowledged when `take` has returned, refused for good
        when it says so."""
        while True:
            broker, taking = self._broker(Channel(prefetch_count=10)), set[asyncio.Task[None]]()

            async def give(
                message: RabbitMessage, taking: set[asyncio.Task[None]] = taking
            ) -> None:
                task = asyncio.ensure_future(take(message.body))
                taking.add(task)
                try:
                    await task
                except Unavailable:
                    # Not at once: what is unavailable now still is in a millisecond.
                    await asyncio.sleep(AGAIN_S)
                    await message.nack(requeue=True)
                except FreeformError:
                    await message.reject(requeue=False)
                except asyncio.CancelledError:
                    # The reader ends: the broker gives the message to the next one.
                    await message.nack(requeue=True)
                else:
                    await message.ack()
                finally:
                    taking.discard(task)

            for name in queues:
                broker.subscriber(
                    queue(name), exchange_of(name), ack_policy=AckPolicy.MANUAL, decoder=_as_it_came
                )(give)
            try:
                await within(self._seconds, _ready(broker))
                await within(self._seconds, broker.start())
                # Once it has begun the library comes back by itself after a restart, and reads on.
                await asyncio.Event().wait()
            except TROUBLE:
                await asyncio.sleep(AGAIN_S)
            finally:
                for task in taking:
                    task.cancel()
                await _stop(broker)

    def _broker(self, channel: Channel) -> RabbitBroker:
        # They write a line on standard error for every try while a broker is away; we raise and log
        # once.
        for name in ("aiormq", "aio_pika"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        return RabbitBroker(
            self._url, default_channel=channel, logger=None, graceful_timeout=1.0, reconnect_interval=AGAIN_S,
            fail_fast=True, apply_types=False,
        )  # fmt: skip

    async def close(self) -> None:
        """Closes the connection."""
        await self._forget()


async def _stop(broker: RabbitBroker) -> None:
    """Lets go of a connection that may be gone already."""
    try:
        await within(2, broker.stop())
    except* TROUBLE:
        pass
    # The library runs what is to happen on closing as tasks of its own, after it has closed.
    await asyncio.sleep(0.05)


async def _ready(broker: RabbitBroker) -> None:
    """Connected, and every queue there."""
    await broker.connect()
    await declare(broker)


async def within(seconds: float, work: Coroutine[Any, Any, T]) -> T:
    """The work's result, or TimeoutError in time. The libraries may ignore a cancellation while a
    broker is booting, so they are not waited for: `asyncio.timeout` would hang with them.
    """
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        await asyncio.wait({task}, timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
    if not task.done() or task.cancelled():
        raise TimeoutError
    return task.result()


async def _as_it_came(message: RabbitMessage) -> RabbitMessage:
    """The message itself in place of its decoded body: bytes that are no JSON must reach us too."""
    return message
