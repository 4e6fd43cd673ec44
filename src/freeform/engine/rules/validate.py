"""What of a player's wish may be tried: presence, location, inventory, contradiction, one question,
costs.

Actions are judged in order, each on the state the ones before it would lead to, so "go to the bar
and ask Viktor" asks him at the bar. Pure: nothing is rolled or written here.
"""

import re

from freeform.core.text import plain_form
from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Affordance
from freeform.engine.authored.script import Hand
from freeform.engine.authored.system import ActionType
from freeform.engine.rules.checks import (
    HERE,
    Refusal,
    affordances_for,
    as_said,
    bare,
    gear_claimed,
    holder_of,
    inside,
    instrument_of,
    listed,
    not_at_hand,
    owned,
    person_here,
    reachable,
    second_thing_elsewhere,
    state_type,
    thing_here,
    way_open,
)
from freeform.engine.rules.effects import go, hand, perform
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.safety import SafetyLimits
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
from freeform.engine.world.names import mentioned, overlap, words
from freeform.engine.world.state import PLAYER, Fact, GameState

MOST_ACTIONS = 6
LONGEST_WAIT = 8 * 60
"""Minutes that one turn of waiting may take."""
_SPEAKING = (
    "to|with|at|ask|greet|attack|fight|hit|shoot|stab|follow|threaten|persuade|convince|tell|bribe"
)
_WHOSE = re.compile(
    r"^(?:(?:my|your|his|her|their|our|its|some|any|another|this|that)\s+)+(?=\w)", re.I
)
_OUT_OF = re.compile(
    r"^(?:(?:out|of|to|into|through|towards?|onto|off|over|up|down|across|along)\s+)+(?=\w)", re.I
)
_HANDS = frozenset(
    "attack break unlock hack use take give show drop repair heal threaten improvise".split()
)
_TOWARDS = rf"\b(?:{_SPEAKING})\s+(?:the\s+)?"
_ALREADY = {"open": ("open",), "close": ("closed", "shut"), "unlock": ("unlocked", "open")}


class Unclear(Exception):
    """Two readings would lead to different outcomes: `str` is the one question to ask."""


def validate(
    heard: InterpreterOutput, state: GameState, rules: Rules, player_input: str = ""
) -> ValidatorOutput:
    """Judges every proposed action."""
    limits = SafetyLimits.of(rules.begun.calibration, state)
    if line := limits.crossed(player_input):
        refused = Refusal("line", f"This table keeps '{line}' out of play.", "session zero")
        return ValidatorOutput(
            blocked_actions=[_blocked(a, refused) for a in heard.proposed_actions]
        )
    denied = [fact for claim in heard.assumptions if (fact := contradicted(claim, state))]
    lacking = next((no for claim in heard.assumptions if (no := not_at_hand(claim, state))), None)
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
                verdict = (
                    _denied(action, denied, state)
                    or _lacked(action, lacking)
                    or judge(action, page.state, rules, player_input)
                )
            except Unclear as question:
                if allowed:
                    verdict = Refusal("order", str(question))
                    blocked.append(_blocked(action, verdict))
                    continue
                return ValidatorOutput(
                    blocked_actions=blocked,
                    clarification_needed=True,
                    clarification_question=str(question),
                )
        if (
            isinstance(verdict, Refusal)
            and verdict.rule == HERE
            and len(heard.proposed_actions) > 1
        ):
            continue
        if isinstance(verdict, Refusal):
            blocked.append(_blocked(action, verdict))
            if rules.action_type(action.action)[0] in ("move", "follow") and not stuck:
                stuck = verdict.reason
        else:
            allowed.append(verdict)
            foresee(verdict, page, rules)
    return ValidatorOutput(allowed_actions=allowed, blocked_actions=blocked)


def _lacked(action: ProposedAction, lacking: Refusal | None) -> Refusal | None:
    """A deed of the hands needs what it takes for granted; words and glances do not."""
    return lacking if action.action in _HANDS else None


