"""Every id in a scenario's file leads somewhere: looked up by what its place asks for.

The file's own data is read, not records made of it, so that one mistake hides no other and each has
its line.
"""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel

from freeform.engine.authored import scenario as s
from freeform.engine.authored import script as c
from freeform.engine.authored.system import OUTCOMES, System
from freeform.engine.proof.shape import Where, below, nearest, records_of
from freeform.engine.world import state as w

Kind = str | tuple[str, ...]
REFERENCES: dict[type[BaseModel], dict[str, Kind]] = {
    s.Start: {"location": "place"},
    s.Hero: {"items": "item"},
    s.Exit: {"to": "place"},
    s.Detail: {"reveals": "fact", "finds": "item"},
    s.Knowledge: {"reveals": "fact"},
    s.Withheld: {"reveals": "fact", "yields_to": "action"},
    s.Person: {"escalation": "escalation profile"},
    s.Affordance: {
        "action": "action",
        "target": "entity",
        "indirect": "entity",
        "using": "item",
        "at": "place",
        "stat": "stat",
    },
    s.Discoverable: {"at": "place", "stat": "stat"},
    s.Clue: {"thread": "thread", "facts": "fact"},
    s.Risk: {"lethality": "lethality", "failure_mode": "failure mode"},
    c.Condition: {
        "fact": ("subject",),
        "not_fact": ("subject",),
        "known": "fact",
        "unknown": "fact",
        "has": "item",
        "lacks": "item",
        "holds": ("owner", "item"),
        "at": "place",
        "present": "person",
        "absent": "person",
        "thread": ("thread", "thread status"),
    },
    c.ClockIs: {"id": "clock"},
    c.TrustIs: {"who": "person"},
    c.SetFact: {"subject": "subject"},
    c.Hand: {"item": "item", "source": "owner", "to": "owner"},
    c.Tick: {"id": "clock"},
    c.Shift: {"who": "person"},
    c.Leave: {"who": "person", "to": "place"},
    c.Become: {"subject": "subject"},
    c.Put: {"item": "item"},
    c.Promise: {"to": "person"},
    c.Effect: {
        "reveal": "fact",
        "unhide": ("owner", "item"),
        "thread": ("thread", "thread status"),
        "bring": "person",
        "go": "place",
        "end_situation": "situation",
        "end_threat": "threat",
        "end_promise": "promise",
        "escalate": "person",
        "calm": "person",
        "cease": ("subject",),
        "join": "person",
        "part": "person",
        "fight": "person",
    },
    c.Hurt: {"who": "subject"},
    c.Gain: {"id": "resource"},
    c.ResourceIs: {"id": "resource"},
    w.Fact: {"subject_id": "subject"},
    w.Holding: {"owner_id": "owner", "item_id": "item"},
    w.Relationship: {"a_id": "entity", "b_id": "entity"},
    w.Thread: {"status": "thread status", "related_entity_ids": "entity"},
}
KEYS: dict[tuple[type[BaseModel], str], str] = {
    (s.Scenario, "places"): "place",
    (s.Scenario, "people"): "person",
    (s.Scenario, "cost_clocks"): "cost",
    (s.Affordance, "outcomes"): "outcome",
    (s.Hero, "stats"): "stat",
}
"""Mappings whose keys are names of something."""
VALUES: dict[tuple[type[BaseModel], str], str] = {(s.Scenario, "cost_clocks"): "clock"}
TYPES = ("npc", "location", "item", "object", "faction", "pc")
STATUSES = ("hidden", "active", "resolved", "failed")
LETHALITY = ("none", "low", "medium", "high")
FAILURE = ("gentle", "consequential", "harsh")
COSTS = ("heat", "time", "cred", "harm", "rep")
_EVERYONE = ("player",)
_ARTICLE = {"item": "an item", "entity": "an entity", "action": "an action", "owner": "an owner"}


@dataclass
class ScenarioNames:
    """The ids of a scenario and of its system, by what they are ids of."""

    ids: dict[str, set[str]] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)
    """What each entity is."""

    def known(self, kind: str) -> set[str]:
        """What goes by that kind."""
        return self.ids.get(kind, set())


