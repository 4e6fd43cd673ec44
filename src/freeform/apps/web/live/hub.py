"""What happens at all tables, told to whoever listens: numbered events, kept for late ones.

Each campaign keeps its last events, so a listener that lost the connection says the last number it
heard and gets the rest. One that comes in the middle of a turn gets what was said of it so far.
"""

import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Any

from freeform.services.table.wire import TableNews, TableWire

REMEMBERED = 400
"""Events kept for each campaign."""
CAMPAIGNS = 500
"""Campaigns with a memory; the one that was silent longest loses it first."""
BEHIND = 2000
"""A listener that is so many events behind is let go; it comes back and asks for what it missed."""
AT_ONCE = 100
"""Events that go over the wire in one piece, if they are there at once."""
PING_S = 15.0
INTERNAL = "_"
"""How kinds begin that are between processes, and for no listener."""
_spell = json.JSONEncoder(ensure_ascii=False).encode


@dataclass(frozen=True)
class Event:
    """One thing that happened at a table."""

    number: int
    kind: str
    data: dict[str, Any]
    only: frozenset[str] | None = None
    """The people it is for, by id; None for everyone."""

    @property
    def campaign(self) -> str:
        """Whose table it was."""
        return str(self.data.get("campaign", ""))


@dataclass
class _Telling:
    """A turn on its way: its facts, and its prose so far."""

    facts: Event | None = None
    said: list[str] = field(default_factory=list)
    last: int = 0


Hears = Callable[[Event], Event | None]
"""An event as a listener may hear it; None for what is not for them."""


def everything(event: Event) -> Event | None:
    """Nothing is kept from the listener."""
    return event


@dataclass(eq=False)
class StreamListener:
    """One stream. `None` in the queue means that it is over."""

    campaign: str
    hears: Hears = everything
    person: str = ""
    queue: "asyncio.Queue[Event | None]" = field(default_factory=lambda: asyncio.Queue(BEHIND))


