"""The MCP server of one who sits at a shared table: tools with a seat's rights and a seat's sight.

A request's token says whose seat it is, and the table of the web's own addresses says what that
seat may do; so a tool refuses what HTTP refuses, in the same sentence. Nothing of another table, of
the library or of the settings is here.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from mcp.server.mcpserver import Context, MCPServer
from starlette.requests import Request

from freeform import __version__
from freeform.apps.mcp.plainly import plainly
from freeform.core.errors import Forbidden
from freeform.engine.log import LogPosition
from freeform.services import campaigns, play
from freeform.services.assistant.seated import ask_at_table
from freeform.services.assistant.threads import REMEMBERED
from freeform.services.gm import telling
from freeform.services.house import House
from freeform.services.play import Turns
from freeform.services.table import acting, dice, people, talk
from freeform.services.table.due import LiveTables, play_due
from freeform.services.table.sight import elsewhere, house_of
from freeform.services.table.views import company, seen_from
from freeform.services.table.wire import TableWire
from freeform.services.views.story import without_models

ABOUT = (
    "A seat at somebody's table of tabletop role-playing. `look` shows where you are and what your "
    "character knows, `who_is_here` whose turn it is, `take_turn` hands in what your character "
    "does, `read_story` tells what happened before your eyes. The table decides rolls and facts."
)
NOT_YOURS = "that is not for your seat; ask the host"
LATELY = 20


@dataclass(frozen=True)
class McpSeat:
    """Whose seat a request comes from. `may` answers for a method and an address under it."""

    campaign: str
    person: str
    may: Callable[[str, str], bool]
    knows_secrets: bool = False


SeatAsking = Callable[[Request], McpSeat]


@dataclass(frozen=True)
class ByHandDoor:
    """How a game master tells turns where pages are open at the table: between others."""

    propose: Callable[[str, str, telling.ProposeWish], Awaitable[telling.TurnProposed]]
    tell: Callable[[str, str, telling.TellWish], Awaitable[LogPosition]]


@dataclass(frozen=True)
class SeatDoor:
    """What the seats of a server share."""

    house: House
    turns: Turns
    live: LiveTables
    seat_of: SeatAsking
    hand: ByHandDoor
    wire: TableWire | None = None

    def sits(self, ctx: Context[Any, Any], method: str, path: str) -> McpSeat:
        """Who asks; Forbidden where HTTP would refuse it."""
        request = ctx.request_context.request
        if not isinstance(request, Request):
            raise Forbidden(NOT_YOURS)
        seat = self.seat_of(request)
        if not seat.may(method, f"/api/campaigns/{seat.campaign}{path}"):
            raise Forbidden(NOT_YOURS)
        return seat


def make_seat_mcp(door: SeatDoor) -> MCPServer[Any]:
    """The server, over HTTP."""
    server: MCPServer[Any] = MCPServer(
        "freeform-rpg-seat",
        title="Freeform RPG, a seat",
        instructions=ABOUT,
        version=__version__,
        log_level="WARNING",
    )
    _add_looking(server, door)
    _add_asking(server, door)
    _add_acting(server, door)
    _add_beside(server, door)
    _add_leading(server, door)
    return server


def _add_asking(server: MCPServer[Any], door: SeatDoor) -> None:
    @server.tool()
    async def ask(
        ctx: Context[Any, Any], question: str, before: list[str] | None = None
    ) -> dict[str, Any]:
        """Answers a question from your character's sheet, what your character saw, and the rules,
        with sources. `before`: what you asked before it."""

        async def read() -> dict[str, Any]:
            seat = door.sits(ctx, "POST", "/company/ask")
            told = await ask_at_table(
                door.house, seat.campaign, seat.person, question, (before or [])[-REMEMBERED:]
            )
            return told.model_dump(mode="json", by_alias=True)

        return await plainly(read())


def _add_looking(server: MCPServer[Any], door: SeatDoor) -> None:
    @server.tool()
    async def look(ctx: Context[Any, Any]) -> dict[str, Any]:
        """Shows the table as your seat sees it: scene, who is here, your things, clocks, threads,
        what is known."""

        async def read() -> dict[str, Any]:
            seat = door.sits(ctx, "GET", "/table")
            house = await house_of(door.house, seat.campaign, seat.person)
            shown = await campaigns.table_view(house, seat.campaign)
            shared = await people.get_table(house, seat.campaign)
            return seen_from(shown, shared, seat.person).model_dump(mode="json", by_alias=True)

        return await plainly(read())

    @server.tool()
    async def read_story(ctx: Context[Any, Any], last: int = 5) -> dict[str, Any]:
        """Reads the last turns that your seat saw, oldest first."""

        async def read() -> dict[str, Any]:
            seat = door.sits(ctx, "GET", "/story")
            house = await house_of(door.house, seat.campaign, seat.person)
            most = max(1, min(last, LATELY))
            told = await campaigns.read_story(house, seat.campaign, limit=most)
            told = told if seat.knows_secrets else without_models(told)
            return told.model_dump(mode="json", by_alias=True)

        return await plainly(read())

    @server.tool()
    async def who_is_here(ctx: Context[Any, Any]) -> dict[str, Any]:
        """Lists who sits at the table, whose turn it is, how turns go, and who is elsewhere."""

        async def read() -> dict[str, Any]:
            seat = door.sits(ctx, "GET", "/company")
            table = await acting.follow_order(door.house, seat.campaign)
            shown = company(table, seat.person)
            away = await elsewhere(door.house, table, seat.person)
            return shown.model_copy(update={"elsewhere": away}).model_dump(mode="json")

        return await plainly(read())


def _add_acting(server: MCPServer[Any], door: SeatDoor) -> None:
    @server.tool()
    async def take_turn(ctx: Context[Any, Any], text: str, turn_id: str = "") -> dict[str, Any]:
        """Hands in what your character does or says, in free text. Tells the turn once it is
        played, or who is waited for. The same turn_id again is the same turn."""

        async def take() -> dict[str, Any]:
            seat = door.sits(ctx, "POST", "/turns")
            handed = await acting.hand_in(
                door.house, seat.campaign, seat.person, text, turn_id=turn_id
            )
            door.live.changed(seat.campaign, "handed in")
            failed = await play_due(door.house, seat.campaign, door.live, door.wire)
            if handed.turn_id in failed:
                raise failed[handed.turn_id]
            house = await house_of(door.house, seat.campaign, seat.person)
            told = without_models(await campaigns.read_story(house, seat.campaign, limit=LATELY))
            ours = [turn for turn in told.turns if _is(turn, handed.turn_id)]
            now = await people.get_table(door.house, seat.campaign)
            return {
                "turn_id": handed.turn_id,
                "waits_for": [] if ours else handed.waits_for,
                "turn": ours[-1].model_dump(mode="json", by_alias=True) if ours else None,
                "turn_of": company(now, seat.person).turn_of,
            }

        return await plainly(take())

    @server.tool()
    async def x_card(ctx: Context[Any, Any], what: str = "") -> dict[str, Any]:
        """The X-card: takes the last turn back, and keeps what is named out of play."""

        async def use() -> dict[str, Any]:
            seat = door.sits(ctx, "POST", "/x")
            await door.turns.stop(seat.campaign)

            async def work() -> LogPosition:
                return await play.use_x_card(door.house, seat.campaign, what)

            place = await door.turns.move(seat.campaign, "x", work)
            return {"turn_no": place.turn_no}

        return await plainly(use())


def _is(turn: Any, id: str) -> bool:
    return id in (turn.turn_id, *(part.turn_id for part in turn.parts))


def _add_beside(server: MCPServer[Any], door: SeatDoor) -> None:
    @server.tool()
    async def say_beside(
        ctx: Context[Any, Any], text: str, to: list[str] | None = None
    ) -> dict[str, Any]:
        """Says something beside the story, out of character; with `to`, whispers it to those."""

        async def say() -> dict[str, Any]:
            seat = door.sits(ctx, "POST", "/company/talk")
            line = await talk.say_beside(door.house, seat.campaign, seat.person, text, to or [])
            table = await people.get_table(door.house, seat.campaign)
            door.live.said(table, line)
            return _row(table, line)

        return await plainly(say())

    @server.tool()
    async def read_talk(ctx: Context[Any, Any], after: int = 0) -> dict[str, Any]:
        """Reads what was said beside the story, and what was whispered to you."""

        async def read() -> dict[str, Any]:
            seat = door.sits(ctx, "GET", "/company/talk")
            rows = await talk.read_talk(door.house, seat.campaign, seat.person, max(0, after))
            return {"lines": [row.model_dump(mode="json") for row in rows]}

        return await plainly(read())

    @server.tool()
    async def roll(
        ctx: Context[Any, Any], expr: str, why: str = "", secret: str = ""
    ) -> dict[str, Any]:
        """Rolls dice at the table for all to see; `secret`: `mine`, or `gm` for the game master,
        too."""

        async def throw() -> dict[str, Any]:
            seat = door.sits(ctx, "POST", "/company/rolls")
            hidden = dice.read_secrecy(secret)
            wish = dice.RollWish(expr=expr[:80], why=why[:200], secret=hidden)
            line = await dice.roll_at_table(door.house, seat.campaign, seat.person, wish)
            table = await people.get_table(door.house, seat.campaign)
            door.live.said(table, line)
            return _row(table, line)

        return await plainly(throw())


def _row(table: Any, line: Any) -> dict[str, Any]:
    names = {each.id: each.name for each in table.people}
    return talk.talk_row(line, names).model_dump(mode="json")


def _add_leading(server: MCPServer[Any], door: SeatDoor) -> None:
    @server.tool()
    async def list_written(ctx: Context[Any, Any]) -> dict[str, Any]:
        """For the game master who tells every turn: what players have written, not told yet."""

        async def read() -> dict[str, Any]:
            seat = door.sits(ctx, "GET", "/company/written")
            rows = await telling.list_written(door.house, seat.campaign, seat.person)
            return {"written": [row.model_dump(mode="json") for row in rows]}

        return await plainly(read())

    @server.tool()
    async def propose_telling(
        ctx: Context[Any, Any], turns: list[str] | None = None, text: str = "", seat: str = ""
    ) -> dict[str, Any]:
        """For the game master: what the engine would rule, roll and say; nothing is written."""

        async def ask() -> dict[str, Any]:
            asks = door.sits(ctx, "POST", "/company/propose")
            wish = telling.ProposeWish(turns=turns or [], text=text, seat=seat)
            made = await door.hand.propose(asks.campaign, asks.person, wish)
            return made.model_dump(mode="json")

        return await plainly(ask())

    @server.tool()
    async def tell_turn(
        ctx: Context[Any, Any],
        text: str,
        turns: list[str] | None = None,
        proposed: bool = False,
        turn_id: str = "",
        proposal: str = "",
    ) -> dict[str, Any]:
        """For the game master: tells a turn; `proposed` keeps what was ruled in the last proposal,
        with `proposal` the one of that id. The same turn_id again tells it once."""

        async def write() -> dict[str, Any]:
            seat = door.sits(ctx, "POST", "/company/tell")
            wish = telling.TellWish(
                text=text,
                turns=turns or [],
                proposed=proposed or bool(proposal),
                proposal=proposal,
                turn_id=turn_id[:60],
            )
            place = await door.hand.tell(seat.campaign, seat.person, wish)
            return {"turn_no": place.turn_no}

        return await plainly(write())
