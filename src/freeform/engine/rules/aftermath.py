"""What follows from a turn's deeds: consequences, streaks, the game master's move, threats, clocks,
endings."""

from collections.abc import Iterator
from dataclasses import dataclass

from freeform.core.chance import Chance
from freeform.core.text import shorten
from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Move, Trigger
from freeform.engine.authored.script import Threat
from freeform.engine.minds.meanwhile import act_meanwhile
from freeform.engine.rules.effects import CAMPAIGN, pay, perform
from freeform.engine.rules.fight.foes import is_fighting
from freeform.engine.rules.ledger import ENGINE, Ledger
from freeform.engine.rules.rolls import at_least
from freeform.engine.rulings.lasting import pass_on
from freeform.engine.table import Rules
from freeform.engine.world.by_hand import dead_by_hand
from freeform.engine.world.model import ClockDelta, PlannerOutput, StateDiff
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, GameState

QUIET_LIMIT = 4
LONGEST_MOVE = 400
_ROUNDS = 8
_ENDED, _AFTERWARDS = "ended:", "turns_after_the_end"
OWN_PRICE = -1
"""The tier of an attempt whose ruling says itself what failure costs."""
_LOUD = {
    "tension_move",
    "clock_triggered",
    "threat_due",
    "escalated",
    "consequence",
    "streak_broke",
}
_GENTLER = {"gentle": 1, "consequential": 0, "harsh": 0}


@dataclass(frozen=True)
class Attempts:
    """How what was tried in a turn went."""

    worst: str
    """The worst outcome; '' when no dice were needed."""
    tier: int
    """How dangerous that attempt was."""
    idle: bool
    """Nothing was tried."""


def aftermath(
    attempts: Attempts, planned: PlannerOutput, page: Ledger, rules: Rules, chance: Chance
) -> None:
    """What follows from how it went; after an ending, nothing presses any more."""
    if is_over(page.state):
        pass_on(page)
        page.happen("epilogue", ("ending",), times=_afterwards(page))
        return
    worst, tier = attempts.worst, attempts.tier
    before = {id: clock.value for id, clock in page.state.clocks.items()}
    for event in page.events:
        if event.type == "clock_advanced":
            before[event.details["id"]] = min(before[event.details["id"]], event.details["from"])
    failed = bool(worst) and not at_least(worst, "mixed")
    if worst:
        _consequence(page, rules, worst, tier)
        _streak(page, rules, failed)
    quiet = int(page.state.value(CAMPAIGN, "quiet") or 0)
    level = rules.system.tiers.get(str(tier))
    wants_move = failed and tier != OWN_PRICE and (level is None or level.move)
    if not attempts.idle and (wants_move or quiet >= QUIET_LIMIT):
        _tension(page, planned, rules, chance)
    pass_on(page)
    _threats(page, rules)
    _by_themselves(page, rules)
    _triggers(page, rules, before)
    act_meanwhile(page, rules)
    _endings(page, rules)
    loud = any(event.type in _LOUD for event in page.events)
    page.note(CAMPAIGN, "quiet", 0 if loud else quiet + 1)


def pressed_on(state: GameState) -> GameState:
    """The same moment, after so much quiet that a move of the game master's is due."""
    page = Ledger(state)
    page.note(CAMPAIGN, "quiet", QUIET_LIMIT)
    return page.state


def is_over(state: GameState) -> bool:
    """Whether the story has come to an ending."""
    ended = (fact for fact in state.facts_of(CAMPAIGN) if fact.predicate.startswith(_ENDED))
    return any(fact.object.get("value") for fact in ended)


def _afterwards(page: Ledger) -> int:
    """How many turns were played since."""
    times = int(page.state.value(CAMPAIGN, _AFTERWARDS) or 0) + 1
    page.note(CAMPAIGN, _AFTERWARDS, times)
    return times


def open_moves(state: GameState, rules: Rules) -> Iterator[Move]:
    """The authored moves whose moment it could be, most urgent first."""
    moves = sorted(rules.scenario.moves, key=lambda move: (-move.urgency, move.id))
    return (move for move in moves if _is_open(move, state))


def _is_open(move: Move, state: GameState) -> bool:
    return (
        not (move.once and state.value(CAMPAIGN, f"moved:{move.id}"))
        and check(move.when, state).holds
        and not _is_of_the_dead(move, state)
    )


def _is_of_the_dead(move: Move, state: GameState) -> bool:
    """Whether a move is told of someone whom a game master has declared dead."""
    dead = dead_by_hand(state)
    told = " ".join(move.text) if dead else ""
    return any(id in dead for id in mentioned(told, state, ("npc",)))


def _consequence(page: Ledger, rules: Rules, worst: str, tier: int) -> None:
    if tier == OWN_PRICE:
        return
    level = rules.system.tiers.get(
        str(max(0, tier - _GENTLER.get(rules.begun.calibration.risk.failure_mode, 0)))
    )
    if level is None or at_least(worst, "success"):
        return
    costs = (level.mixed if worst == "mixed" else level.failure).model_dump()
    if worst == "botch" or (
        worst == "failure" and rules.begun.calibration.risk.failure_mode == "harsh"
    ):
        dearest = next((cost for cost in ("harm", "heat", "time") if costs[cost]), "")
        if dearest:
            costs[dearest] += 1
    if rules.begun.calibration.risk.lethality == "none":
        costs["harm"] = 0
    paid = pay(costs, page, rules)
    if paid:
        page.happen("consequence", ("cost",), tier=tier, outcome=worst, costs=paid)


