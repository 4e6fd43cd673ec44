"""What of a player's wish may be tried: presence, location, inventory, contradiction, costs.

Actions are judged in order, each on the state the ones before it would lead to, so "go to the bar
and ask Viktor" asks him at the bar. Pure: nothing is rolled or written here.
"""

from dataclasses import replace

from freeform.engine.authored.conditions import check
from freeform.engine.authored.fitting import deed_is_meant, fitting_deeds
from freeform.engine.authored.ruling import DeedRuling
from freeform.engine.authored.scenario import Affordance
from freeform.engine.knowledge.granted import Granted, needs_nothing, only_offered, out_of_hand
from freeform.engine.rules.checks import (
    HERE,
    Refusal,
    instrument_of,
    lies_here,
    not_seen,
    person_here,
    state_type,
    thing_here,
)
from freeform.engine.rules.known import as_subject, called, with_article
from freeform.engine.rules.ledger import Ledger
from freeform.engine.rules.wishes.bouts import as_a_blow, is_kindly, may_count
from freeform.engine.rules.wishes.far import in_writing, reached
from freeform.engine.rules.wishes.following import followed_to
from freeform.engine.rules.wishes.foreseen import foresee
from freeform.engine.rules.wishes.handled import handling, picked_up_first
from freeform.engine.rules.wishes.targets import missing, place_in, target_of, without_means
from freeform.engine.rules.wishes.ways import falls_short
from freeform.engine.rules.wishes.wish import Unclear, Wish
from freeform.engine.rulings.check import check_ruling
from freeform.engine.table import Rules
from freeform.engine.world.acts import STAKED
from freeform.engine.world.costs import Costs
from freeform.engine.world.model import (
    AllowedAction,
    BlockedAction,
    InterpreterOutput,
    ProposedAction,
    ValidatorOutput,
)
from freeform.engine.world.names import words
from freeform.engine.world.state import PLAYER, Fact, GameState

MOST_ACTIONS = 6
LONGEST_WAIT = 8 * 60
"""Minutes that one turn of waiting may take."""
_ASIDE = ("look", "search", "talk", "ask")
"""What a closed deed of an author does not stand in the way of."""
_NEAR = ("npc", "item", "object")
_ALREADY = {"open": ("open",), "close": ("closed", "shut"), "unlock": ("unlocked", "open")}


def validate(
    heard: InterpreterOutput, state: GameState, rules: Rules, player_input: str = ""
) -> ValidatorOutput:
    """Judges every proposed action."""
    line = rules.limits(state).crossed(_in_play(heard, player_input))
    if line:
        crossed = Refusal("line", f"This table keeps '{line}' out of play.", "session zero")
        return ValidatorOutput(
            blocked_actions=[refused(a, crossed) for a in heard.proposed_actions]
        )
    granted = Granted.by(heard, state, rules, player_input)
    page = Ledger(state)
    allowed: list[AllowedAction] = []
    blocked: list[BlockedAction] = []
    stuck = ""
    for number, proposed in enumerate(heard.proposed_actions):
        action = only_offered(proposed, page.state, rules, player_input)
        verdict: AllowedAction | Refusal
        if number >= MOST_ACTIONS:
            verdict = Refusal("order", "That is more than one moment holds; say what comes first.")
        elif stuck and _hangs_on_going(action, rules):
            verdict = Refusal("order", stuck)
        else:
            try:
                verdict = granted.against(action, rules) or judge(
                    action, page.state, rules, player_input
                )
            except Unclear as question:
                if allowed:
                    blocked.append(refused(action, Refusal("order", str(question))))
                    continue
                return ValidatorOutput(
                    blocked_actions=blocked,
                    clarification_needed=True,
                    clarification_question=str(question),
                    readings=question.readings,
                )
        if isinstance(verdict, AllowedAction):
            allowed.append(verdict.worded(action))
            foresee(verdict, page, rules)
            stuck = stuck or falls_short(verdict, page.state)
        elif verdict.rule != HERE or len(heard.proposed_actions) == 1:
            blocked.append(refused(action, verdict))
            if not stuck and rules.action_type(action.action)[0] in ("move", "follow"):
                stuck = f"It does not come to that: {verdict.reason}"
    return ValidatorOutput(allowed_actions=allowed, blocked_actions=blocked)


