"""How long to wait for a model: tries, growing waits with jitter, a time limit."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception, stop_after_attempt

from freeform.core.chance import Chance
from freeform.core.errors import Unavailable
from freeform.core.llm.line import CallLine
from freeform.core.record import Record

Sleep = Callable[[float], Awaitable[None]]


class RetryPolicy(Record):
    """What to bear before giving a model up for this call."""

    tries: int = 4
    first_wait: float = 1.0
    longest_wait: float = 30.0
    """A provider that asks for a longer wait than this is given up at once."""
    seconds: float = 120.0
    """The time limit of one try. A try that hangs is not repeated: the player has waited enough."""
    calls_per_minute: int = 0
    """0 is no limit."""

    def retrying(self, chance: Chance, sleep: Sleep) -> AsyncRetrying:
        """The loop of tries: repeats what may pass by itself, and raises the last failure as it
        was."""

        def worth_it(failed: BaseException) -> bool:
            return (
                isinstance(failed, Unavailable)
                and failed.passing
                and (failed.retry_after or 0) <= self.longest_wait
            )

        def wait(state: RetryCallState) -> float:
            failed = state.outcome.exception() if state.outcome else None
            asked = failed.retry_after if isinstance(failed, Unavailable) else None
            grown = min(self.longest_wait, self.first_wait * 2.0 ** (state.attempt_number - 1))
            # Jitter, so that many tables struck by one outage do not all come back in the same
            # second.
            return (asked if asked is not None else grown / 2) + chance.fraction() * grown / 2

        return AsyncRetrying(
            sleep=sleep,
            wait=wait,
            stop=stop_after_attempt(self.tries),
            retry=retry_if_exception(worth_it),
            reraise=True,
        )


@dataclass(frozen=True)
class Patience:
    """How long to wait for a model, what waits, and in which line."""

    policy: RetryPolicy = field(default_factory=RetryPolicy)
    sleep: Sleep = asyncio.sleep
    line: CallLine | None = None
    """Without one, calls are held to `policy.calls_per_minute` in this process alone."""
