"""Whoever is told something takes it up: confesses, denies, bargains, is struck, gives a lead; what
they learnt they know from then on, and the same told again is met otherwise."""

from dataclasses import replace

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Knowledge, Withheld
from freeform.engine.authored.script import Condition
from freeform.engine.minds.match import bears_out
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import AskedOfSomeone, asks
from freeform.engine.minds.told import (
    ACCUSED,
    ASKED,
    CLAIM,
    NEWS,
    TOLD_OF,
    TakenAs,
    accuses,
    done_by,
    take,
)
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.knowledge import best_answer, lead, tell, was_told
from freeform.engine.rules.deeds.speaking import hear_out, say_it
from freeform.engine.rules.effects import shift_trust
from freeform.retrieval.briefing import NpcBriefing

_TAKEN_UP = (NEWS, CLAIM, ACCUSED, "offer", "sorry", "thanks")
"""What is taken up for itself before any word in it is."""
_NOT_ASKED = (ACCUSED, "offer", "request", "sorry", "thanks", "threat")
"""What is no question, though one asks: `ask her to keep watch`."""
_TOPIC = 2
"""Words in which one names something to talk about."""
_LED_ON = (NEWS, CLAIM, ACCUSED, "offer")
"""After what someone may go on to what they know of it."""


def told_as(attempt: Attempt, said: str) -> str:
    """What is done by telling someone that; '' where it is asked, or nothing can tell."""
    is_asked = attempt.action.action == "ask"
    if attempt.action.topic or not said or attempt.rules.sense is None:
        return ""
    if is_asked and len(said.removeprefix("about ").split()) <= _TOPIC:
        return ""  # `ask about a favour` thanks nobody for one
    mind = _mind(attempt, said)
    if asks(mind.asked.bare, is_asked):
        return ACCUSED if accuses(mind) else ""
    kind = done_by(mind)
    return "" if kind == ASKED or (is_asked and kind not in _NOT_ASKED) else kind


def is_taken_up(kind: str, said: str) -> bool:
    """Whether it is answered for itself, before what is known of the words in it; a word or two
    are a topic."""
    return kind in _TAKEN_UP and (kind != CLAIM or len(said.split()) > _TOPIC)


def react(attempt: Attempt, said: str) -> None:
    """They take it in their own way, go on to what they know of it, and keep it in mind."""
    page, who = attempt.page, attempt.action.target_id
    mind = _mind(attempt, said)
    known = best_answer(attempt.rules.person(who).knows, said, attempt)
    if known and not was_told(known, attempt) and bears_out(mind.asked, known):
        tell(known, attempt)  # somebody wrote what they say to that
    else:
        taken = _with_kept(take(mind), said, attempt)
        fresh = lead(attempt, said) if _leads_on(taken) else None
        taken = _as_owned(taken, fresh, attempt)
        says = {
            **taken.answer.says,
            "pointer": "" if fresh else taken.answer.says.get("pointer", ""),
        }
        say_it(attempt, mind.asked, replace(taken.answer, says=says))
        _go_on(taken, fresh, attempt)
        if taken.fact:
            if taken.wins:
                shift_trust(who, 1, page)
            page.note(who, f"{TOLD_OF}{taken.fact}", True)
    hear_out(attempt, said)


def _as_owned(taken: TakenAs, fresh: Knowledge | None, attempt: Attempt) -> TakenAs:
    """Accused of what they go on to tell of themselves, they do not deny it first."""
    facts = attempt.page.state.facts
    told = [facts[id].subject_id for id in fresh.reveals if id in facts] if fresh else []
    if taken.answer.kind != ACCUSED or attempt.action.target_id not in told:
        return taken
    return replace(taken, answer=SpokenAnswer("own", "owned"))


def _leads_on(taken: TakenAs) -> bool:
    """Whether they may go on to what else they know; not who will not be bought."""
    answer = taken.answer
    return answer.kind in _LED_ON and (answer.kind, answer.how) != ("offer", "kept")


def _mind(attempt: Attempt, said: str) -> AskedMind:
    who = attempt.action.target_id
    asked = AskedOfSomeone(said, who, attempt.page.state, attempt.rules)
    return AskedMind(asked, attempt.lore.npc_briefings.get(who, NpcBriefing()))


def _with_kept(taken: TakenAs, said: str, attempt: Attempt) -> TakenAs:
    """An accusation that states no fact may still touch what they keep back."""
    if taken.answer.kind != ACCUSED:
        return taken
    kept = best_answer(attempt.rules.person(attempt.action.target_id).withholds, said, attempt)
    if kept is None or was_told(kept, attempt):
        return taken
    how = "shaken" if _yields(kept, attempt) else "stung"
    return replace(taken, answer=SpokenAnswer("own", how), kept=kept)


def _yields(kept: Withheld, attempt: Attempt) -> bool:
    return bool(kept.yields_when) and check(kept.yields_when, attempt.page.state).holds


def _is_out(taken: TakenAs, attempt: Attempt) -> bool:
    """Whether it is no use keeping it back any longer: what they keep is known and was said to
    their face, and no thing must be shown for it."""
    kept = taken.kept
    fact = attempt.page.state.facts.get(taken.fact)
    if kept is None or fact is None or fact.visibility != "known":
        return False
    conditions = [one for condition in kept.yields_when for one in _parts(condition)]
    return any(one.trust is not None or one.known is not None for one in conditions)


def _parts(condition: Condition) -> list[Condition]:
    inner = [*(condition.any or []), *(condition.all or [])]
    return [one for part in inner for one in _parts(part)] if inner else [condition]


def _go_on(taken: TakenAs, fresh: Knowledge | None, attempt: Attempt) -> None:
    """What comes out with it: what they kept back, what they know of it, something else that bears
    on it and was never told."""
    kept, known = taken.kept, taken.known
    if kept is not None and (_yields(kept, attempt) or _is_out(taken, attempt)):
        tell(kept, attempt)
    elif kept is not None:
        _deflect(kept, attempt)
    elif known is not None and not was_told(known, attempt):
        tell(known, attempt)
    elif fresh is not None:
        tell(fresh, attempt)


def _deflect(kept: Withheld, attempt: Attempt) -> None:
    line = attempt.chance.choose(kept.deflects).strip()
    who, topic = attempt.action.target_id, attempt.action.details
    attempt.page.happen("withheld", npc=who, name=attempt.name, topic=topic, text=line)
