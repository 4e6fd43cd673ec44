"""What is done in passing: beside what was meant, a gesture that changes nobody but its doer is
colour, `I pull my hood up and limp off to the library`."""

from freeform.engine.world.model import ProposedAction
from freeform.language.meaning.outcome import OutcomeEar

_GESTURES = frozenset({"improvise", "express"})
_NAMED = 0.5
"""From how likely a change of something that is named a deed is more than a gesture."""


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
