"""Who goes along with whoever leaves, as the learned ear hears it. Each is far from where it is unsure."""

import pytest

from freeform.engine.story.seen import along_ear
from freeform.language.meaning.along import nobody_tells, who_goes
from freeform.wiring.ear import sense

OTHERS = {"will": "Will May", "rose": "Rose Hunter"}
PLACES = ("the market", "Kettle Row", "the harbour")
ALL = frozenset(OTHERS)
ROSE, NOBODY = frozenset({"rose"}), frozenset[str]()


@pytest.mark.parametrize(
    ("text", "along"),
    [
        ("let's all go to Kettle Row", ALL),
        ("The whole crew heads for the harbour", ALL),
        ("nous partons pour Kettle Row", ALL),
        ("Rose and I ride to the market", ROSE),
        ("I bring Rose to the market", ROSE),
        ("I leave everyone behind and go to Kettle Row", NOBODY),
        ("The party is loud. I go to Kettle Row", NOBODY),
        ("We had a fine meal. I go to the market", NOBODY),
        ("I leave Rose and go to the market", NOBODY),
        ("I will go to the market", NOBODY),
        ("I may go to the Rose Garden", NOBODY),
        ("I don't take Rose; I go to the market alone", NOBODY),
        ("I take Rose's hat and go to the market", NOBODY),
        ("je vais au market", NOBODY),
    ],
)
def test_only_whom_the_deed_takes_goes_along(text: str, along: frozenset[str]) -> None:
    assert who_goes(text, OTHERS, PLACES, along_ear(sense())).taken == along


@pytest.mark.parametrize("other", ["Casey", "Robin", "Robin Casey"])
def test_whatever_the_others_are_called_only_who_is_named_goes_along(other: str) -> None:
    text = "I bring Rose to the market"
    for names in ({"rose": "Rose", "other": other}, {"other": other, "rose": "Rose"}):
        assert who_goes(text, names, PLACES, along_ear(sense())).taken == ROSE
    stranger = who_goes(
        f"I bring {other} to the market", {"rose": "Rose"}, PLACES, along_ear(sense())
    )
    assert stranger.taken == NOBODY


def test_nobody_goes_along_where_there_is_no_ear_and_who_is_named_is_left() -> None:
    said = who_goes("Rose and I ride to the market", OTHERS, PLACES, nobody_tells)
    assert (said.taken, said.left) == (NOBODY, ROSE)
