"""The servers that the settings name, and whether they answer."""

import asyncio
from dataclasses import dataclass, field

from freeform.adapters.reach.knock import knock
from freeform.settings import Settings


@dataclass(frozen=True)
class OutsideServer:
    """A server that the settings name. Its address may hold a password, and is never shown."""

    part: str
    setting: str
    address: str = field(repr=False)
    needed: bool
    """Whether nothing can be played without it."""


def outside_servers(settings: Settings, model: str) -> list[OutsideServer]:
    """All of them, each once for each setting that names it."""
    redis = settings.players_redis
    uses_redis = "redis" in (settings.players_channels, settings.players_workers)
    surreal = settings.lore_store if "://" in settings.lore_store else ""
    postgres = settings.players_checkpoints
    kind = model.partition(":")[0]
    where = {"ollama": settings.ollama_url, "openai": settings.base_url}.get(kind, "")
    named = [
        OutsideServer(
            "postgres (campaigns)", "store_url", settings.store_url.get_secret_value(), True
        ),
        OutsideServer("redis (players)", "players_redis", redis if uses_redis else "", False),
        OutsideServer("redis (limits)", "limits_redis", settings.limits_redis, False),
        OutsideServer("redis (research)", "research_redis", settings.research_redis, False),
        OutsideServer("rabbitmq", "lore_rabbitmq_url", settings.lore_rabbitmq_url, False),
        OutsideServer("surrealdb", "lore_store", surreal, False),
        OutsideServer("postgres (rounds)", "players_checkpoints", postgres, False),
        OutsideServer(
            "model server", "ollama_url" if kind == "ollama" else "base_url", where, False
        ),
    ]
    return [each for each in named if each.address]


async def problem_of(server: OutsideServer) -> str:
    """Why it does not answer, without its address; '' when it does."""
    if server.setting == "store_url":  # its address may name sockets, or several machines
        from freeform.adapters.postgres.links import why_unreached

        return await asyncio.to_thread(why_unreached, server.address)
    return await knock(server.address)
