"""Finds the turn, and the pass in it, where something that should be so was broken.

The state can be folded at any turn, so the turns are halved, as with commits: some ten looks for a
thousand turns.
"""

from dataclasses import replace
from typing import Literal

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record, canonical
from freeform.engine.log import Begun, Changed, Entry, Logged, Narrated, Resolved
from freeform.engine.rules.change import apply
from freeform.engine.table import Table
from freeform.engine.world.model import EngineEvent, StateDiff
from freeform.engine.world.state import GameState
from freeform.evals.checks import Check

By = Literal["rules", "narrator", "person"]
"""The validator and resolver; the narrator's claims; a person's correction, a pin, a session."""
PAGE = 50


class Broken(Record):
    """Where it broke. `good_turn` is the last turn after which it held."""

    check: str
    broken: bool
    turn_no: int | None = None
    by: By | None = None
    good_turn: int | None = None
    player_input: str = ""
    said: str = ""
    """The prose, or the person's reason."""
    change: StateDiff | None = None
    engine_events: list[EngineEvent] = Field(default_factory=list)
    looks: int = 0
    """How many states were folded."""
    notes: list[str] = Field(default_factory=list)


async def bisect(
    campaign: str, check: Check, table: Table, good: int | None = None, bad: int | None = None
) -> Broken:
    """The first change after a turn where it held; UserError when it never did."""
    head = await table.store.head(campaign)
    last = head.turn_no if bad is None else bad
    if not 0 <= last <= head.turn_no or (good is not None and not 0 <= good <= last):
        raise UserError(
            f"'{campaign}' has turns 0 to {head.turn_no}; choose --good and --bad among them"
        )
    first, notes = (
        (good, list[str]()) if good is not None else await _first_good(campaign, check, table, last)
    )
    start = await table.store.get_state(campaign, first)
    looks = 1
    if not check.holds(start, start):
        raise UserError(
            f"'{check.text}' does not hold after turn {first}; choose a --good turn where it does"
        )
    end = await table.store.get_state(campaign, last)
    looks += 1
    if check.holds(end, start):
        return Broken(check=check.text, broken=False, good_turn=last, looks=looks, notes=notes)
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        looks += 1
        if check.holds(await table.store.get_state(campaign, middle), start):
            low = middle
        else:
            high = middle
    return await _within(campaign, check, start, low, high, table, looks, notes)


async def _within(
    campaign: str,
    check: Check,
    start: GameState,
    good: int,
    bad: int,
    table: Table,
    looks: int,
    notes: list[str],
) -> Broken:
    """The entry of that turn after which it no longer holds."""
    state = await table.store.get_state(campaign, good)
    entries = await table.store.read(campaign, bad, bad)
    facts = next((e.entry for e in entries if isinstance(e.entry, Resolved)), None)
    # What a person changed after the good turn belongs to it, and so is in its state already.
    for logged in entries:
        state = replace(apply(state, logged.entry.state_diff), turn_no=logged.turn_no)
        if not check.holds(state, start):
            break
    return Broken(
        check=check.text,
        broken=True,
        turn_no=bad,
        by=who_made(logged.entry),
        good_turn=good,
        player_input=facts.player_input if facts else "",
        said=_said(logged.entry),
        change=about(logged.entry.state_diff, check.about),
        engine_events=[e for e in facts.engine_events if check.about in canonical(e.details)]
        if facts
        else [],
        looks=looks,
        notes=notes,
    )


async def _first_good(
    campaign: str, check: Check, table: Table, last: int
) -> tuple[int, list[str]]:
    """Turn 0 if it holds there, else the first turn after which it does: it was planted in play."""
    beginning = await table.store.get_state(campaign, 0)
    if check.exists(beginning) and check.holds(beginning, beginning):
        return 0, []
    state = beginning
    for first in range(1, last + 1, PAGE):
        turns: dict[int, list[Logged]] = {}
        for logged in await table.store.read(campaign, first, min(last, first + PAGE - 1)):
            turns.setdefault(logged.turn_no, []).append(logged)
        for number, entries in turns.items():
            for logged in entries:
                state = replace(apply(state, logged.entry.state_diff), turn_no=number)
            if check.exists(state) and check.holds(state, state):
                return number, [f"it first held after turn {number}"]
    raise UserError(
        f"'{check.text}' never holds in '{campaign}' up to turn {last}; check its ids against `state`"
    )


def who_made(entry: Entry) -> By:
    """Which pass an entry comes from."""
    match entry:
        case Begun() | Resolved():
            return "rules"
        case Narrated():
            return "narrator"
        case Changed():
            return "person"


def _said(entry: Entry) -> str:
    match entry:
        case Narrated():
            return entry.final_text
        case Changed():
            return entry.why
        case Begun() | Resolved():
            return ""


def about(diff: StateDiff, id: str) -> StateDiff:
    """The part of a diff that speaks of an id; the whole when nothing does."""
    if not id:
        return diff
    short = id.partition("#")[0]
    kept = {
        name: [row for row in rows if id in canonical(row) or short in canonical(row)]
        for name in StateDiff.model_fields
        if isinstance(rows := getattr(diff, name), list)
    }
    scene = (
        diff.scene_update if diff.scene_update and short in canonical(diff.scene_update) else None
    )
    found = StateDiff(scene_update=scene, **kept)
    return found if found != StateDiff() else diff
