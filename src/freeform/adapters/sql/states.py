"""The state at an entry of the log: remembered, read from the tables, or folded from the diffs."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from freeform.adapters.sql import tree
from freeform.adapters.sql.entries import unreadable
from freeform.adapters.sql.ports import Db, OpenCampaign
from freeform.adapters.sql.tables import read_state, rewrite
from freeform.adapters.sql.tree import Tip
from freeform.engine.log import LogPosition
from freeform.engine.rules.change import draft, fold_diffs
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import GameState


def keep(file: OpenCampaign, tip: Tip, own: GameState) -> LogPosition:
    """Remembers the state for the next call; nobody else may hold it, since it will be written
    into."""
    file.kept["own"] = ((tip.branch, tip.entry), own)
    return tip.position


def keep_tip(file: OpenCampaign, tip: Tip, version: object) -> None:
    """Remembers where play stands, for as long as nobody writes. `version` is of the same
    moment."""
    file.kept["tip"] = version, tip


def known_tip(file: OpenCampaign) -> Tip | None:
    """Where play stands, if that is remembered and still so."""
    version, tip = file.kept.get("tip", (None, None))
    return tip if tip and version == file.version() else None


def known_state(file: OpenCampaign, tip: Tip) -> GameState | None:
    """The state at the tip, as a value that no later turn changes, if the file need not be asked
    for it."""
    here = tip.branch, tip.entry
    at, state = file.kept.get("given", (None, None))
    if at == here:
        return state  # type: ignore[no-any-return]
    at, own = file.kept.get("own", (None, None))
    return _give(file, tip, own) if at == here else None


def keep_given(file: OpenCampaign, before: Tip, now: Tip) -> None:
    """The state that was given out is the same at the new tip: words were added, nothing
    changed."""
    at, state = file.kept.get("given", (None, None))
    if at == (before.branch, before.entry):
        file.kept["given"] = ((now.branch, now.entry), state)


def _give(file: OpenCampaign, tip: Tip, own: GameState) -> GameState:
    state = draft(own)
    file.kept["given"] = ((tip.branch, tip.entry), state)
    return state


def own_state(file: OpenCampaign, db: Db, campaign: str, tip: Tip) -> GameState:
    """The store's own copy at the tip, to write into: so that a turn costs the same in a long
    campaign.

    It is handed out once. Who succeeds keeps what came of it; after a failure it is read from the
    tables.
    """
    at, own = file.kept.pop("own", (None, None))
    if at == (tip.branch, tip.entry) and isinstance(own, GameState):
        return own
    with unswept():
        return read_state(db, campaign, tip.branch, tip.turn_no, file.path)


def state_at(file: OpenCampaign, db: Db, campaign: str, tip: Tip) -> GameState:
    """The state at the tip, as a value that no later turn changes."""
    if given := known_state(file, tip):
        return given
    own = own_state(file, db, campaign, tip)
    keep(file, tip, own)
    return _give(file, tip, own)


def fold_to(file: OpenCampaign, db: Db, campaign: str, branch: str, entry: int) -> GameState:
    """The state at any entry, from the diffs that lead to it."""
    (turn_no,) = db.execute("select turn_no from log where id = ?", (entry,)).fetchone()
    try:
        with unswept():
            diffs = (StateDiff.model_validate_json(text) for text in tree.diffs(db, entry))
            return fold_diffs(campaign, branch, turn_no, diffs)
    except (ValueError, KeyError) as wrong:
        raise unreadable(file.path, "the log", wrong) from wrong


def follow(file: OpenCampaign, db: Db, campaign: str, tip: Tip, at: str) -> GameState:
    """The head has moved to this tip: the tables hold its state from now on."""
    state = fold_to(file, db, campaign, tip.branch, tip.entry)
    rewrite(db, state)
    touch(db, tip.turn_no, at)
    return state


def touch(db: Db, turn_no: int, at: str) -> None:
    """The campaign was played just now."""
    db.execute("update campaigns set updated_at = ?, current_turn = ?", (at, turn_no))


@contextmanager
def unswept() -> Iterator[None]:
    """No garbage collection while many rows become records: none of them is garbage, and looking at
    all of them again and again takes as long as reading them."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
