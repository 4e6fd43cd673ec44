"""The lore researcher at work: the researcher, the validator, and what its servers serve."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.text import slug, visible
from freeform.lore.daemon.run import run_researcher, run_validator
from freeform.lore.messages import VALIDATOR
from freeform.lore.model import ResearchCheckpoint
from freeform.lore.ports import LoreStore, WebCrawler, WebSearch
from freeform.settings import Settings
from freeform.wiring.lore import opened_lore
from freeform.wiring.lore_servers import Web, lore_store, own_lore_store

ServerName = Literal["storage", "search", "crawler", "gateway"]
Write = Callable[[str], None]


class StartRequest(Record):
    """Which world, where to begin, and how far to go."""

    game: str
    zones: list[str] = Field(min_length=1)
    max_cycles: int = 0
    """Stop after so many zones; 0: no end."""
    verbose: bool = False
    """Log every search and page too."""
    separate_validator: bool = False


async def start_researcher(
    settings: Settings,
    request: StartRequest,
    write: Write,
    say: Write,
    stop: asyncio.Event,
) -> ResearchCheckpoint:
    """Researches until it is done or stopped; the same request goes on where it stopped.

    `write` hears the log, `say` what a person should know.
    """
    game = named(request.game, "a game")
    zones = [named(zone, "a zone") for zone in request.zones]
    least: Literal["debug"] | None = "debug" if request.verbose else None
    async with opened_lore(settings, write, least=least) as ports:
        return await run_researcher(
            game,
            zones,
            ports,
            max_cycles=request.max_cycles,
            own_validator=not request.separate_validator and ports.bus is None,
            stop=stop,
            say=say,
        )


async def start_validator(
    settings: Settings, write: Write, stop: asyncio.Event, *, once: bool
) -> int:
    """Checks packages and writes what it accepts; gives how many it checked."""
    async with opened_lore(settings, write, agent=VALIDATOR) as ports:
        return await run_validator(ports, stop=stop, once=once)


def named(text: str, what: str) -> str:
    """A name without what nobody sees; UserError where nothing is left of it."""
    name = visible(text)
    if not slug(name) or len(name) > 200:
        raise UserError(f"{what} needs a name of 1 to 200 characters with a letter or digit in it")
    return name


@dataclass
class ServedPorts:
    """What a lore server gives to its callers; None: not this one."""

    store: LoreStore | None = None
    search: WebSearch | None = None
    crawler: WebCrawler | None = None


@asynccontextmanager
async def opened_server(settings: Settings, name: ServerName) -> AsyncIterator[ServedPorts]:
    """What a server of that name serves, and closed afterwards."""
    async with AsyncExitStack() as closing:
        yield _served(settings, name, closing)


def _served(settings: Settings, name: ServerName, closing: AsyncExitStack) -> ServedPorts:
    if name == "storage":
        store = own_lore_store(settings)
        closing.push_async_callback(store.close)
        return ServedPorts(store=store)
    # A server does its work itself, whatever addresses are set for those who use it.
    own = {"lore_gateway_url": ""}
    if name != "gateway":
        own |= {"lore_search_mcp_url": "", "lore_crawler_mcp_url": ""}
    settings = settings.model_copy(update=own)
    web = Web(settings)
    closing.push_async_callback(web.close)
    if name == "search":
        return ServedPorts(search=web.search)
    if name == "crawler":
        return ServedPorts(crawler=web.crawler)
    store = lore_store(settings)
    closing.push_async_callback(store.close)
    return ServedPorts(store=store, search=web.search, crawler=web.crawler)
