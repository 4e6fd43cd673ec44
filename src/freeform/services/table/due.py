"""What is due at a table, played by whichever door looks: one rule for all of them.

A turn that fails is done with, and the next is due; one that another door was faster than waits and
is tried again; no two processes play at one table at once.
"""

from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from freeform.core.errors import Conflict, FreeformError, Unavailable
from freeform.engine.turn import Say
from freeform.players.people.model import ChatLine, SharedTable
from freeform.services.house import House
from freeform.services.table import acting, companion_play
from freeform.services.table.talk import talk_news
from freeform.services.table.wire import TableWire

TRIES = 20
"""How often a turn waits for others that came by another door."""
AGAIN_S = 5.0
"""When to try again at a server that ends: as a rule another has taken its place by then."""


class Draining(Unavailable):
    """The server ends and begins no further turns; what was sent can be sent again."""

    def __init__(self) -> None:
        told = "the server is being restarted; send this again in a few seconds, nothing is lost"
        super().__init__(told, retry_after=AGAIN_S)


class TableEcho(Protocol):
    """Tells the pages that are open at a table what happened by another door."""

    def changed(self, campaign: str, what: str) -> None:
        """They look at the table again."""
        ...

    def said(self, table: SharedTable, line: ChatLine) -> None:
        """They hear a line of talk, or dice; a whisper those it is for."""
        ...


class DueDoor(Protocol):
    """A door that plays what is due."""

    def is_open(self) -> bool:
        """Whether it begins anything at all."""
        ...

    async def play(self, say: Say) -> None:
        """Plays a turn to its end."""
        ...

    async def quiet(self, campaign: str) -> None:
        """Waits for the turn on its way, if there is one."""
        ...

    async def between(self, campaign: str, work: Callable[[], Awaitable[Any]]) -> None:
        """Does what writes in the log between two turns."""
        ...

    def away(self, table: SharedTable) -> set[str]:
        """Who is away: whoever stands in for them may act."""
        ...

    def changed(self, campaign: str, what: str) -> None:
        """Tells those at a table to look at it again."""
        ...

    def is_played(self, table: SharedTable, say: Say) -> None:
        """A turn was told, or could not be."""
        ...


class LiveTables(DueDoor, TableEcho, Protocol):
    """Both, where the pages of a table are served."""


class WireEcho:
    """Tells every process that serves these tables; where there is no wire, nobody listens."""

    def __init__(self, wire: TableWire | None = None) -> None:
        self._wire = wire

    def changed(self, campaign: str, what: str) -> None:
        """They look at the table again."""
        if self._wire:
            self._wire.send("company", {"campaign": campaign, "what": what}, [])

    def said(self, table: SharedTable, line: ChatLine) -> None:
        """They hear a line of talk, or dice; a whisper those it is for."""
        if self._wire:
            people, told = talk_news(table, line)
            self._wire.send("talk", told, sorted(people or ()))


async def play_due(
    house: House, campaign: str, door: DueDoor, wire: TableWire | None = None
) -> dict[str, FreeformError]:
    """Plays what is due until nothing is; what could not be told and why, by turn id."""
    failed: dict[str, FreeformError] = {}
    tries = 0
    async with wire.lease(campaign) if wire else house.tables.lease(campaign):
        while door.is_open():
            say = await _next(house, campaign, door)
            if say is None:
                break
            try:
                await door.play(say)
            except Draining:  # it stays handed in, and is played when the table is opened again
                break
            except Conflict as wrong:  # a turn that came by another door was faster
                await door.quiet(campaign)
                tries += 1
                if tries < TRIES:
                    continue
                failed |= dict.fromkeys(acting.turn_ids(say), wrong)
            except FreeformError as wrong:
                await _check_kept(house, say, wrong, wire)
                failed |= dict.fromkeys(acting.turn_ids(say), wrong)
            tries = 0
            lost = failed.keys() & set(acting.turn_ids(say))
            played = acting.turn_ids(say) if lost else await acting.told_ids(house, say)
            door.is_played(await acting.mark_played(house, campaign, played), say)
    return failed


async def _next(house: House, campaign: str, door: DueDoor) -> Say | None:
    """What is played next; where nothing is, the AI players are asked whose turn it is."""

    async def between(work: Callable[[], Awaitable[Any]]) -> None:
        await door.between(campaign, work)

    while True:
        say = await acting.next_say(house, campaign)
        if say is not None:
            return say
        if not await companion_play.hand_in_next(house, campaign, door.away, between):
            return None
        door.changed(campaign, "companion")


async def _check_kept(
    house: House, say: Say, failed: FreeformError, wire: TableWire | None
) -> None:
    """Raises it again where the database went away in a turn and has nothing of it."""
    if wire and isinstance(failed, Unavailable):
        if not await house.table.store.find_turn(say.campaign, say.turn_id):
            raise failed
