"""What the ear is told beside a text, and what it passed over or ran together: stretches that name
something in the scene, deeds it took for no act, a deed and what is done if it fails."""

import re
from collections.abc import Callable
from dataclasses import replace

from freeform.language.ear import HeardAct, HeardSpan, HeardText
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.interpreter.hearing import Hearing
from freeform.offline.referee.families import best

Hear = Callable[[str, tuple[tuple[int, int, str], ...]], HeardText]
HELD_BACK = 0.4
"""How likely it must be that something is not done now."""
_KINDS = {"person": "person", "thing": "thing", "detail": "thing", "place": "place"}
_JOIN = re.compile(r"^[\s,]*(?:\b(?:and|then|n)\b[\s,]*)+", re.I)
_FEWEST = 2
"""Words of a stretch that may hold a deed: `stab Viktor`."""
_FREE = frozenset({"express", "make_improvise", "use", "help_heal"})
"""Families of deeds that are told back in the player's own words."""
_OTHERS = re.compile(r"(?:he|she|they|it|you|the|his|her|their|your)\b", re.I)
"""How a clause begins that tells of another."""
_ENDS = (".", "!", "?", ";", "…")
_BUT = re.compile(r"[,;]\s*but$", re.I)
_OF_ITS_OWN = ("negated", "conditional")
"""What is so of a sentence by its own words."""
_IF = re.compile(r"\bif\b", re.I)
_AND_IF = re.compile(r"(?:[,;]\s*(?:and|but|or)|[.;])\s+if\b", re.I)
"""Where what hangs on a condition begins, and what stands before it does not: `, and if he won't
talk`; of `I shoot, if he moves` all of it does."""


def kinds(hearing: Hearing) -> list[tuple[int, int, str]]:
    """The stretches of a text that name something in the scene."""
    tokens = hearing.typed.tokens
    found = []
    for mention in hearing.mentions:
        named = mention.best()
        kind = "way" if named.way else _KINDS.get(named.kind, "")
        if kind:
            found.append((tokens[mention.first].start, tokens[mention.last - 1].end, kind))
    return found


def heard_whole(text: str, heard: HeardText, listener: RulesListener, hear: Hear) -> HeardText:
    """What was heard, with acts for what was not: `I draw my knife` | `and stab Viktor`."""
    acts: list[HeardAct] = []
    for act in heard.acts:
        acts += _without_what_if(_by_itself(act, text, listener, hear), text, listener, hear)
    for start, end in _gaps(text, heard):
        stretch = text[start:end]
        if len(stretch.split()) < _FEWEST:
            continue
        if listener.begun(stretch).begins_a_deed:
            acts += _heard_at(start, end, text, listener, hear)
        else:
            acts = [_going_on(act, start, end, text) for act in acts]
    acts.sort(key=lambda act: act.start)
    return replace(heard, acts=tuple(acts))


def _going_on(act: HeardAct, start: int, end: int, text: str) -> HeardAct:
    """A free deed with what follows it in the same sentence and is no act of its own: `I put a
    coaster on my head` | `and salute the dragon`."""
    joined = act.end <= start and _JOIN.fullmatch(text[act.end : start]) is not None
    if not joined or best(act.families)[0] not in _FREE or _OTHERS.match(text[start:end]):
        return act
    return replace(act, end=end)


def _by_itself(act: HeardAct, text: str, listener: RulesListener, hear: Hear) -> HeardAct:
    """A sentence is denied, or hangs on something, by its own words, not by those of the one
    before: `I'm not going anywhere. I look at the calls`; so does what comes behind `but`."""
    before = text[: act.start].rstrip()
    begins = before[-1:] in _ENDS or bool(_BUT.search(before))
    doubted = max(act.flags[flag] for flag in _OF_ITS_OWN) >= HELD_BACK
    if not doubted or not begins or not act.start:
        return act
    alone = _heard_at(act.start, act.end, text, listener, hear)
    if len(alone) != 1:
        return act
    own = {flag: min(act.flags[flag], alone[0].flags[flag]) for flag in _OF_ITS_OWN}
    return replace(act, flags={**act.flags, **own})


def _without_what_if(
    act: HeardAct, text: str, listener: RulesListener, hear: Hear
) -> list[HeardAct]:
    """A deed that only seems to hang on a condition: `go there, and if he won't talk, come back` is
    a going. What is done if so is left for later."""
    turn = _AND_IF.search(text, act.start)
    if turn is None or act.flags["conditional"] < HELD_BACK or turn.start() > act.end:
        return [act]
    sentence = max(text.rfind(end, 0, act.start) for end in _ENDS) + 1
    if _IF.search(text[sentence : turn.start()]):
        return [act]
    before = _heard_at(act.start, turn.start(), text, listener, hear)
    return before if len(text[act.start : turn.start()].split()) >= _FEWEST and before else [act]


def _heard_at(
    start: int, end: int, text: str, listener: RulesListener, hear: Hear
) -> list[HeardAct]:
    """The acts of a stretch of the text, heard by itself."""
    stretch = text[start:end]
    heard = hear(stretch, tuple(kinds(listener.begun(stretch))))
    return [_moved(act, start) for act in heard.acts]


def _gaps(text: str, heard: HeardText) -> list[tuple[int, int]]:
    """The stretches between acts and after the last that go on from one: `and …`, `then …`."""
    found = []
    at = heard.acts[0].end if heard.acts else len(text)
    for act in heard.acts[1:]:
        found.append((at, act.start))
        at = max(at, act.end)
    found.append((at, len(text)))
    joined = [(_JOIN.match(text[start:end]), start, end) for start, end in found]
    return [(start + join.end(), end) for join, start, end in joined if join]


def _moved(act: HeardAct, by: int) -> HeardAct:
    spans = tuple(HeardSpan(s.role, s.start + by, s.end + by, s.sure) for s in act.spans)
    return replace(act, start=act.start + by, end=act.end + by, spans=spans)
