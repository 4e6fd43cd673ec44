"""A question that names something of a world asks that world's pack too."""

from pathlib import Path

import pytest

from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.assistant.rulebook.worlds import names_in
from tests.apps.program import Home

ROWS = [
    RulebookRow("a", "w", "The Neon Dragon", "location", "", "a.md"),
    RulebookRow("b", "w", "Viktor", "npc", "", "b.md", aliases=["the barkeep"]),
    RulebookRow("c", "w", "Lead", "item", "", "c.md"),
    RulebookRow("d", "w", "The Sleeper", "npc", "", "d.md", gm_only=True),
]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("who owns the neon dragon?", {"neon dragon"}),
        ("What is Viktor's price?", {"viktor"}),
        ("is viktor a verb", set()),
        ("Who will Lead us?", set()),
        ("How much does a dragon cost?", set()),
        ("Where is The Sleeper", set()),
        ("Ask the barkeep", set[str]()),
    ],
)
def test_names_are_heard_whole_and_single_words_by_their_capital(
    question: str, names: set[str]
) -> None:
    assert names_in(question, ROWS) == names
    assert "sleeper" in names_in("Where is The Sleeper", ROWS, gm=True)


def test_the_bundled_world_answers_without_being_named(tmp_path: Path) -> None:
    told = Home(tmp_path / "home").json("ask", "Who owns the Neon Dragon?")
    assert "Viktor owns the Neon Dragon" in told["answer"]
    assert any("neo_seattle" in source["where"] for source in told["sources"])
