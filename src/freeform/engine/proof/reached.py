"""What play came to, what it should come to, and where each thing to be tried is found."""

from dataclasses import dataclass, field

from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.script import Condition
from freeform.engine.proof.literals import waiting


@dataclass
class Reached:
    """What play came to, over all its lines."""

    places: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    endings: set[str] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    """Everything of the scenario that was done, told, found, looked at; and the open ways."""
    held: set[str] = field(default_factory=set)
    """The conditions that held at some time, by their keys."""
    items: set[str] = field(default_factory=set)
    dead_ends: dict[str, str] = field(default_factory=dict)
    """Places one could not leave, each with the line of play that led there."""
    open: set[str] = field(default_factory=set)
    """All of it that could at least have been."""
    at_once: set[str] = field(default_factory=set)
    """Endings whose conditions hold before anything is done."""
    turns: int = 0
    spent: bool = False
    """Whether the budget ended the search."""


def goals_of(scenario: Scenario) -> list[tuple[str, list[Condition]]]:
    """What play should come to: endings first, then all that waits for something."""
    named: dict[str, list[Condition]] = {}
    for name, conditions in waiting(scenario):
        if not name.startswith(("threat ", "move ")):
            named.setdefault(name, []).extend(conditions)
    return sorted(named.items(), key=lambda goal: not goal[0].startswith("end "))


def homes_of(scenario: Scenario) -> dict[str, str]:
    """The place or the person that each thing to be tried is found at."""
    homes: dict[str, str] = {}
    for place_id, place in scenario.places.items():
        homes.update({f"go {place_id} {way.to}": place_id for way in place.exits})
        homes.update({f"look {place_id} {n}": place_id for n in range(len(place.details))})
    for who, person in scenario.people.items():
        for told in (*person.knows, *person.withholds):
            homes[f"tell {who} {told.id}"] = who
    homes.update({f"do {deed.id}": deed.at for deed in scenario.affordances})
    homes.update({f"find {hidden.id}": hidden.at for hidden in scenario.discoverables})
    return homes
