"""READ THIS FIRST. May a ruling stand: one pure check for whoever gave it, a model or our own code.

    ruling ─> subjects exist and are perceived ─> no hard fact is denied ─> secrets by id and leave
           ─> caps by the system and by how large the deed is ─> lines and veils ─> as it may be

All or nothing: an effect that cannot stand takes its sentence with it, so the whole ruling falls
and the deed is judged as if nobody had ruled.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from freeform.core.text import shorten
from freeform.engine.authored.conditions import trust
from freeform.engine.authored.ruling import DeedRuling, RuledOutcome
from freeform.engine.authored.script import Effect, Hand
from freeform.engine.authored.system import OUTCOMES
from freeform.engine.rules.checks import is_ones_own, state_type, way_open
from freeform.engine.rulings.mended import LONGEST_WORD, as_meant, capped, texts_in
from freeform.engine.rulings.reach import (
    BROKEN,
    MOVED,
    captive_words,
    guarded_words,
    holds_fast,
    is_breakable,
    is_detail,
    is_gear,
    is_gone,
    is_perceived,
    is_scenery,
    missing_for_gear,
)
from freeform.engine.rulings.secrets import may_reveal
from freeform.engine.table import Rules
from freeform.engine.world.names import mentioned
from freeform.engine.world.state import PLAYER, GameState

MOST_EFFECTS, LONGEST_LINE, MOST_MINUTES, MOST_TIER = 6, 320, 120, 2
_WILLING = 2
"""Trust from which on someone lets a thing be done to them without dice."""
_DISTRUST = 0
"""Trust below which nobody comes along, goes on an errand or lets anything be done to them without
dice."""
_AUTHORS = frozenset(
    "thread bring threat end_threat escalate unhide end_situation set fight hurt gain award".split()
)
"""Effects that move the plot: an author's, and a game master's by hand."""


class Unruled(Exception):
    """Why a ruling cannot stand; `because`: the known fact that forbids the deed itself."""

    def __init__(self, why: str, because: str = "") -> None:
        super().__init__(why)
        self.because = because


@dataclass
class _Case:
    """One ruling before the check: the state it would be played on, and what it brings itself."""

    ruling: DeedRuling
    state: GameState
    rules: Rules
    made: set[str] = field(default_factory=set)
    """Things the ruling lifts out of the scenery."""
    size: int = 0
    """How large the deed is: 0 safe, 1 against someone."""
    outcome: str = ""
    given: set[str] = field(default_factory=set)
    """People who get something in this outcome."""
    pleased: set[str] = field(default_factory=set)
    """People who think better of the player for it."""

    @property
    def rolled(self) -> bool:
        return self.ruling.needs_roll

    @property
    def foresees_failure(self) -> bool:
        return bool({"failure", "botch"} & set(self.ruling.on))

    def needs(self, so: object, why: str) -> None:
        if not so:
            raise Unruled(why)

    def seen(self, id: str) -> None:
        known = id in self.made or is_perceived(id, self.state, self.rules)
        self.needs(known, f"'{shorten(id, 40)}' is not here")

    def person(self, who: str) -> None:
        self.needs(who in self.state.scene.present_entity_ids, f"'{shorten(who, 40)}' is not here")
        self.needs(state_type(who, self.state) == "npc", f"'{shorten(who, 40)}' is nobody")

    def able(self, who: str) -> None:
        self.person(who)
        self.needs(not is_gone(who, self.state), f"{self.state.name(who)} is past that")

    def may_break(self, id: str) -> bool:
        return is_breakable(id, id in self.made, self.state, self.rules)

    def loose(self, who: str) -> None:
        if fast := holds_fast(who, self.state):  # goes nowhere by a ruling
            raise Unruled(str(fast.object.get("text") or f"It is {fast.predicate}."), fast.id)

    def against(self, whom: str) -> None:
        """Dice decide what nobody simply lets happen; a ruling that has none cannot stand."""
        may_fail = self.rolled or self.foresees_failure
        self.needs(may_fail, f"{whom}: that needs a roll, and what failure brings")
        self.size = max(self.size, 1)


def check_ruling(ruling: DeedRuling, state: GameState, rules: Rules) -> DeedRuling:
    """The ruling as it may be played, or the same with a `problem`."""
    if ruling.problem:
        return ruling
    ruling = as_meant(ruling, state)
    try:
        return _checked(_Case(ruling, state, rules))
    except Unruled as wrong:
        return ruling.model_copy(update={"problem": str(wrong), "because": wrong.because})


def _checked(case: _Case) -> DeedRuling:
    ruling = case.ruling
    good = ruling.on.get("success")
    case.needs(good and (good.effects or good.line), "it does not say what success brings")
    case.needs(not set(ruling.on) - set(OUTCOMES), "it names an outcome there is not")
    for name, outcome in sorted(ruling.on.items(), key=lambda pair: pair[0] != "success"):
        case.outcome = name
        case.given = {effect.hand.to for effect in outcome.effects if effect.hand}
        trusts = [effect.trust for effect in outcome.effects if effect.trust]
        case.pleased = {trust.who for trust in trusts if trust.delta > 0}
        _check_outcome(outcome, case)
    _check_words(case)
    tier = min(MOST_TIER, max(ruling.difficulty, case.size, 0))
    stat = ruling.stat if _is_stat(ruling.stat, case.rules) else ""
    return ruling.model_copy(
        update={
            "needs_roll": ruling.needs_roll or (case.size > 0 and case.foresees_failure),
            "difficulty": tier,
            "stat": stat or "nerve",
            "advantage": max(-1, min(1, ruling.advantage)) if ruling.why.strip() else 0,
            "minutes": max(0, min(MOST_MINUTES, ruling.minutes)),
            "costs": capped(ruling.costs),
        }
    )


def _is_stat(stat: str, rules: Rules) -> bool:
    return stat in rules.system.stats or stat in rules.system.stat_map


def _check_words(case: _Case) -> None:
    """Lines, veils and secrets hold for what a ruling says, too."""
    ruling = case.ruling
    texts = [ruling.reading, ruling.stakes, ruling.why]
    for outcome in ruling.on.values():
        texts.append(outcome.line)
        texts += [text for effect in outcome.effects for text in texts_in(effect)]
    spoken = [text for text in texts if text.strip()]
    case.needs(all(len(text) <= LONGEST_LINE for text in spoken), "it is too wordy")
    limits = case.rules.limits(case.state)
    case.needs(limits.allow_each(spoken) == spoken, "it touches what this table keeps out of play")


def _check_outcome(outcome: RuledOutcome, case: _Case) -> None:
    case.needs(len(outcome.effects) <= MOST_EFFECTS, "it does too much at once")
    for effect in outcome.effects:
        (key,) = effect.model_fields_set
        case.needs(key not in _AUTHORS, f"'{key}' is the author's")
        _CHECKS[key](effect, case)


def _become(effect: Effect, case: _Case) -> None:
    new = effect.become
    assert new
    case.seen(new.subject)
    plain = new.condition.strip().casefold()
    case.needs(plain == new.condition and len(plain) <= LONGEST_WORD, "that is no condition")
    free = plain not in guarded_words() or (plain == BROKEN and case.may_break(new.subject))
    case.needs(free, f"nothing becomes {plain} by a ruling")
    _not_authored(new.subject, plain, case)
    if state_type(new.subject, case.state) == "npc":
        _on_someone(new.subject, plain, case)


def _on_someone(who: str, condition: str, case: _Case) -> None:
    """What is done to someone: who distrusts one does not let it happen, and nobody lets themselves
    be bound for the asking; all else is a game master's word."""
    gone = is_gone(who, case.state)
    if condition in MOVED:
        case.loose(who)
    case.needs(not gone or condition in ("bound", "hidden", "covered"), "past that")
    held = condition in captive_words()
    least = _WILLING if held else _DISTRUST
    welcome = who in case.pleased and not held
    if not gone and not welcome and trust(who, case.state) < least:
        case.against(case.state.name(who))


