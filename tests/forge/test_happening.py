"""What a premise says is going on is what its story asks."""

import pytest

from freeform.forge.premise.read import read_premise


@pytest.mark.parametrize(
    ("premise", "asked"),
    [
        (
            "Two brothers run a mill and somebody keeps calling in with news.",
            "who is it that keeps",
        ),
        (
            "We are four cousins in the hills, and the urn is empty.",
            "why is it that the urn is empty",
        ),
        ("I am a nurse in a house where the guests have stopped sleeping.", "that the guests have"),
        ("A baker discovers that the oven is never cold.", "why is it that the oven is never cold"),
    ],
)
def test_the_clause_that_says_what_is_the_matter_is_asked(premise: str, asked: str) -> None:
    assert asked in read_premise(premise).happening.asked


@pytest.mark.parametrize("premise", ["I run a tea shop.", "pirates in the rain"])
def test_who_only_says_what_they_are_is_told_nothing_of(premise: str) -> None:
    assert read_premise(premise).happening.clause == ""
