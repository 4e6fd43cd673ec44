"""How fast we ask: one bucket for search and crawl together, a pause for each host, and patience
with retries."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

from tenacity import (
    AsyncRetrying,
    RetryCallState,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential_jitter,
)

from freeform.core.clock import Clock
from freeform.core.errors import Unavailable, UserError

T = TypeVar("T")
LONGEST_PAUSE_S = 120.0
"""Who asks us to wait longer than this is left for another day."""


class CrawlPace:
    """Shared by search and crawl. `per_minute` 0: no limit; `host_pause` is between two requests to
    one host."""

    def __init__(
        self, clock: Clock, per_minute: int = 60, host_pause: float = 1.0, tries: int = 3
    ) -> None:
        self._clock, self._host_pause, self._tries = clock, host_pause, tries
        self._bucket = None
        if per_minute:
            try:
                from aiolimiter import AsyncLimiter
            except ImportError:
                raise UserError(
                    'reading the web needs its packages: pip install "freeform-rpg[lore]"'
                ) from None
            self._bucket = AsyncLimiter(per_minute, 60)
        self._hosts: dict[str, asyncio.Lock] = {}
        self._free: dict[str, float] = {}

    async def turn(self, host: str, pause: float = 0.0) -> None:
        """Waits until that host may be asked again; `pause`: what its robots.txt asks for."""
        async with self._hosts.setdefault(host, asyncio.Lock()):
            ready = self._free.get(host, 0.0)
            if (wait := ready - self._clock.ticks()) > 0:
                await asyncio.sleep(wait)
            if self._bucket:
                await self._bucket.acquire()
            self._free[host] = self._clock.ticks() + max(self._host_pause, pause)

    async def patiently(self, work: Callable[[], Awaitable[T]]) -> T:
        """Does it again after passing trouble, as late as the other side asked."""
        backoff = wait_exponential_jitter(multiplier=0.5, max=20, jitter=0.5)

        def wait(state: RetryCallState) -> float:
            wrong = state.outcome.exception() if state.outcome else None
            asked = wrong.retry_after if isinstance(wrong, Unavailable) else None
            return asked if asked is not None else backoff(state)

        async for attempt in AsyncRetrying(
            retry=retry_if_exception(_worth_it),
            stop=stop_after_attempt(self._tries),
            wait=wait,
            reraise=True,
        ):
            with attempt:
                return await work()
        raise AssertionError("reraise=True always ends the loop above")


def _worth_it(wrong: BaseException) -> bool:
    return (
        isinstance(wrong, Unavailable)
        and wrong.passing
        and (wrong.retry_after or 0) <= LONGEST_PAUSE_S
    )
