"""Running one of the lore servers, or the gateway over them, until it is ended."""

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import uvicorn

from freeform.apps.lore_mcp.serve import App, check_door, make_app, new_server
from freeform.apps.lore_mcp.tools import add_crawler, add_search, add_storage
from freeform.core.errors import UserError
from freeform.settings import Settings
from freeform.wiring.lore_servers import Web, lore_store, own_lore_store

STORAGE, SEARCH, CRAWLER, GATEWAY = "storage", "search", "crawler", "gateway"


def run_server(
    settings: Settings, name: str, host: str, port: int, say: Callable[[str], None]
) -> None:
    """Serves until it is ended. Any host but loopback needs a key."""
    key = settings.lore_mcp_key.get_secret_value()
    check_door(host, key)
    server, closing = _made(name, settings)
    asyncio.run(_serve(make_app(server, key), (host, port), name, closing, say))


def _made(name: str, settings: Settings) -> tuple[Any, list[Any]]:
    """The server with its tools, and what to close afterwards."""
    server = new_server(name)
    if name == STORAGE:
        own = own_lore_store(settings)
        add_storage(server, own)
        return server, [own]
    # A server does its work itself, whatever addresses are set for those who use it.
    itself = {"lore_gateway_url": ""}
    if name != GATEWAY:
        itself |= {"lore_search_mcp_url": "", "lore_crawler_mcp_url": ""}
    alone = settings.model_copy(update=itself)
    web = Web(alone)
    closing: list[Any] = [web]
    if name in (SEARCH, GATEWAY):
        add_search(server, web.search)
    if name in (CRAWLER, GATEWAY):
        add_crawler(server, web.crawler)
    if name == GATEWAY:
        store = lore_store(alone)
        add_storage(server, store)
        closing.append(store)
    return server, closing


async def _serve(
    app: App, where: tuple[str, int], name: str, closing: list[Any], say: Callable[[str], None]
) -> None:
    config = uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=3)
    host, port = where
    try:
        with _door(host, port) as door:
            say(f"The lore {name} server listens at http://{host}:{port}/mcp. End it with Ctrl-C.")
            await uvicorn.Server(config).serve([door])
    finally:
        for each in closing:
            await each.close()


def _door(host: str, port: int) -> socket.socket:
    """The port, taken. uvicorn's own way out of a taken port is to end the process with its own words."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, address = found[0]
        door = socket.socket(family, kind, protocol)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(address)
    except OSError as wrong:
        reason = (wrong.strerror or str(wrong)).lower()
        raise UserError(
            f"{host}:{port} cannot be listened at ({reason}); choose another with --port or --host"
        ) from None
    return door
