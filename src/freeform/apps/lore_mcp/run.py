"""Runs a lore server until it is ended: its ports opened, its tools added, its door held."""

import asyncio
import socket
from collections.abc import Callable
from typing import cast

import uvicorn
from mcp.server.mcpserver import MCPServer

from freeform.apps.lore_mcp.serve import App, check_door, make_app, new_server
from freeform.apps.lore_mcp.tools import add_crawler, add_search, add_storage
from freeform.core.errors import UserError
from freeform.services.lore.agents import ServedPorts, ServerName, opened_server
from freeform.settings import Settings

Say = Callable[[str], None]


def run_server(settings: Settings, name: str, host: str, port: int, say: Say) -> None:
    """Serves until it is ended. Any host but loopback needs a key."""
    check_door(host, settings.lore_mcp_key.get_secret_value())
    asyncio.run(_serve(settings, name, host, port, say))


async def _serve(settings: Settings, name: str, host: str, port: int, say: Say) -> None:
    async with opened_server(settings, cast(ServerName, name)) as ports:
        made = new_server(name)
        add_tools(made, ports)
        app = make_app(made, settings.lore_mcp_key.get_secret_value())
        with _door(host, port) as door:
            say(f"The lore {name} server listens at http://{host}:{port}/mcp. End it with Ctrl-C.")
            await uvicorn.Server(_config(app)).serve([door])


def _config(app: App) -> uvicorn.Config:
    return uvicorn.Config(app, log_level="warning", lifespan="on", timeout_graceful_shutdown=3)


def add_tools(server: "MCPServer[object]", ports: ServedPorts) -> None:
    """The tools of the ports that are there."""
    if ports.search is not None:
        add_search(server, ports.search)
    if ports.crawler is not None:
        add_crawler(server, ports.crawler)
    if ports.store is not None:
        add_storage(server, ports.store)


def _door(host: str, port: int) -> socket.socket:
    """The port, taken. uvicorn's own way out of a taken port is to end the process."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        family, kind, protocol, _, address = found
        door = socket.socket(family, kind, protocol)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(address)
    except OSError as wrong:
        reason = (wrong.strerror or str(wrong)).lower()
        raise UserError(
            f"{host}:{port} cannot be listened at ({reason}); choose another with --port or --host"
        ) from None
    return door
