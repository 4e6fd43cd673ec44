"""The line of calls to models: counted in a Redis, a Postgres, or the home."""

from freeform.core.clock import Clock
from freeform.core.llm.line import CallCounts, CallLine, LineLimits
from freeform.settings import Settings
from freeform.wiring.store import postgres_links


def make_line(settings: Settings, clock: Clock) -> CallLine:
    """The limits of the settings, and where all processes count."""
    limits = LineLimits(
        per_minute=settings.rate_per_minute,
        table_per_minute=settings.rate_table_per_minute,
        person_per_minute=settings.rate_person_per_minute,
        table_day_tokens=settings.budget_table_day_tokens,
        person_day_tokens=settings.budget_person_day_tokens,
    )
    return CallLine(_counts(settings, clock), limits, clock)


def _counts(settings: Settings, clock: Clock) -> CallCounts:
    """Nothing is opened before there is something to count."""
    if settings.limits_redis:
        from freeform.adapters.redis.counts import RedisCounts

        return RedisCounts(settings.limits_redis)
    if settings.store_url.get_secret_value():
        from freeform.adapters.postgres.counts import PostgresCounts

        # None is kept: a call to a model takes seconds, and connections are few.
        return PostgresCounts(postgres_links(settings, keep=0))
    from freeform.adapters.sqlite.counts import SqliteCounts

    return SqliteCounts(settings.home, clock)
