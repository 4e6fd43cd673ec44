"""Dice that always fall one way: a play-through at best, at worst, or in the middle."""

from collections.abc import Sequence
from typing import Literal, TypeVar

from freeform.core.chance import Chance
from freeform.engine.authored.system import Method

T = TypeVar("T")
Luck = Literal["best", "middling", "worst"]
_LOW_WINS: frozenset[Method] = frozenset({"roll_under"})


class LoadedDice(Chance):
    """A chance without surprise; of several lines the first is told."""

    def __init__(self, luck: Luck, method: Method) -> None:
        super().__init__(0, "proof", luck)
        self._luck: Luck = luck
        self._method: Method = method

    def at(self, *path: int | str) -> "LoadedDice":
        """What foes throw falls the other way."""
        if "foe" not in path and "parting" not in path:
            return self
        turned: dict[Luck, Luck] = {"best": "worst", "worst": "best", "middling": "middling"}
        return LoadedDice(turned[self._luck], self._method)

    def die(self, sides: int) -> int:
        if self._luck == "middling":
            return (sides + 1) // 2
        high = (self._luck == "best") != (self._method in _LOW_WINS)
        return sides if high else 1

    def dice(self, count: int, sides: int) -> list[int]:
        """In the middle, every other die falls one higher, so that two d6 make seven."""
        thrown = [self.die(sides) for _ in range(count)]
        if self._luck == "middling":
            return [die + number % 2 for number, die in enumerate(thrown)]
        return thrown

    def choose(self, options: Sequence[T]) -> T:
        return options[0]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        return list(options)

    def fraction(self) -> float:
        return {"best": 0.0, "middling": 0.5, "worst": 0.999}[self._luck]
