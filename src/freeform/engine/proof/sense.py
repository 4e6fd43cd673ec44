"""Whether what a scenario says can be meant: numbers in range, names used once."""

from collections.abc import Callable, Iterator
from typing import Any

from pydantic import BaseModel

from freeform.engine.authored import scenario as s
from freeform.engine.authored import script as c
from freeform.engine.authored.system import System
from freeform.engine.proof.references import TYPES, ScenarioNames, records_in
from freeform.engine.proof.report import Severity
from freeform.engine.proof.shape import Where, nearest
from freeform.engine.world import state as w
from freeform.engine.world.names import words

Found = tuple[Severity, Where, str]
_TABLES = ("heroes", "entities", "facts", "threads", "clocks", "affordances", "discoverables")
_ALL_TABLES = (*_TABLES, "moves", "endings")
_FULL: dict[type[BaseModel], tuple[str, ...]] = {
    s.Knowledge: ("topics", "says"),
    s.Withheld: ("topics", "says", "deflects"),
    s.Discoverable: ("words", "content"),
    s.Move: ("text",),
    s.Clue: ("facts",),
    s.Ending: ("when",),
}
"""Lists that must hold something: play takes one of them."""
_DAY = 24 * 60
_TRUST = 5


def nonsense(data: dict[str, Any], names: ScenarioNames, system: System | None) -> Iterator[Found]:
    """What reads well and cannot be meant."""
    yield from _twice(data)
    limits = {str(row.get("id")): row.get("max", 6) for row in rows_of(data, "clocks")}
    for shape, row, where in records_in(s.Scenario, data, ()):
        for key in _FULL.get(shape, ()):
            if key in row and not row[key]:
                yield "error", (*where, key), f"`{key}` is empty; play takes one of its lines"
        check = _CHECKS.get(shape)
        if check:
            yield from check(row, where, limits)
    yield from _entities(data)
    yield from _whereabouts(data, names)
    if system:
        yield from _numbers_of_system(data, system)


def rows_of(data: dict[str, Any], table: str) -> list[dict[str, Any]]:
    """The rows of a table that are mappings."""
    rows = data.get(table)
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _twice(data: dict[str, Any]) -> Iterator[Found]:
    """ScenarioNames that two things share."""
    for table in _ALL_TABLES:
        yield from _repeated(data, table, lambda row: str(row.get("id")), "the id")
    yield from _repeated(
        data, "facts", lambda row: f"{row.get('subject_id')} {row.get('predicate')}", "a fact of"
    )
    yield from _repeated(
        data, "inventory", lambda row: f"{row.get('owner_id')} {row.get('item_id')}", "a holding of"
    )
    people = data.get("people")
    for who, person in people.items() if isinstance(people, dict) else ():
        if isinstance(person, dict):
            yield from _told_twice(str(who), person)


def _repeated(
    data: dict[str, Any], table: str, name_of: Callable[[dict[str, Any]], str], what: str
) -> Iterator[Found]:
    seen: set[str] = set()
    rows = data.get(table)
    for number, row in enumerate(rows if isinstance(rows, list) else []):
        if not isinstance(row, dict):
            continue
        name = name_of(row)
        if name in seen:
            reason = f"{what} '{name}' stands twice in `{table}`; the second hides the first"
            yield "error", (table, number), reason
        seen.add(name)


def _told_twice(who: str, person: dict[str, Any]) -> Iterator[Found]:
    seen: set[str] = set()
    for table in ("knows", "withholds"):
        told = person.get(table)
        for number, row in enumerate(told if isinstance(told, list) else []):
            id = str(row.get("id")) if isinstance(row, dict) else ""
            if id in seen:
                reason = f"'{who}' has two things to tell with the id '{id}'; one is never told"
                yield "error", ("people", who, table, number), reason
            seen.add(id)


