"""What is added to a world in play: state like any other, and what was authored with it."""

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.authored.scenario import GrownPart
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


def grown_parts(state: GameState) -> list[GrownPart]:
    """What play has added to the world so far."""
    grown = state.value(CAMPAIGN, GROWN) or []
    return [GrownPart.model_validate(state.value(place, AUTHORED)) for place in grown]


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