def _streak(page: Ledger, rules: Rules, failed: bool) -> None:
    """Failures in a row bind: at the threshold something gives, and the count starts over."""
    count = int(page.state.value(PLAYER, "failure_streak") or 0) + 1 if failed else 0
    streak = rules.system.streak
    if count >= streak.threshold:
        page.happen("streak_broke", ("cost",), text=streak.text, count=count)
        pay(streak.costs.model_dump(), page, rules)
        count = 0
    page.note(PLAYER, "failure_streak", count)


def _tension(page: Ledger, planned: PlannerOutput, rules: Rules, chance: Chance) -> None:
    """The planner's move if it is an authored one that fits, or its own sentence; else the most
    urgent that fits."""
    said = planned.tension_move.strip()
    wanted = next(
        (move for move in rules.scenario.moves if move.id == said.partition(":")[0].strip("`'\" ")),
        None,
    )
    if wanted is None and _may_be_told(said, page.state, rules):
        page.happen(
            "tension_move",
            ("tension",),
            id="",
            type=planned.tension_move_type,
            text=shorten(said, LONGEST_MOVE),
        )
        return
    fits = wanted is not None and _is_open(wanted, page.state)
    chosen = wanted if fits else next(open_moves(page.state, rules), None)
    if chosen is None:
        return
    page.note(CAMPAIGN, f"moved:{chosen.id}", True)
    page.happen(
        "tension_move",
        ("tension",),
        id=chosen.id,
        type=chosen.type,
        text=chance.choose(chosen.text).strip(),
    )
    perform(chosen.effects, page, rules, f"move: {chosen.id}")


def _may_be_told(said: str, state: GameState, rules: Rules) -> bool:
    """A sentence of a planner's own: it knows everything, so it may not tell what is hidden, nor
    cross a line."""
    return len(said.split()) > 2 and rules.limits(state).allows(said)


def _threats(page: Ledger, rules: Rules) -> None:
    for fact in page.state.facts_of(CAMPAIGN):
        if "threat" not in fact.tags or not isinstance(fact.object.get("value"), dict):
            continue
        threat = Threat.model_validate(fact.object["value"]["threat"])
        averted = bool(threat.unless) and check(threat.unless, page.state).holds
        if averted or page.state.played >= fact.object["value"]["due"]:
            page.settle(
                CAMPAIGN, fact.predicate, "averted" if averted else "came", disclosure=ENGINE
            )
            if averted:
                page.happen("threat_averted", ("threat",), id=threat.id, text=threat.text)
            else:
                page.happen(
                    "threat_due", ("threat",), id=threat.id, text=threat.then_text or threat.text
                )
                perform(threat.then, page, rules, f"threat: {threat.id}")


def _by_themselves(page: Ledger, rules: Rules) -> None:
    """Clocks that move whatever is done, so that the story comes to whoever waits for it: what is
    told is what they bring. Not in the middle of a fight, nor when it is over."""
    if is_fighting(page.state) or any_ended(page.state):
        return
    for id, by_turn in sorted(rules.scenario.paces.items()):
        due = [at for turn, at in by_turn.items() if turn <= page.state.played]
        clock = page.state.clocks.get(id)
        if clock and max(due, default=0) > clock.value:
            page.change(StateDiff(clocks=[ClockDelta(id=id, delta=max(due) - clock.value)]))


def any_ended(state: GameState) -> bool:
    """Whether the story has come to one of its ends."""
    return any(fact.predicate.startswith("ended:") for fact in state.facts_of(CAMPAIGN))


def _triggers(page: Ledger, rules: Rules, before: dict[str, int]) -> None:
    """Every value a clock reached this turn fires what was authored for it, once per campaign."""
    for _ in range(_ROUNDS):
        fired = False
        for clock in sorted(page.state.clocks.values(), key=lambda clock: clock.id):
            for value in range(before.get(clock.id, 0) + 1, clock.value + 1):
                mark = f"fired:{clock.id}:{value}"
                if str(value) in clock.triggers and not page.state.value(CAMPAIGN, mark):
                    trigger = Trigger.model_validate(clock.triggers[str(value)])
                    page.note(CAMPAIGN, mark, True)
                    text = trigger.text.strip()
                    page.happen(
                        "clock_triggered",
                        ("clock",),
                        id=clock.id,
                        name=clock.name,
                        at=value,
                        text=text,
                    )
                    perform(trigger.effects, page, rules, f"clock: {clock.name}")
                    fired = True
        if not fired:
            return


def _endings(page: Ledger, rules: Rules) -> None:
    for ending in rules.scenario.endings:
        if (
            not page.state.value(CAMPAIGN, f"{_ENDED}{ending.id}")
            and check(ending.when, page.state).holds
        ):
            page.settle(
                CAMPAIGN, f"{_ENDED}{ending.id}", True, text=f"The story came to '{ending.title}'."
            )
            page.happen(
                "ending", ("ending",), id=ending.id, title=ending.title, text=ending.text.strip()
            )
            return
