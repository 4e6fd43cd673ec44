"""READ THIS FIRST. The MCP server of a house: its tools and resources, and how it is reached.

client ──┬── standard input and output ──> run_stdio
         └── HTTP at /mcp, beside the web app ──> http_routes      (the launcher puts it there)
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings
from starlette.routing import BaseRoute, Route

from freeform import __version__
from freeform.apps.mcp.assistant import add_assistant_tools
from freeform.apps.mcp.desks import add_desk_tools
from freeform.apps.mcp.drafting import add_draft_tools
from freeform.apps.mcp.looking import add_looking_tools
from freeform.apps.mcp.mastering import add_gm_tools
from freeform.apps.mcp.playing import add_playing_tools
from freeform.apps.mcp.resources import add_resources
from freeform.services.house import House, opened_house
from freeform.services.play import OwnTurns, Turns
from freeform.settings import Settings

ABOUT = (
    "A table of tabletop role-playing. `list_campaigns` says what is being played, `take_turn` "
    "does or says something as the player's character, `read_state` shows what the player knows. "
    "Rolls and facts are decided by the table."
)


def make_mcp(house: House, turns: Turns) -> MCPServer[Any]:
    """The server; over HTTP and on standard input and output alike."""
    server: MCPServer[Any] = MCPServer(
        "freeform-rpg",
        title="Freeform RPG",
        instructions=ABOUT,
        version=__version__,
        log_level="WARNING",
    )
    add_looking_tools(server, house)
    add_playing_tools(server, house, turns)
    add_gm_tools(server, house, turns)
    add_assistant_tools(server, house)
    add_desk_tools(server, house)
    add_draft_tools(server, house)
    add_resources(server, house)
    return server


def http_routes(
    server: MCPServer[Any], host: str, *, stateless: bool = False
) -> Sequence[BaseRoute]:
    """Its routes for an app that guards its own door; `session_manager.run` must run meanwhile.
    `stateless`: no session of one is there for another to find."""
    guarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    inner = server.streamable_http_app(
        streamable_http_path="/mcp",
        host=host,
        transport_security=guarded,
        stateless_http=stateless,
    )
    return [route for route in inner.routes if isinstance(route, Route)]


def run_stdio(settings: Settings) -> None:
    """Serves on standard input and output until it is closed."""

    async def run() -> None:
        async with opened_house(settings, files=False) as house:
            await make_mcp(house, OwnTurns(house)).run_stdio_async()

    asyncio.run(run())
