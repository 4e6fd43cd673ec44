"""Who may ask a model now and who waits: calls a minute by server, table and person, in one line.

A bucket is one number, the moment at which it would be full again: whoever takes a call moves it
on, and waits for as long as it then lies more than a minute ahead. So it can lie in any store that
moves a number at once for all who ask (memory, a file, Postgres, Redis); nobody is sent away.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol

from freeform.core.clock import Clock
from freeform.core.errors import BudgetSpent
from freeform.core.llm.gateway import Call, Usage
from freeform.core.record import Record

Sleep = Callable[[float], Awaitable[None]]
MINUTE_S = 60.0
TOLD_S = 3.0
"""How often whoever waits is told how far the line has moved."""


@dataclass(frozen=True)
class CallBucket:
    """So many calls a minute, with as many at once."""

    name: str
    per_minute: int

    @property
    def step_s(self) -> float:
        """The time that one call takes up."""
        return MINUTE_S / self.per_minute


class CallCounts(Protocol):
    """Keeps buckets, and what each person has used today, for every process that asks models."""

    async def take(self, buckets: Sequence[CallBucket]) -> list[float]:
        """A call out of each; the seconds to wait for each. A place once given is kept."""
        ...

    async def give_back(self, buckets: Sequence[CallBucket]) -> None:
        """Somebody went away before it was their turn."""
        ...

    async def add(self, name: str, day: str, usage: Usage) -> None:
        """So much more was used under that name on that day."""
        ...

    async def spent(self, name: str, day: str) -> Usage:
        """What was used."""
        ...


class PlaceInLine(Record):
    """Whoever waits: before how many calls, for about how long, and whose limit it is."""

    place: int
    seconds: float
    limit: str
    """`server`, `table` or `person`."""


class LineLimits(Record):
    """The limits; 0 is none."""

    per_minute: int = 0
    """Of the whole server, to each model."""
    table_per_minute: int = 0
    person_per_minute: int = 0
    table_day_tokens: int = 0
    person_day_tokens: int = 0


_person: ContextVar[str] = ContextVar("freeform_person", default="")
_told: ContextVar[Callable[[PlaceInLine], None] | None] = ContextVar("freeform_told", default=None)


@contextmanager
def asking_for(
    person: str = "", told: Callable[[PlaceInLine], None] | None = None
) -> Iterator[None]:
    """Inside, models are asked on that person's behalf, and `told` hears of a place in line."""
    was_person, was_told = _person.set(person), _told.set(told)
    try:
        yield
    finally:
        _person.reset(was_person)
        _told.reset(was_told)


class CallLine:
    """Holds calls to the limits; what waits comes to its turn."""

    def __init__(self, counts: CallCounts, limits: LineLimits, clock: Clock) -> None:
        self._counts, self._limits, self._clock = counts, limits, clock

    async def take(self, model: str, call: Call, sleep: Sleep) -> None:
        """Waits until a call may go out."""
        buckets = self._buckets(model, call)
        if not buckets:
            return
        waits = await self._counts.take(buckets)
        longest = max(range(len(waits)), key=waits.__getitem__)
        if waits[longest] > 0:
            try:
                await _wait(waits[longest], buckets[longest], sleep)
            except asyncio.CancelledError:
                await self._counts.give_back(buckets)
                raise

    async def check(self, call: Call, coming: int, table: Usage | None) -> None:
        """BudgetSpent when a table or a person has used what is theirs for today."""
        limits = self._limits
        if table is not None and limits.table_day_tokens:
            _check("table", limits.table_day_tokens, table, coming)
        if limits.person_day_tokens and _person.get():
            used = await self._counts.spent(_person.get(), self._day())
            _check("person", limits.person_day_tokens, used, coming)

    @property
    def counts_tables(self) -> bool:
        """Whether it wants to know what a table has used."""
        return bool(self._limits.table_day_tokens)

    async def count(self, usage: Usage) -> None:
        """A call was answered."""
        if self._limits.person_day_tokens and _person.get():
            await self._counts.add(_person.get(), self._day(), usage)

    def _day(self) -> str:
        return self._clock.now().date().isoformat()

    def _buckets(self, model: str, call: Call) -> list[CallBucket]:
        limits = self._limits
        wanted = [CallBucket(f"server {model}", limits.per_minute)]
        if call.campaign:
            wanted.append(CallBucket(f"table {call.campaign}", limits.table_per_minute))
        if _person.get():
            wanted.append(CallBucket(f"person {_person.get()}", limits.person_per_minute))
        return [each for each in wanted if each.per_minute]


async def _wait(seconds: float, bucket: CallBucket, sleep: Sleep) -> None:
    told = _told.get()
    while told and seconds > 0:
        place = math.ceil(round(seconds / bucket.step_s, 6))
        limit = bucket.name.partition(" ")[0]
        told(PlaceInLine(place=place, seconds=round(seconds, 1), limit=limit))
        step = min(TOLD_S, seconds)
        await sleep(step)
        seconds -= step
    if seconds > 0:
        await sleep(seconds)


def _check(whose: str, most: int, used: Usage, coming: int) -> None:
    tokens = used.input_tokens + used.output_tokens
    if tokens + coming > most:
        raise BudgetSpent(
            f"this {whose} may use {most} tokens a day: {tokens} are used and the next call needs "
            f"about {coming}; go on tomorrow, or raise the setting `budget_{whose}_day_tokens`"
        )


def moved(full_at: float, now: float, bucket: CallBucket) -> tuple[float, float]:
    """A bucket after a call was taken: when it would be full again, and how long to wait."""
    after = max(full_at, now) + bucket.step_s
    return after, max(0.0, after - now - MINUTE_S)


class MemoryCounts:
    """Buckets of one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._full_at: dict[str, float] = {}
        self._used: dict[tuple[str, str], Usage] = {}

    async def take(self, buckets: Sequence[CallBucket]) -> list[float]:
        waits: list[float] = []
        for each in buckets:
            after, wait = moved(self._full_at.get(each.name, 0.0), self._clock.ticks(), each)
            self._full_at[each.name] = after
            waits.append(wait)
        return waits

    async def give_back(self, buckets: Sequence[CallBucket]) -> None:
        for each in buckets:
            self._full_at[each.name] -= each.step_s

    async def add(self, name: str, day: str, usage: Usage) -> None:
        self._used[name, day] = await self.spent(name, day) + usage

    async def spent(self, name: str, day: str) -> Usage:
        return self._used.get((name, day), Usage())
