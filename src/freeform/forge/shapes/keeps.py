"""Which stories leave what a premise says as it is."""

from collections.abc import Callable, Mapping

from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.middle import (
    has_come_back,
    is_taken,
    middle_of,
    prowler_of,
    somebody_vanished,
)
from freeform.forge.premise.nouns import YOU
from freeform.forge.premise.read import PremiseRead
from freeform.forge.shapes.happens import BOUT
from freeform.forge.shapes.load import story_shapes
from freeform.forge.shapes.model import StoryShape

LOSS = "missing"
"""The story of something that is gone."""
_OF_WHAT_IS_GONE = (LOSS, "priced", "held", "chase", "mystery")
"""Stories in which what the premise turns on may be out of reach from the first."""
_OF_WHO_IS_HERE = ("return", "hidden", "guise")
"""Stories of somebody who is there, whom the premise says nobody can find."""
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


def may_be_ones_own(shape: StoryShape, premise: PremiseRead) -> bool:
    """Whether a story of the player's own can be told: they tell it, and there is somebody of their
    own in it, with a name, or against them. A contest brings its own opponent."""
    if not shape.own:
        return True
    met = [noun for noun in premise.of("person") if not (noun.fate or noun.is_gone)]
    somebody = any(noun.owner == YOU or noun.is_name or noun.part == "foe" for noun in met)
    return premise.teller.is_own and (somebody or shape.id == BOUT)


def likely_of(shape: StoryShape, heard: Mapping[str, float]) -> float:
    """What the ear takes for likely; of a story of one's own that it was not taught, as likely as
    any."""
    unknown = 1 / len(story_shapes()) if shape.own else 0.0
    return heard.get(shape.instead_of or shape.id, unknown)
