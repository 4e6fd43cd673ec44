"""How a diff changes the state: pure, and the only place that knows."""

from collections import ChainMap
from collections.abc import Iterable
from typing import Any

from freeform.engine.log import Entry, Narrated, Resolved
from freeform.engine.world.model import EntityUpdate, FactUpdate, InventoryChange, StateDiff
from freeform.engine.world.scales import word_on_scale
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    Holding,
    Relationship,
    Scene,
)

_LISTS = tuple(name for name in StateDiff.model_fields if name != "scene_update")
_FEW = 2_000
"""So many facts are copied sooner than a turn has looked through two layers of them."""


def apply(state: GameState, diff: StateDiff) -> GameState:
    """The state after a diff; the one before stays as it was."""
    return write(draft(state), diff)


def sketch(state: GameState) -> GameState:
    """A draft for one turn's few changes: where facts are many, the new ones are written on a sheet
    laid over them."""
    if len(state.facts) <= _FEW:
        return draft(state)
    return draft(state.but(facts={})).but(facts=ChainMap({}, state.facts))


def draft(state: GameState) -> GameState:
    """A copy whose tables one may write into."""
    return state.but(
        entities=dict(state.entities),
        facts=dict(state.facts),
        threads=dict(state.threads),
        clocks=dict(state.clocks),
        inventory=dict(state.inventory),
        relationships=dict(state.relationships),
        summaries=dict(state.summaries),
        by_subject=dict(state.by_subject),
        settled=dict(state.settled),
        weighed=dict(state.weighed),
        hidden=dict(state.hidden),
    )


def fold(campaign: str, branch: str, entries: Iterable[Entry]) -> GameState:
    """The state a log makes."""
    turn_no, diffs = 0, []
    for entry in entries:
        diffs.append(entry.state_diff)
        if isinstance(entry, Resolved | Narrated):
            turn_no = entry.turn_no
    return fold_diffs(campaign, branch, turn_no, diffs)


def fold_diffs(campaign: str, branch: str, turn_no: int, diffs: Iterable[StateDiff]) -> GameState:
    """The state that diffs make one after another, at that turn."""
    state = GameState(campaign_id=campaign, branch=branch, turn_no=turn_no)
    scene = state.scene
    for diff in diffs:
        _write_tables(state, diff)
        scene = _next_scene(scene, diff)
    return index(state.but(scene=scene))


def join(first: StateDiff, *rest: StateDiff) -> StateDiff:
    """Diffs in order, as one."""
    joined: dict[str, Any] = {name: list(getattr(first, name)) for name in _LISTS}
    scene = first.scene_update
    for diff in rest:
        for name, rows in joined.items():
            rows.extend(getattr(diff, name))
        if diff.scene_update:
            changed = diff.scene_update.model_dump(exclude_none=True)
            scene = scene.model_copy(update=changed) if scene else diff.scene_update
    return StateDiff.model_construct(
        scene_update=scene, **joined
    )  # of parts that are valid already


def index(state: GameState) -> GameState:
    """The state with its lookup by subject made anew, for a store that read the rows from
    tables."""
    by_subject: dict[str, list[str]] = {}
    settled: dict[str, dict[str, tuple[str, ...]]] = {}
    weighed: dict[str, tuple[str, ...]] = {}
    for fact in state.facts.values():
        by_subject.setdefault(fact.subject_id, []).append(fact.id)
        about = settled.setdefault(fact.subject_id, {})
        about[fact.predicate] = (*about.get(fact.predicate, ()), fact.id)
        if _can_deny(fact):
            weighed[fact.subject_id] = (*weighed.get(fact.subject_id, ()), fact.id)
    return state.but(
        by_subject={subject: tuple(ids) for subject, ids in by_subject.items()},
        settled=settled,
        weighed=weighed,
        hidden={fact.id: None for fact in state.facts.values() if fact.visibility == "hidden"},
    )


def write(state: GameState, diff: StateDiff) -> GameState:
    """Writes a diff into the state's own tables: only for a `draft`, or a state nobody else
    holds."""
    anew = False
    for fact in diff.facts_add:
        if fact.id in state.facts:
            anew = True
        else:
            state.by_subject[fact.subject_id] = (
                *state.by_subject.get(fact.subject_id, ()),
                fact.id,
            )
            about = state.settled.get(
                fact.subject_id, {}
            )  # shared with other states: replaced, not written into
            state.settled[fact.subject_id] = {
                **about,
                fact.predicate: (*about.get(fact.predicate, ()), fact.id),
            }
        state.facts[fact.id] = fact
    _write_tables(state, diff)
    if diff.scene_update:
        state = state.but(scene=_next_scene(state.scene, diff))
    if anew:
        return index(
            state
        )  # a fact written anew may speak of another subject: rare, so the lookups start over
    for id in (*(fact.id for fact in diff.facts_add), *(update.id for update in diff.facts_update)):
        fact = state.facts[id]
        if fact.visibility == "hidden":
            state.hidden[id] = None
        else:
            state.hidden.pop(id, None)
        _weigh(state, fact)
    return state


