"""A word of a limit in another sense may be typed, and needs no veil; a line's is never shown."""

from collections.abc import Sequence

import pytest

from freeform.engine.rules.safety import SafetyLimits

NAMED = "The joke is killing them."


class Saying:
    """Says the same chance of every sentence and topic."""

    def __init__(self, chance: float) -> None:
        self._chance = chance

    def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
        return [[self._chance] * len(topics) for _ in sentences]


@pytest.mark.parametrize(
    ("chance", "typed"), [(0.01, True), (0.5, False), (0.99, False), (0.0, False)]
)
def test_a_word_decides_unless_its_sense_is_plainly_another(chance: float, typed: bool) -> None:
    limits = SafetyLimits(["killing"], [], topics=Saying(chance))
    assert (limits.crossed(NAMED) == "") == typed
    assert not limits.allows(NAMED), "its own word never crosses a line"


def test_a_veil_is_lifted_from_another_sense_alike() -> None:
    assert SafetyLimits([], ["killing"], topics=Saying(0.01)).allow(NAMED) == NAMED
    assert SafetyLimits([], ["killing"], topics=Saying(0.5)).verdict(NAMED).fate == "veil"
