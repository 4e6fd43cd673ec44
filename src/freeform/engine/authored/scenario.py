"""A scenario as data: the world at the start, and everything authored that play can meet."""

from collections.abc import Iterator
from functools import cached_property
from typing import Any, Self

from pydantic import Field, SerializerFunctionWrapHandler, model_serializer, model_validator

from freeform.core.record import Record
from freeform.engine.authored.opposition import CombatBlock
from freeform.engine.authored.script import Condition, Effect, SetFact
from freeform.engine.world.costs import Costs
from freeform.engine.world.state import (
    Entity,
    Fact,
    Holding,
    Relationship,
    StoryClock,
    Thread,
)


def _is_absent(value: Any) -> bool:
    """What an author left out is not written down: recorded evenings know a scenario by its
    digest."""
    return not value


class Exit(Record):
    """A way from one place to another.

    Closed while a `when` condition fails; `blocked` then says why.
    """

    to: str
    name: str = ""
    aliases: list[str] = Field(default_factory=list)
    when: list[Condition] = Field(default_factory=list)
    blocked: str = ""
    text: str = ""


class Detail(Record):
    """Something in a place one can look at closely."""

    name: str
    aliases: list[str] = Field(default_factory=list)
    text: str
    when: list[Condition] = Field(default_factory=list)
    reveals: list[str] = Field(default_factory=list)
    finds: list[str] = Field(default_factory=list, exclude_if=_is_absent)
    """Things that were hidden here and come to light with it."""


class Place(Record):
    """What a place offers: its prose, its ways out, its details."""

    description: str
    again: list[str] = Field(default_factory=list)
    atmosphere: list[str] = Field(default_factory=list)
    exits: list[Exit] = Field(default_factory=list)
    details: list[Detail] = Field(default_factory=list)


class Knowledge(Record):
    """Something a person knows and tells when asked.

    Each line of `says` is what they say, quotes included.
    """

    id: str
    topics: list[str]
    says: list[str]
    when: list[Condition] = Field(default_factory=list)
    reveals: list[str] = Field(default_factory=list)
    effects: list[Effect] = Field(default_factory=list)
    view: bool = Field(default=False, exclude_if=_is_absent)
    """No more than what they make of it: no answer to who, where, when, how, why or whether."""


class Withheld(Knowledge):
    """Something a person keeps back: `deflects` until leverage (`yields_when`) or a good roll of
    `yields_to`."""

    deflects: list[str]
    yields_when: list[Condition] = Field(default_factory=list)
    yields_to: list[str] = Field(default_factory=lambda: ["persuade", "threaten", "deceive"])


class PersonMove(Record):
    """Something a person does while the player's character is elsewhere, once: after so many
    minutes of play, when its conditions hold. `does` tells it in the past, to be found out."""

    id: str
    after: int = 0
    when: list[Condition] = Field(default_factory=list)
    does: str
    at: str = ""
    """Where it is done; '' for where they are."""
    open: bool = False
    """They make no secret of it."""
    effects: list[Effect] = Field(default_factory=list)


