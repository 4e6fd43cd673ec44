"""Tables that several people share, live: what was handed in is played in order, and who is here.

A pump for each table plays what is due until nothing is. It begins with every turn that is handed
in and with everyone who comes to the table, so what was handed in before a crash is played, too.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from freeform.apps.web.live.hub import Event, Hears, Hub
from freeform.apps.web.live.turns import Draining, Plays
from freeform.apps.web.visitors import Visitor
from freeform.core.errors import Conflict, FreeformError
from freeform.players.people.model import ChatLine, SharedTable
from freeform.services.house import House
from freeform.services.table import acting
from freeform.services.table.talk import talk_row

HEARD = frozenset(
    {"facts", "prose", "again", "done", "failed", "moved", "reset", "company", "talk", "closing"}
)
"""The kinds of events that are for those at a table; all others are the owner's."""
FAILED = "this turn could not be told; the host's page says why"
CHECKED_S = 5.0
"""How often a stream looks whether its listener is still at the table; in silence, at each ping."""
TRIES = 20
"""How often a turn waits for others that came by another door."""
OWNER_ID = "p1"
"""Whoever opened the table: `open_table` gives the first id to its owner."""


@dataclass
class SharedTables:
    """Every shared table of this server."""

    hub: Hub
    house: House
    plays: Plays
    _pumps: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    _here: dict[str, Counter[str]] = field(default_factory=dict)
    _left: dict[tuple[str, str], float] = field(default_factory=dict)
    _began: float = field(init=False)

    def __post_init__(self) -> None:
        self._began = self.house.table.clock.ticks()

    def wake(self, campaign: str) -> None:
        """Plays what is due at a table, unless that is being done."""
        if campaign in self._pumps:
            return
        task = asyncio.create_task(self._pump(campaign), name=f"table {campaign}")
        self._pumps[campaign] = task
        task.add_done_callback(lambda ended: self._pumps.pop(campaign, None))

    async def close(self) -> None:
        """The server stops; what is left is played when its table is opened again."""
        tasks = list(self._pumps.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def online(self, campaign: str) -> set[str]:
        """Who is connected to a table."""
        return {person for person, streams in self._here.get(campaign, {}).items() if streams}

    def away_s(self, campaign: str, person: str) -> float:
        """For how long someone has not been connected; 0 while they are."""
        if person in self.online(campaign):
            return 0.0
        left = self._left.get((campaign, person), self._began)
        return self.house.table.clock.ticks() - left

    def changed(self, campaign: str, what: str) -> None:
        """Tells those at a table to look at it again."""
        self.hub.tell("company", campaign=campaign, what=what)

    def said(self, table: SharedTable, line: ChatLine) -> None:
        """Passes a line of talk on; a whisper to those it is for."""
        row = talk_row(line, {each.id: each.name for each in table.people})
        people = frozenset({line.by, *line.to}) if line.to else frozenset[str]()
        told = row.model_dump(mode="json")
        self.hub.tell_only(people, "talk", campaign=table.campaign, line=told)

    async def stream(self, visitor: Visitor, campaign: str, after: str) -> AsyncIterator[str]:
        """What a visitor may hear, as server-sent events; meanwhile they are here."""
        at = visitor.campaign or campaign
        person = visitor.person or OWNER_ID
        self._count(at, person, 1)
        checked = self.house.table.clock.ticks()
        try:
            async for said in self.hub.stream(at, after, _ear(visitor), person):
                now = self.house.table.clock.ticks()
                if not visitor.is_owner and now - checked > CHECKED_S:
                    checked = now
                    if not await self._sits_there(visitor):
                        return
                yield said
        finally:
            self._count(at, person, -1)

    async def _sits_there(self, visitor: Visitor) -> bool:
        """Whether a visitor is who they were: the command line may have sent them away."""
        table = await self.house.tables.find(visitor.campaign)
        here = table.here() if table else []
        return any((each.id, each.role) == (visitor.person, visitor.role) for each in here)

    def _count(self, campaign: str, person: str, streams: int) -> None:
        if not campaign:
            return
        here = self._here.setdefault(campaign, Counter())
        before = bool(here[person])
        here[person] += streams
        if not here[person]:
            self._left[campaign, person] = self.house.table.clock.ticks()
        if before != bool(here[person]) and len(here) > 1:
            self.changed(campaign, "presence")

    async def _pump(self, campaign: str) -> None:
        tries = 0
        while not self.plays.draining:
            say = await acting.next_say(self.house, campaign)
            if say is None:
                return
            try:
                await self.plays.play(say)
            except Draining:  # it stays handed in, and is played when the table is opened again
                return
            except Conflict:  # a turn that came by another door was faster
                await self._quiet(campaign)
                tries += 1
                if tries < TRIES:
                    continue
            except FreeformError:
                pass  # told to everyone as `failed`; the next is due
            tries = 0
            await acting.mark_played(self.house, campaign, say.turn_id)
            self.changed(campaign, "turn")

    async def _quiet(self, campaign: str) -> None:
        """Waits for the turn on its way, if there is one."""
        flight = self.plays.flights.get(campaign)
        if flight:
            await asyncio.wait([flight.task])
        await asyncio.sleep(0)


def _ear(visitor: Visitor) -> Hears:
    """What a visitor hears of an event."""
    person = visitor.person or OWNER_ID

    def hears(event: Event) -> Event | None:
        if event.only and person not in event.only:
            return None
        if visitor.is_owner:
            return event
        if event.kind not in HEARD or event.campaign not in ("", visitor.campaign):
            return None
        if event.kind == "failed" and not event.data.get("stopped"):
            return Event(event.number, event.kind, {**event.data, "error": FAILED}, event.only)
        return event

    return hears
