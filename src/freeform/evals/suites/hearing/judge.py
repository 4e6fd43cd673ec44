"""READ THIS FIRST. The class of one played case, and why.

forbidden effect ──> costly
question         ──> asked fairly, asked needlessly
fair refusal, an alternative filled, an answer given ──> understood
anything else    ──> harmless, unless a clock moved against the player: costly
"""

import re
from dataclasses import dataclass
from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record
from freeform.engine.world.model import TurnResult
from freeform.engine.world.state import GameState
from freeform.evals.suites.hearing.effects import (
    TurnEffects,
    clocks_further,
    effects_of,
    question_of,
    unmeant,
)
from freeform.evals.suites.hearing.gold import GoldCase
from freeform.evals.suites.hearing.heard import (
    QUIET,
    Act,
    TurnScene,
    acts_of,
    best_filling,
    fills,
    kind_of,
    near,
    surroundings,
)

HearingClass = Literal["understood", "asked_fairly", "asked_needlessly", "harmless", "costly"]
CLASSES: tuple[HearingClass, ...] = (
    "understood",
    "asked_fairly",
    "asked_needlessly",
    "harmless",
    "costly",
)
NOT_SCORED = "not_scored"
_RISKY = frozenset({"attack", "threaten", "steal", "break", "hack", "brave", "flee"})
_NOT_DONE = frozenset({"none", "ooc"})
_SUCCEEDED = re.compile("success|critical|mixed")
_GRANTED = "the impossible was granted"


class CaseVerdict(Record):
    """What one case came to."""

    id: str
    judged: HearingClass | Literal["not_scored"]
    reason: str = ""
    heard: list[str] = Field(default_factory=list)
    question: str = ""
    effects: dict[str, Any] = Field(default_factory=dict)
    text: str = ""


@dataclass(frozen=True)
class Played:
    """A case as it was played, beside the neutral turn from the same spot."""

    case: GoldCase
    before: GameState
    result: TurnResult
    neutral: TurnResult


@dataclass(frozen=True)
class _Seen:
    """What there is to judge."""

    case: GoldCase
    result: TurnResult
    came: TurnEffects
    usual: TurnEffects
    acts: list[Act]
    around: TurnScene
    answered: bool
    refused_fairly: bool


def judge(played: Played) -> CaseVerdict:
    """The class of a case, with what was heard and what came of it."""
    seen = _seen(played)
    judged, reason = _with_clocks(seen)
    return CaseVerdict(
        id=played.case.id,
        judged=judged,
        reason=reason,
        heard=[str(act) for act in seen.acts],
        question=question_of(played.result),
        effects=seen.came.seen(),
        text=played.result.final_text,
    )


def _seen(played: Played) -> _Seen:
    case, result = played.case, played.result
    came = effects_of(result, played.before)
    return _Seen(
        case=case,
        result=result,
        came=came,
        usual=effects_of(played.neutral, played.before),
        acts=acts_of(result),
        around=surroundings(
            result, played.before, came.moved_to, refusal_is_miss="refusal" in case.forbid
        ),
        answered=_answered(played),
        refused_fairly=any(_matches(case.refuse_ok, reason) for reason in came.refusals),
    )


def _with_clocks(seen: _Seen) -> tuple[HearingClass, str]:
    """A miss that moved a clock against the player is not harmless, unless danger was meant."""
    judged, reason = _class_of(seen)
    further = clocks_further(seen.came, seen.usual)
    if judged not in ("harmless", "asked_needlessly") or not further:
        return judged, reason
    if _risk_was_meant(seen) and reason != _GRANTED:
        return judged, reason
    return "costly", f"clock ({', '.join(further)}); {reason}"


def _risk_was_meant(seen: _Seen) -> bool:
    meant = {kind for slot in seen.case.slots for kind in slot.kinds} & _RISKY
    heard = {act.kind for act in seen.acts}
    return "attack" in meant or bool(meant & heard)


