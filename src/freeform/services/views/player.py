"""From state to the table and the world as the player knows them: never a hidden fact. Pure."""

from collections.abc import Sequence
from typing import NamedTuple

from freeform.core.llm.gateway import Usage
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import session_zero_questions
from freeform.engine.campaign.sessions import highlights
from freeform.engine.log import Logged
from freeform.engine.rules.effects import CAMPAIGN
from freeform.engine.rules.known import called, is_known, knows_name
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, Entity, Fact, GameState
from freeform.services.views.records import (
    ClockView,
    EntityView,
    FactView,
    HeroRow,
    HeroView,
    RelationView,
    SafetyView,
    ScenarioView,
    SceneView,
    Someone,
    TableShown,
    Thing,
    ThreadView,
    TimelineMoment,
    UsageView,
    Way,
    WorldShown,
)

_SHOWN_TYPES = ("npc", "pc", "location", "item", "faction", "object", "creature")
_MOST_MOMENTS = 200


def scenario(found: Scenario) -> ScenarioView:
    """A scenario with its heroes and its session zero."""
    shown = found.model_dump(include={"id", "name", "genre", "packs", "description"})
    heroes: list[HeroRow] = []
    for hero in found.heroes:
        heroes.append(HeroRow(**hero.model_dump(include=set(HeroRow.model_fields))))
    return ScenarioView(**shown, heroes=heroes, questions=session_zero_questions(found))


def table(state: GameState, rules: Rules, used: Usage) -> TableShown:
    """Everything at the table that the player sees."""
    limits = rules.limits(state)
    named = map(str, state.value(CAMPAIGN, "excluded") or [])
    excluded = [each for each in named if each in limits.lines]
    return TableShown(
        scene=_scene(state, rules),
        here=_here(state),
        inventory=_inventory(state),
        threads=_threads(state),
        clocks=_clocks(state),
        facts=known_facts(state, rules),
        situations=_situations(state),
        hero=_hero(state, rules),
        safety=SafetyView(
            lines=[line for line in limits.lines if line not in excluded],
            veils=list(limits.veils),
            excluded=excluded,
        ),
        usage=UsageView(
            calls=used.calls, tokens=used.input_tokens + used.output_tokens, cost_usd=used.cost_usd
        ),
    )


class Glimpse(NamedTuple):
    """The little of a table that a cover shows."""

    scene: SceneView
    here: list[Someone]
    clocks: list[ClockView]


def glimpse(state: GameState, rules: Rules) -> Glimpse:
    """Where play is, who is there, and the clocks."""
    return Glimpse(_scene(state, rules), _here(state), _clocks(state))


def _here(state: GameState) -> list[Someone]:
    hidden = {PLAYER, *state.scene.obscured_entities}
    present = (id for id in state.scene.present_entity_ids if id not in hidden)
    return [_someone(state.entities[id]) for id in present if id in state.entities]


def _inventory(state: GameState) -> list[Thing]:
    things: list[Thing] = []
    for held in state.held(PLAYER):
        description = _description(state.entities.get(held.item_id))
        name = state.name(held.item_id)
        things.append(Thing(id=held.item_id, name=name, qty=held.qty, description=description))
    return things


def _threads(state: GameState) -> list[ThreadView]:
    shown = [thread for _, thread in sorted(state.threads.items()) if thread.status != "hidden"]
    return [ThreadView(id=each.id, title=each.title, status=each.status) for each in shown]


def _clocks(state: GameState) -> list[ClockView]:
    shown = [clock for _, clock in sorted(state.clocks.items()) if "hidden" not in clock.tags]
    return [ClockView(id=c.id, name=c.name, value=c.value, max=c.max) for c in shown]


def _situations(state: GameState) -> list[str]:
    texts: list[str] = []
    for fact in state.facts_of(CAMPAIGN):
        is_active = "situation" in fact.tags and fact.object.get("value") == "active"
        if is_active and fact.object.get("text"):
            texts.append(str(fact.object["text"]))
    return texts


def known_facts(state: GameState, rules: Rules) -> list[FactView]:
    """What the player knows, newest first."""
    facts = [
        fact
        for fact in state.facts.values()
        if fact.visibility == "known" and fact.subject_id != CAMPAIGN
    ]
    facts.sort(key=lambda fact: (-(fact.discovered_turn or 0), fact.id))
    return [_fact(fact, state, rules) for fact in facts]