def names_in(data: dict[str, Any], system: System | None) -> ScenarioNames:
    """Everything that has a name in a scenario's data."""
    types = {str(e.get("id")): str(e.get("type")) for e in _rows(data, "entities")}
    names = ScenarioNames(types=types)
    people = {id for id, type in types.items() if type == "npc"}
    items = {id for id, type in types.items() if type in ("item", "object")}
    appearing = {str(each.get("id")) for each in _made(data, "appear")}
    entities = {*types, *_EVERYONE, *appearing}
    names.ids = {
        "entity": entities,
        "person": people | {*_EVERYONE},
        "place": {id for id, type in types.items() if type == "location"},
        "item": items | appearing,
        "owner": {*entities, "nowhere"},
        "subject": {*entities, "campaign"},
        "fact": {str(each.get("id")) for each in _rows(data, "facts")} | _settled(data),
        "thread": {str(each.get("id")) for each in _rows(data, "threads")},
        "clock": {str(each.get("id")) for each in _rows(data, "clocks")},
        "situation": {str(e.get("id")) for e in _made(data, "situation")} | {"hidden", "pursued"},
        "threat": {str(each.get("id")) for each in _made(data, "threat")},
        "promise": {str(each.get("id")) for each in _made(data, "promise")},
        "thread status": {*STATUSES},
        "outcome": {*OUTCOMES},
        "cost": {*COSTS},
        "lethality": {*LETHALITY},
        "failure mode": {*FAILURE},
    }
    if system:
        names.ids["action"] = set(system.action_types)
        names.ids["stat"] = {*system.stats, *system.stat_map, *system.skills}
        names.ids["resource"] = set(system.resources)
        names.ids["escalation profile"] = set(system.escalation)
    return names


def lost_references(data: dict[str, Any], names: ScenarioNames) -> Iterator[tuple[Where, str]]:
    """Where an id leads nowhere, and what may be meant."""
    for shape, row, where in records_in(s.Scenario, data, ()):
        for key, kind in REFERENCES.get(shape, {}).items():
            if key in row and row[key] not in ("", None):
                yield from _look_up(row[key], kind, (*where, key), names)
        for key, value in row.items():
            yield from _in_mapping(shape, str(key), value, (*where, str(key)), names)


def records_in(
    shape: Any, data: Any, where: Where
) -> Iterator[tuple[type[BaseModel], dict[str, Any], Where]]:
    """Every mapping of the file that is a record, with its shape and its place."""
    if isinstance(data, dict):
        record = shape_of(shape)
        if record is not None:
            yield record, data, where
        for key, value in data.items():
            yield from records_in(below(shape, key), value, (*where, str(key)))
    elif isinstance(data, list):
        for number, value in enumerate(data):
            yield from records_in(below(shape, number), value, (*where, number))


def shape_of(shape: Any) -> type[BaseModel] | None:
    """The record in a shape, through `| None`."""
    return next(records_of(shape), None)


def _in_mapping(
    shape: type[BaseModel], key: str, value: Any, where: Where, names: ScenarioNames
) -> Iterator[tuple[Where, str]]:
    if not isinstance(value, dict):
        return
    for name, kind in ((KEYS.get((shape, key)), "key"), (VALUES.get((shape, key)), "value")):
        if name is None:
            continue
        for each, below_it in value.items():
            wanted = each if kind == "key" else below_it
            yield from _look_up(wanted, name, (*where, str(each)), names)


def _look_up(
    value: Any, kind: Kind, where: Where, names: ScenarioNames
) -> Iterator[tuple[Where, str]]:
    if isinstance(kind, tuple):
        parts: Iterable[tuple[Hashable, Any, str]] = (
            (
                (number, part, name)
                for number, (part, name) in enumerate(zip(value, kind, strict=False))
            )
            if isinstance(value, list)
            else ()
        )
        for number, part, name in parts:
            yield from _look_up(part, name, (*where, number), names)
        return
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from _look_up(each, kind, (*where, number), names)
        return
    known = names.ids.get(kind)
    if known is None or not isinstance(value, str | int | bool) or str(value) in known:
        return
    yield where, _missing(str(value), kind, known, names)


def _missing(value: str, kind: str, known: set[str], names: ScenarioNames) -> str:
    is_a = names.types.get(value)
    if is_a:
        wanted = _ARTICLE.get(kind, f"a {kind}")
        return f"'{value}' is of type `{is_a}`, and this must be {wanted}"
    return f"no {kind} '{value}'{nearest(value, sorted(known))}"


def _rows(data: dict[str, Any], table: str) -> list[dict[str, Any]]:
    rows = data.get(table)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _made(data: dict[str, Any], effect: str) -> list[dict[str, Any]]:
    """What effects of a kind make, such as situations."""
    made = []
    for shape, row, _ in records_in(s.Scenario, data, ()):
        if shape is c.Effect and isinstance(row.get(effect), dict):
            made.append(row[effect])
    return made


def _settled(data: dict[str, Any]) -> set[str]:
    """Ids of facts that play makes: subject and predicate."""
    return {w.fact_id(str(e.get("subject")), str(e.get("predicate"))) for e in _made(data, "set")}
