"""Which secrets a ruling may tell: by id, and only where the author, trust or the dice allow."""

from collections.abc import Iterable

from freeform.engine.authored.conditions import check
from freeform.engine.authored.script import Effect
from freeform.engine.rules.rolls import at_least
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState


def may_reveal(fact: str, outcome: str, rolled: bool, state: GameState, rules: Rules) -> bool:
    """Whether an outcome may tell that fact: someone here would say it, or a spot here holds it."""
    if fact not in state.facts:
        return False
    if state.facts[fact].visibility == "known":
        return True
    if state.facts[fact].visibility != "hidden":
        return False
    won = rolled and at_least(outcome, "success")
    return _is_told(fact, won, state, rules) or _is_found(fact, won, state, rules)


def _is_told(fact: str, won: bool, state: GameState, rules: Rules) -> bool:
    """By someone here: what they know, or keep back until they are won over."""
    for who in state.scene.present_entity_ids:
        person = rules.person(who)
        for known in person.knows:
            if _tells(fact, known.reveals, known.effects) and check(known.when, state).holds:
                return True
        for kept in person.withholds:
            if not _tells(fact, kept.reveals, kept.effects) or not check(kept.when, state).holds:
                continue
            if won or (kept.yields_when and check(kept.yields_when, state).holds):
                return True
    return False


def _is_found(fact: str, won: bool, state: GameState, rules: Rules) -> bool:
    """At a spot of this place: in plain sight, or by a search that went well."""
    here = state.scene.location_id
    for detail in rules.place(here).details:
        if fact in detail.reveals and check(detail.when, state).holds:
            return True
    for spot in rules.scenario.discoverables:
        if spot.at == here and check(spot.when, state).holds and _tells(fact, (), spot.effects):
            return won
    return False


def _tells(fact: str, reveals: Iterable[str], effects: Iterable[Effect]) -> bool:
    return fact in reveals or any(effect.reveal == fact for effect in effects)