class Hub:
    """Numbers events, keeps the last of each campaign, and passes them on."""

    def __init__(self, run: str, wire: TableWire | None = None) -> None:
        self._run, self._number = wire.run if wire else run, 0
        self._wire = wire
        self.on_news: Callable[[Event], None] = lambda event: None
        """Called with what came over the wire, once those who listen have heard it."""
        self._kept: dict[str, deque[Event]] = {}
        self._telling: dict[str, _Telling] = {}
        self._listeners: set[StreamListener] = set()
        self._forgotten: dict[str, int] = {}
        self._forgotten_all = 0
        self._closed = False

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return len(self._listeners)

    def tell(self, kind: str, **data: Any) -> None:
        """Something happened; everyone who listens hears of it."""
        self.tell_only(None, kind, **data)

    def tell_only(self, people: frozenset[str] | None, kind: str, **data: Any) -> None:
        """The same for some people alone; None for everyone."""
        if people is not None and not people:
            return
        if self._wire:
            self._wire.send(kind, data, sorted(people or ()))
        else:
            self._heard(Event(self._number + 1, kind, data, people))

    def tell_others(self, kind: str, campaign: str, **data: Any) -> None:
        """News for other processes alone, where there are any; for no listener."""
        if self._wire:
            self._wire.send(kind, {"campaign": campaign, **data}, ())

    async def claim(self, key: str) -> bool:
        """Takes a key for this process; False where another has it."""
        return self._wire is None or await self._wire.claim(key)

    async def keep(self, key: str) -> None:
        """What the key was taken for is done."""
        if self._wire:
            await self._wire.keep(key)

    async def give_back(self, key: str) -> None:
        """The key may be taken again."""
        if self._wire:
            await self._wire.give_back(key)

    def ask_who_tells(self, kind: str, campaign: str) -> bool:
        """The same for the process that tells a turn at that table; False when there is none."""
        turn = self._telling.get(campaign)
        if self._wire is None or turn is None or turn.facts is None:
            return False
        self.tell_others(kind, campaign, turn_id=turn.facts.data["turn_id"])
        return True

    def plug_in(self) -> None:
        """From now on, what any process tells is heard here; what came before is missed."""
        if self._wire:
            self._wire.hear(self._over_the_wire)
            if not self._number:
                self._number = self._forgotten_all = self._wire.last

    def _over_the_wire(self, news: TableNews) -> None:
        event = Event(news.number, news.kind, news.data, frozenset(news.people) or None)
        if not self._number:
            self._forgotten_all = event.number - 1
        self._number = event.number
        if not event.kind.startswith(INTERNAL):
            self._heard(event)
        self.on_news(event)

    def _heard(self, event: Event) -> None:
        self._number = event.number
        self._follow(event)
        self._keep(event)
        for listener in [one for one in self._listeners if one.campaign in ("", event.campaign)]:
            self._pass_on(listener, event)

    def tell_all(self, kind: str, **data: Any) -> None:
        """Something about the server itself: every stream hears it, and nobody who comes later."""
        event = Event(0, kind, data)  # without a number: it is in nobody's row of events
        for listener in list(self._listeners):
            self._pass_on(listener, event)

    def join(
        self, campaign: str = "", after: str = "", hears: Hears = everything, person: str = ""
    ) -> tuple[list[Event], StreamListener]:
        """A new listener, and what it hears first: all it missed, or the turns on their way."""
        listener = StreamListener(campaign, hears, person)
        if self._closed:
            listener.queue.put_nowait(None)
        else:
            self._listeners.add(listener)
        missed = [hears(event) for event in self._missed(campaign, after)]
        return [event for event in missed if event], listener

    def send_away(self, campaign: str, person: str) -> None:
        """Ends the streams of someone who is at that table no longer, or as somebody else."""
        for listener in list(self._listeners):
            if listener.campaign == campaign and listener.person == person:
                self._let_go(listener)

    def leave(self, listener: StreamListener) -> None:
        """It listens no more."""
        self._listeners.discard(listener)

    def close(self) -> None:
        """Ends every stream: the server stops."""
        self._closed = True
        for listener in list(self._listeners):
            self._let_go(listener)

    async def stream(
        self, campaign: str = "", after: str = "", hears: Hears = everything, person: str = ""
    ) -> AsyncIterator[str]:
        """The events as server-sent events, with a ping in every silence."""
        first, listener = self.join(campaign, after, hears, person)
        try:
            yield "retry: 1000\n\n" + "".join(map(self.spelled, first))
            while True:
                try:
                    async with asyncio.timeout(PING_S):
                        event = await listener.queue.get()
                except TimeoutError:
                    yield "event: ping\ndata: {}\n\n"
                    continue
                said: list[str] = []
                while event is not None:
                    said.append(self.spelled(event))
                    if listener.queue.empty() or len(said) >= AT_ONCE:
                        break
                    event = listener.queue.get_nowait()
                if said:
                    yield "".join(said)
                if event is None:
                    return
        finally:
            self.leave(listener)

    def spelled(self, event: Event) -> str:
        """An event as it goes over the wire."""
        name = f"id: {self._run}-{event.number}\n" if event.number else ""
        return f"{name}event: {event.kind}\ndata: {_spell(event.data)}\n\n"

    def _missed(self, campaign: str, after: str) -> list[Event]:
        run, _, number = after.rpartition("-")
        if not after:
            return self._so_far(campaign)
        if run != self._run or not number.isascii() or not number.isdigit():
            return [_reset(), *self._so_far(campaign)]
        heard = int(number)
        if heard < self._last_forgotten(campaign):
            return [_reset(), *self._so_far(campaign)]
        missed: list[Event] = []
        for name, events in self._kept.items():
            if campaign in ("", name):
                missed += [event for event in events if event.number > heard]
        return sorted(missed, key=lambda event: event.number)

    def _last_forgotten(self, campaign: str) -> int:
        """The number of the last event that is no longer kept; of all campaigns, without a name."""
        if campaign:
            return max(self._forgotten.get(campaign, 0), self._forgotten_all)
        return max(self._forgotten_all, *self._forgotten.values(), 0)

    def _so_far(self, campaign: str) -> list[Event]:
        events: list[Event] = []
        for name, turn in self._telling.items():
            if turn.facts and campaign in ("", name):
                data = {
                    "campaign": name,
                    "turn_id": turn.facts.data["turn_id"],
                    "piece": "".join(turn.said),
                }
                events.append(turn.facts)
                if turn.said:
                    events.append(Event(turn.last, "prose", data, turn.facts.only))
        return sorted(events, key=lambda event: event.number)

    def _follow(self, event: Event) -> None:
        turn = self._telling.get(event.campaign)
        if event.kind == "facts":
            self._telling[event.campaign] = _Telling(event)
        elif event.kind in ("done", "failed"):
            self._telling.pop(event.campaign, None)
        elif turn and event.kind == "prose":
            turn.said.append(event.data["piece"])
            turn.last = event.number
        elif turn and event.kind == "again":
            turn.said.clear()

    def _keep(self, event: Event) -> None:
        kept = self._kept.pop(event.campaign, None) or deque[Event]()
        self._kept[event.campaign] = kept
        kept.append(event)
        if len(kept) > REMEMBERED:
            self._forgotten[event.campaign] = kept.popleft().number
        if len(self._kept) > CAMPAIGNS:
            name = next(iter(self._kept))
            self._forgotten_all = max(self._forgotten_all, self._kept.pop(name)[-1].number)
            self._forgotten.pop(name, None)

    def _pass_on(self, listener: StreamListener, event: Event) -> None:
        heard = listener.hears(event)
        if heard is None:
            return
        try:
            listener.queue.put_nowait(heard)
        except asyncio.QueueFull:
            self._let_go(listener)

    def _let_go(self, listener: StreamListener) -> None:
        self._listeners.discard(listener)
        while listener.queue.full():
            listener.queue.get_nowait()
        listener.queue.put_nowait(None)


def _reset() -> Event:
    """Too much was missed: whoever listens should read everything anew."""
    return Event(0, "reset", {})
