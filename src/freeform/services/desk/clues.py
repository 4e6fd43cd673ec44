"""What a draft looks like from above: the ways to each secret, and its map. Pure."""

from collections.abc import Iterator
from typing import Any

from freeform.core.record import Record
from freeform.engine.authored.scenario import Scenario
from freeform.engine.proof.guide import changes_in
from freeform.engine.proof.verdict import places_of
from freeform.services.views.map import MapPerson, MapPlace, MapShown, MapWay

ENOUGH = 2
"""Ways to a secret: one may be missed."""


class ClueWay(Record):
    """One thing that gives a secret away."""

    by: str
    """How a person calls it: `ask Mira`, `look at the well`."""
    at: str = ""
    """The place or person it belongs to, by id."""
    where: list[str | int]
    """Where it stands in the draft."""


class ClueNode(Record):
    """A secret, the ways to it, and what hangs on it."""

    fact: str
    text: str
    ways: list[ClueWay]
    enough: bool
    answers: list[str]
    """Questions that it answers."""
    opens: list[str]
    """Ways, deeds and endings that ask whether it is known."""


def clue_graph(scenario: Scenario) -> list[ClueNode]:
    """Every secret with the ways to it, those with the fewest first."""
    ways = _ways(scenario)
    names = {thread.id: thread.title for thread in scenario.threads}
    nodes: list[ClueNode] = []
    for fact in scenario.facts:
        if fact.visibility != "hidden":
            continue
        found = list(ways.get(fact.id, {}).values())
        answers = [names.get(c.thread, c.thread) for c in scenario.clues if fact.id in c.facts]
        nodes.append(
            ClueNode(
                fact=fact.id,
                text=str(fact.object.get("text") or fact.object.get("value") or fact.id),
                ways=found,
                enough=len(found) >= ENOUGH,
                answers=list(dict.fromkeys(answers)),
                opens=list(dict.fromkeys(_opened_by(fact.id, scenario))),
            )
        )
    return sorted(nodes, key=lambda node: len(node.ways))


def _ways(scenario: Scenario) -> dict[str, dict[str, ClueWay]]:
    """By fact and by what brings it."""
    places = _all_places(scenario)
    called = {entity.id: entity.name for entity in scenario.entities}
    found: dict[str, dict[str, ClueWay]] = {}
    for bringer, effect in changes_in(scenario):
        if effect.reveal:
            where = places.get(bringer.user, [])
            way = ClueWay(
                by=_said(bringer.user, where, scenario, called),
                at=str(where[1]) if len(where) > 1 and where[0] in ("places", "people") else "",
                where=where,
            )
            found.setdefault(effect.reveal, {})[bringer.user] = way
    return found


def _all_places(scenario: Scenario) -> dict[str, list[str | int]]:
    found: dict[str, list[str | int]] = {}
    for name, where in places_of(scenario).items():
        found[name] = [part if isinstance(part, int) else str(part) for part in where]
    for number, move in enumerate(scenario.moves):
        found[f"move {move.id}"] = ["moves", number]
    for number, clock in enumerate(scenario.clocks):
        for value in clock.triggers:
            found[f"clock {clock.id} {value}"] = ["clocks", number, "triggers", value]
    return found


def _said(user: str, where: list[str | int], scenario: Scenario, called: dict[str, str]) -> str:
    kind, _, rest = user.partition(" ")
    match kind:
        case "look":
            detail = scenario.places[str(where[1])].details[int(where[3])]
            return f"look at {detail.name} in {called.get(str(where[1]), where[1])}"
        case "tell":
            row = getattr(scenario.people[str(where[1])], str(where[2]))[int(where[3])]
            about = row.topics[0] if row.topics else row.id
            verb = "get out of" if where[2] == "withholds" else "ask"
            return f"{verb} {called.get(str(where[1]), where[1])} about {about}"
        case "find":
            found = scenario.discoverables[int(where[1])]
            what = f" for {found.words[0]}" if found.words else ""
            return f"search {called.get(found.at, found.at)}{what}"
        case "do":
            deed = scenario.affordances[int(where[1])]
            upon = called.get(deed.target) or next(iter(deed.words), rest)
            return deed.suggest or f"{deed.action} {upon}"
        case "move":
            return f"the game master's move {rest}"
        case "clock":
            clock = scenario.clocks[int(where[1])]
            return f"{clock.name} reaches {where[3]}"
        case _:
            return f"{kind} {rest}"


def _opened_by(fact: str, scenario: Scenario) -> Iterator[str]:
    called = {entity.id: entity.name for entity in scenario.entities}
    for ending in scenario.endings:
        if _asks([each.model_dump(exclude_unset=True) for each in ending.when], fact):
            yield f"the ending {ending.title}"
    for place_id, place in scenario.places.items():
        for way in place.exits:
            if _asks([each.model_dump(exclude_unset=True) for each in way.when], fact):
                start, end = (called.get(id, id) for id in (place_id, way.to))
                yield f"the way from {start} to {end}"
    for deed in scenario.affordances:
        if _asks([each.model_dump(exclude_unset=True) for each in deed.when], fact):
            yield f"the deed {next(iter(deed.words), deed.id)}"


def _asks(node: Any, fact: str) -> bool:
    """Whether a condition, however deep, asks for that fact to be known."""
    if isinstance(node, dict):
        return any(_is_it(key, value, fact) or _asks(value, fact) for key, value in node.items())
    return isinstance(node, list | tuple) and any(_asks(each, fact) for each in node)


def _is_it(key: str, value: Any, fact: str) -> bool:
    return key == "known" and value == fact


def draft_map(scenario: Scenario) -> MapShown:
    """The whole map of a draft, as its author sees it: nothing is hidden, ways that hang on
    something are guarded or shut."""
    places = [e for e in scenario.entities if e.type == "location"]
    return MapShown(
        places=[
            MapPlace(
                id=each.id,
                name=each.name,
                here=each.id == scenario.start.location,
                visited=True,
                about=scenario.places[each.id].description if each.id in scenario.places else "",
            )
            for each in places
        ],
        ways=list(_draft_ways(scenario)),
        people=list(_draft_people(scenario)),
    )


def _draft_ways(scenario: Scenario) -> Iterator[MapWay]:
    for start, place in scenario.places.items():
        for way in place.exits:
            shut = "shut" if way.when else "open"
            row = {"from": start, "to": way.to, "name": way.name, "open": not way.when}
            yield MapWay.model_validate({**row, "state": shut})


def _draft_people(scenario: Scenario) -> Iterator[MapPerson]:
    stands = {f.subject_id: str(f.object.get("value")) for f in scenario.facts if _is_place(f)}
    for each in scenario.entities:
        if each.type == "npc":
            at = stands.get(each.id) or str(each.attrs.get("location") or "")
            role = str(each.attrs.get("role") or "")
            yield MapPerson(id=each.id, name=each.name, role=role, at=at, turn_no=0, here=False)


def _is_place(fact: Any) -> bool:
    return bool(fact.predicate == "at")
