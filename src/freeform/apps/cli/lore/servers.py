"""The verb `lore mcp`: one of the three lore servers, or the gateway over them."""

from enum import StrEnum
from typing import Annotated

import typer

from freeform.apps.cli.desk import at
from freeform.apps.cli.doors import ListenAt
from freeform.apps.cli.lore.verbs import lore


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
    """Serves lore tools over HTTP at /mcp. The Storage server is the one owner of its database."""
    desk = at(ctx)
    where = ListenAt(host, port or PORTS[server])
    desk.doors.lore_mcp(desk.settings, server.value, where, desk.note)