def _in_play(heard: InterpreterOutput, player_input: str) -> str:
    """What was typed without what is said out of character: a table may speak of its limits."""
    aside = [act for act in heard.proposed_actions if "ooc" in (act.action, act.family)]
    if aside and len(aside) == len(heard.proposed_actions):
        return ""
    text = player_input
    for act in aside:
        text = text.replace(act.details, " ") if act.details else text
    return text


def _hangs_on_going(action: ProposedAction, rules: Rules) -> bool:
    """Whether an act was to be done where one could not go: it names nothing that is here."""
    if rules.is_free(action.action, action.family):
        return False
    name = rules.action_type(action.action)[0]
    looks_round = name == "look" and not action.details
    return name in ("move", "follow") or not (action.target_id or looks_round)


def judge(
    action: ProposedAction, state: GameState, rules: Rules, player_input: str = ""
) -> AllowedAction | Refusal:
    """One action on one state: allowed with its price, or refused; Unclear asks."""
    action = as_a_blow(action, state, rules)
    name, kind = rules.action_type(action.action)
    there = action.target_id in state.entities
    about = action.target_id if there else ""
    wish = Wish(name, kind, about, action.details, player_input, state, rules)
    where = followed_to(wish)
    if where:
        going = action.model_copy(update={"action": "move", "target_id": where})
        return judge(going, state, rules, player_input)
    named = _by_id(action.deed, wish)
    if named:
        return named
    if rules.is_free(action.action, action.family):
        return AllowedAction(
            action=name, target_id=about, details=action.details, family=action.family
        )
    if action.target_id and not there:
        return Refusal("presence", not_seen("", state, rules), state.scene.id)
    return _judge_deed(action, state, rules, player_input)


def _judge_deed(
    action: ProposedAction, state: GameState, rules: Rules, player_input: str
) -> AllowedAction | Refusal:
    """A deed, whose target exists if it has one."""
    name, kind = rules.action_type(action.action)
    details = _as_told(action) if name == "improvise" else action.details
    said = (details, player_input)
    wish = Wish(name, kind, action.target_id, *said, state, rules, action.family, action.called_to)
    if absent := missing(wish):
        return absent
    if thing := reached(wish, action.by):
        return thing if isinstance(thing, Refusal) else _allow_far(wish, thing)
    ruling = _standing(action, wish)
    if ruling and not ruling.problem:
        return _allow_ruled(ruling, wish)
    if ruling and ruling.because:
        return Refusal("contradiction", ruling.problem, ruling.because)
    verdict = _judge_unruled(action, handling(wish))
    if not isinstance(verdict, AllowedAction):
        return verdict
    if action.ruling and not ruling and verdict.affordance:
        ruling = check_ruling(action.ruling, state, rules)  # what it leaves behind, if it comes off
    return verdict.model_copy(update={"ruling": ruling})  # kept, with why it did not stand


def _judge_unruled(action: ProposedAction, wish: Wish) -> AllowedAction | Refusal:
    """A deed for which there is no ruling: authored, or of a kind everyone knows."""
    if not needs_nothing(action, wish.rules) and (refusal := without_means(wish)):
        return refusal
    deeds = _deeds(wish)
    authored = _first_open(wish, deeds)
    if authored:
        return authored
    verdict = _plain(wish, deeds, action.estimated_minutes)
    taking = picked_up_first(wish) if isinstance(verdict, AllowedAction) else None
    if taking is None:
        return verdict
    # What an author wrote on the taking of it comes before the giving.
    taken = _judge_unruled(action, taking)
    return verdict if isinstance(taken, AllowedAction) and not taken.affordance else taken


