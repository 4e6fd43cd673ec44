"""The verb `lore mcp`: one of the three lore servers, or the gateway over them, until it is ended."""

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at
from freeform.apps.cli.lore.verbs import lore

if TYPE_CHECKING:
    import socket

    from freeform.settings import Settings


class LoreServer(StrEnum):
    """Which server."""

    storage = "storage"
    search = "search"
    crawler = "crawler"
    gateway = "gateway"


PORTS = {
    LoreServer.storage: 8801,
    LoreServer.search: 8802,
    LoreServer.crawler: 8803,
    LoreServer.gateway: 8811,
}


def add_to(app: typer.Typer) -> None:
    """The verb belongs to the group `lore`, which another file adds."""
    lore.command(epilog="Example: freeform-rpg lore mcp storage --port 8801")(mcp)


def mcp(
    ctx: typer.Context,
    server: Annotated[
        LoreServer,
        typer.Argument(help="storage, search, crawler, or gateway: the tools of all three."),
    ],
    host: Annotated[
        str, typer.Option(help="Where to listen; any but loopback needs the setting lore_mcp_key.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(help="Its port; 0 takes the usual one.", min=0, max=65535)
    ] = 0,
) -> None:
    """Serves lore tools over streamable HTTP at /mcp. The Storage server is the one owner of its database."""
    from freeform.core.errors import UserError

    desk = at(ctx)
    try:
        from freeform.apps.lore_mcp.serve import check_door, make_app
    except ImportError:
        raise UserError(
            'the lore servers need their packages: pip install "freeform-rpg[lore]"'
        ) from None
    key = desk.settings.lore_mcp_key.get_secret_value()
    check_door(host, key)
    made, closing = _made(server, desk.settings)
    _run(desk, make_app(made, key), host, port or PORTS[server], server.value, closing)


def _made(server: LoreServer, settings: "Settings") -> tuple[Any, list[Any]]:
    """The server with its tools, and what to close afterwards."""
    from freeform.apps.lore_mcp.serve import new_server
    from freeform.apps.lore_mcp.tools import add_crawler, add_search, add_storage
    from freeform.wiring.lore_servers import Web, lore_store, own_lore_store

    made = new_server(server.value)
    if server is LoreServer.storage:
        store = own_lore_store(settings)
        add_storage(made, store)
        return made, [store]
    if server is not LoreServer.gateway:
        # A server does its work itself, whatever addresses are set for those who use it.
        settings = settings.model_copy(
            update={"lore_gateway_url": "", "lore_search_mcp_url": "", "lore_crawler_mcp_url": ""}
        )
    else:
        settings = settings.model_copy(update={"lore_gateway_url": ""})
    web = Web(settings)
    closing: list[Any] = [web]
    if server in (LoreServer.search, LoreServer.gateway):
        add_search(made, web.search)
    if server in (LoreServer.crawler, LoreServer.gateway):
        add_crawler(made, web.crawler)
    if server is LoreServer.gateway:
        store = lore_store(settings)
        add_storage(made, store)
        closing.append(store)
    return made, closing


def _run(desk: Desk, app: Any, host: str, port: int, name: str, closing: list[Any]) -> None:
    import asyncio

    import uvicorn

    async def serve() -> None:
        config = uvicorn.Config(
            app, log_level="warning", lifespan="on", timeout_graceful_shutdown=3
        )
        try:
            with _door(host, port) as door:
                desk.note(
                    f"The lore {name} server listens at http://{host}:{port}/mcp. End it with Ctrl-C."
                )
                await uvicorn.Server(config).serve([door])
        finally:
            for each in closing:
                await each.close()

    with desk.serving(f"lore {name}"):
        asyncio.run(serve())


def _door(host: str, port: int) -> "socket.socket":
    """The port, taken. uvicorn's own way out of a taken port is to end the process with its own words."""
    import socket

    from freeform.core.errors import UserError

    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM
        )[0]
        door = socket.socket(family, kind, protocol)
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(address)
    except OSError as wrong:
        reason = (wrong.strerror or str(wrong)).lower()
        raise UserError(
            f"{host}:{port} cannot be listened at ({reason}); choose another with --port or --host"
        ) from None
    return door
