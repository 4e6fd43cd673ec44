"""People answer in their own words: made of their minds, knowingly where it was asked before; and
what they are told, they keep in mind."""

import re

from freeform.core.text import shorten
from freeform.engine.authored.scenario import Knowledge
from freeform.engine.knowledge.evidence import whole_sentences
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import AskedOfSomeone
from freeform.engine.minds.reply import HEARD, reply
from freeform.engine.minds.straight import lead_alone
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.effects import shift_trust
from freeform.engine.world.model import AllowedAction
from freeform.engine.world.state import GameState
from freeform.retrieval.briefing import NpcBriefing

_SPOKEN = re.compile(r'["“]([^"“”]+)["”]')
_ASKED, _KEPT_IN_MIND = "asked", 8
_LETTERS, _LOOKS_BACK = 200, 4
_UNKNOWN = "unknown"
_SAME = 0.86
"""How near two questions are that are one."""


def is_question(action: AllowedAction) -> bool:
    """Whether something is asked, and not said."""
    return action.action == "ask" or action.details.rstrip(" \"”'").endswith("?")


def speak(attempt: Attempt, words: str) -> bool:
    """Answers a question from the person's mind; False where they know nothing of it."""
    page, who = attempt.page, attempt.action.target_id
    notes = attempt.lore.npc_briefings.get(who, NpcBriefing())
    asked = AskedOfSomeone(words, who, page.state, attempt.rules)
    answer = reply(AskedMind(asked, notes, _told_lately(attempt)))
    say_it(attempt, asked, answer, again=asked_before(attempt, asked))
    if answer.reveals:
        page.reveal(answer.reveals, f"told by {attempt.name}")
    _note(attempt, answer)
    if answer.kind == "heart":
        shift_trust(who, 1, page)
    return answer.kind != _UNKNOWN


def add_lead(attempt: Attempt, words: str) -> None:
    """Whoever has only said what they make of something adds where more could be learnt of it."""
    who = attempt.action.target_id
    asked = AskedOfSomeone(words, who, attempt.page.state, attempt.rules)
    led = lead_alone(AskedMind(asked, NpcBriefing()))
    if led is not None:
        say_it(attempt, asked, led)
        _note(attempt, led)


def _note(attempt: Attempt, answer: SpokenAnswer) -> None:
    """What was said by it is kept in mind."""
    for note in answer.notes:
        predicate, value = (note, True) if isinstance(note, str) else note
        attempt.page.note(attempt.action.target_id, predicate, value)


def _told_lately(attempt: Attempt) -> list[str]:
    """The paragraphs of the last tellings; the opening, while it is still fresh."""
    told = [turn.final_text for turn in attempt.background.told[-_LOOKS_BACK:]]
    if attempt.page.state.turn_no <= _LOOKS_BACK:
        told = [attempt.rules.begun.opening, *told]
    return [part for text in told for part in text.split("\n") if part.strip()]


def say_it(
    attempt: Attempt, asked: AskedOfSomeone, answer: SpokenAnswer, *, again: bool = False
) -> None:
    """They say it, in words of their own where they know nothing of it."""
    page, who = attempt.page, attempt.action.target_id
    shrugs = attempt.rules.person(who).shrugs
    unknown = answer.kind == _UNKNOWN and shrugs and not again
    page.happen(
        "spoke",
        ("speech",),
        npc=who,
        name=attempt.name,
        kind=answer.kind,
        how=answer.how,
        asked=asked.said,
        again=again,
        text=attempt.chance.choose(shrugs).strip() if unknown else "",
        **{"echo": asked.echo, **answer.says},
    )


def asked_before(attempt: Attempt, asked: AskedOfSomeone) -> bool:
    """Whether they were asked that in an earlier turn, in these words or in others; they remember
    the last few questions. What is asked twice in one breath was not asked before."""
    page, who, sense = attempt.page, attempt.action.target_id, attempt.rules.sense
    kept = list(page.state.value(who, _ASKED) or [])
    now = page.state.turn_no
    before = [text for turn, text in map(_when_asked, kept) if turn < now]
    near = sense.near(asked.text, before) if sense and before else []
    if any(close >= _SAME for close in near):
        return True
    page.note(who, _ASKED, [*kept, [now, asked.text]][-_KEPT_IN_MIND:])
    return False


def _when_asked(kept: object) -> tuple[int, str]:
    """In which turn something was asked, and what; older campaigns kept the words alone."""
    return (int(kept[0]), str(kept[1])) if isinstance(kept, list) else (0, str(kept))


def hear_out(attempt: Attempt, words: str) -> None:
    """Someone keeps in mind what they were told; the last few things."""
    page, who = attempt.page, attempt.action.target_id
    count = sum(fact.predicate.startswith(HEARD) for fact in page.state.facts_of(who))
    times = int(page.state.value(who, "hearings") or count)
    page.note(who, f"{HEARD}{times % _KEPT_IN_MIND + 1}", shorten(words, _LETTERS))
    page.note(who, "hearings", times + 1)


def as_said(what: Knowledge, state: GameState) -> str:
    """What was told before, in short: the fact in it, or the first sentence that was spoken."""
    facts = (state.facts[id] for id in what.reveals if id in state.facts)
    known = [str(fact.object.get("text") or "") for fact in facts if fact.visibility == "known"]
    if known and known[0]:
        return known[0]
    line = what.says[0].strip()
    spoken = _SPOKEN.search(line)
    return f"“{_ended(spoken[1])}”" if spoken else whole_sentences(line)[0]


def _ended(sentence: str) -> str:
    text = sentence.rstrip(" ,")
    return text if text[-1:] in ".!?…" else f"{text}."