def _weigh(state: GameState, fact: Fact) -> None:
    """Puts a fact among those that can deny a claim, in the order of `facts_of`, or takes it
    away."""
    stood = state.weighed.get(fact.subject_id, ())
    if _can_deny(fact) == (fact.id in stood):
        return
    kept = {*stood} ^ {fact.id}
    if kept:
        state.weighed[fact.subject_id] = tuple(
            id for id in state.by_subject[fact.subject_id] if id in kept
        )
    else:
        del state.weighed[fact.subject_id]


def _can_deny(fact: Fact) -> bool:
    value = fact.object.get("value")
    return bool(word_on_scale(fact.predicate if value is True else value))


def _write_tables(state: GameState, diff: StateDiff) -> None:
    """The same without scene and lookup by subject, which a fold sets once at its end."""
    _add_rows(state, diff)
    _update_rows(state, diff)


def _add_rows(state: GameState, diff: StateDiff) -> None:
    for entity in diff.entities_add:
        state.entities[entity.id] = entity
    for fact in diff.facts_add:
        state.facts[fact.id] = fact
    for thread in diff.threads_add:
        state.threads[thread.id] = thread
    for clock in diff.clocks_add:
        state.clocks[clock.id] = clock
    for holding in diff.inventory_add:
        state.inventory[holding.owner_id, holding.item_id] = holding
    for tie in diff.relationships_add:
        state.relationships[tie.a_id, tie.b_id, tie.rel_type] = tie
    for summary in diff.summaries_add:
        state.summaries[summary.id] = summary


def _update_rows(state: GameState, diff: StateDiff) -> None:
    for change in diff.entities_update:
        state.entities[change.id] = _changed(state.entities[change.id], change)
    for update in diff.facts_update:
        state.facts[update.id] = _updated(state.facts[update.id], update)
    for moved in diff.threads_update:
        was = state.threads[moved.id]
        state.threads[moved.id] = was.model_copy(
            update={"status": moved.status or was.status, "stakes": {**was.stakes, **moved.stakes}}
        )
    for tick in diff.clocks:
        ticking = state.clocks[tick.id]
        value = max(0, min(ticking.max, ticking.value + tick.delta))
        state.clocks[tick.id] = ticking.model_copy(update={"value": value})
    for handed in diff.inventory_changes:
        _hand_over(state, handed)
    for shift in diff.relationships_update:
        pair = (shift.a_id, shift.b_id, shift.rel_type)
        stood = state.relationships.get(pair) or Relationship(
            a_id=shift.a_id, b_id=shift.b_id, rel_type=shift.rel_type
        )
        state.relationships[pair] = stood.model_copy(
            update={
                "intensity": max(-5, min(5, stood.intensity + shift.delta)),
                "notes": {**stood.notes, **shift.notes},
            }
        )


def _changed(entity: Entity, change: EntityUpdate) -> Entity:
    patch: dict[str, Any] = {"attrs": {**entity.attrs, **change.attrs}}
    if change.name is not None:
        patch["name"] = change.name
    if change.tags is not None:
        patch["tags"] = change.tags
    return entity.model_copy(update=patch)


def _hand_over(state: GameState, handed: InventoryChange) -> None:
    key = (handed.owner_id, handed.item_id)
    had = state.inventory.get(key) or Holding(
        owner_id=handed.owner_id, item_id=handed.item_id, qty=0
    )
    flags = {**had.flags, **handed.flags} if handed.flags else had.flags
    qty = max(0, had.qty + handed.delta)
    if qty:
        state.inventory[key] = had.model_copy(update={"qty": qty, "flags": flags})
    else:
        state.inventory.pop(key, None)


def _next_scene(scene: Scene, diff: StateDiff) -> Scene:
    if diff.scene_update is None:
        return scene
    return scene.model_copy(update=diff.scene_update.model_dump(exclude_none=True))


def _updated(fact: Fact, update: FactUpdate) -> Fact:
    patch = {f: v for f, v in update.model_dump(exclude={"id"}).items() if v is not None}
    return fact.model_copy(update=patch)
