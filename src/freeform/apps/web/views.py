"""From state and log to what the API shows: the player's view, never a hidden fact. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from freeform.apps.web import responses
from freeform.core.llm.gateway import Usage
from freeform.core.llm.prompts import PromptRegistry
from freeform.core.llm.tape import Tape
from freeform.core.record import canonical
from freeform.core.text import count_tokens
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.sessions import highlights
from freeform.engine.context import is_known
from freeform.engine.log import Begun, Logged, Narrated, Resolved
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.table import Rules
from freeform.engine.world.model import EngineEvent, StateDiff
from freeform.engine.world.state import (
    PLAYER,
    Entity,
    Fact,
    GameState,
)

_SLOT = re.compile(r"\{\{\s*(\w+)\s*\}\}")
NOT_KEPT = "(not kept, since no model was asked)"
_SHOWN_TYPES = ("npc", "pc", "location", "item", "faction", "object", "creature")


def facts_event(resolved: Resolved, state: GameState) -> dict[str, Any]:
    """What the stream tells when a turn's facts stand."""
    changed = changes(resolved.engine_events, [resolved.state_diff], state)
    return {
        "turn_id": resolved.turn_id,
        "turn_no": resolved.turn_no,
        "take": resolved.take,
        "player_input": resolved.player_input,
        "rolls": [roll.model_dump(mode="json") for roll in resolved.rolls],
        "changed": [change.model_dump(mode="json", by_alias=True) for change in changed],
        "blocked": [blocked.reason for blocked in resolved.validator.blocked_actions],
    }


def story(
    logged: Sequence[Logged], takes: dict[int, int], state: GameState
) -> list[responses.TurnView]:
    """Turns from their entries; a turn whose words are not told yet has an empty text."""
    told = {row.entry.turn_id: row.entry for row in logged if isinstance(row.entry, Narrated)}
    return [
        _turn(
            row.entry, told.get(row.entry.turn_id), row.at, takes.get(row.entry.turn_no, 1), state
        )
        for row in logged
        if isinstance(row.entry, Resolved)
    ]


def _turn(
    facts: Resolved, told: Narrated | None, at: str, takes: int, state: GameState
) -> responses.TurnView:
    diffs = [facts.state_diff, *([told.state_diff] if told else [])]
    return responses.TurnView(
        turn_no=facts.turn_no,
        turn_id=facts.turn_id,
        take=facts.take,
        takes=max(takes, facts.take),
        player_input=facts.player_input,
        final_text=told.final_text if told else "",
        next_prompt=told.narrator.next_prompt if told else "",
        suggested_actions=told.narrator.suggested_actions if told else [],
        rolls=facts.rolls,
        changed=changes(facts.engine_events, diffs, state),
        blocked=[blocked.reason for blocked in facts.validator.blocked_actions],
        rejected=len(told.rejected) if told else 0,
        degraded=[*facts.degraded, *(told.degraded if told else [])],
        at=at,
    )


def changes(
    events: Sequence[EngineEvent], diffs: Sequence[StateDiff], state: GameState
) -> list[responses.StateChange]:
    """What changed for the player's eyes."""
    rows = [row for event in events if (row := _change(event, state))]
    learnt = {row.id for row in rows if row.kind == "fact"}
    for diff in diffs:
        for fact in diff.facts_add:
            if fact.visibility == "known" and fact.id not in learnt and fact.object.get("text"):
                rows.append(_changed(kind="fact", id=fact.id, text=str(fact.object["text"])))
        for tie in diff.relationships_update:
            if tie.b_id == PLAYER and tie.delta and not tie.notes.get("secret"):
                text = f"{state.name(tie.a_id)}: {tie.rel_type} {tie.delta:+d}"
                rows.append(_changed(kind="relation", id=tie.a_id, text=text, to=tie.delta))
    return rows


def _change(event: EngineEvent, state: GameState) -> responses.StateChange | None:
    told = event.details
    match event.type:
        case "clock_advanced" if _is_open_clock(told["id"], state):
            text = f"{told['name']}: {told['from']} → {told['to']} of {told['max']}"
            return _changed(
                kind="clock", id=told["id"], text=text, before=told["from"], to=told["to"]
            )
        case "item_gained":
            return _changed(kind="item", id=told["item"], text=f"+ {told['name']}", to=told["qty"])
        case "item_lost":
            return _changed(kind="item", id=told["item"], text=f"− {told['name']}", to=-told["qty"])
        case "fact_learned" if told.get("text"):
            return _changed(kind="fact", id=told["fact_id"], text=told["text"])
        case "thread_changed" if told["status"] != "hidden":
            return _changed(
                kind="thread",
                id=told["id"],
                text=f"{told['title']} ({told['status']})",
                to=told["status"],
            )
        case "moved":
            return _changed(
                kind="scene", id=told["to"], text=told["name"], before=told["from"], to=told["to"]
            )
        case _:
            return None