def _class_of(seen: _Seen) -> tuple[HearingClass, str]:
    amiss = _amiss(seen)
    if amiss:
        return "costly", "; ".join(amiss)
    if question_of(seen.result):
        if seen.case.accept.ask_ok and _question_is_near(seen):
            return "asked_fairly", ""
        return "asked_needlessly", "needless or wrong question"
    if seen.refused_fairly:
        return "understood", "rightly refused"
    if _matches(seen.case.miss_text, seen.result.final_text):
        return "harmless", "words taken amiss"
    if seen.case.deny_success and _succeeded(seen.result):
        return "harmless", _GRANTED
    if all(act.kind in _NOT_DONE for act in seen.acts):
        return _nothing_done(seen)
    return _something_done(seen)


def _amiss(seen: _Seen) -> list[str]:
    """Everything forbidden that came of it."""
    case = seen.case
    found = unmeant(case, seen.came, seen.usual)
    refused = seen.came.refusals and not seen.refused_fairly and not _partly_done(seen)
    if "refusal" in case.forbid and refused:
        found.append("refusal")
    if _matches(case.deny_text, seen.result.final_text):
        found.append("wrong deed")
    return found


def _partly_done(seen: _Seen) -> bool:
    """Whether something that was meant was not refused."""
    free = [act for act in seen.acts if not act.blocked]
    return any(fills(act, slot, seen.around) for act in free for slot in seen.case.slots)


def _question_is_near(seen: _Seen) -> bool:
    """Whether what was meant is among what was heard or offered; an open question always is."""
    offered = [*seen.result.interpreter.readings, *seen.result.validator.readings]
    kinds = {act.kind for act in seen.acts} | {kind_of(reading.action) for reading in offered}
    return not kinds or any(kinds & slot.kinds for slot in seen.case.slots)


def _nothing_done(seen: _Seen) -> tuple[HearingClass, str]:
    """Heard as a question to the game master, a remark, a plan, or not at all."""
    accept = seen.case.accept
    fair = (
        accept.no_action_ok
        or (accept.ooc and bool(seen.acts))
        or any(slot.kinds & _NOT_DONE for slot in seen.case.slots)
    )
    if not fair or not seen.result.final_text.strip():
        return "harmless", "nothing heard"
    return ("understood", "") if seen.answered else ("harmless", "not answered")


def _something_done(seen: _Seen) -> tuple[HearingClass, str]:
    """Deeds were heard: those of one alternative, and nothing odd beside them?"""
    partly = False
    reasons = list[str]()
    for slots in seen.case.alternatives:
        used = best_filling(slots, seen.acts, seen.around)
        if len(used) < len(slots):
            partly = partly or bool(used)
        elif _odd(seen, used):
            reasons.append("heard more than was meant")
        elif _answer_is_due(seen, used) and not seen.answered:
            reasons.append("not answered")
        else:
            return "understood", ""
    if reasons:
        return "harmless", reasons[0]
    return "harmless", "partly heard" if partly else "heard as something else"


def _odd(seen: _Seen, used: frozenset[int]) -> list[Act]:
    """Acts beside those that fill the slots which nobody could have meant."""
    beside = [act for number, act in enumerate(seen.acts) if number not in used]
    return [act for act in beside if not _may_stand_beside(act, seen)]


def _may_stand_beside(act: Act, seen: _Seen) -> bool:
    if act.kind in QUIET and not act.blocked:
        return True
    return any(near(act, slot, seen.around) for slot in seen.case.slots)


def _answer_is_due(seen: _Seen, used: frozenset[int]) -> bool:
    """What is only looked at or asked must be answered; a deed that comes with it need not."""
    return seen.case.answer_must or all(seen.acts[number].kind in QUIET for number in used)


def _answered(played: Played) -> bool:
    """Whether the text holds an answer, the closing lines of any turn here left out."""
    wanted = played.case.answer_any
    if not wanted:
        return True
    paragraphs = played.result.final_text.split("\n\n")
    if len(paragraphs) > 1 and paragraphs[-1] == played.neutral.final_text.split("\n\n")[-1]:
        paragraphs.pop()
    return _matches(wanted, "\n".join(paragraphs))


def _succeeded(result: TurnResult) -> bool:
    return any(_SUCCEEDED.search(roll.outcome or roll.text) for roll in result.rolls)


def _matches(pattern: str, text: str) -> bool:
    return bool(pattern) and re.search(pattern, text, re.IGNORECASE) is not None
