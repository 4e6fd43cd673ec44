"""Several act at once: one sentence says who means to do what, and what comes of each deed is told
under its doer's name, as one telling."""

import re
from typing import Any

from freeform.core.text import shorten
from freeform.engine.story.together import TAKES_PART
from freeform.language.sentences import sentences
from freeform.offline.narrator.draft import Draft
from freeform.players.mind.deeds import as_deed

LONGEST = 90
_OWN = {"my": "their", "mine": "theirs", "me": "them", "myself": "themselves"}
_FIRST = re.compile(r"\b(my|mine|me|myself)\b", re.I)
_WILL = re.compile(
    r"^(?:i'll|i will|i'd like to|i would like to|i'm going to|i am going to|let me)\s", re.I
)
_ALL = re.compile(r"^(?:we all|we both|we|let us|let's|lets)(?: together)?\s", re.I)
"""Who leads the others means to do it, whoever comes along."""
_QUOTES = "\"“'‘«"


def parts(t: Draft) -> int:
    """How many act in this turn, where several do; else 0."""
    return sum(event.type == TAKES_PART for event in t.input.engine_events)


def opening(t: Draft) -> None:
    """Who means to do what, in one sentence."""
    rows = [event.details for event in t.input.engine_events if event.type == TAKES_PART]
    wishes = [
        f"{row.get('name', '')} {'means ' if n == 0 else ''}to {_wish(row)}"
        for n, row in enumerate(rows)
    ]
    last = f"{',' if wishes[2:] else ''} and {wishes[-1]}" if wishes[1:] else ""
    t.add(", ".join(wishes[:-1] if wishes[1:] else wishes) + last, breaks=True)


def takes_part(t: Draft, details: dict[str, Any]) -> None:
    """Whose deed comes next; and why it could not be done, if it could not."""
    is_first = next(e.details for e in t.input.engine_events if e.type == TAKES_PART) is details
    name = str(details.get("name"))
    lead = t.lines.say("part_first" if is_first else "part_next", name=name)
    t.turn_to(lead, str(details.get("deed")))
    for reason in details.get("refused", []):
        t.add(str(reason))


def _wish(row: dict[str, Any]) -> str:
    """What somebody typed, to stand behind `to`."""
    typed = " ".join(str(row.get("deed", "")).split())
    if typed[:1] in _QUOTES:
        return f"say {shorten(typed, LONGEST)}"
    if typed.endswith("?"):
        return f"ask: {shorten(typed, LONGEST)}"
    first = (sentences(typed) or [typed])[0]
    deed = as_deed(_ALL.sub("I ", _WILL.sub("I ", first.replace("’", "'")))).rstrip(" .!")
    deed = _FIRST.sub(lambda found: _OWN[found[1].lower()], deed)
    return shorten(deed[:1].lower() + deed[1:], LONGEST)
