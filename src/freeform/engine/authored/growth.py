"""What is added to a world in play: state like any other, and what was authored with it."""

from collections.abc import Sequence
from functools import cached_property

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.authored.scenario import Affordance, Person, Place, Scenario
from freeform.engine.world.by_hand import CAMPAIGN
from freeform.engine.world.state import (
    Entity,
    Fact,
    GameState,
    Holding,
    Relationship,
    Thread,
)

GROWN, AUTHORED = "grown", "authored"
"""Under which facts the state keeps which places were added, and what was authored with each."""


class GrownPart(Record):
    """What a scenario would hold beside the state: how places and people are, what can be done."""

    places: dict[str, Place] = Field(default_factory=dict)
    people: dict[str, Person] = Field(default_factory=dict)
    affordances: list[Affordance] = Field(default_factory=list)


class Growth(Record):
    """A piece of the world beyond the map."""

    place: str
    """The id of the place that was gone to."""
    minutes: int = 0
    """How long it takes to get there the first time; 0: as long as any way."""
    source: str = ""
    """Where it came from, for people: `said: the church; genre coast`."""
    entities: list[Entity]
    facts: list[Fact] = Field(default_factory=list)
    threads: list[Thread] = Field(default_factory=list)
    inventory: list[Holding] = Field(default_factory=list)
    relationships: list[Relationship] = Field(default_factory=list)
    authored: GrownPart


def grown_parts(state: GameState) -> list[GrownPart]:
    """What play has added to the world so far."""
    grown = state.value(CAMPAIGN, GROWN) or []
    return [GrownPart.model_validate(state.value(place, AUTHORED)) for place in grown]


def with_parts(scenario: Scenario, parts: Sequence[GrownPart]) -> Scenario:
    """The scenario with places, people and deeds that were added to it."""
    places, people = dict(scenario.places), dict(scenario.people)
    affordances = list(scenario.affordances)
    for part in parts:
        places.update(part.places)
        people.update(part.people)
        affordances += part.affordances
    added = {"places": places, "people": people, "affordances": affordances}
    grown = scenario.model_copy(update=added)
    for name, value in vars(Scenario).items():
        if isinstance(value, cached_property):  # a copy has what was worked out before
            grown.__dict__.pop(name, None)
    return grown
