"""What of a player's wish may be tried: presence, location, inventory, contradiction, costs.

Actions are judged in order, each on the state the ones before it would lead to, so "go to the bar
and ask Viktor" asks him at the bar. Pure: nothing is rolled or written here.
"""

from dataclasses import dataclass

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Affordance
from freeform.engine.authored.script import Hand
from freeform.engine.rules.checks import (
    HERE,
    Refusal,
    affordances_for,
    as_said,
    gear_claimed,
    holder_of,
    instrument_of,
    not_at_hand,
    owned,
    person_here,
    second_thing_elsewhere,
    state_type,
    thing_here,
)
from freeform.engine.rules.effects import go, hand, perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.safety import SafetyLimits
from freeform.engine.rules.targets import Unclear, Wish, target_of
from freeform.engine.table import Rules
from freeform.engine.world.canon import contradicted
from freeform.engine.world.model import (
    AllowedAction,
    BlockedAction,
    Costs,
    InterpreterOutput,
    ProposedAction,
    ValidatorOutput,
)
from freeform.engine.world.names import mentioned, words
from freeform.engine.world.state import PLAYER, Fact, GameState

MOST_ACTIONS = 6
LONGEST_WAIT = 8 * 60
"""Minutes that one turn of waiting may take."""
_HANDS = frozenset(
    "attack break unlock hack use take give show drop repair heal threaten improvise".split()
)
_ALREADY = {"open": ("open",), "close": ("closed", "shut"), "unlock": ("unlocked", "open")}


def validate(
    heard: InterpreterOutput, state: GameState, rules: Rules, player_input: str = ""
) -> ValidatorOutput:
    """Judges every proposed action."""
    limits = SafetyLimits.of(rules.begun.calibration, state)
    line = limits.crossed(player_input)
    if line:
        refused = Refusal("line", f"This table keeps '{line}' out of play.", "session zero")
        return ValidatorOutput(
            blocked_actions=[_blocked(a, refused) for a in heard.proposed_actions]
        )
    granted = _Granted.by(heard, state)
    page = Ledger(state)
    allowed: list[AllowedAction] = []
    blocked: list[BlockedAction] = []
    stuck = ""
    for number, action in enumerate(heard.proposed_actions):
        verdict: AllowedAction | Refusal
        if number >= MOST_ACTIONS:
            verdict = Refusal("order", "That is more than one moment holds; say what comes first.")
        elif stuck:
            verdict = Refusal("order", f"It does not come to that: {stuck}")
        else:
            try:
                verdict = granted.against(action) or judge(action, page.state, rules, player_input)
            except Unclear as question:
                if allowed:
                    blocked.append(_blocked(action, Refusal("order", str(question))))
                    continue
                return ValidatorOutput(
                    blocked_actions=blocked,
                    clarification_needed=True,
                    clarification_question=str(question),
                )
        if isinstance(verdict, AllowedAction):
            allowed.append(verdict)
            foresee(verdict, page, rules)
        elif verdict.rule != HERE or len(heard.proposed_actions) == 1:
            blocked.append(_blocked(action, verdict))
            if not stuck and rules.action_type(action.action)[0] in ("move", "follow"):
                stuck = verdict.reason
    return ValidatorOutput(allowed_actions=allowed, blocked_actions=blocked)


@dataclass(frozen=True)
class _Granted:
    """What is wrong with what a player takes for granted."""

    denial: Refusal | None
    lack: Refusal | None

    @classmethod
    def by(cls, heard: InterpreterOutput, state: GameState) -> "_Granted":
        denying = (contradicted(claim, state) for claim in heard.assumptions)
        fact = next((fact for fact in denying if fact), None)
        lacks = (not_at_hand(claim, state) for claim in heard.assumptions)
        lack = next((refusal for refusal in lacks if refusal), None)
        return cls(_denial(fact, state) if fact else None, lack)

    def against(self, action: ProposedAction) -> Refusal | None:
        """A deed of the hands needs what it takes for granted; words and glances do not."""
        return self.denial or (self.lack if action.action in _HANDS else None)


def judge(
    action: ProposedAction, state: GameState, rules: Rules, player_input: str = ""
) -> AllowedAction | Refusal:
    """One action on one state: allowed with its price, or refused.

    Raises Unclear for the one question.
    """
    if action.target_id and action.target_id not in state.entities:
        return Refusal("presence", "There is nothing of that name here.", state.scene.id)
    name, kind = rules.action_type(action.action)
    details = _as_told(action) if name == "improvise" else action.details
    wish = Wish(name, kind, action.target_id, details, player_input, state, rules)
    tool = instrument_of(details, state)
    refusal = _without_means(wish, tool)
    if refusal:
        return refusal
    affordances = _affordances(wish)
    authored = _authored(wish, affordances)
    if authored:
        return authored

    if name in ("give", "show") and not tool:
        refusal = _out_of_hand(name, details, state)
        if refusal:
            return refusal
    target = target_of(wish)
    if isinstance(target, Refusal):
        return target
    if affordances and name not in ("look", "search", "talk", "ask"):
        return _why_not(affordances[0], state)
    fact = _already(name, target, state)
    if fact:
        return Refusal(
            "contradiction", f"{state.name(target)} is already {fact.object['value']}.", fact.id
        )
    allowed = _allow(wish, target)
    if name == "wait" and action.estimated_minutes > 0:
        return allowed.model_copy(update={"minutes": min(action.estimated_minutes, LONGEST_WAIT)})
    return allowed