def _cease(effect: Effect, case: _Case) -> None:
    assert effect.cease
    subject, condition = effect.cease
    case.seen(subject)
    _not_authored(subject, condition, case)
    fact = case.state.fact(subject, condition)
    case.needs(fact and fact.visibility == "known", f"it is not {condition}")


def _not_authored(subject: str, predicate: str, case: _Case) -> None:
    """What a scenario watches or moves itself is not a ruling's to move."""
    case.needs(
        (subject, predicate) not in case.rules.scenario.scripted,
        f"'{predicate}' of {case.state.name(subject)} is the author's",
    )


def _put(effect: Effect, case: _Case) -> None:
    new = effect.put
    assert new
    case.seen(new.item)
    if new.item in case.made or state_type(new.item, case.state) == "object":
        return  # it is here, and stays here: only its spot changes
    case.needs(state_type(new.item, case.state) == "item", "only things are put somewhere")
    holder = _holder(new.item, case)
    case.needs(holder in (PLAYER, case.state.scene.location_id), "someone else has it")
    case.needs(_is_portable(new.item, case), "it cannot be moved")


def _hand(effect: Effect, case: _Case) -> None:
    change = effect.hand
    assert change
    entity = case.state.entities.get(change.item)
    case.needs(entity and entity.type == "item", "there is no such thing")
    case.needs(change.source != "nowhere", "nothing comes from nowhere")
    held = case.state.inventory.get((change.source, change.item))
    case.needs(held and not held.flags.get("hidden"), f"{change.source} does not have it")
    case.needs(held and 0 < change.qty <= held.qty, "there are not so many")
    case.needs(_is_portable(change.item, case), "it cannot be carried off")
    here = case.state.scene.location_id
    people = case.state.scene.present_entity_ids
    case.needs(change.source in (PLAYER, here, *people), "it is elsewhere")
    case.needs(change.to in (PLAYER, here, "nowhere", *people), "nobody like that is here")
    if change.source not in (PLAYER, here):
        _from_someone(change, case)


