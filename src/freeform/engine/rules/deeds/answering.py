"""What is asked and said at the table: answered, with its sources, for free."""

from freeform.engine.knowledge.answer import answer_question
from freeform.engine.knowledge.remark import answer_remark, is_of_the_table
from freeform.engine.knowledge.reply import SourcedAnswer
from freeform.engine.knowledge.viewpoint import Viewpoint
from freeform.engine.rules.deeds.attempt import Attempt


def answer(attempt: Attempt) -> str:
    """A question about the world: from what the character perceives and knows, and only that."""
    if is_of_the_table(attempt.action.details) and _reply(attempt):
        return ""
    return _answer(attempt)


def reply(attempt: Attempt) -> str:
    """Words out of character: a rule with its source, a command, a word in kind."""
    return "" if _reply(attempt) else _answer(attempt)


def _answer(attempt: Attempt) -> str:
    action = attempt.action
    view = Viewpoint(attempt.page.state, attempt.rules, attempt.background)
    said = answer_question(action.details, action.target_id, view, attempt.chance)
    attempt.page.happen("answered", ("free",), **_told(attempt, said))
    return ""


def _reply(attempt: Attempt) -> bool:
    """Whether it was the table's matter, and was answered."""
    words, state = attempt.action.details, attempt.page.state
    found = answer_remark(words, state, attempt.rules, attempt.background, attempt.chance)
    if found is None:
        return False
    told = _told(attempt, found.said)
    attempt.page.happen("table_talk", ("free",), **told, topic=found.topic)
    return True


def _told(attempt: Attempt, said: SourcedAnswer) -> dict[str, object]:
    sources = [source.row() for source in said.sources]
    return {"question": attempt.action.details, "text": said.text, "sources": sources}