def _clock(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    most, value = row.get("max", 6), row.get("value", 0)
    if not isinstance(most, int) or not isinstance(value, int):
        return
    if most < 1 or not 0 <= value <= most:
        reason = f"the clock stands at {value} of {most}; it must stand between 0 and its `max`"
        yield "error", where, reason
    triggers = row.get("triggers")
    for at in triggers if isinstance(triggers, dict) else ():
        text = str(at)
        if not text.isdigit() or not 1 <= int(text) <= most:
            reason = f"a trigger at '{at}' never fires: the clock goes from 0 to {most}"
            yield "error", (*where, "triggers", text), reason


def _clock_is(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    low, high, most = row.get("at_least", 0), row.get("at_most", 99), limits.get(str(row.get("id")))
    if not isinstance(low, int) or not isinstance(high, int):
        return
    if low > high:
        yield "error", where, f"no clock stands at least at {low} and at most at {high}"
    elif isinstance(most, int) and low > most:
        reason = f"the clock '{row.get('id')}' ends at {most}; it never stands at {low}"
        yield "error", where, reason
    elif high < 0:
        yield "error", where, f"no clock stands at {high}; the lowest is 0"


def _trust_is(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    low, high = row.get("at_least", -_TRUST), row.get("at_most", _TRUST)
    if isinstance(low, int) and isinstance(high, int) and not -_TRUST <= low <= high <= _TRUST:
        reason = f"trust goes from -{_TRUST} to {_TRUST}; this asks for {low} to {high}"
        yield "error", where, reason


def _start(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    minute = row.get("minute", 0)
    if isinstance(minute, int) and not 0 <= minute < _DAY:
        reason = f"minute {minute} is of no day; a day has minutes 0 to {_DAY - 1}"
        yield "error", (*where, "minute"), reason


def _fact(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    told = row.get("object")
    if row.get("visibility") == "hidden" and isinstance(told, dict) and not told.get("text"):
        reason = f"the secret '{row.get('id')}' has no `text`; nothing is read when it comes out"
        yield "error", where, reason
    if isinstance(told, dict) and "value" not in told:
        reason = f"the fact '{row.get('id')}' has no `value`; no condition can ask for it"
        yield "warning", (*where, "object"), reason


def _hand(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    source, to = row.get("source", "nowhere"), row.get("to", "nowhere")
    if source == to:
        yield "error", where, f"it is handed from '{source}' to '{to}', so nothing happens"
    quantity = row.get("qty", 1)
    if isinstance(quantity, int) and quantity < 1:
        yield "error", (*where, "qty"), f"{quantity} of a thing cannot be handed over"


def _exit(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    if len(where) > 1 and row.get("to") == where[1]:
        yield "error", (*where, "to"), "this way leads back to the place it begins in"


def _knowledge(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    topics = row.get("topics")
    if isinstance(topics, list) and topics and not any(words(str(topic)) for topic in topics):
        reason = f"no question can mean the topics {topics}; name a person, thing or event"
        yield "error", (*where, "topics"), reason


def _tie(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    strength = row.get("intensity", 0)
    if isinstance(strength, int) and not -_TRUST <= strength <= _TRUST:
        reason = f"intensity {strength} is out of range: it goes from -{_TRUST} to {_TRUST}"
        yield "error", (*where, "intensity"), reason


def _threat(row: dict[str, Any], where: Where, limits: dict[str, Any]) -> Iterator[Found]:
    turns = row.get("turns", 3)
    if isinstance(turns, int) and turns < 1:
        yield "error", (*where, "turns"), f"a threat in {turns} turns leaves no time to act"
    if not row.get("then"):
        yield "warning", where, f"the threat '{row.get('id')}' brings nothing when it comes"


_CHECKS: dict[
    type[BaseModel], Callable[[dict[str, Any], Where, dict[str, Any]], Iterator[Found]]
] = {
    w.StoryClock: _clock,
    c.ClockIs: _clock_is,
    c.TrustIs: _trust_is,
    s.Start: _start,
    w.Fact: _fact,
    c.Hand: _hand,
    s.Exit: _exit,
    s.Knowledge: _knowledge,
    s.Withheld: _knowledge,
    w.Relationship: _tie,
    c.Threat: _threat,
}


def _entities(data: dict[str, Any]) -> Iterator[Found]:
    """Each entity is of a kind the engine knows, and each place is described."""
    described = data.get("places")
    places = described if isinstance(described, dict) else {}
    for number, row in enumerate(rows_of(data, "entities")):
        where: Where = ("entities", number)
        kind, id = str(row.get("type")), str(row.get("id"))
        if kind not in TYPES:
            near = nearest(kind, TYPES)
            yield "error", (*where, "type"), f"'{id}' is of type `{kind}`, which is none{near}"
        if kind == "location" and id not in places:
            reason = f"the place '{id}' has no entry in `places`: no text, and no way out"
            yield "error", where, reason
        if not str(row.get("name") or "").strip():
            yield "error", where, f"'{id}' has no name, so no player can speak of it"


def _whereabouts(data: dict[str, Any], names: ScenarioNames) -> Iterator[Found]:
    """Where people are at the start is a place."""
    for number, row in enumerate(rows_of(data, "facts")):
        told = row.get("object")
        value = told.get("value") if isinstance(told, dict) else None
        if row.get("predicate") == "at" and str(value) not in names.known("place"):
            near = nearest(str(value), sorted(names.known("place")))
            yield "error", ("facts", number, "object"), f"no place '{value}'{near}"
    for number, row in enumerate(rows_of(data, "entities")):
        attrs = row.get("attrs")
        place = attrs.get("location") if isinstance(attrs, dict) else None
        if place and str(place) not in names.known("place"):
            near = nearest(str(place), sorted(names.known("place")))
            yield "error", ("entities", number, "attrs", "location"), f"no place '{place}'{near}"


def _numbers_of_system(data: dict[str, Any], system: System) -> Iterator[Found]:
    """Stats within the system's range, tiers that it has."""
    low, high = system.stat_range
    for number, row in enumerate(rows_of(data, "heroes")):
        stats = row.get("stats")
        for stat, value in stats.items() if isinstance(stats, dict) else ():
            if isinstance(value, int) and not low <= value <= high:
                reason = f"{stat} {value} is out of range: {system.name} goes from {low} to {high}"
                yield "error", ("heroes", number, "stats", str(stat)), reason
    for table in ("affordances", "discoverables"):
        for number, row in enumerate(rows_of(data, table)):
            tier = row.get("tier")
            if isinstance(tier, int) and str(tier) not in system.tiers:
                known = ", ".join(system.tiers)
                reason = f"{system.name} has no tier {tier}; it has {known}"
                yield "error", (table, number, "tier"), reason
