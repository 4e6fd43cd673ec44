"""Whoever is told something takes it up: confesses, denies, bargains, is struck, gives a lead; what
they learnt they know from then on, and the same told again is met otherwise."""

from dataclasses import replace

from freeform.engine.authored.scenario import Knowledge, Withheld
from freeform.engine.minds.match import bears_out
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import AskedOfSomeone, asks
from freeform.engine.minds.reception import (
    ACCUSED,
    ASKED,
    CLAIM,
    NEWS,
    OFFER,
    TOLD_OF,
    TakenAs,
    accuses,
    charges,
    done_by,
    is_guilty,
    offers,
    plainly,
    take,
)
from freeform.engine.minds.terms import amount_in, known_price
from freeform.engine.rules.dealing import bonds, keeping
from freeform.engine.rules.dealing.bargain import LAST_OFFER, answer_offer
from freeform.engine.rules.dealing.proof import Confronted, face
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.knowledge import best_answer, can_be_told, lead, tell, was_told
from freeform.engine.rules.deeds.speaking import hear_out, say_it
from freeform.engine.rules.effects import escalate, shift_trust
from freeform.language.words import word_class
from freeform.retrieval.briefing import NpcBriefing

INSULT, SORRY, THREAT, SMALL = "insult", "sorry", "threat", "small"
_OF_A_BARGAIN = {
    "deal": keeping.shake_on_it,
    "first": keeping.hold_to_it,
    "due": keeping.claim_it,
}
_TAKEN_UP = (NEWS, CLAIM, ACCUSED, OFFER, SORRY, "thanks", INSULT, *_OF_A_BARGAIN)
"""What is taken up for itself before any word in it is."""
_NOT_ASKED = (ACCUSED, OFFER, "request", SORRY, "thanks", THREAT, INSULT, *_OF_A_BARGAIN)
"""What is no question, though one asks: `ask her to keep watch`."""
_BETWEEN_US = (OFFER, INSULT, *_OF_A_BARGAIN)
"""What speaks of one to the other, or of a sum."""
_NO_QUESTION = (SORRY, "thanks", INSULT, *_OF_A_BARGAIN)
"""What is none even with its mark: `I take it back. Peace?`"""
_TOPIC = 2
"""Words in which one names something to talk about."""
_MEEK = "cautious"
"""The manner of those who do not strike back, where nobody wrote another."""


def told_as(attempt: Attempt, said: str) -> str:
    """What is done by telling someone that; '' where it is asked, or nothing can tell."""
    is_asked = attempt.action.action == "ask"
    if attempt.action.topic or not said or attempt.rules.sense is None:
        return ""
    mind = _mind(attempt, said)
    if said != attempt.action.details.strip() and mind.asked.bare.lower().startswith("you "):
        return ACCUSED if charges(mind) else ""  # `you brought it here, didn't you?`
    if is_asked and len(said.removeprefix("about ").split()) <= _TOPIC:
        if amount_in(said) and mind.state.value(mind.who, LAST_OFFER):
            return OFFER  # `ten, then?`
        kind = done_by(mind)  # `ask about a favour` thanks nobody for one
        return kind if kind in _OF_A_BARGAIN and keeping.stands_with(mind.who, mind.state) else ""
    if asks(mind.asked.bare, is_asked):
        kind = plainly(mind)
        plain = kind if kind in _NO_QUESTION else ""
        return ACCUSED if accuses(mind) and mind.touched else OFFER if offers(mind) else plain
    kind = done_by(mind)
    if is_asked and kind in _BETWEEN_US and not _is_between_us(mind):
        return ""  # `ask about the gate and the crown` offers nothing
    return "" if kind == ASKED or (is_asked and kind not in _NOT_ASKED) else kind


def _is_between_us(mind: AskedMind) -> bool:
    """Whether words speak of either side; or of a sum, while an offer is talked about."""
    spoken = {word.strip(".,;:!?\"'").lower() for word in mind.asked.said.split()}
    haggled = bool(mind.state.value(mind.who, LAST_OFFER)) and bool(amount_in(mind.asked.said))
    return bool(spoken & word_class("either_side")) or haggled


def greets(attempt: Attempt, said: str) -> bool:
    """Whether it is a greeting and nothing else."""
    return not said or (attempt.rules.sense is not None and plainly(_mind(attempt, said)) == SMALL)


def is_taken_up(kind: str, said: str) -> bool:
    """Whether it is answered for itself, before what is known of the words in it; a word or two
    are a topic."""
    return kind in _TAKEN_UP and (kind != CLAIM or len(said.split()) > _TOPIC)


def react(attempt: Attempt, said: str, kind: str) -> None:
    """They take what is told in their own way, by what is done with it, and keep it in mind."""
    mind = _mind(attempt, said)
    if attempt.action.by and kind in (OFFER, *_OF_A_BARGAIN):
        say_it(attempt, mind.asked, SpokenAnswer(OFFER, "far"))
        hear_out(attempt, said)
    elif kind == OFFER:
        answer_offer(attempt, mind, said)
    elif kind in _OF_A_BARGAIN:
        _of_a_bargain(kind, attempt, mind)
    elif kind in (INSULT, SORRY):
        _feel(kind, attempt, mind)
    elif not _faced(attempt, mind, said, accused=kind == ACCUSED):
        _take_up(attempt, mind, said)
        if kind == THREAT:
            bonds.keep(attempt.action.target_id, "threatened", attempt.page)
        if kind == ACCUSED and mind.touched and not (asks(mind.asked.bare) or is_guilty(mind)):
            _wronged(attempt)
        hear_out(attempt, said)


