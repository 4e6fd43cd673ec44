"""What play can bring about: a fixpoint over everything authored, as if every roll and choice went that way."""

from dataclasses import dataclass, field
from typing import Any

from freeform.engine.authored.scenario import Scenario
from freeform.engine.authored.script import Condition, Effect
from tests.content.reading import Passage, all_passages


@dataclass
class Reach:
    """The most a scenario can ever come to: it only grows."""

    scenario: Scenario
    places: set[str] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    values: dict[tuple[str, str], set[Any]] = field(default_factory=dict)
    held: set[tuple[str, str]] = field(default_factory=set)
    met: set[str] = field(default_factory=set)
    ticked: set[str] = field(default_factory=set)
    threads: set[tuple[str, str]] = field(default_factory=set)
    done: set[str] = field(default_factory=set)
    """The passages that can happen."""

    def size(self) -> int:
        """Grows whenever anything new can be."""
        told = sum(len(values) for values in self.values.values())
        tables = (
            self.places,
            self.known,
            self.held,
            self.met,
            self.ticked,
            self.threads,
            self.done,
        )
        return told + sum(len(table) for table in tables)

    def can(self, condition: Condition) -> bool:
        """Whether that can be so at some time. What only has to be absent can: it is so before it is not."""
        (key,) = condition.model_fields_set
        match key:
            case "fact":
                subject, predicate, value = condition.fact or ("", "", None)
                if predicate in ("condition", "surrendered"):
                    return True  # blows bring it; `scenario check` plays that through
                return value in self.values.get((subject, predicate), set())
            case "known":
                return condition.known in self.known
            case "has":
                return ("player", condition.has or "") in self.held
            case "holds":
                return (condition.holds or ("", "")) in self.held
            case "at":
                return condition.at in self.places
            case "present":
                return condition.present in self.met
            case "clock":
                return self._clock(condition)
            case "thread":
                return (condition.thread or ("", "")) in self.threads
            case "trust":
                return condition.trust is not None and condition.trust.who in self.met
            case "any":
                return any(self.can(inner) for inner in condition.any or [])
            case "all":
                return all(self.can(inner) for inner in condition.all or [])
            case _:  # unknown, not_fact, lacks, absent, none, turn_at_least
                return True

    def happens(self, passage: Passage) -> bool:
        """Whether someone can stand there, with that person, with all of it so."""
        placed = not passage.at or passage.at in self.places
        company = not passage.person or passage.person in self.met
        return placed and company and all(self.can(condition) for condition in passage.when)

    def _clock(self, condition: Condition) -> bool:
        wanted = condition.clock
        assert wanted
        clock = next(c for c in self.scenario.clocks if c.id == wanted.id)
        moves = clock.id in self.ticked
        return wanted.at_least <= (clock.max if moves else clock.value) and wanted.at_most >= 0

    def bring(self, effect: Effect) -> None:
        """What an effect makes possible."""
        if effect.set:
            self.values.setdefault((effect.set.subject, effect.set.predicate), set()).add(
                effect.set.value
            )
        if effect.reveal:
            self.known.add(effect.reveal)
        if effect.hand:
            source = effect.hand.source
            if source == "nowhere" or (source, effect.hand.item) in self.held:
                self.held.add((effect.hand.to, effect.hand.item))
        if effect.unhide:
            self._lies(*effect.unhide)
        if effect.clock:
            self.ticked.add(effect.clock.id)
        if effect.harm and "harm" in self.scenario.cost_clocks:
            self.ticked.add(self.scenario.cost_clocks["harm"])
        if effect.thread:
            self.threads.add(effect.thread)
        if effect.bring:
            self.met.add(effect.bring)
        if effect.leave and effect.leave.to in self.places:
            self.met.add(effect.leave.who)
        if effect.go:
            self.places.add(effect.go)

    def _lies(self, place: str, item: str) -> None:
        self.held.add((place, item))
        entity = next(e for e in self.scenario.entities if e.id == item)
        if place in self.places and entity.attrs.get("portable") is not False:
            self.held.add(("player", item))


def reach(scenario: Scenario) -> Reach:
    """Everything that can come about from the start."""
    so_far = Reach(scenario)
    so_far.places.add(scenario.start.location)
    so_far.ticked.update(scenario.cost_clocks.values())  # failing costs, whatever was authored
    for fact in scenario.facts:
        so_far.values.setdefault((fact.subject_id, fact.predicate), set()).add(
            fact.object.get("value")
        )
        if fact.visibility == "known":
            so_far.known.add(fact.id)
    for thread in scenario.threads:
        so_far.threads.add((thread.id, thread.status))
    for hero in scenario.heroes:
        so_far.held.update(("player", item) for item in hero.items)
        for told in hero.facts:
            so_far.bring(Effect(set=told))
    authored, before = all_passages(scenario), -1
    while so_far.size() > before:
        before = so_far.size()
        _stand(so_far)
        for passage in authored:
            if so_far.happens(passage):
                so_far.done.add(passage.where)
                for effect in passage.effects:
                    so_far.bring(effect)
        for place_id in sorted(so_far.places):
            for way in scenario.places[place_id].exits:
                if all(so_far.can(condition) for condition in way.when):
                    so_far.places.add(way.to)
    return so_far


def _stand(so_far: Reach) -> None:
    """People where they are and things that lie in the open, wherever one can already go."""
    for entity in so_far.scenario.entities:
        whereabouts = so_far.values.get((entity.id, "at"), set()) | {entity.attrs.get("location")}
        if whereabouts & so_far.places:
            so_far.met.add(entity.id)
    for held in so_far.scenario.inventory:
        so_far.held.add((held.owner_id, held.item_id))
        if not held.flags.get("hidden") and held.owner_id in so_far.places:
            so_far._lies(held.owner_id, held.item_id)
