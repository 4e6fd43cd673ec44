"""How events are put as memories."""

import pytest

from freeform.players.memory.learning import as_ours, spoken, topic_of, wondering
from freeform.players.memory.wording import drift_name, simplify


@pytest.mark.parametrize(
    ("told", "ours"),
    [
        ("They find you.", "They find us."),
        ("You lose ten minutes, and your way.", "We lose ten minutes, and our way."),
        ("The corner is between you and everywhere.", "The corner is between us and everywhere."),
        ("When you stop it stops.", "When we stop it stops."),
        ("He wants that you should feel followed.", "He wants that we should feel followed."),
        (
            'She turns to you. "You look tired," she says.',
            'She turns to us. "You look tired," she says.',
        ),
    ],
)
def test_the_game_masters_you_is_the_partys_we_except_in_speech(told: str, ours: str) -> None:
    assert as_ours(told) == ours


def test_what_was_said_is_kept_without_its_stage_directions() -> None:
    assert (
        spoken('"By the side," he says, and turns. "Everyone knows."')
        == '"By the side. Everyone knows."'
    )
    assert spoken("He only nods.") == "He only nods."


def test_an_answer_is_of_somebody_by_name_or_of_nobody() -> None:
    things = {"city:jin": "Jin", "city:lusk": "Mr Lusk"}
    assert topic_of({"topic": "jin", "name": "Dutch"}, things) == "Jin"
    assert topic_of({"topic": "lusk", "name": "Mr Lusk"}, things) == "", (
        "nobody speaks of himself by name"
    )
    assert topic_of({"topic": "delivery", "name": "Dutch"}, things) == ""


def test_questions_of_the_story_read_as_questions() -> None:
    assert (
        wondering("What Agent Chen wants", "active") == "We began to wonder what Agent Chen wants."
    )
    assert (
        wondering("The missing courier", "resolved") == "We know now about “The missing courier”."
    )
    assert wondering("What Agent Chen wants", "dormant") == ""


def test_what_is_left_of_a_quote_is_that_something_was_said() -> None:
    assert simplify('Agent Chen said of Jin: "I should like to speak to him. Soon."', 1) == (
        "Agent Chen said something of Jin."
    )


def test_a_title_is_never_misspelt() -> None:
    assert all(drift_name("Nurse Orla", 2, u / 10).startswith("Nurse O") for u in range(10))
