"""Tables that several people share, live: what was handed in is played in order, and who is here.

A pump for each table plays what is due until nothing is. It begins with every turn that is handed
in and with everyone who comes to the table, so what was handed in before a crash is played, too.
"""

import asyncio
import math
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

from freeform.apps.web.live.elsewhere import LOOK_S, TablesElsewhere
from freeform.apps.web.live.hub import Event, Hears, Hub
from freeform.apps.web.live.turns import Plays
from freeform.apps.web.visitors import Visitor
from freeform.core.errors import Conflict, Unavailable
from freeform.engine.turn import Say
from freeform.players.people.model import ChatLine, SharedTable
from freeform.players.people.order import turn_of
from freeform.services.accounts.sessions import whose_session
from freeform.services.house import House
from freeform.services.table import acting, companion_play
from freeform.services.table.due import play_due
from freeform.services.table.people import holder
from freeform.services.table.talk import talk_news
from freeform.services.table.wire import TableWire

HEARD = frozenset(
    {"facts", "prose", "again", "done", "failed", "moved", "reset", "company", "talk", "closing"}
    | {"typing", "remind", "pictures", "queued"}
)
"""The kinds of events that are for those at a table; all others are the owner's."""
FAILED = "this turn could not be told; the host's page says why"
AWAY_S = 60.0
"""Who was not connected for so long is away: whoever stands in for them may act."""
REMIND_S = 120.0
"""Whoever is waited for so long is reminded, once."""
_TALK, _FILES = "#talk", "#files"
"""Behind a campaign's id, which never has it: its conversation; the look at its files."""
_WRITTEN = frozenset({"facts", "done", "failed", "moved", "company", "talk"})
"""News of what the process that sends it has written."""
CHECKED_S = 5.0
"""How often a stream looks whether its listener is still at the table; in silence, at each ping."""
DATABASE_AWAY_S = 1.0
"""How long a table waits before it looks whether the database is back."""
PRESENT = "_present"
PRESENT_S = 45.0
"""For how long what a process said of who is there holds; it says so again well before."""
OWNER_ID = "p1"
"""Whoever opened the table: `open_table` gives the first id to its owner."""