def world(state: GameState, rules: Rules, logged: Sequence[Logged]) -> WorldShown:
    """Who and what the player has heard of, how they stand to each other, and what happened."""
    shown = [
        entity for _, entity in sorted(state.entities.items()) if _is_met(entity, state, rules)
    ]
    named = {entity.id for entity in shown if knows_name(entity.id, state, rules)}
    moments = highlights(logged, most=_MOST_MOMENTS)
    return WorldShown(
        entities=[_entity(entity, state, rules) for entity in shown],
        relationships=_relations(state, named),
        timeline=[TimelineMoment(turn_no=each.turn_no, text=each.text) for each in moments],
    )


def _is_met(entity: Entity, state: GameState, rules: Rules) -> bool:
    if entity.type not in _SHOWN_TYPES or entity.id in state.scene.obscured_entities:
        return False
    if entity.id == PLAYER:
        return True
    # What the player could not be told by any word is not there yet, whatever is known of it.
    return is_known(entity.id, state, rules) and bool(called(entity.id, "", state, rules))


def _is_seen(entity: Entity, state: GameState) -> bool:
    """Whether the character has stood before someone, or in a place; things are as they lie."""
    if entity.type not in ("npc", "creature", "location"):
        return True
    near = (PLAYER, state.scene.location_id, *state.scene.present_entity_ids)
    return entity.id in near or any(state.value(entity.id, mark) for mark in ("met", "visited"))


def _entity(entity: Entity, state: GameState, rules: Rules) -> EntityView:
    known = [fact for fact in state.facts_of(entity.id) if fact.visibility == "known"]
    return EntityView(
        id=entity.id,
        type=entity.type,
        name=called(entity.id, "", state, rules) or entity.name,
        description=_description(entity) if _is_seen(entity, state) else "",
        facts=[_fact(fact, state, rules) for fact in known],
    )


def _relations(state: GameState, shown: set[str]) -> list[RelationView]:
    rows: list[RelationView] = []
    for _, tie in sorted(state.relationships.items()):
        if tie.a_id in shown and tie.b_id == PLAYER and not tie.notes.get("secret"):
            rows.append(
                RelationView(a=tie.a_id, b=tie.b_id, type=tie.rel_type, intensity=tie.intensity)
            )
    return rows


def time_told(state: GameState) -> str:
    """When it is, as the table says it."""
    time = state.scene.time
    hour, minute = divmod(int(time.get("minute", 0)), 60)
    return f"day {time.get('day', 1)}, {hour:02d}:{minute:02d}"


def _scene(state: GameState, rules: Rules) -> SceneView:
    here = state.scene.location_id
    authored = rules.place(here).description.strip()
    ways = rules.exits(here, state)
    return SceneView(
        name=state.name(here),
        description=authored or _description(state.entities.get(here)),
        time=time_told(state),
        exits=[Way(to=way.to, name=way.name or state.name(way.to)) for way in ways],
    )


def _someone(entity: Entity) -> Someone:
    role = entity.attrs.get("role") or entity.attrs.get("concept") or ""
    return Someone(id=entity.id, name=entity.name, role=str(role), description=_description(entity))


def _description(entity: Entity | None) -> str:
    return str(entity.attrs.get("description") or "").strip() if entity else ""


def _hero(state: GameState, rules: Rules) -> HeroView:
    hero = state.entities.get(PLAYER) or Entity(id=PLAYER, type="pc", name="You")
    stats = hero.attrs.get("stats") or {}
    clock = state.clocks.get(rules.scenario.cost_clocks.get("harm", ""))
    return HeroView(
        name=hero.name,
        concept=str(hero.attrs.get("concept") or ""),
        stats={str(name): int(value) for name, value in stats.items()},
        harm=clock.value if clock else 0,
    )


def _fact(fact: Fact, state: GameState, rules: Rules) -> FactView:
    text = str(fact.object.get("text") or "") or _fact_text(fact, state, rules)
    return FactView(
        id=fact.id,
        text=text.strip(),
        subject=called(fact.subject_id, "", state, rules),
        discovered_turn=fact.discovered_turn,
    )


def _fact_text(fact: Fact, state: GameState, rules: Rules) -> str:
    """A fact without words of its own; an id is shown by its name, where the player knows whose."""
    value = fact.object.get("value")
    said = f"{state.name(fact.subject_id)}: {fact.predicate.replace('_', ' ')}"
    if value is True:
        return said
    if isinstance(value, str) and value in state.entities:
        known = is_known(value, state, rules)
        return f"{said} {state.name(value)}" if known else f"{said} "
    return f"{said} {value}"
