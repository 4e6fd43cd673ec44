"""What came before the turns that are told one by one, in three layers that cite turns: the story
by its plot, game nights by their summaries, scenes by what mattered in them.

    # Before turn 41
    The story so far: … [t3] … [t28]
    Turns 1-20: the summary of a game night, as it was written when it ended
    The Neon Dragon (turns 31-36): … [t31] … [t34]

It is made from the state and a stretch of the log of bounded length, so it costs the same at turn
10,000.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from freeform.core.text import shorten
from freeform.engine.campaign.sessions import highlights
from freeform.engine.log import Logged, Resolved
from freeform.engine.rulings.lasting import PROMISE
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import pinned_by_hand
from freeform.engine.world.state import PLAYER, Fact, GameState

LOOKED_BACK = 60
"""Turns before those told one by one whose scenes are told in short."""
_PLOT, _NIGHTS, _PER_SCENE = 16, 6, 3
_LETTERS = 180


@dataclass
class _SceneStretch:
    """Turns played in one place."""

    place: str
    first: int
    last: int
    entries: list[Logged] = field(default_factory=list)


def told_in_short(
    state: GameState, first: int, before: Sequence[Logged], rules: Rules
) -> Iterator[str]:
    """The layers; nothing where the story is told from its beginning."""
    if first == 1:
        return
    yield f"# Before turn {first}"
    plot = plot_so_far(state, rules)
    if plot:
        yield f"The story so far: {' '.join(plot)}"
    for summary in list(state.summaries.values())[-_NIGHTS:]:
        yield f"Turns {summary.turn_no_range}: {shorten(summary.text, 500)}"
    for scene in _scenes(before, state):
        mattered = highlights(scene.entries, most=_PER_SCENE)
        cited = " ".join(f"{shorten(one.text, _LETTERS)} [t{one.turn_no}]" for one in mattered)
        turns = f"{scene.first}-{scene.last}" if scene.last > scene.first else f"{scene.first}"
        if cited:
            yield f"{state.name(scene.place)} (turns {turns}): {cited}"


def plot_so_far(state: GameState, rules: Rules) -> list[str]:
    """What the player's character knows of the plot, promises that are open, and what a game master
    pinned: oldest first, each with the turn it was learnt in."""
    plot = {id for clue in rules.scenario.clues for id in clue.facts}
    pinned = {*pinned_by_hand(state), *open_promises(state)}
    told = [state.facts[id] for id in (*pinned, *plot) if id in state.facts]
    known = {fact.id: fact for fact in told if _is_told(fact)}
    newest = sorted(known.values(), key=lambda fact: (fact.id in pinned, fact.discovered_turn or 0))
    kept = sorted(newest[-_PLOT:], key=lambda fact: (fact.discovered_turn or 0, fact.id))
    return [f"{_said(fact)} [t{fact.discovered_turn or 0}]" for fact in kept]


def open_promises(state: GameState) -> list[str]:
    """The ids of what the player's character has promised and not yet kept or broken."""
    return [
        fact.id
        for fact in state.facts_of(PLAYER)
        if PROMISE in fact.tags and (fact.object.get("value") or {}).get("is") == "open"
    ]


def _scenes(before: Sequence[Logged], state: GameState) -> list[_SceneStretch]:
    """The turns by the place they were played in, in order."""
    scenes: list[_SceneStretch] = []
    place = _first_place(before) or state.scene.location_id
    for logged in before:
        entry = logged.entry
        if not isinstance(entry, Resolved):
            continue
        moved = [event for event in entry.engine_events if event.type == "moved"]
        if not scenes or scenes[-1].place != place:
            scenes.append(_SceneStretch(place, entry.turn_no, entry.turn_no))
        scenes[-1].last = entry.turn_no
        scenes[-1].entries.append(logged)
        if moved:
            place = str(moved[-1].details.get("to", place))
    return scenes


def _first_place(before: Sequence[Logged]) -> str:
    """Where the first of the turns was played: where one first went away from."""
    for logged in before:
        for event in getattr(logged.entry, "engine_events", ()):
            if event.type == "moved":
                return str(event.details.get("from", ""))
    return ""


def _is_told(fact: Fact) -> bool:
    return fact.visibility == "known" and bool(fact.object.get("text"))


def _said(fact: Fact) -> str:
    return shorten(str(fact.object.get("text", "")), _LETTERS)
