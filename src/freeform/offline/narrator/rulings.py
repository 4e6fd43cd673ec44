"""Telling what a ruling came to, and what has become of people and things since."""

from typing import Any

from freeform.offline.narrator.draft import Draft
from freeform.offline.narrator.pressure import outcome
from freeform.offline.rulings.bold import bold_kinds
from freeform.offline.rulings.state_sentences import is_worth_seeing

Details = dict[str, Any]
RULED = "ruled"
"""A ruling's own sentence has said what it brought."""


def ruled(t: Draft, d: Details) -> None:
    """How a deed went, in the ruling's own sentence; in the words of its kind where it has none."""
    if t.text_of(d):
        t.add(t.text_of(d), breaks=t.breaks_before_outcome())
        t.quieted.add(RULED)
    else:
        outcome(t, {**d, "action": "improvise"})


def unruled(t: Draft, d: Details) -> None:
    """What a ruling would have brought does not come about; the reason is a game master's."""
    t.line("unruled", str(d.get("reading", "")))


def _so(t: Draft, d: Details) -> None:
    """What became so, unless this turn has said it."""
    text = t.text_of(d)
    if text and RULED not in t.quieted and not t.covers(text):
        t.add(text)


def became(t: Draft, d: Details) -> None:
    """Someone or something is in a condition."""
    _so(t, d)


def ceased(t: Draft, d: Details) -> None:
    """Someone or something is in it no longer; what was done to a place has its own words."""
    _so(t, d)
    over = [
        line
        for kind in bold_kinds().values()
        if kind.get("condition") == d.get("condition") and not t.text_of(d)
        for line in kind.get("over", ())
        if "{" not in line
    ]
    t.add(over[0], breaks=True) if over else None


def placed(t: Draft, d: Details) -> None:
    """A thing lies somewhere."""
    _so(t, d)


def joined(t: Draft, d: Details) -> None:
    """Someone comes along."""
    _so(t, d)


def parted(t: Draft, d: Details) -> None:
    """Someone stays behind."""
    _so(t, d)


def promised(t: Draft, d: Details) -> None:
    """A word was given."""
    _so(t, d)


def promise_kept(t: Draft, d: Details) -> None:
    """A word was kept."""
    t.line("promise_kept", str(d.get("id", "")), breaks=True, text=t.text_of(d))


def promise_broken(t: Draft, d: Details) -> None:
    """A word was not kept."""
    t.line("promise_broken", str(d.get("id", "")), breaks=True, text=t.text_of(d))


def conditions_seen(t: Draft, d: Details) -> None:
    """What has become of what one looks at, unless it was told lately."""
    became = {e.details.get("text") for e in t.input.engine_events if e.type == "became"}
    for text in map(str, d.get("texts") or []):
        said = text in became or t.covers(text) or t.told(text)
        if not said and is_worth_seeing(text):
            t.add(text)


TOLD = (
    ruled,
    unruled,
    became,
    ceased,
    placed,
    joined,
    parted,
    promised,
    promise_kept,
    promise_broken,
    conditions_seen,
)
"""The events of this page."""
