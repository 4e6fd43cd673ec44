"""Talking: people tell what they know, keep back what they withhold, and yield to leverage or a
good roll."""

import re
from dataclasses import replace
from typing import Any

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Knowledge, Withheld
from freeform.engine.authored.script import Condition
from freeform.engine.minds.heart import from_the_heart
from freeform.engine.minds.mind import AskedMind, SpokenAnswer
from freeform.engine.minds.question import AskedOfSomeone, questions_in, untagged
from freeform.engine.rules.dealing import bonds
from freeform.engine.rules.dealing.proof import SHOWN
from freeform.engine.rules.deeds.attempt import Attempt, present_people
from freeform.engine.rules.deeds.knowledge import best_answer, is_worn, lead, tell, untold, was_told
from freeform.engine.rules.deeds.lore import answer_from_lore
from freeform.engine.rules.deeds.reacting import greets, is_taken_up, react, told_as
from freeform.engine.rules.deeds.speaking import (
    add_lead,
    asked_before,
    hear_out,
    is_question,
    say_it,
    speak,
)
from freeform.engine.rules.effects import escalate, shift_trust
from freeform.engine.rules.known import bare
from freeform.engine.rules.rolls import at_least
from freeform.engine.rulings.reach import is_gone
from freeform.engine.world.names import mentioned, overlap
from freeform.retrieval.briefing import NpcBriefing

NOTHING = "none"
"""The topic of which someone knows nothing: a listener said so."""
_GREETED = "greeted_with"
_FEELING = "feel"
_OF_FEELING = ("insult", "sorry", "thanks", "threat")
"""What is about how one stands to the other, and is answered as such."""
_PARTING = re.compile(
    r"^\W*(?:good ?bye|bye|farewell|good ?night|see you|so long|"
    r"until (?:later|tomorrow|next time)|take care|"
    r"i (?:must|should) go)\b",
    re.I,
)


def converse(attempt: Attempt) -> str:
    """Asks or says something.

    A greeting is answered; a topic is told, withheld, or shrugged off.
    """
    page, who = attempt.page, attempt.action.target_id
    topic = untagged(attempt.action.details.strip())
    if not who:
        return _say_aloud(attempt, topic)
    person = attempt.rules.person(who)
    if person.farewell and _PARTING.search(topic):
        page.happen(
            "greeted",
            npc=who,
            name=attempt.name,
            text=attempt.chance.at("part").choose(person.farewell).strip(),
        )
        return ""
    kind = told_as(attempt, topic)
    if _greet_back(attempt, topic, kind):
        return ""
    if kind not in _OF_FEELING:
        bonds.show(who, page)
    if is_taken_up(kind, topic):
        react(attempt, topic, kind)
        return ""
    for part in [topic] if kind else questions_in(topic):
        if not _answer(attempt, part):
            _answer_otherwise(attempt, part, kind)
    return ""


def _greet_back(attempt: Attempt, topic: str, kind: str) -> bool:
    """They greet whoever greets them, and whoever first asks them something. True where no more was
    said than a greeting."""
    page, who = attempt.page, attempt.action.target_id
    if attempt.action.by:
        return False  # how one greets is written for who comes in at the door
    is_first = not page.state.value(who, "greeted")
    if is_first:
        page.note(who, "greeted", True)
    only_greets = greets(attempt, topic)
    line = _greeting(attempt) if only_greets or (is_first and not kind) else ""
    if line:
        page.happen("greeted", npc=who, name=attempt.name, text=line)
    return bool(line) and only_greets


def _greeting(attempt: Attempt) -> str:
    """How they greet: with a line they have not used, and nobody else has; '' where none is left,
    or a listener heard no greeting."""
    page, who = attempt.page, attempt.action.target_id
    people = attempt.rules.scenario.people
    used = {line for other in people for line in page.state.value(other, _GREETED) or []}
    fresh = [line for line in attempt.rules.person(who).greeting if line.strip() not in used]
    if not fresh or attempt.action.topic:
        return ""
    chosen = attempt.chance.at("greet").choose(fresh).strip()
    page.note(who, _GREETED, [*(page.state.value(who, _GREETED) or []), chosen])
    return chosen


