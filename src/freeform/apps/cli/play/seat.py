"""A person's seat at a campaign: the table, the voice, and turns shown while they are played."""

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from freeform.apps.cli.desk import Desk
from freeform.apps.cli.play.drawing import changes, clock_line, joined, numbered, ticked
from freeform.apps.cli.play.voice import Teller, Voice
from freeform.core.llm.line import PlaceInLine, asking_for
from freeform.engine.log import Begun, Narrated
from freeform.engine.signals import Again, Facts, Prose, Show, Signal, TurnDone
from freeform.engine.table import Rules
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import GameState
from freeform.services import campaigns, play, sessions
from freeform.services.house import House, opened_house

if TYPE_CHECKING:
    from collections.abc import Iterator

T = TypeVar("T")


@dataclass
class TerminalSeat:
    """What the terminal holds while one plays. `suggested` is what a typed number means."""

    desk: Desk
    voice: Voice
    house: House
    runner: asyncio.Runner
    campaign: str = ""
    suggested: list[str] = field(default_factory=list)
    last: TurnResult | None = None
    offered: str = ""
    """A premise that was typed before the first turn, until something else is."""

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Waits for something at the table."""
        return self.runner.run(work)

    def state(self) -> GameState:
        """The state now."""
        return self.wait(campaigns.game_state(self.house, self.campaign))

    def rules(self) -> Rules:
        """What was authored for this campaign, and what play has added."""
        return Rules.of(self.begun()).knowing(self.state())

    def begun(self) -> Begun:
        """How this campaign began."""
        return self.wait(self.house.table.store.begun(self.campaign))

    def take(self, text: str) -> None:
        """Plays what was typed."""

        async def take_turn(show: Show) -> TurnResult:
            say = await play.say_of(self.house, self.campaign, text)
            with asking_for(told=self._tell_place):
                return await play.take_turn(self.house, say, show)

        self.play(take_turn)

    def _tell_place(self, at: PlaceInLine) -> None:
        told = (
            f"(The model has many to answer: place {at.place} in line, about {at.seconds:.0f} s.)"
        )
        self.voice.line(told, "dim")

    def play(self, take: Callable[[Show], Coroutine[Any, Any, TurnResult | None]]) -> None:
        """Plays a turn and shows it as it comes. Ctrl-C stops the words; the facts stay."""
        showing = Showing(self)
        try:
            result = self.wait(take(showing))
        except KeyboardInterrupt:
            showing.teller.end()
            self.voice.line(
                "(Stopped. What happened stands; its telling goes on when you next play.)", "dim"
            )
            return
        if result is not None:
            showing.finish(result)
            self.last, self.suggested = result, list(result.suggested_actions)

    def open_night(self) -> None:
        """Tells what happened before, and opens a game night where none is open."""
        if self.state().turn_no:
            self.recap()
            self.voice.line()
        self.wait(sessions.open_night(self.house, self.campaign))

    def recap(self) -> None:
        """ "Previously…", each claim with the turn it comes from."""
        self.voice.paragraphs(self.wait(sessions.recap(self.house, self.campaign)).recap)

    def show_last(self) -> None:
        """Where the story stands: the last prose, or the opening, and what one might do."""
        rows = self.wait(self.house.table.store.tail(self.campaign, 1))
        told = next((row.entry for row in reversed(rows) if isinstance(row.entry, Narrated)), None)
        if told is not None:
            self.voice.paragraphs(told.final_text)
            self.suggested = list(told.narrator.suggested_actions)
        else:
            begun = self.begun()
            self.voice.paragraphs(begun.opening)
            self.suggested = list(begun.suggested_actions)
        self.suggest()

    def suggest(self) -> None:
        """What one might do next, numbered."""
        if self.suggested:
            self.voice.line()
            self.voice.lines(numbered(self.suggested), "dim")


class Showing:
    """Shows a turn's signals: dice first, then prose, then what changed."""

    def __init__(self, seat: TerminalSeat) -> None:
        self._seat, self._voice = seat, seat.voice
        self.teller: Teller = seat.voice.teller()
        self._told = ""

    def __call__(self, signal: Signal) -> None:
        match signal:
            case Facts(resolved=resolved):
                if self._told:  # a turn that was stopped is told first
                    self.teller.end()
                    self.teller, self._told = self._voice.teller(), ""
                self._voice.line()
                self._voice.lines((roll.text for roll in resolved.rolls), "bold cyan")
            case Prose(piece=piece):
                self._told += piece
                self.teller.hear(piece)
            case Again():
                self._told = ""
                self.teller.again()
            case TurnDone():
                pass

    def finish(self, result: TurnResult) -> None:
        """The rest of a turn once its prose is told."""
        if not self._told.strip():
            self.teller.hear(result.final_text or result.clarification_question)
        self.teller.end()
        after = self._seat.state()
        clocks = [
            clock_line(clock, self._voice.plain) for clock in ticked(result.state_diff, after)
        ]
        changed = changes(result.state_diff, after)
        if changed:
            self._voice.line()
            self._voice.line(f"Changed this turn: {joined(changed)}", "dim")
        self._voice.lines(clocks, "yellow")
        for why in result.degraded:
            self._voice.line(f"({why})", "dim")
        if result.next_prompt and result.next_prompt not in result.final_text:
            self._voice.line()
            self._voice.line(result.next_prompt)
        self._seat.suggested = list(result.suggested_actions)
        self._seat.suggest()


@contextmanager
def seated(desk: Desk) -> "Iterator[TerminalSeat]":
    """A seat at an open table; one event loop serves the whole evening."""
    desk.keep_log_off_screen()
    with asyncio.Runner() as runner:
        stack = AsyncExitStack()
        house = runner.run(stack.enter_async_context(opened_house(desk.settings)))
        try:
            yield TerminalSeat(desk=desk, voice=Voice(desk), house=house, runner=runner)
        finally:
            runner.run(stack.aclose())
