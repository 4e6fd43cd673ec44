"""Whether what an author asked for is so, and if not, which fact stands in the way."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from freeform.engine.authored.script import Condition
from freeform.engine.world.state import PLAYER, GameState


class Verdict(NamedTuple):
    """Is it so; if not, `because` is the id of the fact, clock, item … behind it."""

    holds: bool
    because: str = ""


YES = Verdict(True)


def check(conditions: Sequence[Condition], state: GameState) -> Verdict:
    """All of them hold, or the first that does not."""
    for condition in conditions:
        verdict = check_one(condition, state)
        if not verdict.holds:
            return verdict
    return YES


def check_one(condition: Condition, state: GameState) -> Verdict:
    """One condition."""
    (key,) = condition.model_fields_set
    return _CHECKS[key](condition, state)


def _fact(condition: Condition, state: GameState) -> Verdict:
    subject, predicate, value = condition.fact or condition.not_fact or ("", "", None)
    fact = state.fact(subject, predicate)
    so = fact is not None and fact.object.get("value") == value
    wanted = "fact" in condition.model_fields_set
    return Verdict(so == wanted, fact.id if fact else f"{subject}#{predicate}")


def _known(condition: Condition, state: GameState) -> Verdict:
    id = condition.known or condition.unknown or ""
    known = id in state.facts and state.facts[id].visibility == "known"
    return Verdict(known == ("known" in condition.model_fields_set), id)


def _carried(condition: Condition, state: GameState) -> Verdict:
    item = condition.has or condition.lacks or ""
    carried = (PLAYER, item) in state.inventory
    return Verdict(carried == ("has" in condition.model_fields_set), item)


def _holds(condition: Condition, state: GameState) -> Verdict:
    owner, item = condition.holds or ("", "")
    return Verdict((owner, item) in state.inventory, item)


def _at(condition: Condition, state: GameState) -> Verdict:
    return Verdict(state.scene.location_id == condition.at, condition.at or "")


def _present(condition: Condition, state: GameState) -> Verdict:
    who = condition.present or condition.absent or ""
    here = who in state.scene.present_entity_ids
    return Verdict(here == ("present" in condition.model_fields_set), who)


def _clock(condition: Condition, state: GameState) -> Verdict:
    wanted = condition.clock
    assert wanted
    clock = state.clocks.get(wanted.id)
    value = clock.value if clock else 0
    return Verdict(wanted.at_least <= value <= wanted.at_most, wanted.id)


def _thread(condition: Condition, state: GameState) -> Verdict:
    thread_id, status = condition.thread or ("", "")
    thread = state.threads.get(thread_id)
    return Verdict(thread is not None and thread.status == status, thread_id)


def _trust(condition: Condition, state: GameState) -> Verdict:
    wanted = condition.trust
    assert wanted
    return Verdict(wanted.at_least <= trust(wanted.who, state) <= wanted.at_most, wanted.who)


def _turn(condition: Condition, state: GameState) -> Verdict:
    return Verdict(state.played >= (condition.turn_at_least or 0), "turn")


def _resource(condition: Condition, state: GameState) -> Verdict:
    wanted = condition.resource
    assert wanted
    now = int(state.value(PLAYER, wanted.id) or 0)
    return Verdict(wanted.at_least <= now <= wanted.at_most, wanted.id)


def _any(condition: Condition, state: GameState) -> Verdict:
    verdicts = [check_one(c, state) for c in condition.any or []]
    return next((v for v in verdicts if v.holds), verdicts[0] if verdicts else YES)


def _all(condition: Condition, state: GameState) -> Verdict:
    return check(condition.all or [], state)


def _none(condition: Condition, state: GameState) -> Verdict:
    for unwanted in condition.none or []:
        verdict = check_one(unwanted, state)
        if verdict.holds:
            return Verdict(False, verdict.because)
    return YES


_CHECKS: dict[str, Callable[[Condition, GameState], Verdict]] = {
    "fact": _fact,
    "not_fact": _fact,
    "known": _known,
    "unknown": _known,
    "has": _carried,
    "lacks": _carried,
    "holds": _holds,
    "at": _at,
    "present": _present,
    "absent": _present,
    "clock": _clock,
    "thread": _thread,
    "trust": _trust,
    "turn_at_least": _turn,
    "resource": _resource,
    "any": _any,
    "all": _all,
    "none": _none,
}


def trust(who: str, state: GameState) -> int:
    """How far someone trusts the player's character."""
    tie = state.relationships.get((who, PLAYER, "trust"))
    return tie.intensity if tie else 0
