"""What a learned reader finds in passages: whether each answers a question, and in which words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class PlacedText:
    """A text, and what it stands under."""

    text: str
    place: str = ""


@dataclass(frozen=True, slots=True)
class PassageRead:
    """How well a passage answers, and the stretches of it that do, in order."""

    score: float
    """About 0 where it may or may not; each one more makes it a little likelier."""
    chance: float
    """How likely it answers, if it is the best of many."""
    spans: tuple[tuple[int, int], ...] = ()


class Reader(Protocol):
    """Reads passages for the answer to a question."""

    def read(self, question: str, passages: Sequence[PlacedText]) -> list[PassageRead]:
        """What each passage says to it; nothing where it cannot read."""
        ...


class _NoReader:
    """Where there is nothing to read with."""

    def read(self, question: str, passages: Sequence[PlacedText]) -> list[PassageRead]:
        """Nothing."""
        return []


no_reader = _NoReader()