def judge(
    action: ProposedAction, state: GameState, rules: Rules, player_input: str = ""
) -> AllowedAction | Refusal:
    """One action on one state: allowed with its price, or refused.

    Raises Unclear for the one question.
    """
    name, kind = rules.action_type(action.action)
    details = _as_told(action) if name == "improvise" else action.details
    target = action.target_id
    if target and target not in state.entities:
        return Refusal("presence", "There is nothing of that name here.", state.scene.id)
    tool = instrument_of(details, state)
    if tool and tool != target and (refusal := owned(tool, state)):
        return refusal
    if refusal := gear_claimed(f"{player_input} {details}", state, rules):
        return refusal

    if refusal := second_thing_elsewhere(name, target, details, state, rules):
        return refusal
    affordances = affordances_for(name, target, details, state, rules)
    if name == "take" and _lies_here(target, state) and all(a.action != name for a in affordances):
        affordances = []  # a plain taking needs no kindred deed to stand in for it
    for affordance in affordances:
        if affordance.once and state.value("campaign", f"done:{affordance.id}"):
            continue
        if check(affordance.when, state).holds and _tool_at_hand(affordance, state):
            return _out_of_reach(target, affordance, state, player_input) or _allow(
                name, kind, target, details, affordance
            )

    if name in ("give", "show") and not tool and (refusal := _out_of_hand(name, details, state)):
        return refusal
    found = _check_target(name, kind, target, details, state, rules, player_input)
    if isinstance(found, Refusal):
        return found
    target = found
    for affordance in affordances:
        if name not in ("look", "search", "talk", "ask"):
            return _why_not(affordance, state)
    if fact := _already(name, target, state):
        return Refusal(
            "contradiction", f"{state.name(target)} is already {fact.object['value']}.", fact.id
        )
    allowed = _allow(name, kind, target, details, None)
    if name == "wait" and action.estimated_minutes > 0:
        return allowed.model_copy(update={"minutes": min(action.estimated_minutes, LONGEST_WAIT)})
    return allowed


def _as_told(action: ProposedAction) -> str:
    """A deed of no kind, in words: a listener may give its verb beside the rest of it."""
    verb = action.action.replace("_", " ")
    if verb == "improvise" or words(verb) <= words(action.details):
        return action.details or verb
    return f"{verb} {action.details}".strip()


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


def _out_of_reach(
    target: str, affordance: Affordance, state: GameState, said: str
) -> Refusal | None:
    """What an authored deed is done to must be here: a person present, a thing in sight."""
    done_to = target or affordance.target
    match state_type(done_to, state):
        case "npc":
            return person_here(done_to, state)
        case "item":
            # An author who says in what it must lie, such as an open chest, has put it within
            # reach.
            placed = any(c.holds and c.holds[1] == done_to for c in affordance.when)
            return None if placed else thing_here(done_to, state, said)
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
    elif action.action in ("take", "steal") and (owner := holder_of(action.target_id, page.state)):
        hand(Hand(item=action.target_id, source=owner, to=PLAYER), page)


def _check_target(
    name: str,
    kind: ActionType,
    target: str,
    details: str,
    state: GameState,
    rules: Rules,
    player_input: str,
) -> str | Refusal:
    """The target to act on, found where it was left out, or why there is none."""
    if kind.target == "place":
        if not target:
            return _place_named(details, state, rules)
        if state_type(target, state) == "npc":
            target = state.where(target) or target
        if state_type(target, state) != "location":
            return thing_here(target, state, player_input) or target
        return way_open(target, state, rules)[1] or target
    if state_type(target, state) == "npc":
        if name == "follow" and target not in state.scene.present_entity_ids:
            return person_here(target, state) or target
        return (person_here(target, state) or target) if kind.needs_presence else target
    if kind.target == "person":
        return _someone(name, kind, target, details, state, player_input)
    if target and state_type(target, state) in ("item", "object"):
        return _something(name, target, state, player_input)
    if kind.needs_target and not target:
        return _something_named(details, state, rules, name)
    if target and state_type(target, state) == "location" and kind.needs_presence:
        near = {
            state.scene.location_id,
            *(way.to for way in rules.exits(state.scene.location_id, state)),
        }
        if target not in near:
            return Refusal(
                "location", f"{state.name(target)} is not in sight from here.", state.scene.id
            )
    return target


def _someone(
    name: str, kind: ActionType, target: str, details: str, state: GameState, player_input: str
) -> str | Refusal:
    """The person an action is aimed at when the player named none, or named no one who exists."""
    if target:
        to = " to" if name == "talk" else ""
        return Refusal(
            "presence", f"{state.name(target)} is not someone you can {name}{to}.", target
        )
    present = [who for who in state.scene.present_entity_ids if state_type(who, state) == "npc"]
    called = next((who for who in mentioned(details, state, ("npc",)) if who in present), "")
    stranger = _addressed(name, details, player_input)
    if stranger and not called:
        absent = next(iter(mentioned(stranger, state, ("npc",))), "")
        if absent:
            return person_here(absent, state) or absent
        return Refusal("presence", f"There is no one called {stranger} here.", state.scene.id)
    if called and (name == "talk" or len(present) == 1):
        return called
    if len(present) == 1:
        return present[0]
    if not kind.needs_target:
        return ""
    if not present:
        return Refusal("presence", f"There is no one here to {name}.", state.scene.id)
    either = listed([state.name(who) for who in present]).replace(" and ", " or ")
    raise Unclear(f"Whom do you mean: {either}?")


