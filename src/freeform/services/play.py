"""Play: taking turns, going back and forth, other takes and other words, the X-card, dice."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol

from freeform.core.chance import Chance
from freeform.core.errors import NotFound, UserError
from freeform.core.record import Record
from freeform.engine import turn as engine
from freeform.engine import typed
from freeform.engine.campaign import timeline
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.campaign.x_card import x_card
from freeform.engine.log import Branch, LogPosition, Resolved
from freeform.engine.rules.fight.foes import order_in
from freeform.engine.signals import Show, quiet
from freeform.engine.story.seen import SeenStore
from freeform.engine.turn import Say
from freeform.engine.typed import TurnPart
from freeform.engine.world.by_hand import BY_PEN
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import PLAYER
from freeform.players.people import order
from freeform.players.people.model import SharedTable
from freeform.services.house import House
from freeform.services.views.records import TurnView
from freeform.services.views.story import story

if TYPE_CHECKING:
    from freeform.core.dice import Thrown

Mode = Literal["do", "say", "ask", "roll", "go"]
"""How the words of a player are meant; `go` is no deed: the game master goes on."""
GO_ON = "I wait and see what happens."
_QUOTES = "\"“'‘«"


class Take(Record):
    """One take on a turn, and whether it is the one that holds."""

    take: int
    player_input: str
    final_text: str
    chosen: bool


class Rewritten(Record):
    """Play stands before a turn, and this is what is played there next."""

    place: LogPosition
    say: Say


def hear(text: str, mode: Mode = "do") -> str:
    """What a player typed, as it is meant. UserError when it is empty or far too long."""
    spoken = text.strip() or (GO_ON if mode == "go" else "")
    if mode == "say" and spoken and spoken[0] not in _QUOTES:
        spoken = f'I say: "{spoken}"'
    elif mode == "ask" and spoken and not spoken.endswith("?"):
        spoken = f"{spoken}?"
    return typed.hear(spoken)


async def say_of(
    house: House, campaign: str, text: str, *, mode: Mode = "do", turn_id: str = ""
) -> Say:
    """A turn ready to be played. The same id again is the same turn. Where others sit at the
    table, too, it is the owner's hero who acts."""
    heard = hear(text, mode)
    await house.table.store.begun(campaign)  # or NotFound
    turn_id = turn_id or house.table.ids.new("turn")
    say = Say(campaign=campaign, text=heard, turn_id=turn_id, goes_on=mode == "go")
    shared = await house.tables.find(campaign)
    seat = shared.seat_of(shared.owner().id) if shared else None
    return say if seat is None else say.model_copy(update={"actor": seat.actor, "alone": False})


async def take_turn(house: House, say: Say, show: Show = quiet) -> TurnResult:
    """Plays one turn to its end."""
    return await engine.take_turn(await _among_heroes(house, say), house.table, show)


async def _among_heroes(house: House, say: Say) -> Say:
    """The same turn with everyone who is played at the table; unless it says who acts, it is
    whoever stands in the light."""
    table = await house.tables.find(say.campaign)
    if table is None:
        return say
    heroes = {"heroes": table.heroes()}
    if say.actor or say.parts:
        return say.model_copy(update=heroes)
    name = (await house.table.store.get_state(say.campaign)).name(PLAYER)
    acts = next((seat.actor for seat in table.seats if seat.actor.name == name), None)
    return say.model_copy(update={**heroes, "actor": acts})


async def finish_turn(house: House, campaign: str, show: Show = quiet) -> TurnResult | None:
    """Tells the last turn whose facts stand but whose words were lost; None when there is none."""
    return await engine.finish(campaign, house.table, show)


async def told_turn(house: House, say: Say) -> TurnView:
    """A turn that was played, as a reader sees it."""
    logged = await house.table.store.find_turn(say.campaign, say.turn_id)
    turns = story(logged, {}, await house.table.store.get_state(say.campaign))
    if not turns:
        raise NotFound("that turn was taken back since; read the state, then take another")
    return turns[0]


async def retry_turn(house: House, campaign: str, show: Show = quiet) -> TurnResult:
    """Another take on the last turn, played to its end; the old take is kept."""
    again = await rewind(house, campaign)
    return await take_turn(house, again.say, show)


async def rewind(house: House, campaign: str) -> Rewritten:
    """Stands before the last turn; the same words make another take on it."""
    for row in await house.table.store.tail(campaign, 1):
        if isinstance(row.entry, Resolved) and row.entry.interpreter.intent == BY_PEN:
            raise UserError("you wrote that turn yourself; edit its words, or undo it")
    shared = await house.tables.find(campaign)
    if shared and shared.tellers():
        raise UserError("the game master tells here; undo the turn, and tell it anew")
    parts, actor = await _parts_of_last(house, campaign)
    back = await timeline.rewind_last(campaign, house.table.store)
    turn_id = house.table.ids.new("turn")
    say = Say(campaign=campaign, text=back.player_input, turn_id=turn_id, take=back.take)
    say = say.model_copy(update={"parts": parts, "actor": actor})
    return Rewritten(place=back.position, say=say)


async def _parts_of_last(house: House, campaign: str) -> tuple[list[TurnPart], Actor | None]:
    """What each did in the last turn, where several acted at once and still sit there; or who
    acted."""
    table = await house.tables.find(campaign)
    logged = await house.table.store.tail(campaign, 1) if table else []
    last = [row.entry for row in logged if isinstance(row.entry, Resolved)]
    actors = {seat.actor.name: seat.actor for seat in table.seats} if table else {}
    played = [part for part in (last[-1].parts if last else []) if part.actor in actors]
    parts = [
        TurnPart(actor=actors[part.actor], text=part.text, turn_id=part.turn_id) for part in played
    ]
    return parts, actors.get(last[-1].actor) if last else None


