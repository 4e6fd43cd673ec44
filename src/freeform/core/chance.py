"""Seeded chance.

No other randomness exists: a path of names gives the same numbers on every machine.
"""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from random import Random  # noqa: TID251 - the one place
from typing import TypeVar

T = TypeVar("T")


class Chance:
    """A stream of chance found by its seed and path, e.g. `Chance(7, "turn", 12, "dice")`."""

    def __init__(self, seed: int | str, *path: int | str) -> None:
        self._name = "/".join(map(str, (seed, *path)))

    @cached_property
    def _random(self) -> Random:
        """Made when it is first drawn from: many streams only lead to others."""
        digest = hashlib.sha256(self._name.encode()).digest()
        return Random(int.from_bytes(digest[:16], "big"))

    def at(self, *path: int | str) -> "Chance":
        """A fresh stream below this one; drawing from it does not disturb this one."""
        return Chance(self._name, *path)

    def die(self, sides: int) -> int:
        """One die, 1 to `sides`."""
        return self._random.randint(1, sides)

    def dice(self, count: int, sides: int) -> list[int]:
        """Several dice, in the order they fell."""
        return [self.die(sides) for _ in range(count)]

    def choose(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self._random.randrange(len(options))]

    def shuffled(self, options: Sequence[T]) -> list[T]:
        """The options in another order."""
        pool = list(options)
        if len(pool) > 1:  # to shuffle one draws nothing
            self._random.shuffle(pool)
        return pool

    def fraction(self) -> float:
        """A number from 0 up to, not including, 1."""
        return self._random.random()
