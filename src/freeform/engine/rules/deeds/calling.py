"""Words to somebody who is elsewhere, by a thing that reaches far: they answer from their mind as
they would face to face, or nobody does."""

from typing import Any

from freeform.engine.rules.deeds.attempt import Attempt
from freeform.engine.rules.deeds.reacting import greets
from freeform.engine.rules.deeds.talking import converse
from freeform.engine.rules.wishes.far import answers
from freeform.engine.world.model import EngineEvent

VOICE, WRITTEN = "voice", "written"


def call(attempt: Attempt) -> str:
    """Calls them, says or asks it, and hears or reads what they answer."""
    page, action = attempt.page, attempt.action
    who, how = action.target_id, WRITTEN if action.in_writing else VOICE
    about: dict[str, Any] = {
        "npc": who,
        "name": attempt.name,
        "thing": page.state.name(action.by),
        "how": how,
    }
    asks, answered = action.action == "ask", answers(who, page.state)
    said = {"asks": asks, "words": action.details, "answered": answered}
    page.happen("called", ("speech",), **about, **said)
    if not answered:
        page.happen("no_reply", **about)
        return ""
    if greets(attempt, action.details.strip()):
        page.happen("picked_up", **about)
        return ""
    first = len(page.events)
    converse(attempt)
    page.events[first:] = [_from_afar(event, who, how) for event in page.events[first:]]
    return ""


def _from_afar(event: EngineEvent, who: str, how: str) -> EngineEvent:
    """The same; of what they say it is kept that nobody sees them say it."""
    if event.details.get("npc") != who:
        return event
    return event.model_copy(update={"details": {**event.details, "far": how}})