async def other_words(house: House, campaign: str, turn_no: int, text: str) -> Rewritten:
    """Goes back before a turn, in a branch, to play other words there; the old ones stay."""
    heard = hear(text)
    store = house.table.store
    head = await store.head(campaign)
    if not 1 <= turn_no <= head.turn_no:
        raise UserError(f"no turn {turn_no} on branch '{head.branch}'; there are {head.turn_no}")
    place = await timeline.branch(campaign, store, turn_no - 1)
    take = len(await store.takes(campaign, turn_no)) + 1
    turn_id = house.table.ids.new("turn")
    return Rewritten(
        place=place, say=Say(campaign=campaign, text=heard, turn_id=turn_id, take=take)
    )


async def undo(house: House, campaign: str, turns: int = 1) -> LogPosition:
    """Takes turns back with everything they changed; at a table, who played them may act again."""
    before = await house.table.store.head(campaign)
    place = await timeline.undo(campaign, turns, house.table.store)
    await _seats_act_again(house, campaign, before.turn_no - place.turn_no)
    return place


async def redo(house: House, campaign: str) -> LogPosition:
    """Goes forward again after an undo."""
    return await timeline.redo(campaign, house.table.store)


async def start_branch(
    house: House, campaign: str, turn_no: int | None = None, name: str = ""
) -> LogPosition:
    """A new branch from a turn, or from now, and play goes on there."""
    return await timeline.branch(campaign, house.table.store, turn_no, name or None)


async def list_branches(house: House, campaign: str) -> list[Branch]:
    """All branches, the oldest first."""
    return await timeline.branches(campaign, house.table.store)


async def switch_branch(house: House, campaign: str, branch: str) -> LogPosition:
    """Play goes on in another branch."""
    return await timeline.switch(campaign, branch, house.table.store)


async def list_takes(house: House, campaign: str, turn_no: int) -> list[Take]:
    """Every take on a turn, the oldest first; of a hero's, those that the hero saw."""
    rows, store = list[Take](), house.table.store
    for each in await timeline.alternatives(campaign, turn_no, store):
        if isinstance(store, SeenStore) and not store.saw(each.sight):
            continue
        take = Take(
            take=each.take,
            player_input=each.player_input,
            final_text=each.final_text,
            chosen=each.chosen,
        )
        rows.append(take)
    return rows


async def choose_take(house: House, campaign: str, turn_no: int, take: int) -> LogPosition:
    """Another take on a turn holds from now on."""
    return await timeline.choose(campaign, turn_no, take, house.table.store)


async def use_x_card(house: House, campaign: str, what: str = "") -> LogPosition:
    """Takes the last turn back, and keeps what is named out of play; at a table, who played it may
    act again."""
    before = await house.table.store.head(campaign)
    place = await x_card(campaign, what, house.table)
    await _seats_act_again(house, campaign, before.turn_no - place.turn_no)
    return place


async def _seats_act_again(house: House, campaign: str, turns: int) -> None:
    """Nobody's place in a round is lost to a turn that did not happen, whichever door took it
    back."""
    if await house.tables.find(campaign) is None:
        return
    found = order_in(await house.table.store.get_state(campaign))

    def change(table: SharedTable) -> SharedTable:
        for _ in range(min(turns, len(table.acted))):
            table = order.taken_back(table)
        return order.followed(table, found)

    await house.tables.change(campaign, change)


def roll_dice(expr: str, seed: int | str) -> "Thrown":
    """Dice beside the game: they decide nothing."""
    # The grammar of dice takes a while to build, and most evenings never need it.
    from freeform.core.dice import throw

    return throw(expr, Chance(seed, "roll"))


Move = Callable[[], Awaitable[LogPosition]]
"""Goes elsewhere in time, and says where that is."""
Rewrite = Callable[[], Awaitable[Rewritten]]
"""Goes back, and says what is to be played there."""


class Turns(Protocol):
    """How an app plays at a table that others may sit at too: one thing at a time."""

    async def play(self, say: Say) -> None:
        """Plays a turn to its end; a turn that was played before is not played again."""
        ...

    async def move(self, campaign: str, why: str, work: Move) -> LogPosition:
        """Goes elsewhere in time, between turns."""
        ...

    async def replay(self, campaign: str, why: str, work: Rewrite) -> Say:
        """Goes back and plays from there to the end of a turn; that turn."""
        ...

    async def stop(self, campaign: str) -> bool:
        """Stops the words of a turn on its way, where that can be done; its facts stay."""
        ...


@dataclass
class OwnTurns:
    """The same for an app that is alone with its tables: a lock for each."""

    house: House
    _locks: dict[str, asyncio.Lock] = field(default_factory=dict)

    async def play(self, say: Say) -> None:
        """Plays a turn to its end."""
        async with self._lock(say.campaign):
            await take_turn(self.house, say)

    async def move(self, campaign: str, why: str, work: Move) -> LogPosition:
        """Goes elsewhere in time, between turns."""
        async with self._lock(campaign):
            return await work()

    async def replay(self, campaign: str, why: str, work: Rewrite) -> Say:
        """Goes back and plays from there to the end of a turn; that turn."""
        async with self._lock(campaign):
            rewritten = await work()
            await take_turn(self.house, rewritten.say)
            return rewritten.say

    async def stop(self, campaign: str) -> bool:
        """Never: whatever comes waits for the end of the turn."""
        return False

    def _lock(self, campaign: str) -> asyncio.Lock:
        return self._locks.setdefault(campaign, asyncio.Lock())
