"""How things look at the table, as lines of text. Pure."""

import textwrap
from collections.abc import Iterable, Sequence

from freeform.engine.rulings.lasting import CONDITION, DEED, PROMISE
from freeform.engine.table import Rules
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import (
    PLAYER,
    Fact,
    GameState,
    StoryClock,
)

MOST_SEGMENTS = 16
MOST_LEARNT = 4


def clock_line(clock: StoryClock, plain: bool) -> str:
    """A clock as segments, `Heat ●●●○○○`; in words where nothing is drawn."""
    if plain or clock.max > MOST_SEGMENTS:
        return f"{clock.name}: {clock.value} of {clock.max}"
    return f"{clock.name} {'●' * clock.value}{'○' * (clock.max - clock.value)}"


def changes(diff: StateDiff, after: GameState) -> list[str]:
    """What a turn changed that the player may know, in a few words each."""
    there = _went_to(diff)
    told = [f"now at {after.name(there)}"] if there else []
    told += _ticks(diff, after)
    told += [
        _handed(row.item_id, row.qty, after) for row in diff.inventory_add if row.owner_id == PLAYER
    ]
    told += [
        _handed(row.item_id, row.delta, after)
        for row in diff.inventory_changes
        if row.owner_id == PLAYER and row.delta
    ]
    for shift in diff.relationships_update:
        if shift.b_id == PLAYER and shift.delta:
            told.append(
                f"{after.name(shift.a_id)} {'warms to' if shift.delta > 0 else 'cools towards'} you"
            )
    for moved in diff.threads_update:
        if moved.status and moved.status != "hidden" and moved.id in after.threads:
            told.append(f"{after.threads[moved.id].title}: {moved.status}")
    return [*dict.fromkeys(told), *_learnt(diff, after)]


def ticked(diff: StateDiff, after: GameState) -> list[StoryClock]:
    """The clocks that moved."""
    ids = dict.fromkeys(tick.id for tick in diff.clocks if tick.delta)
    return [after.clocks[id] for id in ids if id in after.clocks]


def fact_text(fact: Fact, state: GameState) -> str:
    """A fact in words."""
    text = fact.object.get("text")
    if text:
        return str(text)
    value = fact.object.get("value")
    what = state.name(value) if isinstance(value, str) and value in state.entities else value
    said = "" if what is True else f" {what}"
    return f"{state.name(fact.subject_id)}: {fact.predicate.replace('_', ' ')}{said}"


def time_text(state: GameState) -> str:
    """The hour in the story, `day 1, 20:15`."""
    minute = int(state.scene.time.get("minute", 0))
    return f"day {state.scene.time.get('day', 1)}, {minute // 60 % 24:02d}:{minute % 60:02d}"


def status_lines(state: GameState, rules: Rules, plain: bool) -> list[str]:
    """Who, where, when, with whom, and every clock."""
    hero = state.entities.get(PLAYER)
    stats = hero.attrs.get("stats", {}) if hero else {}
    who = f"{state.name(PLAYER)}" + (
        f", {hero.attrs['concept']}" if hero and hero.attrs.get("concept") else ""
    )
    lines = [who]
    if stats:
        lines.append("Stats: " + ", ".join(f"{name} {value:+d}" for name, value in stats.items()))
    lines += [str(fact.object["text"]) for fact in sheet_facts(state)]
    present = [state.name(id) for id in state.scene.present_entity_ids if id != PLAYER]
    lines += [f"At {state.name(state.scene.location_id)}, {time_text(state)}"]
    lines += [f"With {', '.join(present)}"] if present else []
    lines += [clock_line(clock, plain) for clock in state.clocks.values()]
    return [*lines, f"Turn {state.turn_no}, branch {state.branch}"]


def sheet_facts(state: GameState) -> list[Fact]:
    """What the player's character has of points and of all that is counted, as far as it moves."""
    known = [fact for fact in state.facts_of(PLAYER) if fact.visibility == "known"]
    counted = ("hit_points", "harm_taken", "level")
    return [
        fact
        for fact in known
        if fact.object.get("text") and ("resource" in fact.tags or fact.predicate in counted)
    ]


