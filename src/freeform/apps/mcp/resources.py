"""What an MCP client may read: packs, and the game nights of a campaign."""

import json
from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import read_plainly
from freeform.services import packs as shelf
from freeform.services import sessions
from freeform.services.house import House


def add_resources(server: MCPServer[Any], house: House) -> None:
    """Adds them."""

    @server.resource("freeform://packs", mime_type="application/json")
    async def packs() -> str:
        """Every pack at hand."""
        return (await read_plainly(shelf.list_packs(house))).model_dump_json()

    @server.resource("freeform://packs/{pack}", mime_type="application/json")
    async def pack(pack: str) -> str:
        """One pack: its manifest and what is in it."""
        return (await read_plainly(shelf.pack_info(house, pack))).model_dump_json()

    @server.resource("freeform://campaigns/{campaign}/sessions", mime_type="application/json")
    async def nights(campaign: str) -> str:
        """The game nights of a campaign, with their summaries."""
        rows = await read_plainly(sessions.list_sessions(house, campaign))
        return json.dumps([row.model_dump(mode="json") for row in rows], ensure_ascii=False)