def _something(name: str, target: str, state: GameState, said: str) -> str | Refusal:
    """A thing the action is done to."""
    if refusal := thing_here(target, state, said):
        return refusal
    owner = holder_of(target, state)
    if name in ("give", "show", "drop") and owner != PLAYER:
        return owned(target, state) or target
    if name == "take":
        if owner == PLAYER:
            return Refusal("contradiction", f"You already have {state.name(target)}.", target)
        if owner in state.scene.present_entity_ids:
            held = f"{state.name(owner)} has {state.name(target)}"
            reason = f"{held}; ask for it, trade for it or steal it."
            return Refusal("inventory", reason, owner)
        if state.entities[target].attrs.get("portable") is False:
            return Refusal("inventory", f"{state.name(target)} cannot be carried off.", target)
    return target


def _something_named(details: str, state: GameState, rules: Rules, name: str) -> str | Refusal:
    """A thing the player named in words only: part of the place, or nothing that is here."""
    place = rules.place(state.scene.location_id)
    if any(overlap(details, [d.name, *d.aliases]) for d in place.details):
        return ""
    here = [
        i for i in mentioned(details, state, ("item", "object")) if thing_here(i, state) is None
    ]
    if here:
        return _something(name, here[0], state, details)
    if not words(details):
        raise Unclear(f"What do you want to {name}?")
    noun = _WHOSE.sub("", bare(details.split(";")[0].strip()))
    return Refusal("presence", f"You see no {noun} here.", state.scene.id)


def _place_named(details: str, state: GameState, rules: Rules) -> str | Refusal:
    """A place the player named that the listener did not know: there by an open way, or why not."""
    ways = [inside(state.name(way.to)) for way in rules.exits(state.scene.location_id, state)]
    if not words(details):
        raise Unclear(
            f"Where to: {listed(ways).replace(' and ', ' or ')}?" if ways else "Where to?"
        )
    leading = (
        w.to
        for w in rules.exits(state.scene.location_id, state)
        if overlap(details, [w.name, *w.aliases])
    )
    meant = next(iter((*mentioned(details, state, ("location",)), *leading)), "")
    if meant:
        return way_open(meant, state, rules)[1] or meant
    where = _OUT_OF.sub("", details.split(";")[0].strip())
    reason = f"No way leads from here to {where}.{reachable(state, rules)}"
    return Refusal("location", reason, state.scene.location_id)


def _addressed(name: str, details: str, player_input: str) -> str:
    """The name right after the verb of speech, when details hold nothing else: someone who does not
    exist."""
    noun = plain_form(details.split(";")[0]).strip()
    if not noun or len(noun.split()) > 3 or noun.split()[0] in ("be", "have", "get", "let"):
        return ""  # `shout to be let in` calls nobody
    spoken = rf"{_TOWARDS}{re.escape(noun)}\b"
    return details.split(";")[0].strip() if re.search(spoken, plain_form(player_input)) else ""


def _already(name: str, target: str, state: GameState) -> Fact | None:
    fact = state.fact(target, "state") or state.fact(target, "status")
    return fact if fact and str(fact.object.get("value")) in _ALREADY.get(name, ()) else None


def _denied(action: ProposedAction, denied: list[Fact], state: GameState) -> Refusal | None:
    for fact in denied:
        told = str(fact.object.get("text") or _as_sentence(fact, state))
        return Refusal("contradiction", f"That is not how things stand: {told}", fact.id)
    return None


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


def _allow(
    name: str, kind: ActionType, target: str, details: str, affordance: Affordance | None
) -> AllowedAction:
    costs = affordance.costs if affordance and affordance.costs is not None else kind.costs
    minutes = (
        kind.minutes if affordance is None or affordance.minutes is None else affordance.minutes
    )
    return AllowedAction(
        action=name,
        target_id=target or (affordance.target if affordance else ""),
        details=details,
        costs=Costs.model_validate(costs),
        minutes=minutes,
        affordance=affordance.id if affordance else "",
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
