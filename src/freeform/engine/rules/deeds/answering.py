"""What is asked and said at the table: answered, with its sources, for free."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from freeform.engine.knowledge.answer import answer_question
from freeform.engine.knowledge.remark import answer_remark, is_of_the_table
from freeform.engine.knowledge.reply import SourcedAnswer
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.minds.question import (
    DID,
    HOW,
    SEEN,
    WHEN,
    WHERE,
    WHO,
    WHY,
    AskedOfSomeone,
)
from freeform.engine.rules.deeds.attempt import Attempt, present_people
from freeform.engine.rules.deeds.knowledge import best_answer
from freeform.engine.rules.deeds.talking import answer_aside, converse
from freeform.engine.rulings.reach import is_gone
from freeform.engine.world.names import mentioned
from freeform.language.words import words

_TOLD = ("turn", "fact")
"""Sources that are no more than what was told before: in the midst of a talk the other is asked."""
_PARTICULARS = (WHO, WHERE, WHEN, WHY, HOW)
_ASKER = frozenset({"i", "my", "mine", "myself", "am"})


def answer(attempt: Attempt) -> str:
    """A question about the world: from what the character perceives and knows, and only that."""
    if is_of_the_table(attempt.action.details) and _reply(attempt):
        return ""
    return _answer(attempt)


def reply(attempt: Attempt) -> str:
    """Words out of character: a rule with its source, a command, a word in kind."""
    return "" if _reply(attempt) else _answer(attempt)


def _answer(attempt: Attempt) -> str:
    """From the one who is being talked with, where they have something on it; else from what is
    seen and known; else from them all the same, in their own words."""
    partner = _in_talk_with(attempt) or next(_asked_of_all(attempt, (SEEN, DID)), None)
    if partner is not None and answer_aside(partner):
        return ""
    action = attempt.action
    view = Viewpoint(attempt.page.state, attempt.rules, attempt.background)
    said = answer_question(action.details, action.target_id, view, attempt.chance)
    seen = said.found and not any(source.kind in _TOLD for source in said.sources)
    if partner is None and not seen:
        partner = next(filter(_has_it, _asked_of_all(attempt, _PARTICULARS)), None)
    if partner is not None and not seen:
        return converse(partner)
    attempt.page.happen("answered", ("free",), **_told(attempt, said))
    return ""


def _in_talk_with(attempt: Attempt) -> Attempt | None:
    """The same words to the one who was spoken with in the turn before: `Is he dead?` in the midst
    of a talk is asked of them, unless it asks about the asker."""
    state, told = attempt.page.state, attempt.background.told
    if attempt.rules.sense is None or not told or _is_of_asker(attempt):
        return None
    spoken_with = [
        who
        for who in present_people(attempt.page)
        if who in told[-1].focus and state.value(who, "greeted")
    ]
    if len(spoken_with) != 1 or "?" not in attempt.action.details:
        return None
    asked = {"action": "ask", "target_id": spoken_with[0], "family": "ask"}
    return replace(attempt, action=attempt.action.model_copy(update=asked))


def _asked_of_all(attempt: Attempt, wanted: Sequence[str]) -> Iterator[Attempt]:
    """The same words to each who is here, where they ask for one of these."""
    state, said = attempt.page.state, attempt.action.details
    if attempt.rules.sense is None or _is_of_asker(attempt) or "?" not in said:
        return
    here = [who for who in present_people(attempt.page) if not is_gone(who, state)]
    for who in here:
        asked = AskedOfSomeone(said, who, state, attempt.rules)
        is_for_them = not asked.is_of_them or asked.wants in (SEEN, DID)
        if asked.telling and asked.wants in wanted and is_for_them:
            told = {"action": "ask", "target_id": who, "family": "ask"}
            yield replace(attempt, action=attempt.action.model_copy(update=told))


def _has_it(attempt: Attempt) -> bool:
    """Whether who is asked has something on it, to tell or to keep back."""
    said, person = attempt.action.details, attempt.rules.person(attempt.action.target_id)
    known = (best_answer(options, said, attempt) for options in (person.knows, person.withholds))
    return any(known)


def _is_of_asker(attempt: Attempt) -> bool:
    """Whether a question is about the one who asks: `who am I`; my mother is somebody else."""
    said = frozenset(words(attempt.action.details))
    of_another = bool(mentioned(attempt.action.details, attempt.page.state, ("npc",)))
    own = _ASKER - {"my"} if of_another else _ASKER
    return "you" not in said and not own.isdisjoint(said)


def _reply(attempt: Attempt) -> bool:
    """Whether it was the table's matter, and was answered."""
    words, state = attempt.action.details, attempt.page.state
    found = answer_remark(words, state, attempt.rules, attempt.background, attempt.chance)
    if found is None:
        return False
    if not found.said.found:
        view = Viewpoint(state, attempt.rules, attempt.background)
        of_world = answer_question(words, attempt.action.target_id, view, attempt.chance)
        if of_world.found or of_world.rests_on_facts:
            attempt.page.happen("answered", ("free",), **_told(attempt, of_world))
            return True
    told = _told(attempt, found.said)
    attempt.page.happen("table_talk", ("free",), **told, topic=found.topic)
    return True


def _told(attempt: Attempt, said: SourcedAnswer) -> dict[str, object]:
    sources = [source.row() for source in said.sources]
    return {"question": attempt.action.details, "text": said.text, "sources": sources}
