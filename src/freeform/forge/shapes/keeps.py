"""Which stories leave what a premise says as it is."""

from collections.abc import Callable

from freeform.forge.premise.fates import MISSING
from freeform.forge.premise.middle import (
    has_come_back,
    is_taken,
    middle_of,
    prowler_of,
    somebody_vanished,
)
from freeform.forge.premise.read import PremiseRead

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
