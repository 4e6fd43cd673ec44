"""Reads a scenario the way an editor does: every condition, effect and text in it, with where it stands."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from freeform.engine.authored.scenario import Scenario, Trigger
from freeform.engine.authored.script import Condition, Effect


@dataclass(frozen=True)
class Passage:
    """One authored thing: what it needs, what it brings, and the words the player reads."""

    where: str
    at: str = ""
    """The place it can only happen in, if any."""
    person: str = ""
    """Who has to be met for it, if anyone."""
    when: list[Condition] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    yields: list[Condition] = field(default_factory=list)
    """Leverage that is not the only way, so it has to exist but need not be reached first."""


def passages(scenario: Scenario) -> Iterator[Passage]:
    """Everything authored that conditions open and that changes something."""
    for place_id, place in scenario.places.items():
        for way in place.exits:
            yield Passage(
                f"{place_id} -> {way.to}", place_id, when=way.when, texts=[way.text, way.blocked]
            )
        for detail in place.details:
            learnt = _reveals(detail.reveals)
            yield Passage(
                f"{place_id}: {detail.name}", place_id, "", detail.when, learnt, [detail.text]
            )
    for who, person in scenario.people.items():
        for known in person.knows:
            effects = [*_reveals(known.reveals), *known.effects]
            yield Passage(known.id, "", who, known.when, effects, known.says)
        for kept in person.withholds:
            effects = [*_reveals(kept.reveals), *kept.effects]
            yield Passage(kept.id, "", who, kept.when, effects, kept.says, kept.yields_when)
            yield Passage(f"{kept.id} deflects", "", who, kept.when, [], kept.deflects)
    for deed in scenario.affordances:
        needs = [*deed.when, *([Condition(has=deed.using)] if deed.using else [])]
        for outcome, brought in deed.outcomes.items():
            yield Passage(f"{deed.id}.{outcome}", deed.at, "", needs, brought.effects, brought.text)
    for found in scenario.discoverables:
        yield Passage(found.id, found.at, "", found.when, found.effects, found.content)
    for move in scenario.moves:
        yield Passage(move.id, "", "", move.when, move.effects, move.text)
    for clock in scenario.clocks:
        for value, data in clock.triggers.items():
            trigger = Trigger.model_validate(data)
            full = Condition.model_validate({"clock": {"id": clock.id, "at_least": int(value)}})
            yield Passage(f"{clock.id} at {value}", "", "", [full], trigger.effects, [trigger.text])
    for ending in scenario.endings:
        yield Passage(ending.id, when=ending.when, texts=[ending.text])


def threats_in(passage: Passage) -> Iterator[Passage]:
    """What comes due from a passage if nobody stops it."""
    for effect in passage.effects:
        if effect.threat:
            due = effect.threat
            needs = passage.when
            yield Passage(
                f"threat {due.id}", "", passage.person, needs, due.then, [due.text, due.then_text]
            )


def all_passages(scenario: Scenario) -> list[Passage]:
    """Passages and the threats they set going."""
    first = list(passages(scenario))
    return [*first, *(threat for passage in first for threat in threats_in(passage))]


def flat(conditions: list[Condition]) -> Iterator[Condition]:
    """Conditions with what stands inside `any`, `all` and `none`."""
    for condition in conditions:
        yield condition
        for inner in (condition.any, condition.all, condition.none):
            yield from flat(inner or [])


def _reveals(facts: list[str]) -> list[Effect]:
    return [Effect(reveal=fact) for fact in facts]
