"""Turns in flight: one at a time at each table, and the same id never plays twice."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from freeform.apps.web.live.hub import Event, Hub
from freeform.core.errors import Conflict, FreeformError
from freeform.core.llm.line import PlaceInLine, asking_for
from freeform.core.log import kind_of, place_of, tell
from freeform.engine.log import LogPosition, Resolved, narrated_in
from freeform.engine.signals import Again, Facts, Prose, Show, Signal, TurnDone
from freeform.engine.turn import Say
from freeform.engine.turn_result import result_of
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import GameState
from freeform.players.people.model import SharedTable
from freeform.services.house import House
from freeform.services.play import Move, Rewrite, Rewritten, take_turn
from freeform.services.table.acting import turn_ids
from freeform.services.table.due import AGAIN_S, Draining
from freeform.services.table.sight import who_sees
from freeform.services.views.story import facts_event

_LOG = logging.getLogger("freeform.turn")
REMEMBERED = 1000
"""Turn ids and answers kept, so that a request sent again is answered and not done again."""
MISTAKE = (
    "this is a mistake in the program; what happened is kept, the server's log has the details"
)


STOP = "_stop"
"""A kind of news between processes."""
LOOK_S = 0.2
"""While the last turns are told: how often to look whether somebody is in a hurry."""


@dataclass
class Flight:
    """A turn on its way."""

    turn_id: str
    task: "asyncio.Task[TurnResult | None]"
    stopped: bool = False
    is_known: bool = False
    """Whether it is known who sees it: with its facts."""
    seen_by: frozenset[str] | None = None
    """The people who see it; None for all."""


@dataclass
class Plays:
    """Every table of this server."""

    hub: Hub
    house: House
    flights: dict[str, Flight] = field(default_factory=dict)
    done: dict[tuple[str, str], Any] = field(default_factory=dict)
    """Campaign and key, with the answer that was given."""
    busy: dict[str, asyncio.Lock] = field(default_factory=dict)
    played: int = 0
    failed: int = 0
    draining: bool = False

    def is_playing(self, campaign: str) -> bool:
        """Whether a turn is on its way at that table."""
        return campaign in self.flights

    def start(self, say: Say) -> Flight | None:
        """Begins a turn. None when it was played before; Conflict while another is on its way,
        Draining when the server ends."""
        flight = self.flights.get(say.campaign)
        if flight and flight.turn_id == say.turn_id:
            return flight
        if (say.campaign, say.turn_id) in self.done:
            return None
        self.check_open()
        self.check_free(say.campaign)
        task = asyncio.create_task(self._play(say), name=f"turn of {say.campaign}")
        flight = self.flights[say.campaign] = Flight(say.turn_id, task)
        task.add_done_callback(lambda ended: self._ended(say, flight, ended))
        return flight

    async def play(self, say: Say) -> None:
        """Plays a turn to its end; a turn that was played before is not played again."""
        flight = self.start(say)
        if flight:
            await self.ended(flight)

    async def move(self, campaign: str, why: str, work: Move, key: str = "") -> LogPosition:
        """Goes elsewhere in time, once, between turns, and tells everyone where play stands."""

        async def go() -> LogPosition:
            self.check_free(campaign)
            place = await work()
            self.moved(campaign, place, why)
            return place

        place: LogPosition = await self.once(campaign, key, go)
        return place

    async def begin_anew(self, campaign: str, why: str, work: Rewrite, key: str = "") -> Rewritten:
        """Goes back and begins what is played there, once; its end is not waited for."""

        async def go() -> Rewritten:
            self.check_free(campaign)
            rewritten = await work()
            self.moved(campaign, rewritten.place, why)
            self.start(rewritten.say)
            return rewritten

        rewritten: Rewritten = await self.once(campaign, key, go)
        return rewritten

    async def replay(self, campaign: str, why: str, work: Rewrite) -> Say:
        """The same, to the end of the turn."""
        say = (await self.begin_anew(campaign, why, work)).say
        flight = self.flights.get(campaign)
        if flight and flight.turn_id == say.turn_id:
            await self.ended(flight)
        return say

    def moved(self, campaign: str, place: LogPosition, why: str) -> None:
        """Tells everyone that play stands elsewhere."""
        self.hub.tell(
            "moved", campaign=campaign, branch=place.branch, turn_no=place.turn_no, why=why
        )

    async def stop(self, campaign: str) -> bool:
        """Stops the prose of the turn on its way; its facts stay. False when there is none."""
        flight = self.flights.get(campaign)
        if flight is None:
            return self.hub.ask_who_tells(STOP, campaign)
        flight.stopped = True
        flight.task.cancel()
        await asyncio.wait([flight.task])
        await asyncio.sleep(0)
        return True

    async def ended(self, flight: Flight) -> None:
        """Waits for the end of a turn; raises what it failed with."""
        await asyncio.wait([flight.task])
        if flight.task.cancelled():
            return
        wrong = flight.task.exception()
        if wrong:
            raise wrong

    async def once(self, campaign: str, key: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """Does the work under that key, once; later the same answer. One at a time at a table."""
        async with self.busy.setdefault(campaign, asyncio.Lock()):
            if key and (campaign, key) in self.done:
                return self.done[campaign, key]
            self.check_open()
            answer = await self._done(f"{campaign} {key}", work) if key else await work()
            self.remember(campaign, key, answer)
            return answer

    async def _done(self, claim: str, work: Callable[[], Awaitable[Any]]) -> Any:
        """Does the work unless another process has done it, or does it now."""
        if not await self.hub.claim(claim):
            raise Conflict("this was done already; look at the table again")
        try:
            answer = await work()
        except BaseException:
            with suppress(FreeformError):  # what went wrong first is what matters
                await self.hub.give_back(claim)
            raise
        with suppress(FreeformError):  # it is done, and not to be refused for that
            await self.hub.keep(claim)
        return answer

    def check_open(self) -> None:
        """Draining when nothing new is begun any more."""
        if self.draining:
            raise Draining

    def check_free(self, campaign: str) -> None:
        """Conflict while a turn is on its way."""
        if self.is_playing(campaign):
            raise Conflict("a turn is being told at this table; wait for its end, or stop it")

    def remember(self, campaign: str, key: str, answer: Any) -> None:
        """Keeps an answer for whoever asks again."""
        if key:
            self.done[campaign, key] = answer
        while len(self.done) > REMEMBERED:
            self.done.pop(next(iter(self.done)))

    def on_news(self, event: Event) -> None:
        """What another process asks for: to stop a turn."""
        flight = self.flights.get(event.campaign)
        if event.kind == STOP and flight and flight.turn_id == event.data["turn_id"]:
            flight.stopped = True
            flight.task.cancel()

    async def drain(self, seconds: float, hurry: Callable[[], bool]) -> None:
        """Begins nothing more, tells everyone, and waits for the turns on their way: at most so
        long, and no longer once there is a `hurry`."""
        self.draining = True
        self.hub.tell_all("closing", again_s=AGAIN_S)
        while self.flights and seconds > 0 and not hurry():
            tasks = [flight.task for flight in self.flights.values()]
            await asyncio.wait(tasks, timeout=min(LOOK_S, seconds))
            await asyncio.sleep(0)
            seconds -= LOOK_S

    async def close(self) -> None:
        """The server stops: what is being told is told when its table is opened again."""
        for campaign in list(self.flights):
            await self.stop(campaign)

    async def show_told(self, before: GameState, resolved: Resolved) -> None:
        """Tells those who see it of a turn that a person has told."""
        campaign, store = before.campaign_id, self.house.table.store
        shared, head = await self.house.tables.find(campaign), await store.head(campaign)
        narrated = narrated_in(await store.find_turn(campaign, resolved.turn_id))
        if narrated:
            show = self._shows(before, shared)
            show(Facts(resolved))
            show(Prose(narrated.final_text))
            show(TurnDone(result_of(campaign, head.branch, resolved, narrated)))

    async def _play(self, say: Say) -> TurnResult | None:
        before = await self.house.table.store.get_state(say.campaign)
        shared = await self.house.tables.find(say.campaign)
        with asking_for(_person_of(say, shared), partial(self._waits, say)):
            return await take_turn(self.house, say, self._shows(before, shared))

    def _waits(self, say: Say, at: PlaceInLine) -> None:
        """The model is asked later: those at the table see the place in line."""
        told = {"campaign": say.campaign, "turn_id": say.turn_id, **at.model_dump()}
        self.hub.tell("queued", **told)

    def _shows(self, before: GameState, shared: SharedTable | None) -> Show:
        turn_id = ""
        people: frozenset[str] | None = frozenset()

        def tell_it(kind: str, **data: Any) -> None:
            told = {"campaign": before.campaign_id, "turn_id": turn_id, **data}
            self.hub.tell_only(people, kind, **told)

        def show(signal: Signal) -> None:
            nonlocal turn_id, people
            match signal:
                case Facts(resolved):
                    turn_id, people = resolved.turn_id, who_sees(shared, resolved.sight)
                    self._is_seen(before.campaign_id, people)
                    tell_it("facts", **facts_event(resolved, before))
                case Prose(piece):
                    tell_it("prose", piece=piece)
                case Again():
                    tell_it("again")
                case TurnDone(result):
                    tell_it("done", turn_no=result.turn_no)

        return show

    def _is_seen(self, campaign: str, people: frozenset[str] | None) -> None:
        flight = self.flights.get(campaign)
        if flight:
            flight.is_known, flight.seen_by = True, people

    def _ended(self, say: Say, flight: Flight, task: "asyncio.Task[TurnResult | None]") -> None:
        self.flights.pop(say.campaign, None)
        ids = turn_ids(say)
        told: dict[str, Any] = {"campaign": say.campaign, "turn_id": say.turn_id, "turn_ids": ids}
        if task.cancelled():
            self.hub.tell("failed", **told, error="stopped", stopped=True)
            return
        wrong = task.exception()
        if wrong is None:
            self.played += 1
            self.remember(say.campaign, say.turn_id, say.turn_id)
            return
        self.failed += 1
        where = {"campaign": say.campaign, "kind": kind_of(wrong), "where": place_of(wrong)}
        tell(_LOG, logging.ERROR, "turn_failed", **where)
        why = str(wrong) if isinstance(wrong, FreeformError) else MISTAKE
        self.hub.tell("failed", **told, error=why)
        if not isinstance(wrong, FreeformError):
            task.get_loop().call_exception_handler(
                {"message": "a turn failed", "exception": wrong, "task": task}
            )


def _person_of(say: Say, shared: SharedTable | None) -> str:
    """Whose turn it is, at a table that several people share; '' elsewhere."""
    seats = shared.taken_seats() if shared and say.actor else []
    return next((f"{say.campaign}/{s.person}" for s in seats if s.actor == say.actor), "")
