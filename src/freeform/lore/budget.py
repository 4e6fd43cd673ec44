"""Tokens set aside before each call, per cycle and per day; what happens when they are gone is the
daemon's part."""

from datetime import UTC, datetime, time, timedelta

from freeform.core.errors import BudgetSpent
from freeform.lore.ports import Reservation


class CycleSpent(BudgetSpent):
    """The cycle's tokens are gone: go on in the next one."""


class DaySpent(BudgetSpent):
    """The day's tokens are gone: sleep until the next."""


def check_reservation(
    new: Reservation, *, day_used: int, cycle_used: int, per_day: int, per_cycle: int
) -> None:
    """Raises where a reservation would pass a limit; 0 is no limit. What is used leaves the new one
    itself out."""
    if per_day and day_used + new.tokens > per_day:
        raise DaySpent(_sentence("day", "lore_daily_token_budget", per_day, day_used, new.tokens))
    if per_cycle and cycle_used + new.tokens > per_cycle:
        raise CycleSpent(
            _sentence("cycle", "lore_per_cycle_token_budget", per_cycle, cycle_used, new.tokens)
        )


def next_day(now: datetime) -> datetime:
    """The next midnight in UTC."""
    return datetime.combine(now.astimezone(UTC).date() + timedelta(days=1), time(), UTC)


def _sentence(span: str, setting: str, most: int, used: int, coming: int) -> str:
    return (
        f"the lore budget of {most} tokens per {span} is reached: {used} are used and the next call needs about "
        f"{coming}; raise the setting `{setting}` to go on sooner"
    )
