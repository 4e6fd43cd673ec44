"""The only maker of mechanical facts: costs, dice, outcomes, consequences, clocks. Pure and seeded.

for each allowed action: is it still possible? -> costs and time -> dice where risky -> effects
then: consequences by tier -> streaks -> the game master's move -> threats due -> clock triggers ->
endings
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from freeform.core.chance import Chance
from freeform.core.text import slug
from freeform.engine.authored.scenario import Affordance, Outcome
from freeform.engine.authored.system import OUTCOMES
from freeform.engine.knowledge.background import NO_BACKGROUND, Background
from freeform.engine.rules.aftermath import Attempts, aftermath
from freeform.engine.rules.change import join
from freeform.engine.rules.checks import Refusal
from freeform.engine.rules.dealing.keeping import keep_bargains
from freeform.engine.rules.deeds import (
    answering,
    asides,
    calling,
    handling,
    looking,
    parley,
    risking,
    talking,
)
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.effects import CAMPAIGN, come_out, pass_time, pay, perform
from freeform.engine.rules.fight import attacking, luck, resting, turns
from freeform.engine.rules.fight.pushing import LAST_ROLL
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.rolls import at_least
from freeform.engine.rules.validate import judge
from freeform.engine.rules.wishes.unsaid import keep_unsaid
from freeform.engine.rules.wishes.wish import Unclear
from freeform.engine.rulings.lasting import remember_deed
from freeform.engine.rulings.play import play_ruling
from freeform.engine.table import Rules
from freeform.engine.world.model import (
    AllowedAction,
    EngineEvent,
    PlannerOutput,
    ProposedAction,
    RuledDeed,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.rolled import Roll
from freeform.engine.world.state import FREE_TURNS, GameState

Deed = Callable[[Attempt], str]
DEEDS: dict[str, Deed] = {
    "look": looking.look,
    "search": looking.search,
    "recall": looking.recall,
    "move": handling.move,
    "follow": handling.follow,
    "take": handling.take,
    "steal": handling.steal,
    "give": handling.give,
    "drop": handling.drop,
    "use": handling.handle,
    "open": handling.handle,
    "close": handling.handle,
    "ask": talking.converse,
    "talk": talking.converse,
    "persuade": talking.press,
    "deceive": talking.press,
    "threaten": talking.press,
    "show": talking.show,
    "attack": risking.attack,
    "hide": risking.hide,
    "flee": risking.flee,
    "heal": risking.heal,
    "wait": risking.wait,
    "express": asides.express,
    "plan": asides.plan,
    "gm_question": answering.answer,
    "ooc": answering.reply,
    "subdue": attacking.subdue,
    "cast": attacking.cast,
    "surrender": parley.surrender,
    "plead": parley.plead,
    "pay_off": parley.pay_off,
    "call_on": parley.call_on,
    "rest": resting.rest,
    "resist": luck.resist,
}


_TO_THEIR_FACE = frozenset({"ask", "talk", "persuade", "threaten", "show", "give", "improvise"})
"""What nobody does out of hiding."""
_SPOKEN = frozenset({"ask", "talk", "persuade", "threaten", "deceive"})
_LONGEST_ID = 40
_QUICK = 5
"""Minutes up to which a deed is one of several in a breath."""


@dataclass(frozen=True)
class TurnResolution:
    """What a turn came to."""

    engine_events: list[EngineEvent]
    state_diff: StateDiff
    rolls: list[Roll]
    rulings: list[RuledDeed] = field(default_factory=list)

    def after(self, events: list[EngineEvent], diff: StateDiff) -> "TurnResolution":
        """The same, with what came to be before it."""
        return replace(
            self,
            engine_events=[*events, *self.engine_events],
            state_diff=join(diff, self.state_diff),
        )


def resolve(
    state: GameState,
    validated: ValidatorOutput,
    planned: PlannerOutput,
    rules: Rules,
    chance: Chance,
    background: Background = NO_BACKGROUND,
) -> TurnResolution:
    """Plays the allowed actions out, in order.

    `state` carries the number of the turn being played.
    """
    page = Ledger(state)
    worst, tier = "", 0
    ruled: list[RuledDeed] = []
    free = is_free(validated, rules)
    tried = bool(validated.allowed_actions)
    ready = tried and not parley.words_first(validated, state)
    down = not free and turns.begin_turn(page, rules, chance, ready)
    hurry = turns.OneDeed()
    if down:
        validated = validated.model_copy(update={"allowed_actions": []})
    actions = _in_one_breath(validated.allowed_actions)
    for number, action in enumerate(actions):
        if rules.is_free(action.action, action.family):
            _say(action, page, rules, chance.at(number), background)
            continue
        if worst and not at_least(worst, "mixed") and tier > 0:
            page.happen(
                "interrupted", action=action.action, name=state.name(action.target_id), reason=""
            )
            break
        refusal = _still(action, page.state, rules) if number or page.events else None
        refusal = refusal or hurry.check(action, rules, page.state)
        if refusal:
            name = page.state.name(action.target_id) if action.target_id else action.details
            page.happen("interrupted", action=action.action, name=name, reason=refusal.reason)
            continue
        goes_on = _goes_on(action, actions[number + 1 :])
        attempt = Attempt(action, page, rules, chance.at(number), background, goes_on)
        outcome, danger = _play(attempt, ruled)
        turns.settle_with(attempt, outcome)
        parley.settle(attempt, outcome)
        if outcome and (not worst or OUTCOMES.index(outcome) < OUTCOMES.index(worst)):
            worst, tier = outcome, danger
    keep_unsaid(validated, page, rules)
    if not free and tried:
        turns.end_turn(page, rules, chance)
    if free or validated.clarification_needed:
        spoken = int(state.value(CAMPAIGN, FREE_TURNS) or 0)
        page.note(CAMPAIGN, FREE_TURNS, spoken + 1)
    elif validated.allowed_actions or validated.blocked_actions:
        keep_bargains(page, rules, chance, background)
        attempts = Attempts(worst, tier, idle=not validated.allowed_actions)
        aftermath(attempts, planned, page, rules, chance.at("after"))
    return TurnResolution(page.events, page.diff, page.rolls, ruled)


def _in_one_breath(actions: list[AllowedAction]) -> list[AllowedAction]:
    """Quick things done together take as long as the first of them, and a minute for each other."""
    timed: list[AllowedAction] = []
    begun = False
    for action in actions:
        quick = not action.affordance and action.minutes <= _QUICK
        if quick and begun:
            action = action.model_copy(update={"minutes": min(action.minutes, 1)})
        begun = begun or quick
        timed.append(action)
    return timed


def _goes_on(action: AllowedAction, after: list[AllowedAction]) -> bool:
    """Whether the one it is done to is spoken to right after it: `I show her it and say`."""
    said = after[0] if after else action
    return said is not action and said.action in _SPOKEN and said.target_id == action.target_id


def is_free(validated: ValidatorOutput, rules: Rules) -> bool:
    """Whether nothing was tried: all of it was words at the table."""
    allowed = validated.allowed_actions
    return bool(allowed) and all(rules.is_free(a.action, a.family) for a in allowed)


def _say(
    action: AllowedAction, page: Ledger, rules: Rules, chance: Chance, background: Background
) -> None:
    """Words at the table: they are answered, whatever came of the deeds beside them."""
    deed = DEEDS.get(action.action, answering.reply)
    if action.family == "gm_question" and action.details != looking.INVENTORY:
        deed = answering.answer
    deed(Attempt(action, page, rules, chance, background))


def _play(attempt: Attempt, ruled: list[RuledDeed]) -> tuple[str, int]:
    """One action: its price, its dice, its effects; gives the outcome and how dangerous it was."""
    action, page, rules = attempt.action, attempt.page, attempt.rules
    paid = pay(action.costs.model_dump(), page, rules)
    if paid:
        page.happen("cost_paid", ("cost",), **paid)
    pass_time(action.minutes, page)
    authored = rules.scenario.affordances if action.affordance else ()
    affordance = next((a for a in authored if a.id == action.affordance), None)
    if affordance:
        return _afford(affordance, attempt), affordance.tier  # -1: its outcomes are the price
    if action.ruling and action.ruling.problem:
        ruled.append(RuledDeed(reading=action.ruling.reading, why=action.ruling.problem))
    elif action.ruling and not (action.action == "show" and attempt.goes_on):
        outcome, danger, shown = play_ruling(action.ruling, attempt)
        ruled.append(shown)
        return outcome, danger
    name = attempt.kind.deed or action.action
    if name == "push":
        return _push(attempt), attempt.kind.tier
    turns.leave_foes(attempt)
    if action.action in _TO_THEIR_FACE and action.target_id in page.state.scene.present_entity_ids:
        come_out(page)
    outcome = calling.call(attempt) if action.by else DEEDS.get(name, risking.dare)(attempt)
    _tell_why_it_fell(attempt)
    return outcome, attempt.kind.tier


def _tell_why_it_fell(attempt: Attempt) -> None:
    """Whoever tells the turn is told why a model's ruling did not stand; ours need not be."""
    action = attempt.action
    if action.ruling and action.ruling.problem and not action.family:
        fell = action.ruling
        attempt.page.happen("unruled", ("ruling",), reading=fell.reading, why=fell.problem)


