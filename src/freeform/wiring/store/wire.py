"""How what happens at tables goes from process to process: over Postgres, where there is one, else
over a file of the home."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from urllib.parse import urlsplit, urlunsplit

from freeform import __version__
from freeform.core.ids import RandomIds
from freeform.players.people.ports import TableWire
from freeform.settings import Settings
from freeform.wiring.store import postgres_links

SHARED = (
    "model",
    "models_interpreter",
    "models_planner",
    "models_narrator",
    "models_cheap",
    "models_players",
    "passes",
    "context_tokens",
    "session_turns",
    "budget_turn_tokens",
    "budget_day_tokens",
    "rate_per_minute",
    "limits_redis",
    "embedding_url",
    "embedding_model",
    "index",
    "home",
)
"""Settings that make another game of it when processes differ in them."""


@asynccontextmanager
async def opened_wire(
    settings: Settings, *, several: bool = False
) -> AsyncIterator[tuple[TableWire | None, list[str]]]:
    """The wire to the other processes, and where their settings differ from ours; None where
    campaigns are files, and one process has all the tables (not `several`)."""
    if not settings.store_url.get_secret_value():
        if several:
            async with _over_a_file(settings) as near:
                yield near, []
        else:
            yield None, []
        return
    links = postgres_links(settings)
    from freeform.adapters.postgres.wire import PostgresWire

    links.check()
    said = {name: _shown(getattr(settings, name)) for name in SHARED} | {"version": __version__}
    said["limits_redis"] = _without_password(settings.limits_redis)
    wire = PostgresWire(links, RandomIds().new("server"), said)
    differing = await wire.open()
    try:
        yield wire, differing
    finally:
        await wire.close()
        links.close()


@asynccontextmanager
async def _over_a_file(settings: Settings) -> AsyncIterator[TableWire]:
    from freeform.adapters.sqlite.news import SqliteWire

    wire = SqliteWire(settings.home, RandomIds().new("server"))
    wire.open()
    try:
        yield wire
    finally:
        await wire.close()


def _without_password(url: str) -> str:
    """What others may read of an address."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _shown(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, default=str).strip('"')
