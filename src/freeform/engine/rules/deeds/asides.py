"""What is shown, felt or meant for later: received by whoever is there, and free."""

from freeform.engine.rules.deeds.attempt import Attempt, present_people
from freeform.engine.rulings.lasting import remember_deed

_MORE_THAN_A_POSE = 4
"""Words from which on a gesture is kept as something one did here."""


def express(attempt: Attempt) -> str:
    """A gesture, a feeling, a pose, a joke: someone may notice."""
    page, action = attempt.page, attempt.action
    watching = [action.target_id] if action.target_id else present_people(page)
    noticed = [
        page.state.name(who) for who in watching if who in page.state.scene.present_entity_ids
    ]
    page.happen(
        "gestured",
        ("free",),
        details=action.details,
        target=action.target_id,
        name=noticed[0] if noticed else "",
    )
    if len(action.details.split()) >= _MORE_THAN_A_POSE:
        remember_deed(action.details, page)
    return ""


def plan(attempt: Attempt) -> str:
    """Something for later, or not to be done: nothing happens, and it is understood."""
    attempt.page.happen("planned", ("free",), details=attempt.action.details)
    return ""
