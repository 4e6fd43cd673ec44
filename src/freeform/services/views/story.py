"""From log entries to turns as a reader sees them, with what each of them changed. Pure."""

from collections.abc import Sequence
from typing import Any

from freeform.engine.log import Begun, Logged, Narrated, Resolved
from freeform.engine.rulings.lasting import DEED
from freeform.engine.world.by_hand import BY_PEN, GAME_MASTER, retold_by_hand
from freeform.engine.world.model import EngineEvent, StateDiff
from freeform.engine.world.state import PLAYER, GameState
from freeform.services.views.records import StateChange, Story, TurnView


def facts_event(resolved: Resolved, state: GameState) -> dict[str, Any]:
    """What is told when a turn's facts stand and its prose is still to come."""
    changed = changes(resolved.engine_events, [resolved.state_diff], state)
    return {
        "turn_id": resolved.turn_id,
        "turn_no": resolved.turn_no,
        "take": resolved.take,
        "player_input": resolved.player_input,
        "actor": resolved.actor,
        "parts": [part.model_dump(mode="json") for part in resolved.parts],
        "rolls": [roll.model_dump(mode="json") for roll in resolved.rolls],
        "changed": [change.model_dump(mode="json", by_alias=True) for change in changed],
        "blocked": [blocked.reason for blocked in resolved.validator.blocked_actions],
    }


def story(logged: Sequence[Logged], takes: dict[int, int], state: GameState) -> list[TurnView]:
    """Turns from their entries; a turn whose words are not told yet has an empty text."""
    narrations: dict[str, Narrated] = {}
    for row in logged:
        if isinstance(row.entry, Narrated):
            narrations[row.entry.turn_id] = row.entry
    turns: list[TurnView] = []
    for row in logged:
        if isinstance(row.entry, Resolved):
            narrated = narrations.get(row.entry.turn_id)
            most = takes.get(row.entry.turn_no, 1)
            turns.append(_turn(row.entry, narrated, row.at, most, state))
    return turns


def _turn(
    facts: Resolved, narrated: Narrated | None, at: str, takes: int, state: GameState
) -> TurnView:
    diffs = [facts.state_diff]
    degraded = [*facts.degraded]
    now = retold_by_hand(state).get(facts.turn_no)
    if narrated:
        diffs.append(narrated.state_diff)
        degraded += narrated.degraded
    return TurnView(
        turn_no=facts.turn_no,
        turn_id=facts.turn_id,
        take=facts.take,
        takes=max(takes, facts.take),
        player_input=facts.player_input,
        actor=facts.actor,
        parts=facts.parts,
        final_text=now or (narrated.final_text if narrated else ""),
        told_by=_told_by(facts, narrated, now),
        next_prompt=narrated.narrator.next_prompt if narrated else "",
        suggested_actions=narrated.narrator.suggested_actions if narrated else [],
        rolls=facts.rolls,
        changed=changes(facts.engine_events, diffs, state),
        blocked=[blocked.reason for blocked in facts.validator.blocked_actions],
        rejected=len(narrated.rejected) if narrated else 0,
        degraded=degraded,
        at=at,
    )


def _told_by(facts: Resolved, narrated: Narrated | None, now: str | None) -> str:
    by_hand = narrated is not None and narrated.model.get("narrator") == GAME_MASTER
    if facts.interpreter.intent == BY_PEN or by_hand:
        return "pen"
    return "corrected" if now else ""


def changes(
    events: Sequence[EngineEvent], diffs: Sequence[StateDiff], state: GameState
) -> list[StateChange]:
    """What changed for the player's eyes."""
    found = (_change(event, state) for event in events)
    rows = [row for row in found if row]
    learnt = {row.id for row in rows if row.kind == "fact"}
    for diff in diffs:
        rows += _learnt(diff, learnt)
        rows += _ties(diff, state)
    return rows


def _learnt(diff: StateDiff, already: set[str]) -> list[StateChange]:
    rows: list[StateChange] = []
    for fact in diff.facts_add:
        if DEED in fact.tags:
            continue  # what one did oneself is nothing one learns
        if fact.visibility == "known" and fact.id not in already and fact.object.get("text"):
            rows.append(_changed(kind="fact", id=fact.id, text=str(fact.object["text"])))
    return rows


def _ties(diff: StateDiff, state: GameState) -> list[StateChange]:
    rows: list[StateChange] = []
    for tie in diff.relationships_update:
        if tie.b_id != PLAYER or not _has_met(tie.a_id, state):
            continue  # what a stranger thinks of one is not felt
        if tie.delta and not tie.notes.get("secret"):
            text = f"{state.name(tie.a_id)}: {tie.rel_type} {tie.delta:+d}"
            rows.append(_changed(kind="relation", id=tie.a_id, text=text, to=tie.delta))
    return rows


def _has_met(id: str, state: GameState) -> bool:
    entity = state.entities.get(id)
    known = entity is not None and bool(entity.attrs.get("known"))
    return known or id in state.scene.present_entity_ids or bool(state.value(id, "met"))


def _change(event: EngineEvent, state: GameState) -> StateChange | None:
    details = event.details
    match event.type:
        case "clock_advanced" if _is_open_clock(details["id"], state):
            before, now = details["from"], details["to"]
            text = f"{details['name']}: {before} → {now} of {details['max']}"
            return _changed(kind="clock", id=details["id"], text=text, before=before, to=now)
        case "item_gained":
            text = f"+ {details['name']}"
            return _changed(kind="item", id=details["item"], text=text, to=details["qty"])
        case "item_lost":
            text = f"− {details['name']}"
            return _changed(kind="item", id=details["item"], text=text, to=-details["qty"])
        case "fact_learned" if details.get("text"):
            return _changed(kind="fact", id=details["fact_id"], text=details["text"])
        case "thread_changed" if details["status"] != "hidden":
            text = f"{details['title']} ({details['status']})"
            return _changed(kind="thread", id=details["id"], text=text, to=details["status"])
        case "moved":
            before, now = details["from"], details["to"]
            return _changed(kind="scene", id=now, text=details["name"], before=before, to=now)
        case _:
            return None


def _changed(
    kind: str, id: str, text: str, before: int | str | None = None, to: int | str | None = None
) -> StateChange:
    return StateChange.model_validate(
        {"kind": kind, "id": id, "text": text, "from": before, "to": to}
    )


def _is_open_clock(id: str, state: GameState) -> bool:
    clock = state.clocks.get(id)
    return clock is None or "hidden" not in clock.tags


def last_words(begun: Begun, tail: Sequence[Logged]) -> tuple[str, list[str], bool]:
    """The prompt, the suggestions, and whether words are still to be told, after the last turn."""
    narrated: Narrated | None = None
    facts: Resolved | None = None
    for row in tail:
        if isinstance(row.entry, Narrated):
            narrated = row.entry
        elif isinstance(row.entry, Resolved):
            facts = row.entry
    pending = facts is not None and (narrated is None or narrated.turn_id != facts.turn_id)
    if pending:
        return "", [], True
    if narrated is None:
        return "", begun.suggested_actions, False
    return narrated.narrator.next_prompt, narrated.narrator.suggested_actions, False


def without_models(told: Story) -> Story:
    """The same for whoever sits at somebody else's table: not which model failed, and why."""
    turns = [turn.model_copy(update={"degraded": []}) for turn in told.turns]
    return told.model_copy(update={"turns": turns})
