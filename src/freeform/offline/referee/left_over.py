"""What the ear passed over: a stretch of deeds that it took for no act, heard by itself."""

import re
from dataclasses import replace

from freeform.language.ear import HeardAct, HeardSpan, HeardText
from freeform.offline.interpreter.build import RulesListener
from freeform.offline.referee.hear import Hear, kinds

_JOIN = re.compile(r"^[\s,]*(?:\b(?:and|then|n)\b[\s,]*)+", re.I)
_FEWEST = 2
"""Words of a stretch that may hold a deed: `stab Viktor`."""


def heard_whole(text: str, heard: HeardText, listener: RulesListener, hear: Hear) -> HeardText:
    """What was heard, with acts for what was not: `I draw my knife` | `and stab Viktor`."""
    acts = list(heard.acts)
    for start, end in _gaps(text, heard):
        stretch = text[start:end]
        if len(stretch.split()) < _FEWEST or not listener.begun(stretch).begins_a_deed:
            continue
        named = kinds(listener.begun(stretch))
        acts += [_moved(act, start) for act in hear(stretch, tuple(named)).acts]
    acts.sort(key=lambda act: act.start)
    return replace(heard, acts=tuple(acts))


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
