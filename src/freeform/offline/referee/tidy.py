"""What was heard of one turn, tidied: one look for two, a short pause on the way, no colour."""

import re

from freeform.engine.world.model import ProposedAction
from freeform.engine.world.names import words
from freeform.language.words import word_class
from freeform.offline.referee.families import LOOKS

_PAUSE = 2
"""Minutes of a pause that is not said to be longer."""
_PLAINLY = 0.9
"""How sure a going must be to lead to what nobody here knows."""
_NUMBER = re.compile(r"\d|\b(?:hours?|minutes?)\b", re.I)


def without_lingering(actions: list[ProposedAction]) -> list[ProposedAction]:
    """A pause on the way to something else is a short one: `she stood a while, and asked`."""
    if len(actions) < 2:
        return actions
    made = []
    for action in actions:
        short = min(action.estimated_minutes, _PAUSE)
        pausing = action.action == "wait" and not _NUMBER.search(action.details)
        made.append(action.model_copy(update={"estimated_minutes": short}) if pausing else action)
    return made


def once_each(actions: list[ProposedAction]) -> list[ProposedAction]:
    """Looking at the door and running a finger along it is one look."""
    kept: list[ProposedAction] = []
    for action in actions:
        before = kept[-1] if kept else None
        if before is not None and _looks_on(before, action):
            kept[-1] = before.model_copy(update={"details": f"{before.details} {action.details}"})
        else:
            kept.append(action)
    return kept


def _looks_on(before: ProposedAction, action: ProposedAction) -> bool:
    looks = before.action in LOOKS and action.action in LOOKS
    held = "inventory" in (before.details, action.details)  # what one carries is nothing out there
    return looks and not held and before.target_id == action.target_id


def heard_there(actions: list[ProposedAction]) -> list[ProposedAction]:
    """Words after a going go to whoever is there: `go to the mill and call through the door`."""
    gone = False
    made = []
    for action in actions:
        made.append(action.model_copy(update={"called_to": ""}) if gone else action)
        gone = gone or (action.action == "move" and bool(action.target_id or action.details))
    return made


def without_poses(actions: list[ProposedAction]) -> list[ProposedAction]:
    """Beside deeds, words and questions, a pose or a held-back deed is only colour; so is a going
    that says nothing of where to."""
    telling = [one for one in actions if one.family not in ("express", "plan_only", "none")]
    arriving = [one for one in telling if one.action != "move" or _leads_somewhere(one)]
    return arriving or telling or actions[:1]


def _leads_somewhere(going: ProposedAction) -> bool:
    """To something in sight, or plainly to what has a name: `go to the night market and ask`; who
    steps closer stays."""
    said = going.details.split()
    marked = any(word.lower() in word_class("determiners") or word[0].isupper() for word in said)
    named = marked and bool(words(going.details)) and going.confidence >= _PLAINLY
    return bool(going.target_id) or named
