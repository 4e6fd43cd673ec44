"""A roll as it fell, with the parts of its numbers and where each comes from."""

from typing import Any

from pydantic import Field

from freeform.core.record import Record


def _is_empty(value: Any) -> bool:
    """What is not said is not written down: tapes of before read the same."""
    return not value


class RollPart(Record):
    """One of the numbers a roll is made of, and where it comes from: the sheet, a condition, a
    thing, the system."""

    label: str
    value: int
    source: str = ""


class Roll(Record):
    """Dice as they fell: `text` is how the table sees them, `2d6 (4,5) + 1 = 10 mixed`.

    What a roll of before had not is left out where it is empty, so that old evenings read the same.
    """

    action: str
    target_id: str = ""
    method: str
    dice: list[int]
    sides: int
    modifier: int = 0
    stat: str = ""
    difficulty: int | None = None
    total: int
    outcome: str
    text: str
    kind: str = Field(default="", exclude_if=_is_empty)
    """`attack`, `damage`, `save`, `initiative`, `dying` …; '' for a deed's own check."""
    by: str = Field(default="", exclude_if=_is_empty)
    """Whose roll it is; '' for the player's character."""
    parts: list[RollPart] = Field(default_factory=list, exclude_if=_is_empty)
    """What `modifier`, or the number of dice, is made of."""
    against: list[RollPart] = Field(default_factory=list, exclude_if=_is_empty)
    """What `difficulty` is made of, where it is someone's own number or roll."""
    kept: list[int] = Field(default_factory=list, exclude_if=_is_empty)
    """The dice that count, where not all do."""
    effect: str = Field(default="", exclude_if=_is_empty)
    """How much it does, where a system has levels of effect."""
