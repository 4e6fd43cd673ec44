"""What a learned ear hears in a player's words: acts, families, flags, spans, and how sure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

WordNearness = Callable[[str, Sequence[str]], Sequence[float]]
"""How near a word is in meaning to each of others, from -1 to 1; 0 where that is not known."""
TextNearness = Callable[[str, tuple[str, ...]], Sequence[float]]
"""How near a text is in meaning to each of others, from -1 to 1; nothing where that cannot be
told. The others are remembered: the same ones come again with every question."""
FAMILIES = tuple(
    "talk ask persuade deceive threaten look search move take give use open_close unlock_break "
    "attack sneak_hide help_heal make_improvise wait_rest express ooc gm_question plan_only "
    "none".split()
)
"""What an act can be; `training/ear/FORMAT.md` says what each one means."""
FLAGS = ("negated", "conditional", "hypothetical", "asserts", "again", "correction")
ROLES = ("target", "item", "instrument", "destination", "topic", "speech")
KINDS = ("person", "thing", "place", "way")
"""What a stretch of the text can name of the scene."""


@dataclass(frozen=True, slots=True)
class HeardSpan:
    """A stretch of the text with its part in an act."""

    role: str
    start: int
    end: int
    sure: float


@dataclass(frozen=True, slots=True)
class HeardAct:
    """One thing done, said or asked: where it stands, and how likely it is what."""

    start: int
    end: int
    families: dict[str, float]
    """How likely each of the 23 is; they add up to 1."""
    flags: dict[str, float]
    spans: tuple[HeardSpan, ...]


@dataclass(frozen=True, slots=True)
class HeardText:
    """A whole input: its acts in order, and how likely any act in it has a family or a flag."""

    acts: tuple[HeardAct, ...]
    families: dict[str, float]
    flags: dict[str, float]


NOTHING_HEARD = HeardText(acts=(), families={}, flags={})
"""Where there is nothing to hear, or nothing to hear it with."""


KnowsWord = Callable[[str], bool]
"""Whether a word is one that everybody writes, so that it is no slip for another."""


class Ear(Protocol):
    """Hears what a player typed."""

    def hear(self, text: str, kinds: Sequence[tuple[int, int, str]] = ()) -> HeardText:
        """What is in the text; `kinds` are stretches that name something in the scene."""
        ...

    def knows(self, word: str) -> bool:
        """Whether a word is one that everybody writes."""
        ...


def nothing_near(word: str, among: Sequence[str]) -> Sequence[float]:
    """Where no words were learnt, a word is near to none."""
    return [0.0] * len(among)


def no_text_near(text: str, among: tuple[str, ...]) -> Sequence[float]:
    """Where nothing knows what texts mean."""
    return []
