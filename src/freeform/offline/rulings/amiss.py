"""Deeds that were heard as a look, as words or as a going, though their own words say that they
change something: the reader of outcomes speaks against the hearing, and costs nobody anything."""

from collections.abc import Sequence
from typing import Any

from freeform.engine.minds.terms import terms_of
from freeform.engine.world.model import ProposedAction
from freeform.language.meaning.outcome import OutcomeEar
from freeform.language.meaning.sense import Sense
from freeform.offline.referee.families import LOOKS, SPEECH
from freeform.offline.rulings.clause import DeedClause
from freeform.offline.rulings.outcome import ReadDeed
from freeform.offline.rulings.subjects import Sight

_ASKED = "?"
_HANDED = frozenset({"give", "show"})
_GONE = frozenset({"move"})
_OF_THEIR_OWN = frozenset({"move", "follow", "flee", "wait", "attack", "steal"})
"""What has rules of its own, so that they knew what they did when they heard a look in it: `go to
the gatehouse`, said in the gatehouse."""
_AMISS = LOOKS | SPEECH | _HANDED | _GONE
"""What a deed may be heard as that is none of them."""
_SHORT = 3
"""Words of what plainly names one thing: `the red coffin`."""
_GESTURES = frozenset({"improvise", "express"})
_NAMED = 0.5
"""From how likely a change of something that is named a deed is more than a gesture."""
_NO_PROMISE, _PLAINLY = ("accuse", "ask", "request"), 0.6
"""What gives no promise, and how likely words must be such."""


def heard_amiss(acts: Sequence[ProposedAction], read: ReadDeed) -> list[ProposedAction]:
    """The deed in place of the acts, where its words plainly change something and begin with no
    verb of what was heard; else none. Nobody is asked, rolls or goes anywhere by it."""
    heard = frozenset(act.action for act in acts)
    others = _kin(heard) - _GONE if heard & _GONE else _kin(heard) | _OF_THEIR_OWN
    if not (read.begins_with_none_of(others) and read.is_plainly_a_change and read.can_be_told):
        return []
    given = read.ruling()
    if given and given.get("needs_roll"):
        return []
    linked = heard & _HANDED or any(act.target_id for act in acts)
    if (given is None and linked) or (heard & _GONE and not read.gets_somewhere):
        return []  # where nothing becomes so, what was heard of something in sight is as good
    deed: dict[str, Any] = {"action": "improvise", "family": "use", "details": read.text}
    return [ProposedAction.model_validate({**deed, "ruling": given, "confidence": read.sure})]


def may_be_amiss(acts: Sequence[ProposedAction], text: str) -> bool:
    """Whether it is worth reading: nothing is asked, and all of it may be a deed after all."""
    called = any(act.by for act in acts)
    return bool(acts) and not called and _ASKED not in text and all(map(_is_amiss, acts))


def is_of_another_thing(act: ProposedAction, read: ReadDeed) -> bool:
    """Whether a plain change was heard as the use of what is no tool of one's own, or is not named,
    or as the taking of what nobody can carry off: `light every candle`, a satchel at hand."""
    used = act.action == "use" and bool(act.target_id) and not read.may_use(act.target_id)
    taken = act.action == "take" and not act.target_id and not read.takes
    return (used or taken) and read.is_plainly_a_change and not (act.deed or act.ruling)


def said_to_a_thing(acts: Sequence[ProposedAction], text: str) -> list[ProposedAction]:
    """Words for what is nobody here are a gesture: of `I apologise to the dog`, the dog is not what
    was said."""
    if len(acts) != 1 or acts[0].action not in SPEECH or acts[0].target_id or acts[0].ruling:
        return []
    if not acts[0].details:
        return []
    before, found, after = text.partition(acts[0].details)
    said_to = before.lower().split()[-1:] in (["to"], ["at"])
    if not (found and said_to) or after.strip(" .!"):
        return []
    made = {"action": "improvise", "family": "use", "details": text}
    return [acts[0].model_copy(update=made)]


def opened_nothing(act: ProposedAction, clauses: Sequence[DeedClause]) -> ProposedAction:
    """Who opens `the coffin` where none is in sight, and none was told of, opens nothing: the rules
    say so. What is one's own, or any, may be there."""
    free = act.action == "improvise" and act.family == "open_close"
    if not free or act.target_id or act.ruling or len(clauses) != 1:
        return act
    named = clauses[0].object
    said = clauses[0].words(named) if named else ""
    opens = clauses[0].hearing.typed.text.lower().removeprefix("i ").startswith(("open ", "shut "))
    short = said.lower().startswith("the ") and len(said.split()) <= _SHORT
    if not (opens and short) or Sight(clauses[0]).of(named) is not None:
        return act
    return act.model_copy(update={"action": "open", "details": said})


def _kin(heard: frozenset[str]) -> frozenset[str]:
    """What was heard, and what is of a kind with it: who says that they search does not look."""
    return heard.union(*(group for group in (SPEECH, LOOKS) if heard & group))


def _is_amiss(act: ProposedAction) -> bool:
    """Whether it was heard as something that may be a deed; a going that has a way is none."""
    goes = act.action in _GONE and bool(act.target_id)
    return act.action in _AMISS and not (act.deed or act.ruling or goes)


def may_promise(text: str, ear: OutcomeEar) -> bool:
    """`I read your letters, the game is up` accuses, whatever else is heard in it."""
    vectors = ear.vectors([text]) if isinstance(ear, Sense) else []
    if not vectors or not isinstance(ear, Sense):
        return True
    kinds = ear.told_as(text, vectors[0])
    if kinds.get("offer", 0.0) >= _PLAINLY and terms_of(text).theirs:
        return False  # it hangs on what the other does
    return all(kinds.get(kind, 0.0) < _PLAINLY for kind in _NO_PROMISE)


def without_gestures(acts: list[ProposedAction], ear: OutcomeEar) -> list[ProposedAction]:
    """The acts without gestures, where something else was meant beside them."""
    if len(acts) < 2:
        return acts
    return [act for act in acts if not _is_gesture(act, ear)] or acts


def _is_gesture(act: ProposedAction, ear: OutcomeEar) -> bool:
    """A free deed to nobody and nothing here, of whose words nothing named comes out changed."""
    if act.action not in _GESTURES or act.target_id or act.deed or act.called_to:
        return False
    if act.ruling or act.family == "make_improvise":
        return False  # something comes of it
    subjects = ear.read_outcome(act.details).subjects
    return bool(subjects) and subjects["named"] < _NAMED
