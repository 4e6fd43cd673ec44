"""Plays a scenario through the real engine, with the dice at best and at worst.

A line of play does everything that costs nothing first, place after place. What would lose
something that is still waited for is put off, and kept with the state it was met in; each such
state is where another line may begin. So choices that shut each other out are all played, within
a budget of turns.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Hero, Scenario
from freeform.engine.authored.script import Condition
from freeform.engine.authored.system import System
from freeform.engine.campaign.begin import first_state
from freeform.engine.log import Begun
from freeform.engine.proof.guide import Guide
from freeform.engine.proof.literals import AskedFor, asked_in, holding
from freeform.engine.proof.loaded_dice import LoadedDice, Luck
from freeform.engine.proof.reached import Reached, goals_of, homes_of
from freeform.engine.proof.tries import (
    WAITING,
    Try,
    going,
    risking,
    risks,
    tries,
    wanted_in,
    ways_on,
)
from freeform.engine.rules.change import apply
from freeform.engine.rules.checks import way_open
from freeform.engine.rules.effects import people_at
from freeform.engine.rules.resolve import resolve
from freeform.engine.rules.validate import validate
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    PlannerOutput,
    StateDiff,
)
from freeform.engine.world.state import PLAYER, GameState

BUDGET = 4_000
"""Turns that are played for one scenario."""
_IDLE = 8
"""Turns of recklessness in which nothing comes of it, before it is given up."""
_STARTS = 2
"""States, the nearest first, from which a goal is played for; the beginning is one more."""
_PRESSURES: tuple[tuple[str, Luck], ...] = (("persuade", "best"), ("threaten", "worst"))
_LUCKS: tuple[Luck, ...] = ("worst", "middling")


@dataclass(frozen=True)
class _Turn:
    """A turn as it was played."""

    state: GameState
    held: frozenset[str]
    rolled: bool
    allowed: bool


@dataclass(frozen=True)
class _Kept:
    """A state from which another line of play may begin, and what was tried on the way to it."""

    state: GameState
    held: frozenset[str]
    spent: frozenset[str]


@dataclass(frozen=True)
class _PutOff:
    """Something that was not done, since it would lose what is still waited for."""

    key: str
    loss: int
    state: GameState
    held: frozenset[str]


def play_through(scenario: Scenario, system: System, budget: int = BUDGET) -> Reached:
    """Plays until all that waits for something was seen open, or the budget is spent."""
    return _Search(scenario, system, budget).run()


class _Search:
    """One scenario, played line after line."""

    def __init__(self, scenario: Scenario, system: System, budget: int) -> None:
        begun = Begun(
            scenario=scenario,
            name=scenario.name,
            seed=0,
            system=system,
            calibration=scenario.calibration,
            opening=scenario.opening,
            state_diff=StateDiff(),
        )
        self.rules = Rules.of(begun)
        self.asked: dict[str, AskedFor] = asked_in(scenario)
        self.wanted = wanted_in(self.asked)
        self.guide = Guide(scenario, self.asked)
        self.limit = budget
        self.places = [e.id for e in scenario.entities if e.type == "location"]
        self.reached = Reached()
        self.kept: dict[frozenset[str], _Kept] = {}
        self.goal: Sequence[Condition] = ()
        self.relevant: set[str] | None = None
        """What is tried in a line with a goal; None: everything."""
        self.worse: set[str] = set()
        """Attempts that were played with the dice against them too."""

    def run(self) -> Reached:
        """One line for all there is, then lines for whatever was not reached, endings first."""
        firsts = [self._first(hero) for hero in self.rules.scenario.heroes]
        self._walk(firsts[0])
        self._line(firsts[0], ())
        homes = homes_of(self.rules.scenario)
        for name, conditions in goals_of(self.rules.scenario):
            home = homes.get(name, "")
            lost = bool(home) and home not in self.reached.places | self.reached.people
            if not lost and not self._was_open(name) and not self._is_over():
                self._play_for(name, conditions, firsts)
        self.reached.spent = self._is_over()
        return self.reached

    def _walk(self, first: _Kept) -> None:
        """Through all open ways, doing nothing: who is only curious must not be stuck either."""
        todo = [_Turn(first.state, first.held, rolled=False, allowed=True)]
        seen = {first.state.scene.location_id}
        while todo and not self._is_over():
            turn = todo.pop()
            self._note_dead_end(turn)
            for way in list(ways_on(turn.state, self.rules)):
                if way.action.target_id not in seen:
                    seen.add(way.action.target_id)
                    todo.append(self._play(turn, way, "best"))

    def _first(self, hero: Hero) -> _Kept:
        """Where play begins for a hero."""
        world = first_state(self.rules.scenario, hero)
        state = apply(GameState(campaign_id="proof"), world)
        held = holding(self.asked, state)
        self.reached.see(state, held, (), self.rules)
        for ending in self.rules.scenario.endings:
            if check(ending.when, state).holds:
                self.reached.at_once.add(ending.id)
        return _Kept(state, held, frozenset())

    def _is_over(self) -> bool:
        return self.reached.turns >= self.limit

    def _play_for(self, name: str, goal: Sequence[Condition], firsts: list[_Kept]) -> None:
        """Lines with one goal, from the states that seem nearest to it, until it is reached."""

        def far(kept: _Kept) -> int:
            return self.guide.distance(goal, kept.state)

        near = nsmallest(_STARTS, self.kept.values(), key=far)
        for start in (*near, min(firsts, key=far)):
            self._line(start, goal)
            if self._was_open(name) or self._is_over():
                return

    def _line(self, start: _Kept, goal: Sequence[Condition]) -> None:
        """One line of play: all that is harmless, then what costs least, until nothing is left."""
        self.goal, self.relevant = goal, self.guide.relevant(goal) if goal else None
        turn = _Turn(start.state, start.held, rolled=False, allowed=True)
        spent = set(start.spent)
        while not self._is_over():
            turn, put_off = self._round(turn, spent)
            for each in put_off:
                self._keep(each.state, each.held, {*spent, each.key})
            if not put_off:
                break
            best = min(put_off, key=lambda each: (self._far(each.state), each.loss, each.key))
            if self._far(best.state) > self._far(turn.state):
                break
            spent.add(best.key)
            turn = _Turn(best.state, best.held, rolled=False, allowed=True)
        self._recklessly(turn, spent)

    def _far(self, state: GameState) -> int:
        """How far the goal of this line seems."""
        return self.guide.distance(self.goal, state)

    def _keep(self, state: GameState, held: frozenset[str], spent: set[str]) -> None:
        """Keeps a state, one for each way in which what can be lost stands."""
        cell = frozenset(key for key in held if self.asked[key].can_be_lost)
        if cell not in self.kept:
            self.kept[cell] = _Kept(state, held, frozenset(spent))

    def _round(self, turn: _Turn, spent: set[str]) -> tuple[_Turn, list[_PutOff]]:
        """Goes from place to place until nothing harmless is left anywhere; gives what was put
        off."""
        put_off: dict[str, _PutOff] = {}
        seen_idle: set[str] = set()
        while not self._is_over():
            here = turn.state.scene.location_id
            turn, did = self._here(turn, spent, put_off)
            if did:
                seen_idle.clear()
                put_off = {key: each for key, each in put_off.items() if key not in spent}
            seen_idle.add(turn.state.scene.location_id)
            seen_idle.add(here)
            on = self._next_place(turn, seen_idle)
            if on is None:
                break
            turn = on
        self._note_dead_end(turn)
        return turn, list(put_off.values())

    def _here(
        self, turn: _Turn, spent: set[str], put_off: dict[str, _PutOff]
    ) -> tuple[_Turn, bool]:
        """Everything harmless that can be tried where one is."""
        did, going_on = False, True
        here = turn.state.scene.location_id
        self.reached.open.update(way.user for way in ways_on(turn.state, self.rules))
        while going_on and not self._is_over():
            going_on = False
            for each in tries(turn.state, self.rules, self.wanted):
                self._note_open(turn.state, each)
                if each.key in spent or each.key in put_off or self._is_aside(each):
                    continue
                came = self._play(turn, each, "best")
                if came.rolled:
                    self._otherwise(turn, each, spent)
                loss = self._loss(turn, came)
                if loss:
                    put_off[each.key] = _PutOff(each.key, loss, came.state, came.held)
                    continue
                spent.add(each.key)
                if came.allowed:
                    turn, did, going_on = came, True, True
                    break
            if turn.state.scene.location_id != here:
                break
        return turn, did

    def _was_open(self, name: str) -> bool:
        return name in self.reached.open or name in self.reached.done

    def _note_open(self, state: GameState, each: Try) -> None:
        """Notes what can be tried; a deed only if the engine lets it be tried."""
        if self._was_open(each.user):
            return
        deed = each.action.deed
        if deed:
            judged = validate(each.heard, state, self.rules).allowed_actions
            if not judged or judged[0].affordance != deed:
                return
        self.reached.open.add(each.user)

    def _is_aside(self, each: Try) -> bool:
        """Whether the goal of this line has nothing to do with it."""
        return self.relevant is not None and each.user not in self.relevant

    def _otherwise(self, turn: _Turn, each: Try, spent: set[str]) -> None:
        """The same attempt with the dice against it, kept where it leads somewhere new."""
        if each.key in self.worse:
            return
        self.worse.add(each.key)
        for luck in _LUCKS:
            came = self._play(turn, each, luck)
            self._keep(came.state, came.held, {*spent, each.key})

    def _next_place(self, turn: _Turn, idle: set[str]) -> _Turn | None:
        """The first place not looked at since something last happened that one can walk to."""
        unseen = [place for place in self.places if place not in idle]
        unseen.sort(key=lambda place: place in self.reached.places)
        for place in unseen:
            path, refusal = way_open(place, turn.state, self.rules)
            if path and refusal is None:
                came = self._play(turn, going(turn.state.scene.location_id, path[-1]), "best")
                if came.state.scene.location_id != turn.state.scene.location_id:
                    idle.discard(came.state.scene.location_id)
                    return came
            idle.add(place)
        return None

    def _recklessly(self, turn: _Turn, spent: set[str]) -> None:
        """Waiting, then risks with the dice against one: what time and failure bring."""
        self._again(turn, spent, lambda state: WAITING)
        for kind in risks(self.rules):
            choose = partial(risking, kind, rules=self.rules)
            start = turn if choose(turn.state) else self._in_company(turn)
            self._again(start, spent, choose)

        if self.wanted.trusting:
            start = self._in_company(turn)
            for kind, luck in _PRESSURES:
                if kind in self.rules.system.action_types:
                    choose = partial(risking, kind, rules=self.rules)
                    self._again(start, spent, choose, luck)

    def _in_company(self, turn: _Turn) -> _Turn:
        """The same where somebody is, if one can walk there."""
        if len(turn.state.scene.present_entity_ids) > 1:
            return turn
        for place in self.places:
            path, refusal = way_open(place, turn.state, self.rules)
            if people_at(place, turn.state) and path and refusal is None:
                return self._play(turn, going(turn.state.scene.location_id, place), "best")
        return turn

    def _again(
        self,
        turn: _Turn,
        spent: set[str],
        choose: Callable[[GameState], Try | None],
        luck: Luck = "worst",
    ) -> None:
        """The same again and again, until a while has passed in which nothing came of it."""
        idle = 0
        while idle < _IDLE and not self._is_over():
            each = choose(turn.state)
            if each is None:
                return
            came = self._play(turn, each, luck)
            if came.held != turn.held:
                self._keep(came.state, came.held, spent)
            idle = idle + 1 if _is_same(came, turn) else 0
            turn = came

    def _note_dead_end(self, turn: _Turn) -> None:
        """Notes a place that no way, deed or wait leads out of while the story is open."""
        state = turn.state
        here = state.scene.location_id
        ended = any(state.value("campaign", f"ended:{e.id}") for e in self.rules.scenario.endings)
        if ended or here in self.reached.dead_ends or len(self.places) < 2:
            return
        if any(True for _ in ways_on(state, self.rules)):
            return
        if not any(self._leads_out(turn, each) for each in self._ways_out(state)):
            self.reached.dead_ends[here] = "best"

    def _ways_out(self, state: GameState) -> Iterator[Try]:
        yield from tries(state, self.rules, self.wanted)
        yield WAITING

    def _leads_out(self, turn: _Turn, each: Try) -> bool:
        came = self._play(turn, each, "best")
        moved = came.state.scene.location_id != turn.state.scene.location_id
        return moved or any(True for _ in ways_on(came.state, self.rules))

    def _loss(self, before: _Turn, after: _Turn) -> int:
        """How many things that are still waited for were so, and are not any more; and how much
        farther the goal of this line is."""
        lost = 0
        for key in before.held - after.held:
            asked = self.asked[key]
            if asked.can_be_lost and asked.users - self.reached.done:
                lost += 1
        if self.goal and before.held != after.held:
            lost += max(0, self._far(after.state) - self._far(before.state))
        return lost

    def _play(self, turn: _Turn, each: Try, luck: Luck) -> _Turn:
        """One turn through the engine."""
        self.reached.turns += 1
        state = turn.state.at_turn(turn.state.turn_no + 1)
        dice = LoadedDice(luck, self.rules.system.resolution.method)
        judged = validate(each.heard, state, self.rules)
        came = resolve(state, judged, PlannerOutput(), self.rules, dice)
        after = apply(state, came.state_diff)
        held = holding(self.asked, after)
        self.reached.see(after, held, came.engine_events, self.rules)
        allowed = bool(judged.allowed_actions)
        if allowed and each.user.startswith(("go ", "look ")):
            self.reached.done.add(each.user)
        return _Turn(after, held, bool(came.rolls), allowed)


def _is_same(one: _Turn, other: _Turn) -> bool:
    """Whether nothing that counts has changed: conditions, clocks, trust, wounds."""
    a, b = one.state, other.state
    mine = (one.held, a.clocks, a.relationships, _wounds(a))
    return mine == (other.held, b.clocks, b.relationships, _wounds(b))


def _wounds(state: GameState) -> list[object]:
    return [state.value(PLAYER, what) for what in ("hit_points", "condition", "last_rolls")]
