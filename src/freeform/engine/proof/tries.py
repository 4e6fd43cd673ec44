"""What could be tried in a state: all that is open here, and what one can always do."""

from collections.abc import Iterator
from dataclasses import dataclass

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Knowledge, Withheld
from freeform.engine.authored.system import ActionType
from freeform.engine.proof.literals import AskedFor
from freeform.engine.table import Rules
from freeform.engine.world.model import InterpreterOutput, ProposedAction
from freeform.engine.world.state import PLAYER, GameState

BEATEN = ("condition", "surrendered")
"""What comes of blows."""


@dataclass(frozen=True)
class Try:
    """Something a player might do. `user` names what of the scenario it is a try at."""

    key: str
    action: ProposedAction
    user: str = ""

    @property
    def heard(self) -> InterpreterOutput:
        """As a listener would have understood it."""
        return InterpreterOutput(proposed_actions=[self.action])


@dataclass(frozen=True)
class WantedDeeds:
    """What something in a scenario waits for and a plain deed can bring."""

    gifts: frozenset[tuple[str, str]]
    things: frozenset[str]
    trusted: frozenset[str]
    trusting: bool
    """Whether anything hangs on trust."""
    fallen: frozenset[str]


def tries(state: GameState, rules: Rules, wanted: WantedDeeds) -> Iterator[Try]:
    """What is worth trying here, the harmless first."""
    yield from _looking(state, rules)
    yield from _asking(state, rules)
    yield from _taking(state)
    yield from _doing(state, rules)
    yield from _pressing(state, rules)
    yield from _giving(state, wanted)


def ways_on(state: GameState, rules: Rules) -> Iterator[Try]:
    """The ways out of here that are open."""
    here = state.scene.location_id
    for way in rules.exits(here, state):
        if check(way.when, state).holds:
            yield going(here, way.to)


def going(here: str, there: str) -> Try:
    """To walk to a place."""
    name = f"go {here} {there}"
    return Try(name, ProposedAction(action="move", target_id=there), name)


WAITING = Try("wait", ProposedAction(action="wait", estimated_minutes=30))


def risks(rules: Rules) -> list[str]:
    """Kinds of action that one may take for their own sake, dice and price included: the most
    dangerous that needs no one, and for each price one that is done to someone."""
    kinds = rules.system.action_types
    always = [name for name, kind in kinds.items() if kind.roll == "always"]
    alone = [name for name in always if not kinds[name].needs_target]
    named = [max(alone, key=lambda name: (kinds[name].tier, name))] if alone else []
    for cost in rules.scenario.cost_clocks:
        to_someone = [n for n in always if kinds[n].target == "person" and _costs(kinds[n], cost)]
        named += to_someone[:1]
    return list(dict.fromkeys(named))


def risking(kind: str, state: GameState, rules: Rules) -> Try | None:
    """Such a risk here and now; None where it needs someone and nobody is here."""
    if rules.system.action_types[kind].target != "person":
        return Try(f"risk {kind}", ProposedAction(action=kind, details="anyway"))
    people = [who for who in state.scene.present_entity_ids if who != PLAYER]
    if not people:
        return None
    return Try(f"risk {kind}", ProposedAction(action=kind, target_id=people[0], details="anyway"))


def _costs(kind: ActionType, cost: str) -> bool:
    return int(getattr(kind.costs, cost, 0)) > 0


def _looking(state: GameState, rules: Rules) -> Iterator[Try]:
    here = state.scene.location_id
    for number, detail in enumerate(rules.place(here).details):
        if check(detail.when, state).holds:
            name = f"look {here} {number}"
            yield Try(name, ProposedAction(action="look", details=detail.name), name)
    for hidden in rules.scenario.discoverables:
        is_here = hidden.at == here and check(hidden.when, state).holds
        if is_here and not state.value("campaign", f"found:{hidden.id}"):
            name = f"find {hidden.id}"
            for words in hidden.words[:2]:
                yield Try(f"{name} {words}", ProposedAction(action="search", details=words), name)