def _as_told(action: ProposedAction) -> str:
    """A deed of no kind, in words: a listener may give its verb beside the rest of it."""
    verb = action.action.replace("_", " ")
    if verb == "improvise" or words(verb) <= words(action.details):
        return action.details or verb
    return f"{verb} {action.details}".strip()


def _without_means(wish: Wish, tool: str) -> Refusal | None:
    """What a deed is done with must be at hand."""
    state, rules = wish.state, wish.rules
    if tool and tool != wish.target:
        refusal = owned(tool, state)
        if refusal:
            return refusal
    return gear_claimed(f"{wish.said} {wish.details}", state, rules) or second_thing_elsewhere(
        wish.name, wish.target, wish.details, state, rules
    )


def _affordances(wish: Wish) -> list[Affordance]:
    """What authors wrote for such a deed."""
    name, target, state = wish.name, wish.target, wish.state
    affordances = affordances_for(name, target, wish.details, state, wish.rules)
    if name == "take" and _lies_here(target, state) and all(a.action != name for a in affordances):
        return []  # a plain taking needs no kindred deed to stand in for it
    return affordances


def _authored(wish: Wish, affordances: list[Affordance]) -> AllowedAction | Refusal | None:
    """The first authored deed that is open now."""
    state = wish.state
    for affordance in affordances:
        if affordance.once and state.value("campaign", f"done:{affordance.id}"):
            continue
        if check(affordance.when, state).holds and _tool_at_hand(affordance, state):
            return _out_of_reach(wish, affordance) or _allow(wish, wish.target, affordance)
    return None


def _lies_here(item: str, state: GameState) -> bool:
    return (
        holder_of(item, state) == state.scene.location_id
        and state.entities[item].attrs.get("portable") is not False
    )


def _out_of_hand(name: str, details: str, state: GameState) -> Refusal | None:
    """Nobody gives what they do not have, or shows what is nowhere to be seen."""
    named = mentioned(details, state, ("item",))
    at_hand = [item for item in named if (PLAYER, item) in state.inventory]
    if not named or at_hand or (name == "show" and thing_here(named[0], state) is None):
        return None
    return Refusal("inventory", f"You have no {as_said(named[0], details, state)}.", PLAYER)


def _out_of_reach(wish: Wish, affordance: Affordance) -> Refusal | None:
    """What an authored deed is done to must be here: a person present, a thing in sight."""
    done_to, state = wish.target or affordance.target, wish.state
    match state_type(done_to, state):
        case "npc":
            return person_here(done_to, state)
        case "item":
            # An author who says in what it must lie, such as an open chest, has put it within
            # reach.
            placed = any(c.holds and c.holds[1] == done_to for c in affordance.when)
            return None if placed else thing_here(done_to, state, wish.said)
        case _:
            return None


def foresee(action: AllowedAction, page: Ledger, rules: Rules) -> None:
    """Writes down where an action leads if it works, for judging the one after it."""
    affordance = next((a for a in rules.scenario.affordances if a.id == action.affordance), None)
    if affordance:
        perform(affordance.outcomes["success"].effects, page, rules, "foreseen")
    elif (
        action.action in ("move", "follow")
        and state_type(action.target_id, page.state) == "location"
    ):
        go(action.target_id, page, rules)
    elif action.action in ("take", "steal"):
        owner = holder_of(action.target_id, page.state)
        if owner:
            hand(Hand(item=action.target_id, source=owner, to=PLAYER), page)


def _already(name: str, target: str, state: GameState) -> Fact | None:
    fact = state.fact(target, "state") or state.fact(target, "status")
    return fact if fact and str(fact.object.get("value")) in _ALREADY.get(name, ()) else None


def _denial(fact: Fact, state: GameState) -> Refusal:
    sentence = str(fact.object.get("text") or _as_sentence(fact, state))
    return Refusal("contradiction", f"That is not how things stand: {sentence}", fact.id)


def _as_sentence(fact: Fact, state: GameState) -> str:
    value = fact.object.get("value")
    name = state.name(fact.subject_id)
    if fact.predicate == "at":
        return f"{name} is here, alive."
    return f"{name} is {fact.predicate if value is True else value}."


def _tool_at_hand(affordance: Affordance, state: GameState) -> bool:
    return not affordance.using or (PLAYER, affordance.using) in state.inventory


def _why_not(affordance: Affordance, state: GameState) -> Refusal:
    unmet = check(affordance.when, state)
    if unmet.holds and not _tool_at_hand(affordance, state):
        reason = affordance.blocked or f"You would need {state.name(affordance.using)}."
        return Refusal("inventory", reason.strip(), affordance.using)
    if unmet.holds:
        return Refusal("contradiction", "That is already done.", f"campaign#done:{affordance.id}")
    return Refusal(
        "contradiction",
        affordance.blocked.strip() or "That will not work as things stand.",
        unmet.because,
    )


def _allow(wish: Wish, target: str, affordance: Affordance | None = None) -> AllowedAction:
    costs, minutes, id = wish.kind.costs, wish.kind.minutes, ""
    if affordance:
        target, id = target or affordance.target, affordance.id
        if affordance.costs is not None:
            costs = affordance.costs
        if affordance.minutes is not None:
            minutes = affordance.minutes
    return AllowedAction(
        action=wish.name,
        target_id=target,
        details=wish.details,
        costs=Costs.model_validate(costs),
        minutes=minutes,
        affordance=id,
    )


def _blocked(action: ProposedAction, refusal: Refusal) -> BlockedAction:
    return BlockedAction(
        action=action.action,
        target_id=action.target_id,
        details=action.details,
        reason=refusal.reason,
        rule=refusal.rule,
        because=refusal.because,
    )
