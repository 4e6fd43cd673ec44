"""Which stories leave what a premise says as it is."""

import re
from collections.abc import Callable, Mapping

from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.middle import (
    has_come_back,
    is_taken,
    middle_of,
    opponent_of,
    prowler_of,
    somebody_vanished,
)
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.choose import says_one
from freeform.forge.shapes.happens import BOUT, CONTEST, is_plainly_own
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.model import StoryShape

LOSS = "missing"
"""The story of something that is gone."""
_OF_WHAT_IS_GONE = (LOSS, "priced", "held", "chase", "mystery")
"""Stories in which what the premise turns on may be out of reach from the first."""
_OF_WHO_IS_HERE = ("return", "hidden", "guise")
"""Stories of somebody who is there, whom the premise says nobody can find."""
_OF_THE_LIVING = (CONTEST, BOUT, "farce")
"""Stories that are none where somebody was killed."""
_ASSERTED: dict[str, Callable[[PremiseRead], object]] = {
    "return": has_come_back,
    LOSS: is_taken,
    "prowl": prowler_of,
}
"""What a premise must say for a story that asserts it."""


def tells_what_is_so(id: str, premise: PremiseRead) -> bool:
    """Whether a story leaves what the premise says is gone as gone as it is: what was stolen is
    not read, tried or knocked at, and nobody who is missing is talked round."""
    middle = middle_of(premise)
    if middle is not None and middle.fate == MISSING:
        return id in _OF_WHAT_IS_GONE or (id == "beast" and middle.nature == "creature")
    if somebody_vanished(premise):
        return id not in _OF_WHO_IS_HERE
    return id not in _ASSERTED or bool(_ASSERTED[id](premise))


def may_be_told(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether the premise is for such a story: no contest and no comedy where it is about a death.
    One of the player's own can be told where they tell it, the ear hears it plainly, and there is
    somebody of their own in it, with a name, or against them. A contest brings its own opponent.
    Whoever is only named by what is theirs (`my sister's voice`) is not there."""
    if shape.id in _OF_THE_LIVING and _is_about_a_death(premise):
        return False
    if not shape.own:
        return True
    if not is_plainly_own(shape, premise):
        return False
    met = [noun for noun in premise.of("person") if not (noun.fate or noun.is_gone)]
    met = [noun for noun in met if _is_there(noun, premise.text)]
    somebody = any(
        noun.owner == YOU or noun.is_name or noun.part == "foe" or noun.is_fellow for noun in met
    )
    return premise.is_players and (somebody or shape.id == BOUT)


def _is_there(noun: PremiseNoun, text: str) -> bool:
    said = rf"\b{re.escape(noun.text)}\b(?!['’]s? [a-z])"
    return re.search(said, text, re.IGNORECASE) is not None


def _is_about_a_death(premise: PremiseRead) -> bool:
    """Whether somebody was killed, and that is what it is about: nobody to face is named."""
    if opponent_of(premise) is not None:
        return False
    dead = any(noun.is_gone for noun in premise.of("person"))
    return dead or says_one(premise.text, story_shapes()["mystery"].killing)


def likely_of(shape: StoryShape, heard: Mapping[str, float]) -> float:
    """What the ear takes for likely; of a story of one's own that it was not taught, as likely as
    any."""
    unknown = 1 / len(story_shapes()) if shape.own else 0.0
    return heard.get(shape.instead_of or shape.id, unknown)