def _from_someone(change: Hand, case: _Case) -> None:
    """What someone has is had by trust, in exchange, or by dice."""
    owner = change.source
    dead = is_gone(owner, case.state)
    if not dead and trust(owner, case.state) < _WILLING:
        case.needs(owner in case.given or case.rolled, "they would not part with it")
        case.size = 1


def _holder(item: str, case: _Case) -> str:
    owners = (PLAYER, case.state.scene.location_id, *case.state.scene.present_entity_ids)
    return next((owner for owner in owners if (owner, item) in case.state.inventory), "")


def _is_portable(item: str, case: _Case) -> bool:
    return case.state.entities[item].attrs.get("portable") is not False


def _join(effect: Effect, case: _Case) -> None:
    who = effect.join or ""
    case.able(who)
    case.loose(who)
    if trust(who, case.state) < _DISTRUST:
        case.against(case.state.name(who))


def _part(effect: Effect, case: _Case) -> None:
    case.person(effect.part or "")


def _trust(effect: Effect, case: _Case) -> None:
    assert effect.trust
    case.able(effect.trust.who)
    most = 2 if case.rolled else 1
    case.needs(abs(effect.trust.delta) <= most, "nobody's mind changes so far at once")
    who, outcome = effect.trust.who, case.ruling.on[case.outcome]
    became = [new.become for new in outcome.effects if new.become and new.become.subject == who]
    again = bool(became) and all(case.state.value(who, new.condition) is True for new in became)
    case.needs(not again, "that is so already")


