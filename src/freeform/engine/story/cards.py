"""Cards: who someone is and how they speak, what a place or a thing is, in a line or two, for a
reader who has not met them."""

from collections.abc import Mapping

from freeform.core.text import shorten
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, Entity, GameState
from freeform.language.sentences import sentences
from freeform.retrieval.briefing import NpcBriefing

_PERSON, _PLACE, _THING = 700, 560, 140
"""Letters of a card."""


def card(
    id: str, state: GameState, rules: Rules, people: Mapping[str, NpcBriefing], limits: SafetyLimits
) -> str:
    """One entity as a line; '' where there is nothing to tell. It tells no secret."""
    entity = state.entities.get(id)
    if entity is None:
        return ""
    if entity.type == "npc":
        told, most = _person(entity, rules, people.get(id, NpcBriefing())), _PERSON
    elif entity.type == "location":
        told, most = _place(entity, rules), _PLACE
    else:
        told, most = [str(entity.attrs.get("description", ""))], _THING
    fit = [part.strip() for part in told if part.strip() and _is_open(part, limits)]
    name = f"- {id} | {entity.name}"
    return f"{name}: {shorten(' '.join(fit), most)}" if fit else name


def _person(entity: Entity, rules: Rules, notes: NpcBriefing) -> list[str]:
    person = rules.person(entity.id)
    parts = {
        "": notes.who or str(entity.attrs.get("description", "")),
        "Wants:": person.agenda,
        "Manner:": person.disposition or notes.disposition,
        "Voice:": notes.voice,
        "Sounds like:": " ".join([*person.greeting[:1], *person.shrugs[:1]]),
    }
    return [f"{name} {_one_line(text)}" for name, text in parts.items() if text]


def _place(entity: Entity, rules: Rules) -> list[str]:
    place = rules.place(entity.id)
    details = ", ".join(detail.name for detail in place.details)
    seen = f"To be seen: {details}." if details else ""
    told = place.description or str(entity.attrs.get("description", ""))
    return [_one_line(told), seen]


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _is_open(text: str, limits: SafetyLimits) -> bool:
    return all(map(limits.names_none, sentences(text)))


def in_view(state: GameState) -> list[str]:
    """Those present, the place, and the things that are carried or lie here in sight."""
    here = state.scene.location_id
    people = [who for who in state.scene.present_entity_ids if who != PLAYER]
    things = [held.item_id for owner in (PLAYER, here) for held in state.held(owner)]
    return [here, *people, *things]
