"""The time of day, as a port: the system's clock at the edge, a clock set by hand elsewhere."""

import time
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the date and measures spans."""

    def now(self) -> datetime:
        """The time of day, in UTC."""
        ...

    def ticks(self) -> float:
        """Seconds from some fixed point, never going back."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)  # noqa: TID251 - the one place

    def ticks(self) -> float:
        return time.perf_counter()


class HandClock:
    """A clock that moves only when told to."""

    def __init__(self, start: datetime = datetime(2091, 3, 15, 19, 0, tzinfo=UTC)) -> None:
        self._start, self._passed = start, 0.0

    def now(self) -> datetime:
        return self._start + timedelta(seconds=self._passed)

    def ticks(self) -> float:
        return self._passed

    def advance(self, seconds: float) -> None:
        """Lets time pass."""
        self._passed += seconds