def scene_lines(state: GameState, rules: Rules) -> list[str]:
    """The place, its ways out, who and what is here."""
    here = state.scene.location_id
    lines = [state.name(here), rules.place(here).description.strip()]
    present = [state.name(id) for id in state.scene.present_entity_ids if id != PLAYER]
    things = [state.name(row.item_id) for row in state.held(here)]
    ways = [way.name or state.name(way.to) for way in rules.exits(here, state)]
    for label, names in (("Here", present), ("To see", things), ("Ways", ways)):
        lines += [f"{label}: {', '.join(names)}"] if names else []
    return [line for line in lines if line]


def inventory_lines(state: GameState) -> list[str]:
    """What the player's character carries."""
    held = [f"- {_counted(row.item_id, row.qty, state)}" for row in state.held(PLAYER)]
    return held or ["You carry nothing of note."]


def thread_lines(state: GameState) -> list[str]:
    """The story's open and closed questions."""
    shown = [thread for thread in state.threads.values() if thread.status != "hidden"]
    return [f"- {thread.title} ({thread.status})" for thread in shown] or [
        "No thread has shown itself yet."
    ]


def known_facts(state: GameState, most: int = 12) -> list[str]:
    """The facts learnt last, with the ids that `/why` takes."""
    known = [fact for fact in state.facts.values() if fact.visibility == "known"]
    known.sort(key=lambda fact: (fact.discovered_turn or 0, fact.id), reverse=True)
    return [f"- {fact.id}: {fact_text(fact, state)}" for fact in known[:most]]


def joined(parts: Iterable[str]) -> str:
    """Short remarks on one line."""
    return " · ".join(parts)


def _went_to(diff: StateDiff) -> str:
    return (diff.scene_update.location_id or "") if diff.scene_update else ""


def _ticks(diff: StateDiff, after: GameState) -> list[str]:
    total: dict[str, int] = {}
    for tick in diff.clocks:
        total[tick.id] = total.get(tick.id, 0) + tick.delta
    clocks = (
        (after.clocks[id], delta) for id, delta in total.items() if delta and id in after.clocks
    )
    return [f"{clock.name} {delta:+d} ({clock.value}/{clock.max})" for clock, delta in clocks]


def _learnt(diff: StateDiff, after: GameState) -> list[str]:
    new = [fact.id for fact in diff.facts_add if fact.visibility == "known"]
    new += [update.id for update in diff.facts_update if update.visibility == "known"]
    known = [after.facts[id] for id in dict.fromkeys(new) if id in after.facts]
    # What one did is nothing one learns, and what is quietly over nothing that is so.
    facts = [fact for fact in known if DEED not in fact.tags and not _is_over(fact)]
    told = [_in_a_line(fact, after) for fact in facts]
    more = len(told) - MOST_LEARNT
    return [*told[:MOST_LEARNT], *([f"and {more} more"] if more > 0 else [])]


def _is_over(fact: Fact) -> bool:
    value = fact.object.get("value")
    return not fact.object.get("text") and (value is False or value == "over")


def _in_a_line(fact: Fact, after: GameState) -> str:
    """What was learnt; what was brought about is so now."""
    lead = "now" if {CONDITION, PROMISE} & set(fact.tags) else "learnt"
    return f"{lead}: {textwrap.shorten(fact_text(fact, after), 90, placeholder='…')}"


def _handed(item: str, qty: int, state: GameState) -> str:
    return f"{'+' if qty > 0 else '-'} {_counted(item, abs(qty), state)}"


def _counted(item: str, qty: int, state: GameState) -> str:
    return state.name(item) if qty == 1 else f"{state.name(item)} ×{qty}"


def numbered(actions: Sequence[str]) -> list[str]:
    """Suggested actions; typing the number takes one."""
    return [f"{number}. {action}" for number, action in enumerate(actions, start=1)]
