"""A store with some entries more that it only remembers: a turn is played on it, and nothing is
written until somebody says so."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from freeform.core.errors import Conflict
from freeform.engine.log import Entry, Logged, LogPosition, Narrated, Resolved
from freeform.engine.ports import StateStore, TurnText
from freeform.engine.rehearsal import as_read
from freeform.engine.rules.change import apply
from freeform.engine.table import Table
from freeform.engine.world.state import GameState

_READS = frozenset(
    {"campaigns", "begun", "redo_entry", "ahead", "takes", "count_takes", "following", "branches"}
)
"""What a draft asks the story itself; it can change nothing there."""


@dataclass
class DraftStore:
    """The store with some entries more that it only remembers. Whatever would change the story
    otherwise is not there."""

    inner: StateStore
    drafted: list[Logged] = field(default_factory=list)

    def __getattr__(self, name: str) -> Any:
        if name not in _READS:
            raise AttributeError(name)
        return getattr(self.inner, name)

    async def head(self, campaign: str) -> LogPosition:
        """Where the story would stand."""
        stands = await self.inner.head(campaign)
        if not self.drafted:
            return stands
        last = self.drafted[-1]
        return stands.model_copy(update={"entry": last.id, "turn_no": last.turn_no})

    async def append(
        self, campaign: str, entries: Sequence[Entry], *, after: LogPosition
    ) -> LogPosition:
        """Remembers entries."""
        stands = await self.head(campaign)
        if stands.entry != after.entry:
            raise Conflict("the story has moved on; ask again")
        for entry in entries:
            number = entry.turn_no if isinstance(entry, Resolved | Narrated) else stands.turn_no
            row = Logged(
                id=stands.entry + 1, parent=stands.entry, turn_no=number, entry=entry, at=""
            )
            self.drafted.append(row)
            stands = stands.model_copy(update={"entry": row.id, "turn_no": number})
        return stands

    async def get_state(self, campaign: str, turn_no: int | None = None) -> GameState:
        """The state with what is remembered."""
        state = await self.inner.get_state(campaign, turn_no)
        for row in self.drafted if turn_no is None else []:
            state = apply(state.at_turn(row.turn_no), row.entry.state_diff)
        return state

    async def read(self, campaign: str, first: int = 0, last: int | None = None) -> list[Logged]:
        """The entries with those that are remembered."""
        more = [
            row
            for row in self.drafted
            if row.turn_no >= first and (last is None or row.turn_no <= last)
        ]
        return [*await self.inner.read(campaign, first, last), *more]

    async def tail(self, campaign: str, turns: int) -> list[Logged]:
        """The entries of the last turns."""
        found = [*await self.inner.tail(campaign, turns), *self.drafted]
        numbers = sorted({row.turn_no for row in found})[-turns:]
        return [row for row in found if row.turn_no in numbers]

    async def recent(self, campaign: str, turns: int) -> list[TurnText]:
        """The words of the last turns."""
        told = {row.turn_no: row.entry for row in self.drafted if isinstance(row.entry, Narrated)}
        facts = [row.entry for row in self.drafted if isinstance(row.entry, Resolved)]
        more = [
            as_read(each, told[each.turn_no].final_text if each.turn_no in told else "")
            for each in facts
        ]
        return [*await self.inner.recent(campaign, turns), *more][-turns:]

    async def find_turn(self, campaign: str, turn_id: str) -> list[Logged]:
        """What there is of a turn."""
        own = [
            row
            for row in self.drafted
            if isinstance(row.entry, Resolved | Narrated) and row.entry.turn_id == turn_id
        ]
        return own or await self.inner.find_turn(campaign, turn_id)

    async def get_summary(self, campaign: str, scope: str, scope_id: str) -> Any:
        """The summary of a scene, thread, session …"""
        return (await self.get_state(campaign)).summary(scope, scope_id)


def on_scratch(table: Table) -> tuple[Table, DraftStore]:
    """The table with a store that only remembers; no game night ends there."""
    store = DraftStore(table.store)
    return replace(table, store=cast(StateStore, store), session_turns=0), store
