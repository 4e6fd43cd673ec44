"""A word of a limit that stands in another sense is shown; where nothing is known, words decide."""

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
    ("chance", "shown"), [(0.01, True), (0.5, False), (0.99, False), (0.0, False)]
)
def test_a_word_decides_unless_its_sense_is_plainly_another(chance: float, shown: bool) -> None:
    limits = SafetyLimits(["killing"], [], topics=Saying(chance))
    assert limits.allows(NAMED) == shown
    assert (limits.crossed(NAMED) == "") == shown


def test_a_veil_is_lifted_from_another_sense_alike() -> None:
    assert SafetyLimits([], ["killing"], topics=Saying(0.01)).allow(NAMED) == NAMED
    assert SafetyLimits([], ["killing"], topics=Saying(0.5)).verdict(NAMED).fate == "veil"


def test_a_line_that_is_meant_cuts_beside_one_that_is_not() -> None:
    class Apart:
        def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
            return [[0.01 if topic == "killing" else 0.99 for topic in topics] for _ in sentences]

    limits = SafetyLimits(["killing", "mockery"], [], topics=Apart())
    assert limits.verdict(NAMED) == ("cut", "mockery", "meaning")
