"""Whom or what a wished action is done to: found where it was left out, or why there is none."""

import re
from dataclasses import dataclass

from freeform.core.text import plain_form
from freeform.engine.authored.system import ActionType
from freeform.engine.rules.checks import (
    Refusal,
    bare,
    holder_of,
    inside,
    listed,
    owned,
    person_here,
    reachable,
    state_type,
    thing_here,
    way_open,
)
from freeform.engine.table import Rules
from freeform.engine.world.names import mentioned, overlap, words
from freeform.engine.world.state import PLAYER, GameState

_SPEAKING = (
    "to|with|at|ask|greet|attack|fight|hit|shoot|stab|follow|threaten|persuade|convince|tell|bribe"
)
_TOWARDS = rf"\b(?:{_SPEAKING})\s+(?:the\s+)?"
_WHOSE = re.compile(
    r"^(?:(?:my|your|his|her|their|our|its|some|any|another|this|that)\s+)+(?=\w)", re.I
)
_OUT_OF = re.compile(
    r"^(?:(?:out|of|to|into|through|towards?|onto|off|over|up|down|across|along)\s+)+(?=\w)", re.I
)


class Unclear(Exception):
    """Two readings would lead to different outcomes: `str` is the one question to ask."""


@dataclass(frozen=True)
class Wish:
    """An action a player wishes for, on the state it would be done in."""

    name: str
    kind: ActionType
    target: str
    details: str
    said: str
    """What the player typed."""
    state: GameState
    rules: Rules


def target_of(wish: Wish) -> str | Refusal:
    """The target to act on, found where it was left out, or why there is none."""
    target, kind = wish.target, wish.kind
    type = state_type(target, wish.state)
    if kind.target == "place":
        return _place(wish) if target else _place_named(wish)
    if type == "npc":
        return _person(wish)
    if kind.target == "person":
        return _not_a_person(wish) if target else _someone(wish)
    if target and type in ("item", "object"):
        return _thing(wish, target, wish.said)
    if kind.needs_target and not target:
        return _thing_named(wish)
    if target and type == "location" and kind.needs_presence:
        return _sight(wish)
    return target


def _place(wish: Wish) -> str | Refusal:
    """The place to go to: where someone is, if a person was named."""
    target, state = wish.target, wish.state
    if state_type(target, state) == "npc":
        target = state.where(target) or target
    if state_type(target, state) != "location":
        return thing_here(target, state, wish.said) or target
    return way_open(target, state, wish.rules)[1] or target


def _place_named(wish: Wish) -> str | Refusal:
    """A place the player named that the listener did not know: there by an open way, or why not."""
    details, state, rules = wish.details, wish.state, wish.rules
    exits = rules.exits(state.scene.location_id, state)
    if not words(details):
        places = [inside(state.name(way.to)) for way in exits]
        either = listed(places).replace(" and ", " or ")
        raise Unclear(f"Where to: {either}?" if places else "Where to?")
    leading = (way.to for way in exits if overlap(details, [way.name, *way.aliases]))
    meant = next(iter((*mentioned(details, state, ("location",)), *leading)), "")
    if meant:
        return way_open(meant, state, rules)[1] or meant
    where = _OUT_OF.sub("", details.split(";")[0].strip())
    reason = f"No way leads from here to {where}.{reachable(state, rules)}"
    return Refusal("location", reason, state.scene.location_id)


def _sight(wish: Wish) -> str | Refusal:
    """A place that is looked at from here."""
    target, state = wish.target, wish.state
    here = state.scene.location_id
    if target == here or any(way.to == target for way in wish.rules.exits(here, state)):
        return target
    return Refusal("location", f"{state.name(target)} is not in sight from here.", state.scene.id)


def _person(wish: Wish) -> str | Refusal:
    target, state = wish.target, wish.state
    gone = wish.name == "follow" and target not in state.scene.present_entity_ids
    if gone or wish.kind.needs_presence:
        return person_here(target, state) or target
    return target


def _not_a_person(wish: Wish) -> Refusal:
    to = " to" if wish.name == "talk" else ""
    reason = f"{wish.state.name(wish.target)} is not someone you can {wish.name}{to}."
    return Refusal("presence", reason, wish.target)


def _someone(wish: Wish) -> str | Refusal:
    """The person an action is aimed at when the player named none, or named no one who exists."""
    name, details, state = wish.name, wish.details, wish.state
    present = [who for who in state.scene.present_entity_ids if state_type(who, state) == "npc"]
    called = next((who for who in mentioned(details, state, ("npc",)) if who in present), "")
    stranger = _addressed(wish)
    if stranger and not called:
        absent = next(iter(mentioned(stranger, state, ("npc",))), "")
        if absent:
            return person_here(absent, state) or absent
        return Refusal("presence", f"There is no one called {stranger} here.", state.scene.id)
    if called and (name == "talk" or len(present) == 1):
        return called
    if len(present) == 1:
        return present[0]
    if not wish.kind.needs_target:
        return ""
    if not present:
        return Refusal("presence", f"There is no one here to {name}.", state.scene.id)
    either = listed([state.name(who) for who in present]).replace(" and ", " or ")
    raise Unclear(f"Whom do you mean: {either}?")


def _addressed(wish: Wish) -> str:
    """The name right after the verb of speech, when details hold nothing else: someone who does not
    exist."""
    first = wish.details.split(";")[0]
    noun = plain_form(first).strip()
    if not noun or len(noun.split()) > 3 or noun.split()[0] in ("be", "have", "get", "let"):
        return ""  # `shout to be let in` calls nobody
    spoken = rf"{_TOWARDS}{re.escape(noun)}\b"
    return first.strip() if re.search(spoken, plain_form(wish.said)) else ""


def _thing(wish: Wish, target: str, said: str) -> str | Refusal:
    """A thing the action is done to."""
    name, state = wish.name, wish.state
    refusal = thing_here(target, state, said)
    if refusal:
        return refusal
    owner = holder_of(target, state)
    if name in ("give", "show", "drop") and owner != PLAYER:
        return owned(target, state) or target
    if name == "take":
        return _not_for_taking(target, owner, state) or target
    return target


def _not_for_taking(target: str, owner: str, state: GameState) -> Refusal | None:
    if owner == PLAYER:
        return Refusal("contradiction", f"You already have {state.name(target)}.", target)
    if owner in state.scene.present_entity_ids:
        has = f"{state.name(owner)} has {state.name(target)}"
        return Refusal("inventory", f"{has}; ask for it, trade for it or steal it.", owner)
    if state.entities[target].attrs.get("portable") is False:
        return Refusal("inventory", f"{state.name(target)} cannot be carried off.", target)
    return None


def _thing_named(wish: Wish) -> str | Refusal:
    """A thing the player named in words only: part of the place, or nothing that is here."""
    details, state = wish.details, wish.state
    place = wish.rules.place(state.scene.location_id)
    if any(overlap(details, [d.name, *d.aliases]) for d in place.details):
        return ""
    things = mentioned(details, state, ("item", "object"))
    here = [thing for thing in things if thing_here(thing, state) is None]
    if here:
        return _thing(wish, here[0], details)
    if not words(details):
        raise Unclear(f"What do you want to {wish.name}?")
    noun = _WHOSE.sub("", bare(details.split(";")[0].strip()))
    return Refusal("presence", f"You see no {noun} here.", state.scene.id)