def _wronged(attempt: Attempt) -> None:
    """Whoever is accused of what they did not do holds it against the one who said it."""
    bonds.keep(attempt.action.target_id, "accused", attempt.page)
    shift_trust(attempt.action.target_id, -1, attempt.page)


def _of_a_bargain(kind: str, attempt: Attempt, mind: AskedMind) -> None:
    """Words about what was agreed; where nothing was, they say so."""
    if keeping.stands_with(mind.who, mind.state):
        _OF_A_BARGAIN[kind](attempt, mind)
    elif kind == "deal":
        say_it(attempt, mind.asked, SpokenAnswer(SMALL))
    else:
        price = known_price(mind.who, mind.state, attempt.rules)
        answer = SpokenAnswer(OFFER, "author", {"gist": price})
        say_it(attempt, mind.asked, answer if price else SpokenAnswer(OFFER, "none"))


def _feel(kind: str, attempt: Attempt, mind: AskedMind) -> None:
    """An insult is not forgotten; an apology takes the sting away, and wins nothing."""
    page, who = attempt.page, mind.who
    if kind == SORRY:
        how = "forgiven" if bonds.forgive(who, page) else mind.stance
        say_it(attempt, mind.asked, SpokenAnswer(SORRY, how))
        return
    times = bonds.keep(who, "insulted", page)
    if times > 1:
        shift_trust(who, -1, page)
    say_it(attempt, mind.asked, SpokenAnswer(INSULT, "again" if times > 1 else ""))


def _faced(attempt: Attempt, mind: AskedMind, said: str, *, accused: bool) -> bool:
    """They are faced with something they keep back: accused of it, or it is said outright. False
    where it touches nothing of theirs."""
    confronted = Confronted(attempt, mind, said)
    kept = confronted.kept if accused else confronted.outright
    if kept is None or was_told(kept, attempt):
        return False
    how = face(confronted, kept)
    if how == "broken" and can_be_told(kept, attempt):
        say_it(attempt, mind.asked, SpokenAnswer("own", "shaken"))
        tell(kept, attempt)
    elif how == "cornered":
        say_it(attempt, mind.asked, SpokenAnswer("own", "cornered"))
        if (mind.person.escalation or _MEEK) != _MEEK and not attempt.action.by:
            escalate(mind.who, attempt.page, attempt.rules)
    else:
        _deflect(kept, attempt)
    if confronted.stated:
        attempt.page.note(mind.who, f"{TOLD_OF}{confronted.stated}", True)
    return True


def _take_up(attempt: Attempt, mind: AskedMind, said: str) -> None:
    """They take it up, and go on to what they know of it."""
    page, who = attempt.page, mind.who
    known = best_answer(attempt.rules.person(who).knows, said, attempt)
    if known and not was_told(known, attempt) and bears_out(mind.asked, known):
        tell(known, attempt)  # somebody wrote what they say to that
        return
    taken = take(mind)
    fresh = lead(attempt, said) if taken.fact and taken.answer.kind == NEWS else None
    taken = _as_owned(taken, fresh, attempt)
    pointer = "" if fresh else taken.answer.says.get("pointer", "")
    says = {**taken.answer.says, "pointer": pointer}
    say_it(attempt, mind.asked, replace(taken.answer, says=says))
    _go_on(taken, fresh, attempt)
    if taken.fact:
        if taken.wins:
            shift_trust(who, 1, page)
        page.note(who, f"{TOLD_OF}{taken.fact}", True)


def _as_owned(taken: TakenAs, fresh: Knowledge | None, attempt: Attempt) -> TakenAs:
    """Accused of what they go on to tell of themselves, they do not deny it first."""
    facts = attempt.page.state.facts
    told = [facts[id].subject_id for id in fresh.reveals if id in facts] if fresh else []
    if taken.answer.kind != ACCUSED or attempt.action.target_id not in told:
        return taken
    return replace(taken, answer=SpokenAnswer("own", "owned"))


def _mind(attempt: Attempt, said: str) -> AskedMind:
    who = attempt.action.target_id
    asked = AskedOfSomeone(said, who, attempt.page.state, attempt.rules)
    return AskedMind(asked, attempt.lore.npc_briefings.get(who, NpcBriefing()))


def _go_on(taken: TakenAs, fresh: Knowledge | None, attempt: Attempt) -> None:
    """What comes out with it: what they know of it, something else that bears on it and was never
    told."""
    known = taken.known
    if known is not None and not was_told(known, attempt):
        tell(known, attempt)
    elif fresh is not None:
        tell(fresh, attempt)


def _deflect(kept: Withheld, attempt: Attempt) -> None:
    line = attempt.chance.choose(kept.deflects).strip()
    who, topic = attempt.action.target_id, attempt.action.details
    attempt.page.happen("withheld", npc=who, name=attempt.name, topic=topic, text=line)
