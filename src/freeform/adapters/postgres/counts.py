"""`CallCounts` of all processes at one Postgres, by the database's clock."""

from collections.abc import Sequence

from freeform.adapters.postgres.links import SCHEMA, CampaignLink, PostgresLinks
from freeform.core.llm.line import MINUTE_S, CallBucket
from freeform.core.llm.usage import Usage

_NOW = "extract(epoch from clock_timestamp())"
_TAKE = f"""
insert into {SCHEMA}.buckets as b (name, full_at) values (%s, {_NOW} + %s)
on conflict (name) do update set full_at = greatest(b.full_at, {_NOW}) + %s
returning greatest(0, full_at - {_NOW} - {MINUTE_S})
"""
_ADD = f"""
insert into {SCHEMA}.used as u (name, day, calls, input, output, cost)
values (%s, %s, %s, %s, %s, %s) on conflict (name, day) do update set
  calls = u.calls + excluded.calls, input = u.input + excluded.input,
  output = u.output + excluded.output, cost = u.cost + excluded.cost
"""


class PostgresCounts:
    """A row for each bucket; who takes a call holds the row for that moment alone."""

    def __init__(self, links: PostgresLinks) -> None:
        self._links = links

    async def take(self, buckets: Sequence[CallBucket]) -> list[float]:
        with self._links.using(_ask) as link:
            # Each by itself: rows held together in another order would wait for each other.
            return [
                float(_first(link, _TAKE, (each.name, each.step_s, each.step_s))[0])
                for each in buckets
            ]

    async def give_back(self, buckets: Sequence[CallBucket]) -> None:
        with self._links.using(_ask) as link:
            for each in buckets:
                back = f"update {SCHEMA}.buckets set full_at = full_at - %s where name = %s"
                link.raw.execute(back, (each.step_s, each.name))

    async def add(self, name: str, day: str, usage: Usage) -> None:
        used = usage.calls, usage.input_tokens, usage.output_tokens, usage.cost_usd
        with self._links.using(_ask) as link:
            link.raw.execute(_ADD, (name, day, *used))

    async def spent(self, name: str, day: str) -> Usage:
        asked = (
            f"select coalesce(sum(calls), 0), coalesce(sum(input), 0), coalesce(sum(output), 0),"
            f" coalesce(sum(cost), 0) from {SCHEMA}.used where name = %s and day = %s"
        )
        with self._links.using(_ask) as link:
            calls, input, output, cost = _first(link, asked, (name, day))
        return Usage(
            calls=int(calls),
            input_tokens=int(input),
            output_tokens=int(output),
            cost_usd=float(cost),
        )


def _ask(link: CampaignLink) -> None:
    """Whether the connection lives: an idle one may have died."""
    link.raw.execute("select 1")


def _first(link: CampaignLink, asked: str, values: Sequence[object]) -> Sequence[float]:
    row = link.raw.execute(asked, values).fetchone()
    assert row is not None, "an insert that returns, and a sum, give a row"
    return row
