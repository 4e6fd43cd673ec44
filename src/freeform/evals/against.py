"""What a turn tells and refuses, held against what is so: prose by the state, answers by their
questions, refusals by the facts behind them."""

from freeform.engine.canon.happened import Happened
from freeform.engine.canon.prose_check import ProseCheck
from freeform.engine.world.names import words
from freeform.evals.walk import TurnStep
from freeform.language.sentences import sentences

LEAST_SHARE = 0.34
"""Of a question's telling words, so many stand in an answer to it, or in what it is about."""
LEAST_WORDS = 3
"""A question with fewer telling words is too short to be missed."""
_NEEDS_NO_FACT = frozenset(("line", "order"))
"""Rules of the table itself: what is kept out of play, and what follows a way that is blocked."""


def prose_against_state(moment: TurnStep) -> list[str]:
    """Sentences that are not so, each with why: of who lives, who is here, who holds what, what is
    locked, where one is, what was refused."""
    check = ProseCheck(moment.after, moment.rules, Happened.of(moment.resolved))
    found: list[str] = []
    for sentence in sentences(moment.text):
        why = check.against(sentence)
        if why:
            found.append(f"{sentence} ({why})")
    return found


ANSWERS = frozenset(("told", "no_answer"))
"""Events that answer a question in words of an author's or the house's own."""
NEAR = 0.35
"""How near an answer is by meaning that has none of the question's words."""


def answers_beside(moment: TurnStep) -> list[str]:
    """Questions to someone whose answer has little to do with what was asked, by its words and,
    where something can tell, by its meaning; a line that fits any question is such an answer."""
    asked = {
        action.target_id: action.details
        for action in moment.resolved.validator.allowed_actions
        if action.target_id and not action.topic
    }
    found: list[str] = []
    for event in moment.resolved.engine_events:
        question = words(asked.get(str(event.details.get("npc", "")), ""))
        if event.type not in ANSWERS or len(question) < LEAST_WORDS:
            continue
        topic = str(event.details.get("topic", "")) if event.type == "told" else ""
        text = f"{topic} {event.details.get('text', '')}".strip()
        few = len(question & words(text)) < LEAST_SHARE * len(question)
        if few and not _is_near(asked[str(event.details["npc"])], text, moment):
            found.append(f"{' '.join(sorted(question))}: {event.details.get('text', '')}")
    return found


def _is_near(question: str, answer: str, moment: TurnStep) -> bool:
    """Whether an answer means what was asked, or a part of it does."""
    sense = moment.rules.sense
    parts = [answer, *sentences(answer)]
    return sense is not None and any(close >= NEAR for close in sense.near(question, parts))


def refusals_unfounded(moment: TurnStep) -> list[str]:
    """Refusals behind which nothing stands: no fact, no one, no thing, no place."""
    state = moment.before
    known = (state.facts, state.entities, state.threads)
    found: list[str] = []
    for refused in moment.resolved.validator.blocked_actions:
        hard = refused.because == state.scene.id or any(refused.because in each for each in known)
        if refused.rule not in _NEEDS_NO_FACT and not hard:
            found.append(refused.reason)
    return found