class Person(Record):
    """How someone behaves: what they say, know, keep back, want, and can do."""

    greeting: list[str] = Field(default_factory=list)
    idle: list[str] = Field(default_factory=list)
    shrugs: list[str] = Field(default_factory=list)
    farewell: list[str] = Field(default_factory=list)
    knows: list[Knowledge] = Field(default_factory=list)
    withholds: list[Withheld] = Field(default_factory=list)
    agenda: str = ""
    agenda_known: bool = False
    disposition: str = ""
    capabilities: str = ""
    escalation: str = ""
    heart: dict[str, list[str]] = Field(default_factory=dict, exclude_if=_is_absent)
    """What they answer who are asked after themselves, quotes included, by what is asked: `feel`,
    `past`, `want`. Each line is said once; whoever asks is thought better of."""
    moves: list[PersonMove] = Field(default_factory=list)
    """What they do off-screen, the first that is due first; without any, what their wants and the
    open questions suggest."""

    @model_serializer(mode="wrap")
    def _as_it_was(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without `moves` where there are none: recorded evenings know a scenario by its digest."""
        row: dict[str, Any] = dump(self)
        if not row.get("moves"):
            row.pop("moves", None)
        return row


class Outcome(Record):
    """What an attempt brings at one outcome."""

    text: list[str] = Field(default_factory=list)
    effects: list[Effect] = Field(default_factory=list)


class Offer(Record):
    """What a listener is told of a deed: its id, the action, what it is done to, and words people
    use for it."""

    id: str = ""
    action: str
    target_id: str = ""
    words: list[str] = Field(default_factory=list)


class Affordance(Record):
    """Something one can do here: an action on a target, with preconditions and effects over facts.

    With neither `target` nor `words` it is meant whenever the action is taken there. Without `stat`
    it simply works; with it, dice decide and `outcomes` says what each result brings (a missing one
    falls to the next worse or better that is given; `success` is required).
    """

    id: str
    action: str
    target: str = ""
    words: list[str] = Field(default_factory=list)
    indirect: str = ""
    """The second thing of the action, which must be named: put the coin *in the slot*."""
    using: str = ""
    at: str = ""
    when: list[Condition] = Field(default_factory=list)
    blocked: str = ""
    stat: str = ""
    tier: int = 1
    minutes: int | None = None
    costs: Costs | None = None
    once: bool = False
    suggest: str = ""
    """What a player is told they could do, while it can be done; '' for a deed to be found out."""
    whatever: bool = Field(default=False, exclude_if=_is_absent)
    """Whether, while its conditions hold, whatever is done here by its action is a part of it: a
    blow in a bout, a stitch in a race. The deed is told in the player's own words first."""
    outcomes: dict[str, Outcome]

    @model_validator(mode="after")
    def _has_success(self) -> Self:
        if "success" not in self.outcomes:
            raise ValueError("outcomes needs at least 'success'")
        return self

    @model_serializer(mode="wrap")
    def _as_it_was(self, dump: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Without `suggest` where it is empty: recorded evenings know a scenario by its digest."""
        row: dict[str, Any] = dump(self)
        if not row.get("suggest"):
            row.pop("suggest", None)
        return row

    @cached_property
    def offer(self) -> Offer:
        """The deed without what it needs and brings; what it is suggested with are words for it."""
        words = [*self.words, self.suggest] if self.suggest else self.words
        return Offer(id=self.id, action=self.action, target_id=self.target, words=words)


class Discoverable(Record):
    """Something found when the right spot is searched; with `stat`, only on a good roll."""

    id: str
    at: str
    trigger: str
    words: list[str]
    when: list[Condition] = Field(default_factory=list)
    stat: str = ""
    tier: int = 0
    content: list[str]
    effects: list[Effect] = Field(default_factory=list)


class Move(Record):
    """Something the game master may do when tension is due: on a failure, or when nothing
    happens."""

    id: str
    type: str
    when: list[Condition] = Field(default_factory=list)
    text: list[str]
    effects: list[Effect] = Field(default_factory=list)
    once: bool = True
    urgency: int = 1


class Trigger(Record):
    """What happens when a clock reaches a value."""

    text: str
    effects: list[Effect] = Field(default_factory=list)


class Ending(Record):
    """A way the story can come to rest. Play may go on after it."""

    id: str
    title: str
    when: list[Condition]
    text: str


class Hero(Record):
    """A character a player can be."""

    id: str
    name: str
    concept: str
    pronouns: str = "they/them"
    stats: dict[str, int] = Field(default_factory=dict)
    items: list[str] = Field(default_factory=list)
    facts: list[SetFact] = Field(default_factory=list)
    block: CombatBlock | None = Field(default=None, exclude_if=_is_absent)
    """Their numbers where the system has more than stats: class, level, armour, powers …"""
    gear: list[Entity] = Field(default_factory=list, exclude_if=_is_absent)
    """Things of their own that the scenario does not know."""


class Start(Record):
    """Where and when play begins."""

    location: str
    day: int = 1
    minute: int = 1200


class Risk(Record):
    """How hard the game hits. Lethality: none, low, medium, high.

    Failure: gentle, consequential, harsh.
    """

    lethality: str = "medium"
    failure_mode: str = "consequential"
    permanence: bool = True


class Calibration(Record):
    """What the table agreed on in session zero."""

    tone: str = ""
    themes: list[str] = Field(default_factory=list)
    risk: Risk = Field(default_factory=Risk)
    lines: list[str] = Field(default_factory=list)
    veils: list[str] = Field(default_factory=list)


class Beyond(Record):
    """What lies outside the map: nothing, unless this says that the world goes on there.

    Shut while a `when` condition fails; `blocked` then says why.
    """

    genre: str = ""
    """The forge's genre that new places and people are made of; by the scenario's own where it is
    empty."""
    when: list[Condition] = Field(default_factory=list)
    blocked: str = ""


class Clue(Record):
    """A thread's trail: facts which, once known, answer it."""

    thread: str
    facts: list[str]


class Scenario(Record):
    """Everything authored.

    The state part is copied into the campaign; the rest stays beside it, unchanged.
    """

    id: str
    name: str
    genre: str
    description: str
    system: str
    packs: list[str] = Field(default_factory=list)
    calibration: Calibration = Field(default_factory=Calibration)
    opening: str
    opening_suggestions: list[str] = Field(default_factory=list)
    start: Start
    heroes: list[Hero]
    entities: list[Entity]
    facts: list[Fact] = Field(default_factory=list)
    threads: list[Thread] = Field(default_factory=list)
    clocks: list[StoryClock] = Field(default_factory=list)
    inventory: list[Holding] = Field(default_factory=list)
    relationships: list[Relationship] = Field(default_factory=list)
    places: dict[str, Place] = Field(default_factory=dict)
    people: dict[str, Person] = Field(default_factory=dict)
    affordances: list[Affordance] = Field(default_factory=list)
    discoverables: list[Discoverable] = Field(default_factory=list)
    moves: list[Move] = Field(default_factory=list)
    endings: list[Ending] = Field(default_factory=list)
    clues: list[Clue] = Field(default_factory=list)
    cost_clocks: dict[str, str] = Field(default_factory=dict)
    paces: dict[str, dict[int, int]] = Field(default_factory=dict)
    """Where a clock stands at the least after so many turns, whatever is done."""
    """Cost name (heat, time, cred, harm, rep) -> clock id that takes it."""
    beyond: Beyond | None = Field(default=None, exclude_if=_is_absent)
    """How the world goes on where the map ends; without it, it does not."""
    for_newcomers: bool = Field(default=False, exclude_if=_is_absent)
    """Whether it teaches how one plays: such are offered before all others."""
    prose: dict[str, list[str]] = Field(default_factory=dict)
    """Lines of this genre's own for the offline narrator, by group name; see
    `offline/lines.yaml`."""

    @cached_property
    def deeds(self) -> dict[str, Affordance]:
        """The authored deeds by their id."""
        return {deed.id: deed for deed in self.affordances}

    @cached_property
    def deeds_at(self) -> dict[str, list[Affordance]]:
        """The authored deeds by the place they belong to; '' for those that go with a person or a
        thing."""
        places: dict[str, list[Affordance]] = {}
        for deed in self.affordances:
            places.setdefault(deed.at, []).append(deed)
        return places

    @cached_property
    def scripted(self) -> frozenset[tuple[str, str]]:
        """Subject and predicate of every fact that a condition asks for or an effect sets: such
        change by what happens alone."""
        return frozenset(_pairs(self.model_dump(mode="python", exclude_unset=True)))

    @model_validator(mode="after")
    def _triggers_read(self) -> Self:
        for clock in self.clocks:
            for trigger in clock.triggers.values():
                Trigger.model_validate(trigger)
        return self


def _pairs(node: Any) -> Iterator[tuple[str, str]]:
    """The subjects and predicates in conditions and effects, however deep they lie."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key in ("fact", "not_fact") and isinstance(value, list | tuple):
                yield str(value[0]), str(value[1])
            elif key == "set" and isinstance(value, dict):
                yield str(value["subject"]), str(value["predicate"])
            else:
                yield from _pairs(value)
    elif isinstance(node, list | tuple):
        for item in node:
            yield from _pairs(item)