def _leave(effect: Effect, case: _Case) -> None:
    assert effect.leave
    case.able(effect.leave.who)
    case.needs(holds_fast(effect.leave.who, case.state) is None, "they cannot leave")
    to = effect.leave.to
    known = not to or is_perceived(to, case.state, case.rules)
    case.needs(known, "no way leads there")
    if trust(effect.leave.who, case.state) < _DISTRUST:
        case.against(case.state.name(effect.leave.who))


def _go(effect: Effect, case: _Case) -> None:
    to = effect.go or ""
    case.needs(state_type(to, case.state) == "location", "there is no such place")
    refusal = way_open(to, case.state, case.rules)[1]
    case.needs(refusal is None, refusal.reason if refusal else "")


def _promise(effect: Effect, case: _Case) -> None:
    new = effect.promise
    assert new
    if new.to:
        case.person(new.to)
    case.needs(0 <= new.meet_in <= 7 * 24 * 60, "that is too far off")


def _appear(effect: Effect, case: _Case) -> None:
    new = effect.appear
    assert new
    case.made.add(new.id)
    if new.held_by:
        people = (PLAYER, *case.state.scene.present_entity_ids)
        case.needs(new.held_by in people, "nobody like that is here")
    if is_detail(new.name, case.state, case.rules):
        return
    own = new.comes or is_ones_own(f"my {new.name.split()[-1]}")
    case.needs(own or is_scenery(new.name, case.state, case.rules), f"there is no {new.name} here")
    if is_gear(new.name, case.rules):
        if lacking := missing_for_gear(new, case.ruling.reading):
            raise Unruled(lacking, PLAYER if new.comes in ("made", "bought") else "")
        case.against(new.name)
    called = new.name.split()[-1] if new.comes else new.name
    hidden = [
        id
        for id in mentioned(called, case.state, ("item", "object"))
        if not is_perceived(id, case.state, case.rules) and not is_ones_own(f"my {new.name}")
    ]
    case.needs(not hidden, f"there is no {new.name} here")


def _clock(effect: Effect, case: _Case) -> None:
    assert effect.clock
    takes = case.rules.scenario.cost_clocks.values()
    case.needs(effect.clock.id in takes, "that clock is the author's")
    case.needs(0 < effect.clock.delta <= 1, "a ruling moves a clock by one, onward")


def _harm(effect: Effect, case: _Case) -> None:
    most = 0 if case.rules.begun.calibration.risk.lethality == "none" else 1
    case.needs(0 <= (effect.harm or 0) <= most, "a ruling hurts by one at most")
    if effect.harm:
        case.against("harm")


def _minutes(effect: Effect, case: _Case) -> None:
    case.needs(0 <= (effect.minutes or 0) <= MOST_MINUTES, "that takes too long")


def _situation(effect: Effect, case: _Case) -> None:
    assert effect.situation
    stood = case.state.fact("campaign", f"situation:{effect.situation.id}")
    case.needs(stood is None, "that situation is another's")


def _reveal(effect: Effect, case: _Case) -> None:
    fact = effect.reveal or ""
    leave = may_reveal(fact, case.outcome, case.rolled, case.state, case.rules)
    case.needs(leave, "that is not theirs to learn here")


def _calm(effect: Effect, case: _Case) -> None:
    case.able(effect.calm or "")
    case.against(case.state.name(effect.calm or ""))


def _end_promise(effect: Effect, case: _Case) -> None:
    given = case.state.fact(PLAYER, f"promise:{effect.end_promise}")
    case.needs(given, "no such promise was given")


_CHECKS: dict[str, Callable[[Effect, _Case], None]] = {
    "become": _become,
    "cease": _cease,
    "put": _put,
    "hand": _hand,
    "join": _join,
    "part": _part,
    "trust": _trust,
    "leave": _leave,
    "go": _go,
    "promise": _promise,
    "end_promise": _end_promise,
    "appear": _appear,
    "clock": _clock,
    "harm": _harm,
    "minutes": _minutes,
    "situation": _situation,
    "reveal": _reveal,
    "calm": _calm,
}
