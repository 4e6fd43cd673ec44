"""Whether what an author asked for is so, and if not, which fact stands in the way."""

from collections.abc import Sequence
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
        if not (verdict := check_one(condition, state)).holds:
            return verdict
    return YES


def check_one(condition: Condition, state: GameState) -> Verdict:
    """One condition."""
    (key,) = condition.model_fields_set
    match key:
        case "fact" | "not_fact":
            subject, predicate, value = condition.fact or condition.not_fact or ("", "", None)
            fact = state.fact(subject, predicate)
            so = fact is not None and fact.object.get("value") == value
            return Verdict(so == (key == "fact"), fact.id if fact else f"{subject}#{predicate}")
        case "known" | "unknown":
            wanted = condition.known or condition.unknown or ""
            known = wanted in state.facts and state.facts[wanted].visibility == "known"
            return Verdict(known == (key == "known"), wanted)
        case "has" | "lacks":
            item = condition.has or condition.lacks or ""
            held = (PLAYER, item) in state.inventory
            return Verdict(held == (key == "has"), item)
        case "holds":
            owner, item = condition.holds or ("", "")
            return Verdict((owner, item) in state.inventory, item)
        case "at":
            return Verdict(state.scene.location_id == condition.at, condition.at or "")
        case "present" | "absent":
            who = condition.present or condition.absent or ""
            here = who in state.scene.present_entity_ids
            return Verdict(here == (key == "present"), who)
        case "clock":
            return _clock(condition, state)
        case "thread":
            thread_id, status = condition.thread or ("", "")
            thread = state.threads.get(thread_id)
            return Verdict(thread is not None and thread.status == status, thread_id)
        case "trust":
            return _trust(condition, state)
        case "turn_at_least":
            return Verdict(state.turn_no >= (condition.turn_at_least or 0), "turn")
        case "any":
            verdicts = [check_one(c, state) for c in condition.any or []]
            return next((v for v in verdicts if v.holds), verdicts[0] if verdicts else YES)
        case "all":
            return check(condition.all or [], state)
        case _:  # none
            met = next((v for c in condition.none or [] if (v := check_one(c, state)).holds), None)
            return YES if met is None else Verdict(False, met.because)


def _clock(condition: Condition, state: GameState) -> Verdict:
    wanted = condition.clock
    assert wanted
    clock = state.clocks.get(wanted.id)
    value = clock.value if clock else 0
    return Verdict(wanted.at_least <= value <= wanted.at_most, wanted.id)


def _trust(condition: Condition, state: GameState) -> Verdict:
    wanted = condition.trust
    assert wanted
    return Verdict(wanted.at_least <= trust(wanted.who, state) <= wanted.at_most, wanted.who)


def trust(who: str, state: GameState) -> int:
    """How far someone trusts the player's character."""
    tie = state.relationships.get((who, PLAYER, "trust"))
    return tie.intensity if tie else 0
