"""What the engine needs from outside: a store for campaigns, an ear to try suggestions with, and
someone who knows how the world goes on where the map ends.
(The gateway, clock and ids are core's ports.)"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

from freeform.core.record import Record
from freeform.engine.authored.growth import Growth
from freeform.engine.authored.scenario import Scenario
from freeform.engine.log import Begun, Branch, Entry, Logged, LogPosition
from freeform.engine.passes import InterpreterInput
from freeform.engine.world.by_hand import retold_by_hand
from freeform.engine.world.model import InterpreterOutput
from freeform.engine.world.names import words
from freeform.engine.world.state import GameState, Summary
from freeform.packs.lock import Locked


class CampaignRow(Record):
    """A campaign as the shelf shows it."""

    id: str
    name: str
    scenario: str
    created_at: str
    updated_at: str
    current_turn: int
    problem: str = ""
    """Why it cannot be opened; '' when it can."""


class TurnText(Record):
    """A turn as a reader sees it: what was typed, what was told, and whom it was about."""

    turn_no: int
    player_input: str
    final_text: str
    focus: list[str]
    asked: bool = False
    """The game master answered with a question."""

    @cached_property
    def words(self) -> frozenset[str]:
        """The telling words of what was told; they are asked for as long as the turn is
        remembered."""
        return words(self.final_text)


def as_corrected(turns: Sequence[TurnText], state: GameState) -> list[TurnText]:
    """The same turns as they read since a game master corrected them."""
    now = retold_by_hand(state)
    return [
        TurnText(**{**turn.model_dump(), "final_text": now[turn.turn_no]})
        if turn.turn_no in now
        else turn
        for turn in turns
    ]


class SuggestionEar(Protocol):
    """Hears what a player might type, at once and without a model: for trying suggestions. It goes
    by who and what is in play; the packet that it is given tells no facts."""

    def __call__(self, input: InterpreterInput, /) -> InterpreterOutput:
        """What the words would mean."""
        ...


@dataclass(frozen=True)
class Going:
    """Somebody goes where the map has nothing."""

    words: str
    """Where to, as it was heard: `the church`, or a clause that says it somewhere."""
    typed: str
    """What the player typed."""
    is_named: bool
    """Whether the words are nothing but where to."""
    state: GameState
    scenario: Scenario
    seed: int
    packs: dict[str, Locked]
    """The pack versions the campaign is played with."""


class WorldGrower(Protocol):
    """Knows how the world goes on where the map ends."""

    def grow(self, going: Going, /) -> Growth | None:
        """The place that is gone to, with whoever is there; None where the words name none. The
        same going gives the same place."""
        ...

    def is_spot(self, words: str, /) -> bool:
        """Whether words surely name a spot where one is, and no place: a window, a corner."""
        ...


class StateStore(Protocol):
    """Keeps campaigns. State is what the log says: `get_state` never knows more than `read`."""

    async def create(self, campaign: str, begun: Begun) -> LogPosition:
        """A new campaign. Conflict when the id is taken."""
        ...

    async def campaigns(self) -> list[CampaignRow]:
        """All campaigns, last played first."""
        ...

    async def begun(self, campaign: str) -> Begun:
        """How it began. NotFound with the names that exist."""
        ...

    async def head(self, campaign: str) -> LogPosition:
        """Where the active branch stands."""
        ...

    async def get_state(self, campaign: str, turn_no: int | None = None) -> GameState:
        """The state now, or as it was after that turn of the active branch."""
        ...

    async def append(
        self, campaign: str, entries: Sequence[Entry], *, after: LogPosition
    ) -> LogPosition:
        """Adds all or nothing, and applies their diffs to the state tables.

        Conflict if the head has moved.
        """
        ...

    async def read(self, campaign: str, first: int = 0, last: int | None = None) -> list[Logged]:
        """The entries of the active branch for turns `first` to `last`, oldest first."""
        ...

    async def tail(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the last turns of the active branch, oldest first."""
        ...

    async def recent(self, campaign: str, turns: int) -> list[TurnText]:
        """The words of the last turns of the active branch, oldest first.

        Costs the same at turn 10,000.
        """
        ...

    async def find_turn(self, campaign: str, turn_id: str) -> list[Logged]:
        """What the active branch holds of that turn: nothing, its facts, or facts and prose."""
        ...

    async def get_summary(self, campaign: str, scope: str, scope_id: str) -> Summary | None:
        """The summary of a scene, thread, session …"""
        ...

    async def move(
        self, campaign: str, to_entry: int, *, after: LogPosition, redo: bool = False
    ) -> LogPosition:
        """Sets the active branch to another entry of the tree; state goes with it. With `redo` the
        way forward is remembered."""
        ...

    async def redo_entry(self, campaign: str) -> int | None:
        """Where the last undo came from, if nothing has been played since."""
        ...

    async def ahead(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the next turns on the way to `redo_entry`, oldest first."""
        ...

    async def takes(self, campaign: str, turn_no: int) -> list[Logged]:
        """Every take on that turn that grew from the same past, oldest first."""
        ...

    async def count_takes(self, campaign: str, first: int, last: int) -> dict[int, int]:
        """How many takes there are on each turn of the active branch from `first` to `last`."""
        ...

    async def following(self, campaign: str, entry: int) -> list[Logged]:
        """The entries that come directly after one, on any branch, oldest first."""
        ...

    async def branch(
        self, campaign: str, name: str, turn_no: int, *, after: LogPosition
    ) -> LogPosition:
        """A new branch from that turn, made active. Conflict when the name is taken."""
        ...

    async def branches(self, campaign: str) -> list[Branch]:
        """All branches."""
        ...

    async def switch(self, campaign: str, name: str) -> LogPosition:
        """Makes another branch active."""
        ...

    async def rebuild(self, campaign: str) -> GameState:
        """The state folded anew from the log, whatever the tables hold."""
        ...
