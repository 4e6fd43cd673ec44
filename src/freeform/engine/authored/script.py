"""What an author can ask of the world, and do to it: conditions and effects as data.

Both are one-key mappings, so an author reads them aloud: `has: keycard`, `clock: {id: heat,
at_least: 4}`. Nothing in a scenario is ever executed.
"""

from typing import Any, Literal, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from freeform.core.record import Record
from freeform.engine.authored.opposition import Rider
from freeform.engine.world.state import Visibility


class OneKey(Record):
    """A mapping with exactly one key out of many."""

    @model_validator(mode="after")
    def _just_one(self) -> Self:
        if len(self.model_fields_set) != 1:
            keys = sorted(self.model_fields_set)
            raise ValueError(
                f"give exactly one of {', '.join(type(self).model_fields)}; got {keys}"
            )
        return self

    @model_serializer(mode="wrap")
    def _only_it(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """The one key alone, so that what was written reads back."""
        return {name: value for name, value in dump(self).items() if name in self.model_fields_set}


class ClockIs(Record):
    """A clock stands between two values."""

    id: str
    at_least: int = 0
    at_most: int = 99


class TrustIs(Record):
    """How far someone trusts the player's character."""

    who: str
    at_least: int = -5
    at_most: int = 5


class ResourceIs(Record):
    """How much there is of a resource."""

    id: str
    at_least: int = 0
    at_most: int = 9999


class Condition(OneKey):
    """Something that must be so."""

    fact: tuple[str, str, Any] | None = None
    not_fact: tuple[str, str, Any] | None = None
    known: str | None = None
    unknown: str | None = None
    has: str | None = None
    lacks: str | None = None
    holds: tuple[str, str] | None = None
    at: str | None = None
    present: str | None = None
    absent: str | None = None
    clock: ClockIs | None = None
    thread: tuple[str, str] | None = None
    trust: TrustIs | None = None
    turn_at_least: int | None = None
    resource: ResourceIs | None = None
    any: "list[Condition] | None" = None
    all: "list[Condition] | None" = None
    none: "list[Condition] | None" = None


class SetFact(Record):
    """A fact becomes so. An existing fact of that subject and predicate gets the new value."""

    subject: str
    predicate: str
    value: Any = True
    text: str = ""
    visibility: Visibility = "known"


class Hand(Record):
    """A thing changes hands. Owners are people, places, or `nowhere`."""

    item: str
    source: str = "nowhere"
    to: str = "nowhere"
    qty: int = 1


class Tick(Record):
    """A clock moves."""

    id: str
    delta: int = 1


class Shift(Record):
    """Someone's trust in the player's character moves."""

    who: str
    delta: int = 1


class Leave(Record):
    """Someone goes, here or to a place."""

    who: str
    to: str = ""


class Situation(Record):
    """Something that holds for now and colours every turn until it ends."""

    id: str
    text: str


class Threat(Record):
    """Something that will happen unless the player acts: its effects come due after `turns`."""

    id: str
    text: str
    turns: int = 3
    unless: "list[Condition]" = Field(default_factory=list)
    then: "list[Effect]" = Field(default_factory=list)
    then_text: str = ""


class Become(Record):
    """Someone or something is in a condition: lit, wet, blocked, bound, hidden, covered …"""

    subject: str
    condition: str
    text: str = ""
    turns: int = 0
    """It passes by itself after so many turns; 0: it stays."""


class Put(Record):
    """A thing that is at hand lies here, at a spot."""

    item: str
    spot: str
    text: str = ""


class Promise(Record):
    """The player's character gives their word. With `meet_in` it is an appointment: to be with `to`
    again before so many minutes have passed, or then."""

    id: str
    to: str = ""
    text: str
    meet_in: int = 0


class Appear(Record):
    """What was only part of a place's description, or what everyone has about them, is a thing of
    its own: here, or with whoever holds it. `comes`: nobody spoke of it before
    it was made, bought of somebody here, or found where such things are."""

    id: str
    name: str
    text: str = ""
    held_by: str = ""
    comes: Literal["", "made", "bought", "found"] = ""


class Hurt(Record):
    """Someone is hurt by something that is no foe: a trap, a fall. `damage`: each `2d6 fire`."""

    who: str = "player"
    damage: list[str]
    save: str = ""
    difficulty: int = 0
    half: bool = False
    condition: str = ""
    turns: int = 0
    text: str = ""
    """What hurts, in few words."""

    def as_rider(self) -> Rider:
        """The same as what a blow brings."""
        return Rider.model_validate(self.model_dump(exclude={"who", "text"}))


class Gain(Record):
    """The player's character has more of a resource, or less."""

    id: str
    amount: int = 1


class Effect(OneKey):
    """Something that becomes so."""

    set: SetFact | None = None
    reveal: str | None = None
    hand: Hand | None = None
    unhide: tuple[str, str] | None = None
    clock: Tick | None = None
    thread: tuple[str, str] | None = None
    trust: Shift | None = None
    bring: str | None = None
    leave: Leave | None = None
    go: str | None = None
    minutes: int | None = None
    situation: Situation | None = None
    end_situation: str | None = None
    threat: Threat | None = None
    end_threat: str | None = None
    escalate: str | None = None
    calm: str | None = None
    harm: int | None = None
    become: Become | None = None
    cease: tuple[str, str] | None = None
    put: Put | None = None
    join: str | None = None
    part: str | None = None
    promise: Promise | None = None
    end_promise: str | None = None
    appear: Appear | None = None
    fight: str | None = None
    hurt: Hurt | None = None
    gain: Gain | None = None
    award: int | None = None


for _record in (Condition, Threat, Effect):
    _record.model_rebuild()
