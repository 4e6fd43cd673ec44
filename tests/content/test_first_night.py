"""The first evening teaches by playing: every kind of deed once, dice in the open, and taking back."""

import json
from pathlib import Path
from typing import Any

import pytest

from freeform.engine.authored.library import load_scenario, scenarios
from tests.apps.program import Home

HAND = ["take the brass key", "pick up the cup of cocoa", "go up to the landing"]


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = Home(tmp_path / "home")
    home.run("new-game", "--scenario", "first_night", "--campaign", "a", "--seed", "5", "--json")
    return home


def say(home: Home, text: str) -> dict[str, Any]:
    turn: dict[str, Any] = json.loads(home.run("turn", "a", text, "--json").out)
    return turn


def test_it_is_offered_before_all_others() -> None:
    assert scenarios()[0].id == "first_night"
    assert load_scenario("first_night").for_newcomers
    assert not load_scenario("dead_drop").for_newcomers


def test_looking_asking_taking_going_opening_and_giving_lead_to_an_end(home: Home) -> None:
    assert "/undo" in say(home, "Look at the house rules")["final_text"]
    assert "brass key" in say(home, "Ask Mrs Pym about Room 9")["final_text"]
    for deed in HAND:
        say(home, deed)
    assert "Room 8" in say(home, "look at the wainscot")["final_text"]
    assert "without a sound" in say(home, "unlock the door with the brass key")["final_text"]
    assert "two chairs" in say(home, "go to Room 9")["final_text"]
    assert "I shall ring" in say(home, "look at the two chairs")["final_text"]
    say(home, "go to the landing")
    assert "Ten O'Clock" in say(home, "give the cocoa to Mr Lorne")["final_text"]
    why = json.loads(home.run("why", "a", "f_lorne", "--json").out)
    assert why["fact"]["object"]["value"] is True


def test_the_drawer_rolls_in_the_open_and_can_be_taken_back(home: Home) -> None:
    (roll,) = say(home, "force the drawer that sticks")["rolls"]
    assert roll["text"] == "2d6 (6,3) + 1 = 10 success"
    assert roll["parts"] == [{"label": "force", "value": 1, "source": "sheet"}]
    assert "hangs open" in say(home, "force the drawer that sticks")["final_text"]
    assert json.loads(home.run("undo", "a", "2", "--json").out)["turn_no"] == 0
    assert say(home, "force the drawer that sticks")["rolls"]


def test_who_fails_may_try_again(tmp_path: Path) -> None:
    home = Home(tmp_path / "home")
    home.run("new-game", "--scenario", "first_night", "--campaign", "a", "--seed", "9", "--json")
    tried = [say(home, "force the drawer that sticks") for _ in range(2)]
    assert tried[0]["rolls"][0]["outcome"] == "failure"
    assert "/undo" in tried[0]["final_text"] and tried[1]["rolls"]


def test_a_question_to_the_game_master_costs_no_time(home: Home) -> None:
    asked = say(home, "What can I do here?")
    assert "own words" in asked["final_text"] and asked["rolls"] == []
