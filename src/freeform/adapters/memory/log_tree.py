"""One campaign in memory: its entries as a tree, its branches, and the states that were needed
lately."""

from collections import OrderedDict
from dataclasses import dataclass, field, replace

from freeform.core.errors import NotFound
from freeform.engine.log import Begun, Changed, Logged, LogPosition, Narrated, Resolved
from freeform.engine.rules.change import draft, fold_diffs, write
from freeform.engine.world.state import GameState

STATES_KEPT = 6
"""Play and replay look at the head and a step or two behind it; older states are folded again."""


@dataclass
class Twig:
    """A branch: where it stands, where it left its parent, and the way forward after an undo."""

    name: str
    head: int
    from_turn: int
    redo: int | None = None


@dataclass
class LogTree:
    """Entries are numbered from 1 and never change; each names its parent."""

    campaign: str
    created_at: str
    updated_at: str
    entries: list[Logged] = field(default_factory=list)
    children: dict[int | None, list[int]] = field(default_factory=dict)
    by_turn_id: dict[str, list[int]] = field(default_factory=dict)
    twigs: dict[str, Twig] = field(default_factory=dict)
    active: str = "main"
    _states: OrderedDict[int, GameState] = field(default_factory=OrderedDict)

    @property
    def tip(self) -> Twig:
        """The active branch."""
        return self.twigs[self.active]

    @property
    def position(self) -> LogPosition:
        """Where the active branch stands."""
        tip = self.tip
        return LogPosition(branch=tip.name, entry=tip.head, turn_no=self.at(tip.head).turn_no)

    @property
    def begun(self) -> Begun:
        """How it began."""
        first = self.entries[0].entry
        assert isinstance(first, Begun)
        return first

    def at(self, id: int) -> Logged:
        """An entry by its number."""
        return self.entries[id - 1]

    def add(self, logged: Logged) -> None:
        """Another entry; its number is the next one."""
        self.entries.append(logged)
        self.children.setdefault(logged.parent, []).append(logged.id)
        if isinstance(logged.entry, Resolved | Narrated):
            self.by_turn_id.setdefault(logged.entry.turn_id, []).append(logged.id)

    def path(self, head: int, first: int, last: int) -> list[Logged]:
        """The entries of turns `first` to `last` on the way to `head`, oldest first."""
        found, id = [], head
        while True:
            logged = self.at(id)
            if first <= logged.turn_no <= last:
                found.append(logged)
            if logged.parent is None or self.at(logged.parent).turn_no < first:
                return found[::-1]
            id = logged.parent

    def leads_to(self, entry: int, head: int) -> bool:
        """Whether `entry` is on the way to `head`. Numbers grow along it."""
        id: int | None = head
        while id is not None and id > entry:
            id = self.at(id).parent
        return id == entry

    def end_of_turn(self, turn_no: int) -> int:
        """The last entry of that turn on the active branch, with what was changed before the next
        turn."""
        here = self.position
        if not 0 <= turn_no <= here.turn_no:
            raise NotFound(
                f"no turn {turn_no} on branch '{here.branch}'; it has turns 0 to {here.turn_no}"
            )
        id = here.entry
        while self.at(id).turn_no > turn_no:
            parent = self.at(id).parent
            assert parent is not None, "turn 0 holds the beginning"
            id = parent
        return id

    def turn_before(self, entry: int | None) -> int | None:
        """The nearest entry at or before this one that is not a change between turns."""
        while entry is not None and isinstance(self.at(entry).entry, Changed):
            entry = self.at(entry).parent
        return entry

    def newest_after(self, entry: int) -> int | None:
        """The end of the newest way on from an entry; None when nothing follows it."""
        end = entry
        while after := self.children.get(end):
            end = after[-1]
        return None if end == entry else end

    def facts_before(self, entry: int, told: Narrated) -> bool:
        """Whether the facts that a turn's prose tells of are there, at or before this entry."""
        id: int | None = entry
        while id is not None and self.at(id).turn_no >= told.turn_no:
            found = self.at(id).entry
            if isinstance(found, Resolved) and found.turn_id == told.turn_id:
                return True
            id = self.at(id).parent
        return False

    def state(self, entry: int) -> GameState:
        """The state at an entry, as a value that nobody changes."""
        kept = self._states.get(entry)
        if kept is None:
            way = self.path(entry, 0, self.at(entry).turn_no)
            diffs = (logged.entry.state_diff for logged in way)
            kept = fold_diffs(self.campaign, self.active, self.at(entry).turn_no, diffs)
            self.keep(entry, kept)
        return kept if kept.branch == self.active else _renamed(kept, self.active)

    def keep(self, entry: int, state: GameState) -> None:
        """Remembers a state for the next question."""
        self._states[entry] = state
        self._states.move_to_end(entry)
        while len(self._states) > STATES_KEPT:
            self._states.popitem(last=False)

    def forget(self) -> None:
        """The next state is folded anew."""
        self._states.clear()


def _renamed(state: GameState, branch: str) -> GameState:
    return replace(state, branch=branch)


def grown(state: GameState, logged: Logged) -> GameState:
    """The state after one more entry."""
    return replace(write(draft(state), logged.entry.state_diff), turn_no=logged.turn_no)