@dataclass
class SharedTables:
    """Every shared table of this server."""

    hub: Hub
    house: House
    plays: Plays
    wire: TableWire | None = None
    _pumps: dict[str, "asyncio.Task[None]"] = field(default_factory=dict)
    _again: dict[str, Callable[[], Coroutine[Any, Any, None]]] = field(default_factory=dict)
    _closed: bool = False
    _here: dict[str, Counter[str]] = field(default_factory=dict)
    _waits: dict[str, tuple[str, float]] = field(default_factory=dict)
    """By campaign: whom it waits for, and since when; for ever once they were reminded."""
    _left: dict[tuple[str, str], float] = field(default_factory=dict)
    _elsewhere: dict[str, tuple[float, dict[str, list[str]]]] = field(default_factory=dict)
    """For each other process, when it last said who is there, and who that is."""
    _began: float = field(init=False)
    _told_who: float = field(init=False)

    _files: TablesElsewhere = field(init=False)
    _looking: "asyncio.Task[None] | None" = None

    def __post_init__(self) -> None:
        self._began = self._told_who = self.house.table.clock.ticks()
        self._files = TablesElsewhere(
            self.house,
            moved=lambda campaign, place: self.plays.moved(campaign, place, "elsewhere"),
            changed=lambda campaign: self.changed(campaign, "elsewhere"),
            said=self.said,
            has_wire=self.wire is not None,
        )

    async def _look_at_files(self) -> None:
        """For as long as anyone listens: what a process without a wire has written is told. One of
        those that share a wire looks for all."""
        try:
            async with self.wire.lease(_FILES) if self.wire else nullcontext():
                while listened := self._listened():
                    self._files.watch_only(listened)
                    for campaign in listened:
                        await self._files.look(campaign)
                    await asyncio.sleep(LOOK_S)
        finally:
            self._files.watch_only([])
            self._looking = None

    def _listened(self) -> list[str]:
        """The tables where somebody listens, here or at another process."""
        elsewhere = [people.keys() for _, people in self._elsewhere.values()]
        return [at for at in sorted(set(self._here).union(*elsewhere)) if self.online(at)]

    def wake(self, campaign: str) -> None:
        """Plays what is due at a table; while that is being done, looks once more after it."""
        self._work(campaign, lambda: self._pump(campaign))

    def listen(self, campaign: str, turn_id: str = "") -> None:
        """Lets the AI players say what they have to say: to whoever spoke, or of that turn."""
        self._work(f"{campaign}{_TALK}", lambda: self._converse(campaign, turn_id))

    def _work(self, key: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """One at a time; asked for meanwhile, it is done once more."""
        if key in self._pumps:
            self._again[key] = work
            return
        task = asyncio.create_task(work(), name=f"table {key}")
        self._pumps[key] = task
        task.add_done_callback(lambda ended: self._worked(key, ended))

    def _worked(self, key: str, ended: "asyncio.Task[None]") -> None:
        self._pumps.pop(key, None)
        again = self._again.pop(key, None)
        if again and not self._closed and not ended.cancelled():
            self._work(key, again)

    async def close(self) -> None:
        """The server stops; what is left is played when its table is opened again."""
        self._closed = True
        tasks = [*self._pumps.values(), *([self._looking] if self._looking else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def online(self, campaign: str) -> set[str]:
        """Who is connected to a table, here or at another process."""
        now, here = self.house.table.clock.ticks(), self._connected(campaign)
        for said, people in self._elsewhere.values():
            if now - said < PRESENT_S:
                here |= set(people.get(campaign, ()))
        return here

    def on_news(self, event: Event) -> None:
        """What another process told: who is there; and a turn that is due, should it be lost."""
        if event.kind == PRESENT:
            if self.wire and event.data["process"] != self.wire.process:
                self._is_there(event.data["process"], event.data["here"])
            return
        if event.kind in _WRITTEN and self._files.is_watched(event.campaign):
            if event.kind == "talk":
                self._files.told(event.campaign, event.data["line"]["no"])
            key = f"{event.campaign}{_FILES}"
            self._work(key, lambda: self._files.catch_up(event.campaign))
        if event.kind in ("facts", "company") and self._connected(event.campaign):
            self.wake(event.campaign)

    def _is_there(self, process: str, here: dict[str, list[str]]) -> None:
        now = self.house.table.clock.ticks()
        _, before = self._elsewhere.get(process, (now, {}))
        for campaign, people in before.items():
            for person in set(people) - set(here.get(campaign, ())):
                self._left[campaign, person] = now
        self._elsewhere[process] = now, here

    def say_who_is_here(self) -> None:
        """Tells the other processes who is connected to this one."""
        self._told_who = self.house.table.clock.ticks()
        if self.wire:
            here = {at: sorted(self._connected(at)) for at in self._here if self._connected(at)}
            self.hub.tell(PRESENT, process=self.wire.process, here=here)

    def _connected(self, campaign: str) -> set[str]:
        return {person for person, streams in self._here.get(campaign, {}).items() if streams}

    def away_s(self, campaign: str, person: str) -> float:
        """For how long someone has not been connected; 0 while they are."""
        if person in self.online(campaign):
            return 0.0
        left = [self._left.get((campaign, person), self._began)]
        for said, people in self._elsewhere.values():  # a process that fell silent
            if person in people.get(campaign, ()):
                left.append(said + PRESENT_S)
        return self.house.table.clock.ticks() - max(left)

    def changed(self, campaign: str, what: str) -> None:
        """Tells those at a table to look at it again."""
        self.hub.tell("company", campaign=campaign, what=what)

    def said(self, table: SharedTable, line: ChatLine) -> None:
        """Passes a line of talk on; a whisper to those it is for."""
        people, told = talk_news(table, line)
        self._files.told(table.campaign, line.no)
        self.hub.tell_only(people, "talk", **told)

    def typing(self, table: SharedTable, person: str) -> None:
        """Somebody writes: the others see that, and not what."""
        others = frozenset(each.id for each in table.here() if each.id != person)
        who = table.person(person)
        self.hub.tell_only(others, "typing", campaign=table.campaign, person=who.id, name=who.name)

    async def look_after(self, campaign: str) -> None:
        """What time brings at a table: whoever is waited for too long is reminded, gently and once;
        who stands in for someone away may act; in a fight, who is away is passed by."""
        table = await self.house.tables.find(campaign) if campaign else None
        if table is None:
            return
        if any(each.stand_in for each in table.here()):
            self.wake(campaign)
        awaited = turn_of(table) if table.mode != "free" else []
        now, standing = self.house.table.clock.ticks(), f"{len(table.played)} {awaited}"
        before, since = self._waits.get(campaign, ("", now))
        if before != standing:
            self._waits[campaign] = (standing, now)
            return
        if awaited and now - since >= REMIND_S:
            self._waits[campaign] = (standing, math.inf)
            ai = {each.id for each in table.companions()}
            people = frozenset(seat.person for seat in awaited if seat.person not in ai)
            names = [seat.actor.name for seat in awaited if seat.person in people]
            if people:
                self.hub.tell_only(people, "remind", campaign=campaign, waits_for=names)
            if table.mode == "initiative" and people and people <= self.away(table):
                with suppress(Conflict):  # a fight waits for nobody who is gone
                    await self.between(campaign, lambda: acting.pass_by(self.house, campaign))
                self.changed(campaign, "passed")
                self.wake(campaign)

    async def stream(self, visitor: Visitor, campaign: str, after: str) -> AsyncIterator[str]:
        """What a visitor may hear, as server-sent events; meanwhile they are here."""
        at = visitor.campaign or campaign
        person = visitor.person or OWNER_ID
        self._count(at, person, 1)
        checked = self.house.table.clock.ticks()
        try:
            async for said in self.hub.stream(at, after, ear_of(visitor), person):
                now = self.house.table.clock.ticks()
                if now - self._told_who > PRESENT_S / 3:
                    self.say_who_is_here()
                if now - checked > CHECKED_S:
                    checked = now
                    await self.look_after(at)
                    if not await self._sits_there(visitor):
                        return
                yield said
        finally:
            self._count(at, person, -1)

    async def _sits_there(self, visitor: Visitor) -> bool:
        """Whether a visitor is who they were, by what opened the door: the command line or another
        process may have sent them away, given the seat back, ended its tokens or signed them
        out."""
        account = await whose_session(self.house, visitor.session) if visitor.session else None
        if visitor.session and account is None:
            return False
        if visitor.is_owner:
            return account is None or account.owner
        table = await self.house.tables.find(visitor.campaign)
        here = table.here() if table else []
        if table and account:
            here = [each for each in here if each == table.person_of(account.id)]
        elif visitor.token:
            held = await holder(self.house, visitor.token)
            here = [held[1]] if held and held[0].campaign == visitor.campaign else []
        return any((each.id, each.role) == (visitor.person, visitor.role) for each in here)

    def _count(self, campaign: str, person: str, streams: int) -> None:
        if not campaign:
            return
        here = self._here.setdefault(campaign, Counter())
        before = bool(here[person])
        here[person] += streams
        if not here[person]:
            self._left[campaign, person] = self.house.table.clock.ticks()
        if streams > 0 and self._looking is None and self._files.are_files():
            self._looking = asyncio.create_task(self._look_at_files(), name="files of tables")
        if not self.online(campaign):
            self._files.forget(campaign)
        if before != bool(here[person]):
            self.say_who_is_here()
            if len(here) > 1:
                self.changed(campaign, "presence")

    def was_here(self, campaign: str, person: str) -> None:
        """Somebody asked for something by a door that has no stream."""
        self._left[campaign, person] = self.house.table.clock.ticks()

    def away(self, table: SharedTable) -> set[str]:
        """Who has not been connected for a while."""
        here = [each.id for each in table.here()]
        return {person for person in here if self.away_s(table.campaign, person) >= AWAY_S}

    async def _converse(self, campaign: str, turn_id: str) -> None:
        """Lets the AI players speak; no two processes do so at one table."""
        async with self.wire.lease(f"{campaign}{_TALK}") if self.wire else nullcontext():
            table = await self.house.tables.find(campaign)
            for line in await companion_play.speak(self.house, campaign, turn_id):
                if table:
                    self.said(table, line)

    async def between(self, campaign: str, work: Callable[[], Awaitable[Any]]) -> None:
        """Does what writes in the log between two turns; Conflict while one is on its way."""

        async def go() -> None:
            self.plays.check_free(campaign)
            await work()

        await self.quiet(campaign)
        await self.plays.once(campaign, "", go)

    async def _pump(self, campaign: str) -> None:
        """Plays what is due; no two processes do so at one table."""
        while True:
            try:
                await play_due(self.house, campaign, self, self.wire)
                return
            except Unavailable:
                if self.wire is None:
                    raise
                await asyncio.sleep(DATABASE_AWAY_S)  # the database is away: it waits for it

    def is_open(self) -> bool:
        """Whether turns are begun."""
        return not self.plays.draining

    async def play(self, say: Say) -> None:
        """Plays a turn to its end; that it failed is told to everyone as `failed`."""
        await self.plays.play(say)

    def is_played(self, table: SharedTable, say: Say) -> None:
        """A turn was told, or could not be: all look again, and AI players may speak of it."""
        self.changed(table.campaign, "turn")
        if table.companions():
            self.listen(table.campaign, say.turn_id)

    async def quiet(self, campaign: str) -> None:
        """Waits for the turn on its way, if there is one."""
        flight = self.plays.flights.get(campaign)
        if flight:
            await asyncio.wait([flight.task])
        await asyncio.sleep(0)


def ear_of(visitor: Visitor) -> Hears:
    """What a visitor hears of an event."""
    person = visitor.person or OWNER_ID

    def hears(event: Event) -> Event | None:
        if event.only is not None and person not in event.only:
            return None
        if visitor.is_owner:
            return event
        if event.kind not in HEARD or event.campaign not in ("", visitor.campaign):
            return None
        if event.kind == "failed" and not event.data.get("stopped"):
            return Event(event.number, event.kind, {**event.data, "error": FAILED}, event.only)
        return event

    return hears