def _changed(
    kind: str, id: str, text: str, before: int | str | None = None, to: int | str | None = None
) -> responses.StateChange:
    return responses.StateChange.model_validate(
        {"kind": kind, "id": id, "text": text, "from": before, "to": to}
    )


def _is_open_clock(id: str, state: GameState) -> bool:
    clock = state.clocks.get(id)
    return clock is None or "hidden" not in clock.tags


def table(state: GameState, rules: Rules, used: Usage) -> responses.TableShown:
    """Everything the side panel shows."""
    scene, agreed = state.scene, rules.begun.calibration
    hidden = set(scene.obscured_entities)
    return responses.TableShown(
        scene=_scene(state, rules),
        here=[
            _someone(state.entities[id], rules)
            for id in scene.present_entity_ids
            if id != PLAYER and id in state.entities and id not in hidden
        ],
        inventory=[
            responses.Thing(
                id=held.item_id,
                name=state.name(held.item_id),
                qty=held.qty,
                description=_description(state.entities.get(held.item_id)),
            )
            for held in state.held(PLAYER)
        ],
        threads=[
            responses.ThreadView(id=t.id, title=t.title, status=t.status)
            for _, t in sorted(state.threads.items())
            if t.status != "hidden"
        ],
        clocks=[
            responses.ClockView(id=c.id, name=c.name, value=c.value, max=c.max)
            for _, c in sorted(state.clocks.items())
            if "hidden" not in c.tags
        ],
        facts=known_facts(state, rules),
        situations=[
            str(f.object["text"])
            for f in state.facts_of(CAMPAIGN)
            if "situation" in f.tags and f.object.get("value") == "active" and f.object.get("text")
        ],
        hero=_hero(state, rules),
        safety=responses.SafetyView(
            lines=agreed.lines,
            veils=agreed.veils,
            excluded=[str(one) for one in state.value(CAMPAIGN, "excluded") or []],
        ),
        usage=responses.UsageView(
            calls=used.calls, tokens=used.input_tokens + used.output_tokens, cost_usd=used.cost_usd
        ),
    )


def known_facts(state: GameState, rules: Rules) -> list[responses.FactView]:
    """What the player knows, newest first."""
    facts = [
        f for f in state.facts.values() if f.visibility == "known" and f.subject_id != CAMPAIGN
    ]
    facts.sort(key=lambda fact: (-(fact.discovered_turn or 0), fact.id))
    return [_fact(fact, state, rules) for fact in facts]


def world(state: GameState, rules: Rules, logged: Sequence[Logged]) -> responses.WorldShown:
    """Who and what the player has heard of, how they stand to each other, and what happened."""
    met = [
        e for id, e in sorted(state.entities.items()) if id == PLAYER or is_known(id, state, rules)
    ]
    shown = [e for e in met if e.type in _SHOWN_TYPES and e.id not in state.scene.obscured_entities]
    ids = {e.id for e in shown}
    return responses.WorldShown(
        entities=[
            responses.EntityView(
                id=e.id,
                type=e.type,
                name=e.name,
                description=_description(e),
                facts=[
                    _fact(f, state, rules) for f in state.facts_of(e.id) if f.visibility == "known"
                ],
            )
            for e in shown
        ],
        relationships=[
            responses.RelationView(
                a=tie.a_id, b=tie.b_id, type=tie.rel_type, intensity=tie.intensity
            )
            for _, tie in sorted(state.relationships.items())
            if tie.a_id in ids and tie.b_id == PLAYER and not tie.notes.get("secret")
        ],
        timeline=[
            responses.TimelineMoment(turn_no=h.turn_no, text=h.text)
            for h in highlights(logged, most=200)
        ],
    )


def passes(tapes: Sequence[Tape], prompts: PromptRegistry) -> list[responses.PassView]:
    """Each question to a model, word for word, with what each part of it weighs."""
    told = [(tape, *_words(tape, prompts)) for tape in tapes]
    return [
        responses.PassView(
            pass_id=tape.pass_id,
            prompt=tape.prompt,
            model=tape.model,
            system=system,
            text=text,
            output=tape.output,
            error=tape.error,
            tokens=_split(tape, system, text),
            input_tokens=tape.usage.input_tokens,
            output_tokens=tape.usage.output_tokens,
            ms=tape.ms,
            cost_usd=tape.usage.cost_usd,
        )
        for tape, system, text in told
    ]


