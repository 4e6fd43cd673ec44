"""Who goes along with whoever leaves, by the words of the deed."""

import pytest

from freeform.language.meaning.along import who_goes

OTHERS = {"will": "Will May", "rose": "Rose Hunter"}
ALL = frozenset(OTHERS)
WILL, ROSE, NOBODY = frozenset({"will"}), frozenset({"rose"}), frozenset[str]()


@pytest.mark.parametrize(
    ("text", "along"),
    [
        ("let's all go to Kettle Row", ALL),
        ("Together we walk to the market", ALL),
        ("The whole crew heads for the harbour", ALL),
        ("I lead the others to the market", ALL),
        ("I go to the market with Rose and Will", ALL),
        ("Rose and I ride to the market", ROSE),
        ("I take Will to the market", WILL),
        ("We go to the market without Rose", WILL),
        ("I go to the market, Rose comes with me", ROSE),
        ("I leave everyone behind and go to Kettle Row", NOBODY),
        ("The party is loud. I go to Kettle Row", NOBODY),
        ("I go without Will", NOBODY),
        ("I leave Rose and go to the market", NOBODY),
        ("I will go to the market", NOBODY),
        ("I may go to the Rose Garden", NOBODY),
        ("I talk with Rose, then I go to the market", NOBODY),
        ("I don't take Rose; I go to the market alone", NOBODY),
        ("While we rest, I steal away to the market", NOBODY),
        ("I take Rose's hand and go to the market", NOBODY),
    ],
)
def test_only_whom_the_deed_takes_goes_along(text: str, along: frozenset[str]) -> None:
    said = who_goes(text, OTHERS)
    assert (ALL - said.left if said.everyone else said.taken) == along
