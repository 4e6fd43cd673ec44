"""The MCP door: the table as tools and resources for other programs' models."""

from collections.abc import Awaitable
from typing import Any, TypeVar

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ToolError

from freeform import __version__
from freeform.apps.web import views
from freeform.apps.web.room import Room
from freeform.apps.web.routes.asking import AskBody, answer
from freeform.apps.web.routes.packs import search_lore as search
from freeform.core.errors import FreeformError, NotFound
from freeform.core.ids import RandomIds
from freeform.core.log import request
from freeform.engine.campaign import sessions
from freeform.engine.table import Rules
from freeform.engine.turn import Say, hear
from freeform.packs.verbs import pack_info, pack_list

T = TypeVar("T")
ABOUT = (
    "A table of tabletop role-playing. `list_campaigns` says what is being played, `take_turn` does or says something "
    "as the player's character, `read_state` shows what the player knows. Rolls and facts are decided by the table."
)


def make_mcp(room: Room) -> MCPServer[Any]:
    """The server; over HTTP and on standard input and output alike."""
    server: MCPServer[Any] = MCPServer(
        "freeform-rpg",
        title="Freeform RPG",
        instructions=ABOUT,
        version=__version__,
        log_level="WARNING",
    )
    _add_tools(server, room)
    _add_resources(server, room)
    return server


def _add_tools(server: MCPServer[Any], room: Room) -> None:
    @server.tool()
    async def list_campaigns() -> dict[str, Any]:
        """Lists the campaigns, last played first."""
        rows = await _plainly(room.table.store.campaigns())
        return {"campaigns": [row.model_dump(mode="json") for row in rows]}

    @server.tool()
    async def take_turn(campaign: str, text: str, turn_id: str = "") -> dict[str, Any]:
        """Plays one turn: what the player's character does or says, in free text. The same turn_id again is the
        same turn and is not played twice."""
        return await _plainly(_take(room, campaign, text, turn_id))

    @server.tool()
    async def read_state(campaign: str) -> dict[str, Any]:
        """Reads the table as the player sees it: scene, who is here, things, clocks, threads, known facts."""

        async def work() -> dict[str, Any]:
            rules = Rules.of(await room.table.store.begun(campaign))
            state = await room.table.store.get_state(campaign)
            used = await room.table.tapes.spent(campaign, "1970-01-01T00:00:00Z")
            head = {"campaign": campaign, "turn_no": state.turn_no, "branch": state.branch}
            return {**head, **views.table(state, rules, used).model_dump(mode="json")}

        return await _plainly(work())

    @server.tool()
    async def search_lore(query: str, campaign: str = "", k: int = 8) -> dict[str, Any]:
        """Searches the packs (of a campaign, or all) as a player may read them; each passage names its file."""
        found = await _plainly(
            search(room, query[:1000], [], [], campaign, "all", "player", max(1, min(k, 50)))
        )
        return found.model_dump(mode="json")

    @server.tool()
    async def ask(
        question: str, character: str = "", notes: str = "", edition: str = "", campaign: str = ""
    ) -> dict[str, Any]:
        """Answers a question from a character sheet (its id), session notes (a campaign's id) and the rulebooks, with
        numbered sources, computed numbers and their parts. `campaign` stands for both sheet and notes."""
        asked = {
            "question": question[:100_000],
            "character": character or campaign,
            "notes": notes or campaign,
            "edition": edition if edition in ("5.1", "5.2") else "",
        }
        told = await _plainly(answer(room, AskBody.model_validate(asked)))
        return told.model_dump(mode="json")

    @server.tool()
    async def recap(campaign: str) -> dict[str, Any]:
        """Tells what happened previously, with the turns it comes from."""
        return {"recap": await _plainly(sessions.recap(campaign, room.table))}


def _add_resources(server: MCPServer[Any], room: Room) -> None:
    @server.resource("freeform://packs", mime_type="application/json")
    async def packs() -> str:
        """Every pack at hand."""
        return pack_list(room.books.shelf).model_dump_json()

    @server.resource("freeform://packs/{pack}", mime_type="application/json")
    async def pack(pack: str) -> str:
        """One pack: its manifest and what is in it."""
        try:
            return pack_info(room.books.shelf, pack).model_dump_json()
        except FreeformError as wrong:
            raise ResourceError(str(wrong)) from None

    @server.resource("freeform://campaigns/{campaign}/sessions", mime_type="application/json")
    async def nights(campaign: str) -> str:
        """The game nights of a campaign, with their summaries."""
        try:
            state = await room.table.store.get_state(campaign)
        except FreeformError as wrong:
            raise ResourceError(str(wrong)) from None
        rows = ",".join(night.model_dump_json() for night in sessions.history(state))
        return f"[{rows}]"


async def _take(room: Room, campaign: str, text: str, turn_id: str) -> dict[str, Any]:
    said = hear(text)
    await room.table.store.head(campaign)
    say = Say(campaign=campaign, text=said, turn_id=turn_id or room.table.ids.new("turn"))
    flight = room.plays.start(say)
    if flight:
        await room.plays.ended(flight)
    logged = await room.table.store.find_turn(campaign, say.turn_id)
    state = await room.table.store.get_state(campaign)
    turns = views.story(logged, {}, state)
    if not turns:
        raise NotFound("that turn was taken back since; read the state, then take another")
    return turns[0].model_dump(mode="json", by_alias=True)


async def _plainly(work: Awaitable[T]) -> T:
    """Our errors as the sentences that they are."""
    try:
        # A tool may run in a task that outlives the request it came with.
        with request(RandomIds().new("mcp")):
            return await work
    except FreeformError as wrong:
        raise ToolError(str(wrong)) from None