def _say_aloud(attempt: Attempt, topic: str) -> str:
    """Said to nobody in particular: whoever is here takes it up, the one it names first; called to
    someone who is not, it is answered by nobody."""
    page, away = attempt.page, attempt.action.called_to
    here = [who for who in present_people(page) if not is_gone(who, page.state)]
    if away or not here or not topic or attempt.rules.sense is None:
        people = [page.state.name(who) for who in present_people(page)]
        page.happen("said", words=topic, people=people, to=away)
        return ""
    named = [who for who in mentioned(topic, page.state, ("npc",)) if who in here]
    action = attempt.action.model_copy(update={"target_id": (named or here)[0]})
    return converse(replace(attempt, action=action))


def _answer_otherwise(attempt: Attempt, topic: str, kind: str) -> None:
    """Nobody wrote an answer to it: a question is answered from the person's mind, and so is what
    they are told."""
    if attempt.action.topic == NOTHING:
        _say_nothing(attempt, topic, "said", "")  # whoever tells it finds the words
    elif kind:
        react(attempt, topic, kind)
    elif topic and attempt.rules.sense is not None:
        if not speak(attempt, topic):
            _lead_on(attempt, topic)
    else:
        shrugs = attempt.rules.person(attempt.action.target_id).shrugs
        line = attempt.chance.choose(shrugs).strip() if shrugs else ""
        asked = is_question(attempt.action) or not topic
        _say_nothing(attempt, topic, "no_answer" if asked else "said", line)
        if not asked:
            hear_out(attempt, topic)


def _lead_on(attempt: Attempt, topic: str) -> bool:
    """Goes on to something else that bears on it and was never told; False where nothing does."""
    fresh = lead(attempt, topic)
    if fresh is not None:
        tell(fresh, attempt)
    return fresh is not None


def _say_nothing(attempt: Attempt, topic: str, type: str, line: str) -> None:
    attempt.page.happen(
        type,
        npc=attempt.action.target_id,
        name=attempt.name,
        topic=topic,
        words=topic,
        text=line,
    )


def answer_aside(attempt: Attempt) -> bool:
    """Answers what was asked in the midst of a talk, where the person has something on it."""
    return _answer(attempt, attempt.action.details.strip())


def press(attempt: Attempt) -> str:
    """Persuades, deceives or threatens: dice decide whether someone yields what they hold back."""
    page, who, action = attempt.page, attempt.action.target_id, attempt.action.action
    person, topic = attempt.rules.person(who), attempt.action.details
    kept = best_answer(person.withholds, topic, attempt) or _first_kept(attempt, action)
    if attempt.action.family and kept is None and action != "threaten":
        return converse(attempt)  # nothing that they hold back hangs on it: words, and no dice
    outcome = attempt.throw(attempt.kind.stat, attempt.kind.tier)
    if at_least(outcome, "mixed"):
        page.happen("outcome", **_about(attempt, outcome))
        if kept and action in kept.yields_to:
            tell(kept, attempt)
        elif not _answer(attempt, topic):
            fresh = untold(attempt)
            if fresh:
                tell(fresh, attempt)
        if action == "persuade" and at_least(outcome, "success"):
            shift_trust(who, 1, page)
        if action == "threaten":
            shift_trust(who, -1, page)
        return outcome
    page.happen("outcome", **_about(attempt, outcome))
    if kept:
        line = attempt.chance.choose(kept.deflects).strip()
        page.happen("withheld", npc=who, name=attempt.name, topic=topic, text=line)
    shift_trust(who, -1, page)
    if action == "threaten" or outcome == "botch":
        escalate(who, page, attempt.rules)
    return outcome


