"""Where nobody but the author speaks, the author's own limits are not asked about by meaning."""

from collections.abc import Sequence

from freeform.engine.table import Rules
from freeform.language.meaning.topics import TrustedTopics
from tests.engine.cellar import table


class Everything:
    """Finds that every sentence touches every topic, and keeps what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def touches(self, sentences: Sequence[str], topics: Sequence[str]) -> list[list[float]]:
        self.asked += topics
        return [[1.0] * len(topics) for _ in sentences]


def test_only_what_the_author_did_not_draw_is_asked() -> None:
    topics = Everything()
    trusted = TrustedTopics(topics, ["gore"])
    assert trusted.touches(["It rains."], ["gore", "rain"]) == [[0.0, 1.0]]
    assert trusted.touches(["It rains."], ["gore"]) == [[0.0]]
    assert topics.asked == ["rain"]


def test_a_line_of_the_tables_own_is_held_by_meaning_all_the_same() -> None:
    state, plain = table()
    own = plain.scenario.calibration.model_copy(update={"lines": ["gore"]})
    scenario = plain.scenario.model_copy(update={"calibration": own})
    agreed = own.model_copy(update={"lines": ["gore", "rain"]})
    begun = plain.begun.model_copy(update={"calibration": agreed, "scenario": scenario})
    topics = Everything()
    limits = Rules.of(begun, topics).trusting_author().limits(state)
    assert limits.verdict("Nothing falls from the sky.").limit == "rain"
    assert topics.asked == ["rain"]
