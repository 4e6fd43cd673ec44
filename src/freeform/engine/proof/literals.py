"""What a scenario asks of the world: every single condition, and what waits for it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from freeform.core.record import canonical
from freeform.engine.authored.conditions import check_one
from freeform.engine.authored.scenario import Scenario, Trigger
from freeform.engine.authored.script import Condition, Effect
from freeform.engine.world.state import GameState

_INNER = ("any", "all", "none")
_PASSING = frozenset({"at", "present", "absent"})
"""What walking changes, and walking back changes again."""
_BARE = frozenset({"unknown", "lacks", "not_fact", "turn_at_least"})
"""What is so of itself until something is done: losing it is what doing means."""


@dataclass
class AskedFor:
    """One condition, and the names of what hangs on it."""

    condition: Condition
    users: set[str] = field(default_factory=set)

    @property
    def can_be_lost(self) -> bool:
        """Whether it is something one has and could lose for good."""
        (key,) = self.condition.model_fields_set
        return key not in _PASSING and key not in _BARE


def single(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """Every single condition, those inside `any`, `all` and `none` too."""
    for condition in conditions:
        (key,) = condition.model_fields_set
        if key in _INNER:
            yield from single(getattr(condition, key))
        else:
            yield condition


def key_of(condition: Condition) -> str:
    """One name for equal conditions."""
    return canonical(condition.model_dump(mode="json"))


def asked_in(scenario: Scenario) -> dict[str, AskedFor]:
    """Each single condition of a scenario, by its key."""
    table: dict[str, AskedFor] = {}
    for user, conditions in waiting(scenario):
        for condition in single(conditions):
            table.setdefault(key_of(condition), AskedFor(condition)).users.add(user)
    return table


def waiting(scenario: Scenario) -> Iterator[tuple[str, list[Condition]]]:
    """Everything that waits for conditions, by the name that a try at it has."""
    yield from _places_and_people(scenario)
    for deed in scenario.affordances:
        yield f"do {deed.id}", deed.when
        if deed.using:
            yield f"do {deed.id}", [Condition(has=deed.using)]
    for found in scenario.discoverables:
        yield f"find {found.id}", found.when
    for move in scenario.moves:
        yield f"move {move.id}", move.when
    for ending in scenario.endings:
        yield f"end {ending.id}", ending.when
    for effect in effects_in(scenario):
        if effect.threat:
            yield f"threat {effect.threat.id}", effect.threat.unless


def _places_and_people(scenario: Scenario) -> Iterator[tuple[str, list[Condition]]]:
    for place_id, place in scenario.places.items():
        for way in place.exits:
            yield f"go {place_id} {way.to}", way.when
        for number, detail in enumerate(place.details):
            yield f"look {place_id} {number}", detail.when
    for who, person in scenario.people.items():
        for known in person.knows:
            yield f"tell {who} {known.id}", known.when
        for kept in person.withholds:
            yield f"tell {who} {kept.id}", [*kept.when, *kept.yields_when]


def effects_in(scenario: Scenario) -> Iterator[Effect]:
    """Every effect, those that a threat brings too."""
    for effect in _written(scenario):
        yield effect
        if effect.threat:
            yield from effect.threat.then


def _written(scenario: Scenario) -> Iterator[Effect]:
    for person in scenario.people.values():
        for told in (*person.knows, *person.withholds):
            yield from told.effects
    for deed in scenario.affordances:
        for brought in deed.outcomes.values():
            yield from brought.effects
    for found in scenario.discoverables:
        yield from found.effects
    for move in scenario.moves:
        yield from move.effects
    for clock in scenario.clocks:
        for trigger in clock.triggers.values():
            yield from Trigger.model_validate(trigger).effects


def holding(asked: dict[str, AskedFor], state: GameState) -> frozenset[str]:
    """The keys of those conditions that hold."""
    return frozenset(key for key, each in asked.items() if check_one(each.condition, state).holds)
