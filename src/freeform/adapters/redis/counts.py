"""`CallCounts` of all processes at one Redis, by its clock: a script moves all buckets at once."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from freeform.core.errors import Unavailable
from freeform.core.llm.line import MINUTE_S, CallBucket
from freeform.core.llm.usage import Usage

PREFIX = "freeform:limits:"
DAY_S, WAIT_S = 2 * 86_400, 5.0
_TAKE = f"""
local time = redis.call('TIME')
local now = tonumber(time[1]) + tonumber(time[2]) / 1000000
local waits = {{}}
for i, key in ipairs(KEYS) do
  local full = math.max(tonumber(redis.call('GET', key) or '0'), now) + tonumber(ARGV[i])
  redis.call('SET', key, string.format('%.6f', full), 'EX', math.ceil(full - now) + 1)
  waits[i] = string.format('%.6f', math.max(0, full - now - {MINUTE_S:g}))
end
return waits
"""
_BACK = """
local full = redis.call('GET', KEYS[1])
if full then
  redis.call('SET', KEYS[1], string.format('%.6f', full - ARGV[1]), 'KEEPTTL')
end
"""


class RedisCounts:
    """Buckets end by themselves once they are full; what was used after two days."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def take(self, buckets: Sequence[CallBucket]) -> list[float]:
        keys = [f"{PREFIX}{each.name}" for each in buckets]
        steps = [f"{each.step_s:.6f}" for each in buckets]
        async with self._opened() as redis:
            waits = await redis.eval(_TAKE, len(keys), *keys, *steps)
        return [float(each) for each in waits]

    async def give_back(self, buckets: Sequence[CallBucket]) -> None:
        async with self._opened() as redis:
            for each in buckets:
                key = f"{PREFIX}{each.name}"
                await redis.eval(_BACK, 1, key, f"{each.step_s:.6f}")

    async def add(self, name: str, day: str, usage: Usage) -> None:
        key = f"{PREFIX}used:{day}:{name}"
        async with self._opened() as redis, redis.pipeline(transaction=True) as together:
            for field, value in usage.model_dump().items():
                together.hincrbyfloat(key, field, value)
            together.expire(key, DAY_S)
            await together.execute()

    async def spent(self, name: str, day: str) -> Usage:
        async with self._opened() as redis:
            found = await redis.hgetall(f"{PREFIX}used:{day}:{name}")
        used = {field.decode(): float(value) for field, value in found.items()}
        whole = {field: int(value) for field, value in used.items() if field != "cost_usd"}
        return Usage(**whole, cost_usd=used.get("cost_usd", 0.0))

    @asynccontextmanager
    async def _opened(self) -> AsyncIterator[Any]:
        """A connection for a moment: a call to a model takes seconds."""
        from redis.asyncio import Redis
        from redis.exceptions import RedisError

        try:
            async with Redis.from_url(
                self._url, socket_timeout=WAIT_S, socket_connect_timeout=WAIT_S
            ) as redis:
                yield redis
        except (RedisError, OSError) as gone:
            raise Unavailable(
                "the Redis that counts calls does not answer; start it, or clear `limits_redis`"
            ) from gone
