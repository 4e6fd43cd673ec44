"""What play came to, what it should come to, and where each thing to be tried is found."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.script import Condition
from freeform.engine.proof.literals import waiting
from freeform.engine.table import Rules
from freeform.engine.world.model import EngineEvent
from freeform.engine.world.state import GameState


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

    def see(
        self, state: GameState, held: frozenset[str], events: Sequence[EngineEvent], rules: Rules
    ) -> None:
        """Takes in a state and the events that led to it."""
        self.held |= held
        self.places.add(state.scene.location_id)
        self.people.update(state.scene.present_entity_ids)
        for event in events:
            self._note(event, state, rules)
        for item in state.held("player"):
            self.items.add(item.item_id)

    def _note(self, event: EngineEvent, state: GameState, rules: Rules) -> None:
        """What of the scenario an event shows to have happened."""
        details = event.details
        who = str(details.get("npc", ""))
        match event.type:
            case "fact_learned":
                self.known.add(str(details["fact_id"]))
            case "ending":
                self.endings.add(str(details["id"]))
                self.done.add(f"end {details['id']}")
            case "outcome" if details.get("affordance"):
                self.done.add(f"do {details['affordance']}")
                self.done.add(f"do {details['affordance']} {details['outcome']}")
            case "told":
                for told in (*rules.person(who).knows, *rules.person(who).withholds):
                    if state.value(who, f"told:{told.id}"):
                        self.done.add(f"tell {who} {told.id}")
            case "discovered":
                self.done.add(f"find {details['id']}")
            case "tension_move":
                self.done.add(f"move {details['id']}")
            case "clock_triggered":
                self.done.add(f"clock {details['id']} {details['at']}")


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