def _words(tape: Tape, prompts: PromptRegistry) -> tuple[str, str]:
    """The system text and the words of a question. Offline writes no words down; they are made again here."""
    prompt = next(
        (
            found
            for v in prompts.versions(tape.pass_id)
            if (found := prompts.get(tape.pass_id, v)).label == tape.prompt
        ),
        None,
    )
    if prompt is None:
        return "", tape.text
    told = {
        name: part if isinstance(part, str) else canonical(part)
        for name, part in tape.input.items()
    }
    fields = {name: told.get(name, NOT_KEPT) for name in _SLOT.findall(prompt.words)}
    return prompt.system, tape.text or prompt.render(fields)


def _split(tape: Tape, system: str, text: str) -> dict[str, int]:
    packet = tape.input.get("context_packet")
    parts = {**tape.input, **(packet if isinstance(packet, dict) else {})}
    parts.pop("context_packet", None)
    split = {name: count_tokens(str(part)) for name, part in parts.items() if part}
    return {
        **split,
        "system": count_tokens(system),
        "total": count_tokens(system) + count_tokens(text),
    }


def scenario(found: Scenario, questions: Sequence[Any]) -> responses.ScenarioView:
    """A scenario with its heroes and its session zero."""
    told = found.model_dump(include={"id", "name", "genre", "packs", "description"})
    heroes = [
        responses.HeroRow(**hero.model_dump(include=set(responses.HeroRow.model_fields)))
        for hero in found.heroes
    ]
    return responses.ScenarioView(**told, heroes=heroes, questions=list(questions))


def spoken(text: str, mode: str) -> str:
    """What a player typed, as the mode of the input means it."""
    text = text.strip()
    if mode == "say" and text and text[0] not in "\"“'‘«":
        return f'I say: "{text}"'
    if mode == "ask" and text and not text.endswith("?"):
        return f"{text}?"
    return text


def last_words(begun: Begun, tail: Sequence[Logged]) -> tuple[str, list[str], bool]:
    """The prompt, the suggestions, and whether words are still to be told, after the last turn."""
    told = next((row.entry for row in reversed(tail) if isinstance(row.entry, Narrated)), None)
    facts = next((row.entry for row in reversed(tail) if isinstance(row.entry, Resolved)), None)
    pending = facts is not None and (told is None or told.turn_id != facts.turn_id)
    if told is None or pending:
        return "", [] if pending else begun.suggested_actions, pending
    return told.narrator.next_prompt, told.narrator.suggested_actions, False


def _scene(state: GameState, rules: Rules) -> responses.SceneView:
    here, time = state.scene.location_id, state.scene.time
    hour, minute = divmod(int(time.get("minute", 0)), 60)
    return responses.SceneView(
        name=state.name(here),
        description=rules.place(here).description.strip() or _description(state.entities.get(here)),
        time=f"day {time.get('day', 1)}, {hour:02d}:{minute:02d}",
        exits=[
            responses.Way(to=way.to, name=way.name or state.name(way.to))
            for way in rules.exits(here, state)
        ],
    )


def _someone(entity: Entity, rules: Rules) -> responses.Someone:
    role = entity.attrs.get("role") or entity.attrs.get("concept") or ""
    return responses.Someone(
        id=entity.id, name=entity.name, role=str(role), description=_description(entity)
    )


def _description(entity: Entity | None) -> str:
    return str(entity.attrs.get("description") or "").strip() if entity else ""


def _hero(state: GameState, rules: Rules) -> responses.HeroView:
    hero = state.entities.get(PLAYER) or Entity(id=PLAYER, type="pc", name="You")
    stats = hero.attrs.get("stats") or {}
    clock = state.clocks.get(rules.scenario.cost_clocks.get("harm", ""))
    return responses.HeroView(
        name=hero.name,
        concept=str(hero.attrs.get("concept") or ""),
        stats={str(name): int(value) for name, value in stats.items()},
        harm=clock.value if clock else 0,
    )


def _fact(fact: Fact, state: GameState, rules: Rules) -> responses.FactView:
    value = fact.object.get("value")
    text = str(fact.object.get("text") or "")
    if not text:
        # An id is shown by its name, but only of what the player has heard of.
        named = isinstance(value, str) and value in state.entities
        shown = (
            state.name(str(value))
            if named and is_known(str(value), state, rules)
            else ""
            if named
            else value
        )
        is_so = value is True
        text = f"{state.name(fact.subject_id)}: {fact.predicate.replace('_', ' ')}{'' if is_so else f' {shown}'}"
    return responses.FactView(
        id=fact.id,
        text=text.strip(),
        subject=state.name(fact.subject_id),
        discovered_turn=fact.discovered_turn,
    )
