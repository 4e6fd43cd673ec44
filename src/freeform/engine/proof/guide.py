"""How far a state seems from what a goal asks: a guess that leads the search, never a verdict."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from freeform.engine.authored.conditions import check_one
from freeform.engine.authored.scenario import Scenario, Trigger
from freeform.engine.authored.script import Condition, Effect
from freeform.engine.proof.literals import AskedFor, key_of, single
from freeform.engine.proof.tries import BEATEN
from freeform.engine.world.state import PLAYER, GameState

_PLAIN = frozenset("at present absent has holds trust clock turn_at_least resource".split())
"""Conditions that everyday doings bring about."""
_DEEP = 5
"""So many steps back from a goal are looked at."""
_FAR = 9
"""The guess for what nothing authored brings."""


@dataclass(frozen=True)
class Bringer:
    """Something that brings a condition about: the name of a try at it, and what must hold."""

    user: str
    needs: list[Condition]


class Guide:
    """Who brings what about in one scenario."""

    def __init__(self, scenario: Scenario, asked: dict[str, AskedFor]) -> None:
        self._bringers: dict[str, list[Bringer]] = {}
        changes = list(changes_in(scenario))
        for key, each in asked.items():
            bringers = [bringer for bringer, effect in changes if _brings(effect, each.condition)]
            self._bringers[key] = bringers
        self._doors: list[Condition] = []
        for place in scenario.places.values():
            for way in place.exits:
                self._doors += way.when

    def relevant(self, goal: Sequence[Condition]) -> set[str]:
        """The names of tries that a goal may hang on, however many steps back; those that open
        ways are always among them."""
        names: set[str] = set()
        todo, seen = [*single(goal), *single(self._doors)], set[str]()
        while todo:
            condition = todo.pop()
            key = key_of(condition)
            if key in seen:
                continue
            seen.add(key)
            names |= _plain_tries(condition)
            for bringer in self._bringers.get(key, []):
                names.add(bringer.user)
                todo += single(bringer.needs)
        return names

    def distance(self, goal: Sequence[Condition], state: GameState) -> int:
        """About how many deeds a goal is away."""
        return self._all(goal, state, {}, _DEEP)

    def _all(
        self, goal: Sequence[Condition], state: GameState, known: dict[str, int], deep: int
    ) -> int:
        return sum(self._one(condition, state, known, deep) for condition in goal)

    def _one(self, condition: Condition, state: GameState, known: dict[str, int], deep: int) -> int:
        if check_one(condition, state).holds:
            return 0
        if condition.any:
            return min(self._one(part, state, known, deep) for part in condition.any)
        if condition.all:
            return self._all(condition.all, state, known, deep)
        if condition.none is not None:
            return 1
        key = key_of(condition)
        bringers = self._bringers.get(key, [])
        if deep <= 0 or key in known:
            return known.get(key, 1)
        known[key] = _FAR  # while it is looked at: what needs itself is no way to it
        ways = [1 + self._all(each.needs, state, known, deep - 1) for each in bringers]
        known[key] = min(ways, default=1 if _is_plain(condition) else _FAR)
        return known[key]


def _is_plain(condition: Condition) -> bool:
    """Whether walking, waiting, taking or talking may bring it about."""
    (key,) = condition.model_fields_set
    return key in _PLAIN


def _plain_tries(condition: Condition) -> set[str]:
    """What of everyday handling may bring it about."""
    if condition.has:
        return {f"take {condition.has}", f"steal {condition.has}"}
    if condition.holds:
        owner, item = condition.holds
        return {f"take {item}", f"give {owner} {item}"}
    if condition.fact and condition.fact[1] in BEATEN:
        return {f"attack {condition.fact[0]}"}
    return set()


def changes_in(scenario: Scenario) -> Iterator[tuple[Bringer, Effect]]:
    """Every effect, with what must hold before it comes."""
    yield from _learnt(scenario)
    for deed in scenario.affordances:
        needs = [*deed.when, *([Condition(has=deed.using)] if deed.using else [])]
        for brought in deed.outcomes.values():
            yield from _with_threats(Bringer(f"do {deed.id}", needs), brought.effects)
    for found in scenario.discoverables:
        yield from _with_threats(Bringer(f"find {found.id}", found.when), found.effects)
    for move in scenario.moves:
        yield from _with_threats(Bringer(f"move {move.id}", move.when), move.effects)
    for clock in scenario.clocks:
        for value, trigger in clock.triggers.items():
            full = Condition.model_validate({"clock": {"id": clock.id, "at_least": value}})
            fired = Bringer(f"clock {clock.id} {value}", [full])
            yield from _with_threats(fired, Trigger.model_validate(trigger).effects)


def _learnt(scenario: Scenario) -> Iterator[tuple[Bringer, Effect]]:
    """What looking and asking bring."""
    for place_id, place in scenario.places.items():
        for number, detail in enumerate(place.details):
            seen = Bringer(f"look {place_id} {number}", [*detail.when, Condition(at=place_id)])
            yield from ((seen, Effect(reveal=fact)) for fact in detail.reveals)
    for who, person in scenario.people.items():
        for told in (*person.knows, *person.withholds):
            needs = [*told.when, Condition(present=who)]
            telling = Bringer(f"tell {who} {told.id}", needs)
            reveals = [Effect(reveal=fact) for fact in told.reveals]
            yield from ((telling, effect) for effect in (*reveals, *told.effects))


def _with_threats(bringer: Bringer, effects: Sequence[Effect]) -> Iterator[tuple[Bringer, Effect]]:
    for effect in effects:
        yield bringer, effect
        if effect.threat:
            averted = [Condition(none=[Condition(all=effect.threat.unless)])]
            due = averted if effect.threat.unless else []
            later = Bringer(bringer.user, [*bringer.needs, *due])
            yield from ((later, each) for each in effect.threat.then)


def _brings(effect: Effect, condition: Condition) -> bool:
    """Whether an effect can make a condition hold."""
    (key,) = condition.model_fields_set
    match key:
        case "fact" | "not_fact":
            return _sets(effect, condition)
        case "known":
            return effect.reveal == condition.known
        case "has":
            handed = effect.hand
            seen = effect.unhide is not None and effect.unhide[1] == condition.has
            given = handed is not None and (handed.to, handed.item) == (PLAYER, condition.has)
            return seen or given
        case "holds":
            handed = effect.hand
            return handed is not None and (handed.to, handed.item) == condition.holds
        case "present":
            left = effect.leave.who if effect.leave else ""
            return condition.present in (effect.bring, left)
        case "at":
            return effect.go == condition.at
        case "thread":
            return effect.thread == condition.thread
        case "clock":
            return effect.clock is not None and effect.clock.id == getattr(condition.clock, "id", 0)
        case "trust":
            return effect.trust is not None and effect.trust.who == getattr(
                condition.trust, "who", 0
            )
        case _:
            return False


def _sets(effect: Effect, condition: Condition) -> bool:
    subject, predicate, value = condition.fact or condition.not_fact or ("", "", None)
    if effect.set and (effect.set.subject, effect.set.predicate) == (subject, predicate):
        return bool(effect.set.value == value) == (condition.fact is not None)
    if effect.become and (effect.become.subject, effect.become.condition) == (subject, predicate):
        return value is True
    if effect.leave and predicate == "at":
        return (effect.leave.who, effect.leave.to) == (subject, value)
    return False
