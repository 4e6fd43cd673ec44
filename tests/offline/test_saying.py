"""What is said of a state: what one sees, and no verb handed back."""

import pytest

from freeform.core.chance import Chance
from freeform.offline.rulings.state_sentences import is_worth_seeing, seen
from freeform.offline.rulings.subjects import Sighted

BOLT = Sighted("scenery", "t:taproom/bolt", "bolt")
ORLA = Sighted("person", "t:orla", "Orla")
ME = Sighted("own", "player", "you")


def said(subject: Sighted, state: str, told: str) -> str:
    return seen(subject, [state], told, Chance("x"))


def test_the_deeds_own_verb_is_not_handed_back() -> None:
    assert said(BOLT, "slid", "You slide the bolt.") == ""


def test_what_the_deed_does_not_say_is_said() -> None:
    assert said(BOLT, "wet", "You spill your beer over the bolt.") == "The bolt is wet."


def test_nothing_is_said_of_oneself_beside_the_deed() -> None:
    assert said(ME, "kneeling", "You kneel by the hearth.") == ""


def test_where_no_deed_can_be_told_the_state_is() -> None:
    assert said(ME, "kneeling", "") == "You are kneeling."


def test_what_a_deed_was_for_is_said_when_it_came_about() -> None:
    told = "You reach in to stop the clock with your finger."
    assert said(Sighted("thing", "c", "clock"), "stopped", told).startswith("The clock stops")


def test_a_persons_state_is_what_one_sees_of_them() -> None:
    told = said(ORLA, "comforted", "You hum an old song.")
    assert "Orla" in told and "comforted" not in told


@pytest.mark.parametrize(
    ("text", "worth"),
    [
        ("The microfilm reader is fed.", False),
        ("The bolt is slid.", False),
        ("The door is blocked with a stool.", True),
        ("The frame is broken.", True),
        ("The hearth is wet.", True),
    ],
)
def test_a_later_look_tells_what_one_can_see(text: str, worth: bool) -> None:
    assert is_worth_seeing(text) is worth
