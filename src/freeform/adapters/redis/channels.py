"""Messages as Redis Lists, under the names of the design: `channel:ic:messages`, `channel:p2c:<character>` …"""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from freeform.core.clock import Clock
from freeform.core.errors import Unavailable, UserError
from freeform.players.model import Message
from freeform.players.round.options import current

# Once by id: the hash beside a list remembers what stands under each id. Atomic, so two writers cannot both win.
_PUSH = """
if redis.call('hsetnx', KEYS[2], ARGV[1], ARGV[2]) == 1 then redis.call('rpush', KEYS[1], ARGV[2]) end
if tonumber(ARGV[3]) > 0 then redis.call('expire', KEYS[1], ARGV[3]); redis.call('expire', KEYS[2], ARGV[3]) end
return redis.call('hget', KEYS[2], ARGV[1])
"""


class RedisChannels:
    """One Redis, many parties: each has its own prefix."""

    def __init__(self, url: str, clock: Clock, hours: float = 24.0) -> None:
        try:
            import redis.asyncio as redis
        except ImportError as absent:
            raise UserError(
                "Redis needs the extra `players`: install freeform-rpg[players]"
            ) from absent
        self._url, self._clock, self._hours = url, clock, hours
        try:
            self._redis: Any = redis.Redis.from_url(
                url,
                decode_responses=True,
                socket_timeout=5,
                socket_connect_timeout=5,
                single_connection_client=False,
            )
        except ValueError as wrong:
            raise UserError(
                f"`players_redis` is no address ({wrong}); write it like redis://127.0.0.1:6379/0"
            ) from wrong

    async def push(self, party: str, lists: Sequence[str], message: Message) -> Message:
        stands, seconds = message.model_dump_json(), int(self._hours * 3600)
        async with _plainly(self._redis):
            for name in lists:
                keys = (f"{party}:{name}", f"{party}:{name}:ids")
                stands = await self._redis.eval(_PUSH, 2, *keys, message.id, stands, seconds)
        return Message.model_validate_json(stands)

    async def read(self, party: str, name: str, most: int) -> list[Message]:
        async with _plainly(self._redis):
            rows = await self._redis.lrange(f"{party}:{name}", -most, -1) if most else []
        return current((Message.model_validate_json(row) for row in rows), self._clock, self._hours)


@asynccontextmanager
async def _plainly(connection: Any) -> AsyncIterator[None]:
    """Redis's complaints as ours; connections are let go, since each command of ours may run on another loop."""
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as gone:
        raise Unavailable(
            f"Redis does not answer ({gone}); start it and run again, the round goes on"
        ) from gone
    finally:
        await connection.connection_pool.disconnect()
