"""A refusal is shown in its own words, though they speak of a thing that is not there."""

from freeform.engine.canon.happened import Happened
from freeform.engine.world.model import BlockedAction


def test_a_refusals_own_words_are_told_and_no_others() -> None:
    reason = "You have no mop handle; you carry a flask of tea."
    happened = Happened(blocked=[BlockedAction(action="close", reason=reason)])
    assert happened.tells("You have no mop handle; you carry a flask of tea.")
    assert not happened.tells("You have the mop handle.")