def _asking(state: GameState, rules: Rules) -> Iterator[Try]:
    for who, told in _untold(state, rules):
        name = f"tell {who} {told.id}"
        for topic in dict.fromkeys([*told.topics[:2], " ".join(told.topics)]):
            asked = ProposedAction(action="ask", target_id=who, details=topic)
            yield Try(f"{name} {topic}", asked, name)


def _pressing(state: GameState, rules: Rules) -> Iterator[Try]:
    for who, kept in _untold(state, rules):
        if isinstance(kept, Withheld):
            name = f"tell {who} {kept.id}"
            for action in kept.yields_to:
                pressed = ProposedAction(
                    action=action, target_id=who, details=" ".join(kept.topics)
                )
                yield Try(f"{name} by {action}", pressed, name)


def _untold(state: GameState, rules: Rules) -> Iterator[tuple[str, Knowledge]]:
    for who in state.scene.present_entity_ids:
        person = rules.person(who)
        for told in (*person.knows, *person.withholds):
            if not state.value(who, f"told:{told.id}") and check(told.when, state).holds:
                yield who, told


def _taking(state: GameState) -> Iterator[Try]:
    for held in state.held(state.scene.location_id):
        thing = state.entities.get(held.item_id)
        if thing and thing.attrs.get("portable") is not False:
            taken = ProposedAction(action="take", target_id=thing.id)
            yield Try(f"take {thing.id}", taken, f"take {thing.id}")


def _doing(state: GameState, rules: Rules) -> Iterator[Try]:
    here = state.scene.location_id
    for deed in (*rules.scenario.deeds_at.get(here, ()), *rules.scenario.deeds_at.get("", ())):
        if deed.using and (PLAYER, deed.using) not in state.inventory:
            continue
        if deed.once and state.value("campaign", f"done:{deed.id}"):
            continue
        if check(deed.when, state).holds:
            name = f"do {deed.id}"
            done = ProposedAction(
                action=deed.action,
                target_id=deed.target,
                details="" if deed.target else " ".join(deed.words[:1]),
                deed=deed.id,
            )
            yield Try(name, done, name)


def _giving(state: GameState, wanted: WantedDeeds) -> Iterator[Try]:
    """Plain gifts, thefts and violence, where something waits for what comes of them."""
    for who in state.scene.present_entity_ids:
        if who == PLAYER:
            continue
        for held in state.held(PLAYER):
            if (who, held.item_id) in wanted.gifts or who in wanted.trusted:
                given = ProposedAction(action="give", target_id=who, details=held.item_id)
                name = f"give {who} {held.item_id}"
                yield Try(name, given, name)
        for held in state.held(who):
            if held.item_id in wanted.things:
                stolen = ProposedAction(action="steal", target_id=who, details=held.item_id)
                yield Try(f"steal {who} {held.item_id}", stolen, f"steal {held.item_id}")
        struck = ProposedAction(action="attack", target_id=who)
        if who in wanted.fallen:
            yield Try(f"attack {who}", struck, f"attack {who}")
        elif PLAYER in wanted.fallen:
            yield Try(f"attack {who}", struck, f"attack {PLAYER}")


def wanted_in(asked: dict[str, AskedFor]) -> WantedDeeds:
    """What conditions ask for that a plain deed can bring."""
    conditions = [each.condition for each in asked.values()]
    hurt = (condition.fact for condition in conditions if condition.fact)
    return WantedDeeds(
        gifts=frozenset(condition.holds for condition in conditions if condition.holds),
        things=frozenset(condition.has for condition in conditions if condition.has),
        trusted=frozenset(c.trust.who for c in conditions if c.trust and c.trust.at_least > 0),
        trusting=any(condition.trust for condition in conditions),
        fallen=frozenset(subject for subject, predicate, _ in hurt if predicate in BEATEN),
    )
