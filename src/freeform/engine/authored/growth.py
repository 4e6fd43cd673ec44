"""What is added to a world in play: state like any other, and what was authored with it."""

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.authored.scenario import Affordance, Person, Place
from freeform.engine.world.state import Entity, Fact, Holding, Relationship, Thread


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
