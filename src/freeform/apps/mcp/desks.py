"""Tools of AI players and of the lore researcher: parties looked at and played, forks decided."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import plainly
from freeform.players.memory.ask_memory import MemoryQuestion
from freeform.services.house import House
from freeform.services.lore import desk
from freeform.services.party import memory, parties, views
from freeform.services.party.parties import PartyRequest, RunRequest

_MOST_ROUNDS = 50


def add_desk_tools(server: MCPServer[Any], house: House) -> None:
    """Adds them."""
    _add_party_tools(server, house)
    _add_party_views(server, house)
    _add_lore_tools(server, house)


def _add_party_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def new_party(
        scenario: str, players: str = "4", seed: int | None = None, strength: float = 0.3
    ) -> dict[str, Any]:
        """Seats AI players at a scenario: a number of bundled personas, or their names with commas.
        `strength` is how much they forget, 0 to 1."""
        request = PartyRequest(scenario=scenario, players=players, seed=seed, strength=strength)
        return (await plainly(parties.new_party(house, request))).model_dump(mode="json")

    @server.tool()
    async def list_parties() -> dict[str, Any]:
        """Lists the parties of AI players, and how far they have come."""
        rows = await plainly(parties.list_parties(house))
        return {"parties": [row.model_dump(mode="json") for row in rows]}

    @server.tool()
    async def run_party(party: str, rounds: int = 1) -> dict[str, Any]:
        """Plays rounds of a party; the engine rules."""
        request = RunRequest(rounds=max(1, min(rounds, _MOST_ROUNDS)))
        return (await plainly(parties.play_party(house, party, request))).model_dump(mode="json")

    @server.tool()
    async def answer_party(party: str, text: str) -> dict[str, Any]:
        """Answers what a party's round waits for, as its game master or the person in a seat."""
        given = await plainly(parties.answer_party(house, party, text))
        return {"party": party, "answered": given.model_dump(mode="json")}

    @server.tool()
    async def end_party_night(party: str) -> dict[str, Any]:
        """Ends a party's game night: a week goes by for those who remember."""
        return (await plainly(parties.end_night(house, party))).model_dump(mode="json")


def _add_party_views(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def party_channels(party: str, viewer: str, most: int = 50) -> dict[str, Any]:
        """Shows the messages that a player, a character or `dm` may hear, and no others."""
        return (await plainly(views.heard_by(house, party, viewer, most))).model_dump(mode="json")

    @server.tool()
    async def party_memory(
        party: str, agent: str, query: str = "", at: float | None = None, explain: bool = False
    ) -> dict[str, Any]:
        """Shows what a player remembers, right or wrong, and how sure; `at` is a day."""
        question = MemoryQuestion(query=query, at=at, explain=explain)
        return await plainly(memory.ask_player(house, party, agent, question))

    @server.tool()
    async def party_stats(party: str) -> dict[str, Any]:
        """Counts what was said, agreed, refused, tried and told."""
        return await plainly(views.stats_of(house, party))

    @server.tool()
    async def compare_parties(party: str, other: str) -> dict[str, Any]:
        """Lays two runs side by side and says where they part."""
        return await plainly(views.compare_parties(house, party, other))


def _add_lore_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def lore_status(game: str = "") -> dict[str, Any]:
        """Says where the lore researcher stands: the zone at work, what is done, what failed."""
        point = await plainly(desk.show_status(house.settings, game))
        return desk.without_step_data(point).model_dump(mode="json")

    @server.tool()
    async def lore_inbox(game: str = "") -> dict[str, Any]:
        """Lists the decisions that the lore researcher waits for."""
        rows = await plainly(desk.list_decisions(house.settings, game))
        return {"decisions": [row.model_dump(mode="json") for row in rows]}

    @server.tool()
    async def lore_decide(decision: str, choice: str) -> dict[str, Any]:
        """Answers a decision of the lore researcher: one of its options, by name or number."""
        work = desk.decide(house.settings, decision, choice, by="mcp", clock=house.table.clock)
        return (await plainly(work)).model_dump(mode="json")

    @server.tool()
    async def lore_graph(game: str = "", zone: str = "") -> dict[str, Any]:
        """Shows the accepted world: its things and how they hang together."""
        return (await plainly(desk.show_graph(house.settings, game, zone))).model_dump(mode="json")
