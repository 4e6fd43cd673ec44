"""What is added to a campaign's log: its row, its turn's number, and the state after it."""

from collections.abc import Sequence

from freeform.adapters.sql.entries import EntryPage, insert
from freeform.adapters.sql.events import (
    begin_row,
    complete_row,
    facts_before,
    told_next,
)
from freeform.adapters.sql.ports import Db, OpenCampaign
from freeform.adapters.sql.tables import write_diff
from freeform.adapters.sql.tree import Tip
from freeform.core.errors import Conflict, NotFound
from freeform.engine.log import Begun, Changed, Entry, Narrated, Resolved
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import GameState


def add_entry(
    db: Db, place: tuple[str, str], page: EntryPage, parent: int, turn_no: int, at: str
) -> int:
    """Writes an entry after its parent, in this campaign and branch; its number."""
    entry = insert(db, page, parent, turn_no, at)
    match page.entry:
        case Resolved() as turn:
            begin_row(db, *place, entry, turn, page)
        case Narrated() as turn:
            if (facts := facts_before(db, parent, turn)) is None:
                raise _no_facts(turn)
            complete_row(db, facts, turn, page)
        case Begun() | Changed():
            pass
    return entry


def write_state(db: Db, state: GameState, diff: StateDiff) -> GameState:
    """The state after a change, and its tables with it."""
    try:
        return write_diff(db, state, diff)
    except KeyError as missing:
        raise NotFound(
            f"the change names {missing}, which is not in the campaign; nothing was changed"
        ) from missing


def follow_recent(file: OpenCampaign, before: Tip, now: Tip, entries: Sequence[Entry]) -> None:
    """What was told lately, if it is remembered, goes on with what was added."""
    (at, turns), told = file.kept.get("recent", ((None, 0), ()))
    if at == before.entry:
        for entry in entries:
            told = told_next(told, turns, entry)
        file.kept["recent"] = (now.entry, turns), told


def turn_after(turn_no: int, page: EntryPage) -> int:
    """The turn an entry stands in. Turns are counted without gaps."""
    match page.entry:
        case Resolved(turn_no=number):
            if number != turn_no + 1:
                raise Conflict(
                    f"turn {number} cannot follow turn {turn_no}; look again, then try again"
                )
            return number
        case Narrated(turn_no=number) as told:
            if number != turn_no:
                raise _no_facts(told)
            return number
        case Begun():
            raise Conflict("a campaign begins only once; begin another campaign")
        case Changed():
            return turn_no


def _no_facts(told: Narrated) -> Conflict:
    return Conflict(
        f"the prose of turn {told.turn_no} has no facts to follow; look again, then try again"
    )
