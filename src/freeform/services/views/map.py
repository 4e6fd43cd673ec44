"""The map as the character could draw it: places, ways, and where people were last seen. Pure.

What is so elsewhere may have changed behind the character's back: a person stands where they were
seen last, and a way out of sight has a state only where everything it hangs on is known.
"""

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from freeform.engine.authored.conditions import check, check_one
from freeform.engine.authored.scenario import Exit
from freeform.engine.authored.script import Condition
from freeform.engine.log import Logged
from freeform.engine.rules.known import called, has_heard_of, knows_name
from freeform.engine.table import Rules
from freeform.engine.world.state import PLAYER, GameState
from freeform.services.views.records import View

WayState = Literal["open", "shut", "guarded", "unsure"]
_BY_PEOPLE = frozenset({"trust", "present", "absent", "holds"})
_ONLY_THERE = frozenset({"present", "absent", "at", "holds", "trust"})
_NESTED = ("any", "all", "none")
_SEEN_TYPES = ("npc", "creature")


class MapPlace(View):
    """A place the character has been to or heard of."""

    id: str
    name: str
    here: bool
    visited: bool
    about: str = ""


class MapWay(View):
    """A way as the character saw it, in the direction they saw it from."""

    start: str = Field(alias="from")
    to: str
    name: str
    open: bool
    state: WayState


class MapPerson(View):
    """Someone, where they were last seen."""

    id: str
    name: str
    role: str
    at: str
    turn_no: int
    here: bool


class MapShown(View):
    """What the character knows of the world's shape."""

    places: list[MapPlace]
    ways: list[MapWay]
    people: list[MapPerson]


Seen = dict[str, tuple[str, int]]
"""Who was seen where, and at which turn."""


def map_of(state: GameState, rules: Rules, logged: Sequence[Logged]) -> MapShown:
    """The map, from the state and the last entries of the log."""
    ways = _ways(state, rules)
    ends = {way.to for way in ways} | {way.start for way in ways}
    places = _places(state, rules, ends, {way.to: way.name for way in ways})
    return MapShown(places=places, ways=ways, people=_people(state, rules, logged))


def last_seen(logged: Sequence[Logged]) -> Seen:
    """Where each was last in the scene. Entries before the first that says where play is tell
    nothing."""
    seen: Seen = {}
    place, present = "", list[str]()
    hidden: set[str] = set()
    for row in logged:
        update = row.entry.state_diff.scene_update
        if update:
            place = update.location_id or place
            present = present if update.present_entity_ids is None else update.present_entity_ids
            hidden = hidden if update.obscured_entities is None else set(update.obscured_entities)
        if place:
            seen |= {who: (place, row.turn_no) for who in present if who not in hidden}
    return seen


def _ways(state: GameState, rules: Rules) -> list[MapWay]:
    """Every way out of a place the character has been to."""
    here = state.scene.location_id
    ways: list[MapWay] = []
    for place in _visited(state):
        for way in rules.exits(place, state):
            if way.to not in state.entities:
                continue
            seen = _way_state(way, state, in_sight=here in (place, way.to))
            name = way.name or _name(way.to, state, rules)
            passable = seen in ("open", "unsure")
            row = {"from": place, "to": way.to, "name": name, "open": passable, "state": seen}
            ways.append(MapWay.model_validate(row))
    return ways


def _visited(state: GameState) -> list[str]:
    here = state.scene.location_id
    places = [id for id, entity in sorted(state.entities.items()) if entity.type == "location"]
    return [id for id in places if id == here or state.value(id, "visited")]


def _way_state(way: Exit, state: GameState, *, in_sight: bool) -> WayState:
    if not way.when:
        return "open"
    if not in_sight and not all(_is_told(each, state) for each in way.when):
        return "unsure"
    if check(way.when, state).holds:
        return "open"
    failing = [each for each in way.when if not check_one(each, state).holds]
    return "guarded" if any(_hangs_on_people(each) for each in failing) else "shut"


def _is_told(condition: Condition, state: GameState) -> bool:
    """Whether the character, who is elsewhere, knows all that a condition hangs on."""
    (key,) = condition.model_fields_set
    if key in _NESTED:
        return all(_is_told(each, state) for each in getattr(condition, key) or [])
    if key in _ONLY_THERE:
        return False
    if key in ("fact", "not_fact"):
        subject, predicate, _ = getattr(condition, key)
        fact = state.fact(subject, predicate)
        return fact is None or fact.visibility == "known"
    return True


def _hangs_on_people(condition: Condition) -> bool:
    (key,) = condition.model_fields_set
    if key in _NESTED:
        return any(_hangs_on_people(each) for each in getattr(condition, key) or [])
    return key in _BY_PEOPLE


def _places(
    state: GameState, rules: Rules, ends: set[str], signs: dict[str, str]
) -> list[MapPlace]:
    """`signs`: what a way to a place is called; whoever has not read its name calls it so."""
    places: list[MapPlace] = []
    for id, entity in sorted(state.entities.items()):
        if entity.type != "location":
            continue
        here = id == state.scene.location_id
        visited = here or bool(state.value(id, "visited"))
        # A place with a fact nobody hid is no place one has heard of: its name must have been read.
        heard = has_heard_of(id, state) and knows_name(id, state, rules)
        if not (visited or heard or id in ends):
            continue
        about = rules.place(id).description.strip() if visited else ""
        name = entity.name if visited else _name(id, state, rules, signs.get(id, ""))
        places.append(MapPlace(id=id, name=name, here=here, visited=visited, about=about))
    return places


def _people(state: GameState, rules: Rules, logged: Sequence[Logged]) -> list[MapPerson]:
    here = state.scene.location_id
    seen = last_seen(logged)
    hidden = {PLAYER, *state.scene.obscured_entities}
    present = [who for who in state.scene.present_entity_ids if who not in hidden]
    seen |= {who: (here, state.turn_no) for who in present}
    people: list[MapPerson] = []
    for who, (place, turn_no) in sorted(seen.items()):
        entity = state.entities.get(who)
        if entity is None or entity.type not in _SEEN_TYPES or who == PLAYER:
            continue
        # Whoever was here and is not in the scene any more has gone, nobody saw where to.
        at = "" if place == here and who not in present else place
        role = str(entity.attrs.get("role") or "")
        name = _name(who, state, rules)
        people.append(
            MapPerson(id=who, name=name, role=role, at=at, turn_no=turn_no, here=who in present)
        )
    return people


def _name(id: str, state: GameState, rules: Rules, sign: str = "") -> str:
    if knows_name(id, state, rules):
        return state.name(id)
    return called(id, "", state, rules) or sign or "somewhere"
