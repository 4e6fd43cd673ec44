"""Suggestions are picked by number, alone or in a sentence; other numbers are left alone."""

import pytest

from freeform.engine.typed import picked

SHOWN = ["Ask Viktor about Jin", "Look at the bar", "Go to the Hard"]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("2", "Look at the bar"),
        ("#3", "Go to the Hard"),
        ("I think number 1, please.", "Ask Viktor about Jin"),
        ("the 2nd please", "Look at the bar"),
        ("I'd go with 2", "Look at the bar"),
        ("1 then 3", "Ask Viktor about Jin, then Go to the Hard"),
        ("1, then 3 please", "Ask Viktor about Jin, then Go to the Hard"),
        ("2 and 3 at the same time", "Look at the bar, then Go to the Hard at the same time"),
        ("number 3 but I skip", "Go to the Hard but I skip"),
        ("1 pls", "Ask Viktor about Jin"),
        ("Number two please, and then number one afterwards", "Look at the bar"),
        ("number two, then number one", "Look at the bar, then Ask Viktor about Jin"),
        ("I am going to choose 3, I think.", "Go to the Hard"),
        ("1, if I may.", "Ask Viktor about Jin"),
        ("3, leaving my coat behind", "Go to the Hard, leaving my coat behind"),
    ],
)
def test_a_number_is_the_suggestion_under_it(typed: str, meant: str) -> None:
    assert picked(typed, SHOWN) == meant


@pytest.mark.parametrize(
    "typed",
    [
        "4",
        "1 then 4",
        "10",
        "2 coins for you",
        "I have 2 coins",
        "3 nights ago?",
        "1500 cred",
        "1 more",
        "3. No, first I look around",
        "1. Free the man. 2. Run",
    ],
)
def test_other_numbers_mean_what_they_say(typed: str) -> None:
    assert picked(typed, SHOWN) == typed
