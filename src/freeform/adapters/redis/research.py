"""Research in Redis: one hash for its head, one for its steps, one for its items; every item
written when it is done."""

import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from freeform.assistant.research.model import ItemResult, ResearchRow, ResearchState, Status
from freeform.core.errors import Conflict, NotFound, Unavailable, UserError

_LEASE_MS = 15_000
# Lets go of a claim only if it is still ours.
_RELEASE = (
    "if redis.call('get', KEYS[1]) == ARGV[1] then return redis.call('del', KEYS[1]) end return 0"
)


class RedisResearch:
    """The `ResearchStore` over one Redis. A claim ends by itself fifteen seconds after its worker's
    last sign of life."""

    def __init__(self, url: str, worker: str) -> None:
        try:
            import redis.asyncio as redis
        except ImportError as absent:
            raise UserError(
                "Redis needs the extra `players`: install freeform-rpg[players]"
            ) from absent
        self._worker = worker
        try:
            self._redis: Any = redis.Redis.from_url(
                url, decode_responses=True, socket_timeout=5, socket_connect_timeout=5
            )
        except ValueError as wrong:
            raise UserError(
                f"`research_redis` is no address ({wrong}); write it like redis://127.0.0.1:6379/0"
            ) from wrong

    async def aclose(self) -> None:
        """Hangs up."""
        await self._redis.aclose()

    async def create(self, state: ResearchState) -> None:
        async with _plainly():
            if not await self._redis.hsetnx(_key(state.researchId), "head", _head(state)):
                raise Conflict(
                    f"there already is research '{state.researchId}'; go on with it by --resume"
                )
            await self._redis.zadd(
                "research:all", {state.researchId: await self._redis.incr("research:count")}
            )
        await self.put(state)

    async def load(self, research_id: str) -> ResearchState:
        async with _plainly():
            head = await self._redis.hget(_key(research_id), "head")
            steps = await self._redis.hgetall(_key(research_id, "steps"))
            items = await self._redis.hgetall(_key(research_id, "items"))
        if head is None:
            there = ", ".join(row.researchId for row in (await self.rows())[:5]) or "none yet"
            raise NotFound(f"no research '{research_id}'; there are: {there}")
        done: dict[int, dict[str, ItemResult]] = {}
        for field, body in items.items():
            step_id, _, item = field.partition("\0")
            done.setdefault(int(step_id), {})[item] = ItemResult.model_validate_json(body)
        plan = sorted(
            (json.loads(body) for body in steps.values()), key=lambda step: int(step["place"])
        )
        told = {
            **json.loads(head),
            "plan": [{**step, "items": done.get(int(step["stepId"]), {})} for step in plan],
        }
        return ResearchState.model_validate(told)

    async def rows(self) -> Sequence[ResearchRow]:
        async with _plainly():
            ids = await self._redis.zrevrange("research:all", 0, -1)
            heads = [json.loads(await self._redis.hget(_key(id), "head")) for id in ids]
        return [
            ResearchRow.model_validate({name: head[name] for name in ResearchRow.model_fields})
            for head in heads
        ]

    async def put(self, state: ResearchState) -> None:
        id, kept = (
            state.researchId,
            {_field(s.stepId, item) for s in state.plan for item in s.items},
        )
        steps = {
            str(step.stepId): json.dumps(
                {**step.model_dump(mode="json", exclude={"result"}), "place": place}
            )
            for place, step in enumerate(state.plan)
        }
        async with _plainly():
            stale = [
                field for field in await self._redis.hkeys(_key(id, "items")) if field not in kept
            ]
            async with self._redis.pipeline(transaction=True) as together:
                together.hset(_key(id), "head", _head(state))
                together.delete(_key(id, "steps"))
                if steps:
                    together.hset(_key(id, "steps"), mapping=steps)
                if stale:
                    together.hdel(_key(id, "items"), *stale)
                await together.execute()

    async def put_step(
        self, research_id: str, step_id: int, status: Status, error: str = ""
    ) -> None:
        async with _plainly():
            body = json.loads(await self._redis.hget(_key(research_id, "steps"), str(step_id)))
            told = json.dumps({**body, "status": status, "error": error})
            await self._redis.hset(_key(research_id, "steps"), str(step_id), told)

    async def put_item(self, research_id: str, step_id: int, done: ItemResult) -> None:
        async with _plainly():
            await self._redis.hset(
                _key(research_id, "items"), _field(step_id, done.item), done.model_dump_json()
            )
            await self._redis.pexpire(_key(research_id, "claim"), _LEASE_MS)

    @asynccontextmanager
    async def claim(self, research_id: str) -> AsyncIterator[None]:
        key = _key(research_id, "claim")
        async with _plainly():
            if not await self._redis.set(key, self._worker, nx=True, px=_LEASE_MS):
                raise Conflict(
                    f"'{research_id}' is being worked on by another program; wait a moment, or end it"
                )
        try:
            yield
        finally:
            async with _plainly():
                await self._redis.eval(_RELEASE, 1, key, self._worker)


def _key(research_id: str, part: str = "") -> str:
    return f"research:{research_id}:{part}" if part else f"research:{research_id}"


def _field(step_id: int, item: str) -> str:
    return f"{step_id}\0{item}"


def _head(state: ResearchState) -> str:
    return state.model_dump_json(exclude={"plan", "collectedData", "spent"})


@asynccontextmanager
async def _plainly() -> AsyncIterator[None]:
    """What Redis complains of, as what a person can do about it."""
    from redis.exceptions import RedisError

    try:
        yield
    except (RedisError, OSError) as wrong:
        raise Unavailable(
            f"the Redis of `research_redis` does not answer ({wrong}); start it, then --resume"
        ) from wrong