def _push(attempt: Attempt) -> str:
    """Pushes one's luck: pays before a roll, or plays the last deed with its dice thrown again."""
    how = attempt.rules.system.push
    if how is None or how.when == "before":
        return luck.push_before(attempt)
    pushed = luck.again(attempt)
    if pushed is None:
        return ""
    first = len(attempt.page.rolls)
    outcome, _ = _play(pushed, [])
    luck.pay_for_ones(attempt, first)
    attempt.page.note("player", LAST_ROLL, {})
    return outcome


def _afford(affordance: Affordance, attempt: Attempt) -> str:
    """Something that was authored: dice if it says so, then what the outcome brings."""
    page = attempt.page
    outcome = attempt.throw(affordance.stat, max(0, affordance.tier)) if affordance.stat else ""
    brought = _brought(affordance, outcome or "success")
    if affordance.once and at_least(outcome or "success", "mixed"):
        page.note("campaign", f"done:{affordance.id}", True)
    text = _worded(affordance, brought, attempt)
    # What cannot be carried off is used instead: nobody is told that they took it.
    as_said = affordance.whatever and attempt.action.family != "take"
    page.happen(
        "outcome",
        ("affordance",),
        action=affordance.action,
        target=attempt.action.target_id,
        name=attempt.name,
        details=attempt.action.details,
        outcome=outcome or "success",
        text=text,
        affordance=affordance.id,
        **({"whatever": True} if as_said else {}),
    )
    left = attempt.action.ruling if as_said else None
    if left and not left.problem and at_least(outcome or "success", "mixed"):
        people = page.state.scene.present_entity_ids
        lasting = [
            e for e in left.on["success"].effects if not e.become or e.become.subject not in people
        ]
        perform(lasting, page, attempt.rules, affordance.id)
    if as_said and at_least(outcome or "success", "mixed"):
        remember_deed(attempt.action.details, page)
    perform(brought.effects, page, attempt.rules, affordance.id)
    return outcome