def show(attempt: Attempt) -> str:
    """Shows someone a thing: whoever yields to it, yields."""
    page, who = attempt.page, attempt.action.target_id
    item = next(iter(mentioned(attempt.action.details, page.state, ("item",))), "")
    page.happen(
        "shown",
        npc=who,
        name=attempt.name,
        item=item,
        thing=bare(page.state.name(item)) if item else "",
        spoken=attempt.goes_on,
    )
    if item:
        page.note(who, SHOWN, {"item": item, "turn": page.state.turn_no})
    if attempt.goes_on:
        return ""  # what is said with it is answered
    for kept in attempt.rules.person(who).withholds:
        leverage = any(_speaks_of(condition, item) for condition in kept.yields_when)
        if (
            item
            and leverage
            and not was_told(kept, attempt)
            and check(kept.yields_when, page.state).holds
        ):
            tell(kept, attempt)
            return ""
    if not _answer(attempt, page.state.name(item) if item else attempt.action.details):
        line = attempt.chance.choose(attempt.rules.person(who).shrugs or [""]).strip()
        page.happen("no_answer", npc=who, name=attempt.name, topic=page.state.name(item), text=line)
    return ""


def _speaks_of(condition: Condition, item: str) -> bool:
    inner = [*(condition.any or []), *(condition.all or [])]
    return condition.has == item or any(_speaks_of(part, item) for part in inner)


def _answer(attempt: Attempt, topic: str) -> bool:
    """Tells or withholds what fits the topic; False when the person has nothing on it."""
    page, who = attempt.page, attempt.action.target_id
    person = attempt.rules.person(who)
    if _asks_after_them(attempt, topic):
        return speak(attempt, topic)
    known = best_answer(person.knows, topic, attempt)
    kept = best_answer(person.withholds, topic, attempt)
    if (
        kept
        and not was_told(kept, attempt)
        and _fits(kept, topic) >= (_fits(known, topic) if known else 0)
    ):
        if kept.yields_when and check(kept.yields_when, page.state).holds:
            tell(kept, attempt)
            return True
        if known is None or was_told(known, attempt):
            line = attempt.chance.choose(kept.deflects).strip()
            page.happen("withheld", npc=who, name=attempt.name, topic=topic, text=line)
            return True
    if known and is_worn(known, attempt) and _had_all(attempt, topic):
        return True
    what = known or kept
    if what:
        if attempt.rules.sense is not None:
            asked_before(attempt, _asked(attempt, topic))
        tell(what, attempt)
        if what.view:
            add_lead(attempt, topic)
        return True
    return not attempt.action.topic and answer_from_lore(attempt, topic)


def _asks_after_them(attempt: Attempt, topic: str) -> bool:
    """Whether they are asked how they feel, and have something to say to that: no gossip answers
    it, unless a word of the question was written for some."""
    if attempt.action.topic or attempt.rules.sense is None or not topic:
        return False
    asked, person = _asked(attempt, topic), attempt.rules.person(attempt.action.target_id)
    if asked.kind != _FEELING or any(_fits(known, topic) for known in person.knows):
        return False
    return from_the_heart(AskedMind(asked, NpcBriefing()), _FEELING) is not None


def _asked(attempt: Attempt, topic: str) -> AskedOfSomeone:
    return AskedOfSomeone(topic, attempt.action.target_id, attempt.page.state, attempt.rules)


def _had_all(attempt: Attempt, topic: str) -> bool:
    """Asked something else about what they have told in full: something new that bears on it, or
    that this was all. False where it is the same question once more."""
    asked = _asked(attempt, topic)
    if attempt.action.topic or attempt.rules.sense is None or not asked.asks_more:
        return False
    if asked.kind == "where" and asked.about:
        return speak(attempt, topic)
    is_same = asked_before(attempt, asked)
    if not _lead_on(attempt, topic):
        if is_same:
            return False
        about = AskedMind(asked, NpcBriefing()).heard_of
        say_it(attempt, asked, SpokenAnswer("had", "all", {"about": about} if about else {}))
    return True


def _fits(option: Knowledge, topic: str) -> int:
    return overlap(topic, option.topics)


def _first_kept(attempt: Attempt, action: str) -> Withheld | None:
    """Pressed on nothing in particular, someone gives up the first thing they keep."""
    if attempt.action.details.strip():
        return None
    kept = attempt.rules.person(attempt.action.target_id).withholds
    return next((k for k in kept if not was_told(k, attempt) and action in k.yields_to), None)


def _about(attempt: Attempt, outcome: str) -> dict[str, Any]:
    action = attempt.action
    return {
        "action": action.action,
        "target": action.target_id,
        "name": attempt.name,
        "details": action.details,
        "outcome": outcome,
    }
