"""The exchange, the three queues and where dead letters go. All of it is durable; declared again it changes nothing."""

from faststream.rabbit import ExchangeType, RabbitBroker, RabbitExchange, RabbitQueue

from freeform.lore.messages import DEAD_LETTERS, EXCHANGE, QUEUES

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
