"""Tools that change nothing: what is played, what the player knows, lore, dice."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import plainly
from freeform.retrieval.model import LoreRetrievalQuery
from freeform.services import campaigns, packs, play, sessions
from freeform.services.house import House
from freeform.services.scenario import check as checks
from freeform.services.table import people
from freeform.services.table.views import company

_LONGEST_QUERY = 1000
_MOST_PASSAGES = 50


def add_looking_tools(server: MCPServer[Any], house: House) -> None:
    """Adds them."""
    _add_lists(server, house)
    _add_reading(server, house)
    _add_searching(server, house)


def _add_lists(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def list_campaigns() -> dict[str, Any]:
        """Lists the campaigns, last played first."""
        rows = await plainly(campaigns.list_campaigns(house))
        return {"campaigns": [row.model_dump(mode="json") for row in rows]}

    @server.tool()
    async def list_seats(campaign: str) -> dict[str, Any]:
        """Lists who sits at a table of several people, and whose turn it is."""

        async def read() -> dict[str, Any]:
            table = await people.get_table(house, campaign)
            seen = company(table, table.owner().id).model_dump(mode="json")
            return {name: seen[name] for name in ("seats", "mode", "round", "turn_of")}

        return await plainly(read())

    @server.tool()
    async def list_scenarios() -> dict[str, Any]:
        """Lists what can be played."""

        async def read() -> list[dict[str, Any]]:
            rows = campaigns.list_scenarios(house.settings)
            return [row.model_dump(mode="json") for row in rows]

        return {"scenarios": await plainly(read())}

    @server.tool()
    async def check_scenario(scenario: str) -> dict[str, Any]:
        """Checks a scenario on the shelf: every mistake at once, and what play reaches of it."""
        found = await plainly(checks.check_scenario(house, scenario))
        return found.model_dump(mode="json")


def _add_reading(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def read_state(campaign: str) -> dict[str, Any]:
        """Reads the table as the player sees it: scene, who is here, things, clocks, threads, known
        facts."""

        async def read() -> dict[str, Any]:
            shown = await campaigns.table_view(house, campaign)
            state = await campaigns.game_state(house, campaign)
            head = {"campaign": campaign, "turn_no": state.turn_no, "branch": state.branch}
            return {**head, **shown.model_dump(mode="json")}

        return await plainly(read())

    @server.tool()
    async def why(campaign: str, fact_id: str) -> dict[str, Any]:
        """Says where a fact that the player knows comes from: turn, pack, or session zero."""
        return await plainly(campaigns.why(house, campaign, fact_id, known_only=True))

    @server.tool()
    async def list_branches(campaign: str) -> dict[str, Any]:
        """Lists the branches of a campaign, the oldest first."""
        rows = await plainly(play.list_branches(house, campaign))
        return {"branches": [row.model_dump(mode="json") for row in rows]}

    @server.tool()
    async def recap(campaign: str) -> dict[str, Any]:
        """Tells what happened previously, with the turns it comes from."""
        return {"recap": (await plainly(sessions.recap(house, campaign))).recap}


def _add_searching(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def search_lore(query: str, campaign: str = "", k: int = 8) -> dict[str, Any]:
        """Searches the packs (of a campaign, or all) as a player may read them; each passage names
        its file."""
        most = max(1, min(k, _MOST_PASSAGES))
        wanted = LoreRetrievalQuery(keywords=query[:_LONGEST_QUERY], k=most)
        found = await plainly(packs.search_packs(house, wanted, "player", campaign))
        return found.model_dump(mode="json")

    @server.tool()
    async def roll(expr: str) -> dict[str, Any]:
        """Rolls dice beside the game, e.g. 2d6+1 or 4d6kh3; they decide nothing."""

        async def throw() -> dict[str, Any]:
            return play.roll_dice(expr, house.table.ids.new("roll")).model_dump(mode="json")

        return await plainly(throw())