def _standing(action: ProposedAction, wish: Wish) -> DeedRuling | None:
    """What a game master ruled, checked; None where something authored is meant."""
    if action.ruling is None:
        return None
    deeds = _deeds(wish)
    any_deed = wish.name == "improvise" and not any(deed.words for deed in deeds)
    if any_deed and (is_kindly(action.ruling) or not any(deed.whatever for deed in deeds)):
        deeds = []  # written for any deed at all: what these words bring comes first
    if _first_open(wish, deeds) or (deeds and wish.name not in _ASIDE):
        return None
    return check_ruling(action.ruling, wish.state, wish.rules)


def _allow_far(wish: Wish, thing: str) -> AllowedAction:
    """Words that go a long way are said and answered; nobody is pressed by them."""
    spoken = wish.of_kind("ask" if wish.name == "ask" else "talk")
    far = {"by": thing, "in_writing": in_writing(wish.said)}
    return _allow(spoken, wish.target).model_copy(update=far)


def _allow_ruled(ruling: DeedRuling, wish: Wish) -> AllowedAction:
    return AllowedAction(
        action=wish.name,
        target_id=wish.target,
        details=wish.details,
        costs=ruling.costs,
        minutes=ruling.minutes,
        family=wish.family,
        ruling=ruling,
    )


def _plain(wish: Wish, closed: list[Affordance], minutes: int) -> AllowedAction | Refusal:
    """An act for which no authored deed is open."""
    name, state = wish.name, wish.state
    if name in ("give", "show") and not instrument_of(wish.details, state):
        refusal = out_of_hand(name, wish.details, state)
        if refusal:
            return refusal
    target = target_of(wish)
    if isinstance(target, Refusal):
        return target
    for deed in closed if name not in _ASIDE else ():
        if deed_is_meant(deed, wish.asked) and _out_of_reach(wish, deed) is None:
            return _why_not(deed, wish)
    fact = _already(name, target, state)
    if fact:
        so = f"{as_subject(state.name(target))} is already {fact.object['value']}."
        return Refusal("contradiction", so, fact.id)
    if name == "attack" and not target:
        wish = replace(wish.of_kind("improvise"), details=f"strike {wish.details}")
    allowed = _allow(wish, target)
    if name == "wait" and minutes > 0:
        return allowed.model_copy(update={"minutes": min(minutes, LONGEST_WAIT)})
    return allowed


def _as_told(action: ProposedAction) -> str:
    """A deed of no kind, in words: a listener may give its verb beside the rest of it."""
    verb = action.action.replace("_", " ")
    if action.family:
        return action.details or verb  # a listener who names families gives the words whole
    if verb == "improvise" or words(verb) <= words(action.details):
        return action.details or verb
    return f"{verb} {action.details}".strip()


def _by_id(deed: str, wish: Wish) -> AllowedAction | Refusal | None:
    """The authored deed a listener named by its id, where it is open here and now: no word
    overrules it."""
    affordance = wish.rules.scenario.deeds.get(deed) if deed else None
    if affordance is None or affordance.at not in ("", wish.state.scene.location_id):
        return None
    if not _is_open(affordance, wish.state):
        return None
    meant = wish.of_kind(affordance.action, affordance.target or wish.target)
    return _out_of_reach(meant, affordance) or _allow(meant, meant.target, affordance)


def _deeds(wish: Wish) -> list[Affordance]:
    """What authors wrote for such a deed."""
    name, target, state = wish.name, wish.target, wish.state
    deeds = fitting_deeds(wish.asked, wish.rules.scenario)
    if name == "take" and lies_here(target, state) and all(deed.action != name for deed in deeds):
        return []  # a plain taking needs no kindred deed to stand in for it
    return [d for d in deeds if not d.whatever or (_is_open(d, state) and may_count(d, wish))]


