"""What someone knows, told: which of it answers, what bears on a matter and was never told, and
that it was told."""

from collections.abc import Sequence
from typing import TypeVar

from freeform.engine.authored.conditions import check
from freeform.engine.authored.scenario import Knowledge
from freeform.engine.minds.match import bearing, choose
from freeform.engine.minds.question import SEEN, AskedOfSomeone
from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.speaking import as_said
from freeform.engine.rules.effects import perform

K = TypeVar("K", bound=Knowledge)
_FROM_AFAR = frozenset(
    {
        *("set", "reveal", "clock", "thread", "trust", "minutes", "situation", "end_situation"),
        *("threat", "end_threat", "calm", "promise", "end_promise", "award"),
    }
)
"""What words can bring about between people who are not in one place: nobody goes, comes, joins,
hands over, is hurt or turns on anybody by a call."""


def tell(what: Knowledge, attempt: Attempt) -> None:
    """They say it; what was said before in short, once all of it was said. What cannot be told from
    afar they keep for now."""
    page, who = attempt.page, attempt.action.target_id
    if not can_be_told(what, attempt):
        _keep_for_now(what, attempt)
        return
    times = int(page.state.value(who, f"told:{what.id}") or 0)
    line = what.says[times % len(what.says)].strip()
    page.note(who, f"told:{what.id}", times + 1)
    topic = what.topics[0] if what.topics else ""
    about = {"npc": who, "name": attempt.name, "topic": topic}
    if times >= len(what.says):
        said = as_said(what, page.state)
        page.happen("told", ("speech",), **about, text=said, again=True, as_said=True)
    else:
        page.happen("told", ("speech",), **about, text=line, again=times > 0)
    for fact in what.reveals:
        page.reveal(fact, f"told by {attempt.name}")
    if times == 0:
        perform(what.effects, page, attempt.rules, f"told by {attempt.name}")


def best_answer(options: Sequence[K], topic: str, attempt: Attempt) -> K | None:
    """What fits the topic best; of equals, what was not told yet. What a listener named by its id
    is meant, whatever the words."""
    state, meant = attempt.page.state, attempt.action.topic
    open_ones = [o for o in options if check(o.when, state).holds]
    if meant:
        return next((o for o in open_ones if o.id == meant), None)
    asked = AskedOfSomeone(topic, attempt.action.target_id, state, attempt.rules)
    if topic and attempt.rules.sense is not None and _wants_more_than_views(asked):
        open_ones = [o for o in open_ones if not o.view]  # no answer to who, when, how and why
    if not open_ones or not topic:
        return None
    person = attempt.rules.person(attempt.action.target_id)
    beside = [k for k in (*person.knows, *person.withholds) if k not in options]
    return choose(asked, open_ones, [was_told(o, attempt) for o in open_ones], beside)


def _wants_more_than_views(asked: AskedOfSomeone) -> bool:
    """Whether what somebody makes of a thing is no answer: to whether they have seen it, it is."""
    people = [id for id in asked.about if asked.state.entities[id].type == "npc"]
    return bool(asked.wants) and (asked.wants != SEEN or bool(people))


def can_be_told(option: Knowledge, attempt: Attempt) -> bool:
    """Whether it can be told as things are: from afar, only what words alone bring about."""
    bodily = any(effect.model_fields_set - _FROM_AFAR for effect in option.effects)
    return not (attempt.action.by and bodily) or was_told(option, attempt)


def _keep_for_now(what: Knowledge, attempt: Attempt) -> None:
    """They do not come out with it; it stays untold."""
    about = {"npc": attempt.action.target_id, "name": attempt.name}
    attempt.page.happen("put_off", ("speech",), **about, topic=attempt.action.details)


def was_told(option: Knowledge, attempt: Attempt) -> bool:
    """Whether they have told it before."""
    return bool(attempt.page.state.value(attempt.action.target_id, f"told:{option.id}"))


def is_worn(option: Knowledge, attempt: Attempt) -> bool:
    """Whether they have told all they can say of it."""
    times = int(attempt.page.state.value(attempt.action.target_id, f"told:{option.id}") or 0)
    return times >= len(option.says)


def untold(attempt: Attempt) -> Knowledge | None:
    """The first thing they know and never told."""
    known = attempt.rules.person(attempt.action.target_id).knows
    fresh = (k for k in known if not was_told(k, attempt) and can_be_told(k, attempt))
    return next((k for k in fresh if check(k.when, attempt.page.state).holds), None)


def lead(attempt: Attempt, topic: str) -> Knowledge | None:
    """Something they know that bears on a matter and was never told; None where nothing does."""
    state, who = attempt.page.state, attempt.action.target_id
    fresh = [
        known
        for known in attempt.rules.person(who).knows
        if not was_told(known, attempt) and check(known.when, state).holds
    ]
    fresh = [known for known in fresh if can_be_told(known, attempt)]
    return bearing(AskedOfSomeone(topic, who, state, attempt.rules), fresh)
