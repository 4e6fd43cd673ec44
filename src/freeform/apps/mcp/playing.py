"""Tools that change something: begin, take turns, go back and forth, game nights."""

from typing import Any

from mcp.server.mcpserver import MCPServer

from freeform.apps.mcp.plainly import plainly
from freeform.engine.campaign.limits import LimitChange
from freeform.engine.log import LogPosition
from freeform.services import campaigns, play, sessions
from freeform.services import limits as safety
from freeform.services.gm import oracle
from freeform.services.house import House
from freeform.services.play import Turns
from freeform.services.scenario import forging
from freeform.services.table import acting


def add_playing_tools(server: MCPServer[Any], house: House, turns: Turns) -> None:
    """Adds them."""
    _add_turn_tools(server, house, turns)
    _add_time_tools(server, house, turns)
    _add_oracle(server, house, turns)
    _add_night_tools(server, house)


def _add_turn_tools(server: MCPServer[Any], house: House, turns: Turns) -> None:
    @server.tool()
    async def begin_campaign(
        scenario: str = "",
        campaign: str = "",
        seed: int | None = None,
        premise: str = "",
        packs: list[str] | None = None,
    ) -> dict[str, Any]:
        """Begins a campaign, with session zero as its scenario has it: of a scenario, or of one
        that is made from a premise in a sentence, from packs, or both."""

        async def begin() -> campaigns.CampaignBegun:
            order = forging.ForgeOrder(premise=premise or None, packs=packs or [], seed=seed)
            forging.check_wanted(scenario or None, order)
            if not scenario:
                return await forging.begin_forged(house, order, campaign=campaign or None)
            return await campaigns.begin_campaign(
                house, scenario, campaign=campaign or None, seed=seed
            )

        begun = await plainly(begin())
        return begun.model_dump(mode="json")

    @server.tool()
    async def new_scenario(
        premise: str = "",
        packs: list[str] | None = None,
        genre: str = "",
        tone: str = "",
        seed: int | None = None,
    ) -> dict[str, Any]:
        """Makes a scenario from a premise in a sentence, from packs, or from a seed alone, and
        keeps it. Tells its secrets: for who prepares the game, not for who plays it."""
        order = forging.ForgeOrder(
            premise=premise or None, packs=packs or [], genre=genre, tone=tone, seed=seed
        )
        made = await plainly(forging.new_scenario(house, order))
        return made.model_dump(mode="json")

    @server.tool()
    async def take_turn(
        campaign: str, text: str, turn_id: str = "", seat: str = ""
    ) -> dict[str, Any]:
        """Plays one turn: what the player's character does or says, in free text. The same turn_id
        again is the same turn and is not played twice. At a table of several people `seat` says who
        acts; `list_seats` names them."""

        async def take() -> dict[str, Any]:
            say = await play.say_of(house, campaign, text, turn_id=turn_id)
            if seat:
                say = await acting.say_as(house, campaign, seat, say)
            await turns.play(say)
            told = await play.told_turn(house, say)
            return told.model_dump(mode="json", by_alias=True)

        return await plainly(take())

    @server.tool()
    async def retry_turn(campaign: str) -> dict[str, Any]:
        """Takes the last turn once more: the same words, other dice. The old take is kept."""

        async def again() -> dict[str, Any]:
            say = await turns.replay(campaign, "retry", lambda: play.rewind(house, campaign))
            told = await play.told_turn(house, say)
            return told.model_dump(mode="json", by_alias=True)

        return await plainly(again())


def _add_time_tools(server: MCPServer[Any], house: House, turns: Turns) -> None:
    async def go(campaign: str, why: str, work: play.Move) -> dict[str, Any]:
        place = await plainly(turns.move(campaign, why, work))
        return _place(campaign, place)

    @server.tool()
    async def undo(campaign: str, turns: int = 1) -> dict[str, Any]:
        """Takes turns back, with everything they changed."""
        return await go(campaign, "undo", lambda: play.undo(house, campaign, turns))

    @server.tool()
    async def redo(campaign: str) -> dict[str, Any]:
        """Goes forward again after an undo."""
        return await go(campaign, "redo", lambda: play.redo(house, campaign))

    @server.tool()
    async def start_branch(
        campaign: str, turn_no: int | None = None, name: str = ""
    ) -> dict[str, Any]:
        """Starts a branch from after a turn, or from now, and play goes on there."""
        return await go(
            campaign, "branch", lambda: play.start_branch(house, campaign, turn_no, name)
        )

    @server.tool()
    async def switch_branch(campaign: str, branch: str) -> dict[str, Any]:
        """Goes to another branch."""
        return await go(campaign, "switch", lambda: play.switch_branch(house, campaign, branch))

    @server.tool()
    async def x_card(campaign: str, what: str = "") -> dict[str, Any]:
        """The X-card: takes the last turn back, and keeps what is named out of play."""
        await plainly(turns.stop(campaign))
        return await go(campaign, "x", lambda: play.use_x_card(house, campaign, what))

    @server.tool()
    async def limits(
        campaign: str,
        lines: list[str] | None = None,
        veils: list[str] | None = None,
        remove: list[str] | None = None,
    ) -> dict[str, Any]:
        """The lines (never shown) and veils (only off-screen) of a campaign. Topics that are given
        become lines or veils from the next sentence on, or neither."""
        change = LimitChange(lines=lines or [], veils=veils or [], remove=remove or [])
        if lines or veils or remove:
            await go(campaign, "limits", lambda: safety.change_limits(house, campaign, change))
        shown = await plainly(safety.show_limits(house, campaign))
        return shown.model_dump(mode="json")


def _add_oracle(server: MCPServer[Any], house: House, turns: Turns) -> None:
    @server.tool()
    async def ask_oracle(campaign: str, text: str = "", odds: str = "") -> dict[str, Any]:
        """Asks the oracle a yes-or-no question, with odds (unlikely, even, likely …), or for a row
        of a random table by its name; without text, lists the tables. Kept in the log; undo takes
        it back."""
        if not text.strip():
            return (await plainly(oracle.list_tables(house, campaign))).model_dump(mode="json")
        asked = turns.move(
            campaign, "oracle", lambda: oracle.ask_oracle(house, campaign, text, odds)
        )
        return (await plainly(asked)).model_dump(mode="json")


def _add_night_tools(server: MCPServer[Any], house: House) -> None:
    @server.tool()
    async def start_session(campaign: str) -> dict[str, Any]:
        """Opens a game night."""
        night = await plainly(sessions.start_session(house, campaign))
        return night.model_dump(mode="json")

    @server.tool()
    async def end_session(campaign: str) -> dict[str, Any]:
        """Closes the game night with a summary of its turns."""
        night = await plainly(sessions.end_session(house, campaign))
        return night.model_dump(mode="json")


def _place(campaign: str, place: LogPosition) -> dict[str, Any]:
    return {"campaign": campaign, "branch": place.branch, "turn_no": place.turn_no}