def _first_open(wish: Wish, deeds: list[Affordance]) -> AllowedAction | Refusal | None:
    """The first authored deed that is open now. A free deed that is done to nobody in particular
    is not the one written for somebody who is elsewhere."""
    for deed in deeds:
        if not _is_open(deed, wish.state):
            continue
        refusal = _out_of_reach(wish, deed)
        if refusal and wish.name == "improvise" and not wish.target:
            continue
        return refusal or _allow(wish, wish.target, deed)
    return None


def _is_open(deed: Affordance, state: GameState) -> bool:
    """Whether an authored deed can be done as things stand."""
    if deed.once and state.value("campaign", f"done:{deed.id}"):
        return False
    return check(deed.when, state).holds and _tool_at_hand(deed, state)


def _out_of_reach(wish: Wish, affordance: Affordance) -> Refusal | None:
    """What an authored deed is done to must be here: a person present, a thing in sight."""
    done_to, state = wish.target or affordance.target, wish.state
    match state_type(done_to, state):
        case "npc":
            return person_here(done_to, state, wish.rules, wish.spoken)
        case "item":
            # An author who says in what it must lie, such as an open chest, has put it within
            # reach.
            placed = any(c.holds and c.holds[1] == done_to for c in affordance.when)
            return None if placed else thing_here(done_to, state, wish.rules, wish.spoken)
        case _:
            return None


def _already(name: str, target: str, state: GameState) -> Fact | None:
    fact = state.fact(target, "state") or state.fact(target, "status")
    return fact if fact and str(fact.object.get("value")) in _ALREADY.get(name, ()) else None


def _tool_at_hand(affordance: Affordance, state: GameState) -> bool:
    return not affordance.using or (PLAYER, affordance.using) in state.inventory


def _why_not(affordance: Affordance, wish: Wish) -> Refusal:
    """Why an authored deed is closed now: in its author's words, else by what it lacks."""
    state = wish.state
    unmet = check(affordance.when, state)
    lacks = affordance.using if unmet.holds and not _tool_at_hand(affordance, state) else ""
    if lacks:
        reason = affordance.blocked.strip() or _needed(lacks, wish)
        return Refusal("inventory", reason, lacks)
    if unmet.holds:
        return Refusal("contradiction", "That is already done.", f"campaign#done:{affordance.id}")
    reason = affordance.blocked.strip()
    if not reason and state_type(unmet.because, state) == "item":
        reason = _needed(unmet.because, wish)
    return Refusal("contradiction", reason or "That will not work as things stand.", unmet.because)


def _needed(item: str, wish: Wish) -> str:
    """What a deed would need, so far as the player may hear of it."""
    name = called(item, wish.spoken, wish.state, wish.rules)
    return f"You would need {with_article(name)} for that." if name else "You lack the means."


def _allow(wish: Wish, target: str, affordance: Affordance | None = None) -> AllowedAction:
    costs, minutes, id = wish.kind.costs, wish.kind.minutes, ""
    if wish.name == "improvise" and wish.family not in STAKED:
        minutes = 1
    if wish.kind.minutes_of_a_thing and _is_one_thing(wish, target):
        minutes = wish.kind.minutes_of_a_thing
    if wish.name in ("move", "follow") and state_type(target, wish.state) in _NEAR:
        minutes = 1  # up to somebody or something that is here
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
        family=wish.family,
    )


def _is_one_thing(wish: Wish, target: str) -> bool:
    """Whether it is done to something in a place, not to the whole of it."""
    if target:
        return state_type(target, wish.state) != "location"
    return bool(words(wish.details)) and not place_in(wish.details, wish.state, wish.rules)


def refused(action: ProposedAction, refusal: Refusal) -> BlockedAction:
    """The action with why it may not be tried."""
    return BlockedAction(
        action=action.action,
        target_id=action.target_id,
        details=action.details,
        reason=refusal.reason,
        rule=refusal.rule,
        because=refusal.because,
    )