def _worded(affordance: Affordance, brought: Outcome, attempt: Attempt) -> str:
    """One of the texts of an outcome: of what is done over and over, each of them in turn."""
    if not brought.text:
        return ""
    if not affordance.whatever:
        return attempt.chance.at("words").choose(brought.text).strip()
    page, seen = attempt.page, f"times:{slug(brought.text[0])[:_LONGEST_ID]}"
    times = int(page.state.value(CAMPAIGN, seen) or 0)
    page.note(CAMPAIGN, seen, times + 1)
    return brought.text[times % len(brought.text)].strip()


def _brought(affordance: Affordance, outcome: str) -> Outcome:
    """What the nearest authored outcome brings: the same, else on its own side of success."""
    if outcome in affordance.outcomes:
        return affordance.outcomes[outcome]
    good = at_least(outcome, "mixed")
    near = ("success", "critical", "mixed") if good else ("failure", "botch")
    return next((affordance.outcomes[o] for o in near if o in affordance.outcomes), Outcome())


def _still(action: AllowedAction, state: GameState, rules: Rules) -> Refusal | None:
    """Whether an action is still possible after what came before it in this turn."""
    again = ProposedAction(
        action=action.action,
        target_id=action.target_id,
        details=action.details,
        deed=action.affordance,
        ruling=action.ruling,
        family=action.family,
        by=action.by,
    )
    try:
        verdict = judge(again, state, rules)
    except Unclear as question:
        return Refusal("order", str(question))
    return verdict if isinstance(verdict, Refusal) else None
