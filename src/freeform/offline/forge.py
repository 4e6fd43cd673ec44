"""The stages of the forge without a model: nothing is told anew, so its own filling stands."""

from freeform.core.chance import Chance
from freeform.forge.stages.records import (
    CastTold,
    ClocksTold,
    CluesTold,
    EndingsTold,
    OpeningTold,
    PremiseMarks,
    QuestionTold,
    SecretsTold,
    StageInput,
)


def premise(input: StageInput, chance: Chance) -> PremiseMarks:
    """No marks: the learned ear reads it."""
    return PremiseMarks()


def question(input: StageInput, chance: Chance) -> QuestionTold:
    """As it was filled."""
    return QuestionTold()


def cast(input: StageInput, chance: Chance) -> CastTold:
    """As it was filled."""
    return CastTold()


def secrets(input: StageInput, chance: Chance) -> SecretsTold:
    """As it was filled."""
    return SecretsTold()


def clues(input: StageInput, chance: Chance) -> CluesTold:
    """As it was filled."""
    return CluesTold()


def clocks(input: StageInput, chance: Chance) -> ClocksTold:
    """As it was filled."""
    return ClocksTold()


def endings(input: StageInput, chance: Chance) -> EndingsTold:
    """As it was filled."""
    return EndingsTold()


def opening(input: StageInput, chance: Chance) -> OpeningTold:
    """As it was filled."""
    return OpeningTold()
