"""The Tithe Door played by what one types: a fight whose every number has its parts, and a sheet's own hero."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.apps.program import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def begin(home: Home, *more: str, seed: int = 4) -> dict[str, Any]:
    ran = home.run("new-game", "--scenario", "tithe_door", "--campaign", "a", "--seed", str(seed),
                   "--json", *more)  # fmt: skip
    begun: dict[str, Any] = json.loads(ran.out)
    return begun


def say(home: Home, text: str) -> dict[str, Any]:
    turn: dict[str, Any] = json.loads(home.run("turn", "a", text, "--json").out)
    return turn


def test_an_attack_is_heard_rolled_with_its_parts_and_answered(home: Home) -> None:
    begin(home)
    turn = say(home, "I attack the goblin with my longsword")
    own = [roll for roll in turn["rolls"] if not roll.get("by")]
    struck = next(roll for roll in own if roll.get("kind") == "attack")
    assert {part["label"]: part["value"] for part in struck["parts"]} == {
        "strength": 3,
        "training": 2,
    }
    assert struck["modifier"] == 5
    foes = [roll for roll in turn["rolls"] if roll.get("by") and roll["kind"] == "attack"]
    assert {part["label"] for roll in foes for part in roll["against"]} == {"chain mail", "shield"}
    why = json.loads(home.run("why", "a", "player#hit_points", "--json").out)
    damage = [roll for step in why["chain"] for roll in step.get("rolls", [])]
    hurt = sum(roll["total"] for roll in damage if roll["kind"] == "damage" and roll.get("by"))
    assert hurt > 0
    assert why["fact"]["object"]["value"] == 28 - hurt


def test_the_toll_can_be_paid_and_nobody_is_struck(home: Home) -> None:
    begin(home)
    turn = say(home, "Pay the goblins five gold")
    assert turn["rolls"] == []
    assert "Mind the second stone" in turn["final_text"]
    assert say(home, "go to the mill yard")["state_diff"]["scene_update"]["location_id"] == "yard"


SHEET = {
    "name": "Ada",
    "type": "character",
    "system": {
        "abilities": {key: {"value": value, "proficient": 0} for key, value in
                      {"str": 16, "dex": 12, "con": 14, "int": 8, "wis": 10, "cha": 10}.items()},
        "attributes": {"hp": {"value": 12, "max": 12}},
    },
    "items": [
        {"name": "Fighter", "type": "class", "system": {"levels": 1, "hitDice": "d10"}},
        {
            "name": "Longsword",
            "type": "weapon",
            "system": {
                "equipped": True,
                "proficient": 1,
                "type": {"value": "martialM", "baseItem": "longsword"},
                "damage": {"parts": [["1d8 + @mod", "slashing"]]},
                "quantity": 1,
            },
        },
    ],
}  # fmt: skip


def test_a_hero_from_a_sheet_strikes_with_its_own_numbers(home: Home, tmp_path: Path) -> None:
    file = tmp_path / "ada.json"
    file.write_text(json.dumps(SHEET), encoding="utf-8")
    begun = begin(home, "--hero", str(file), seed=3)
    assert {row["stat"]: row["value"] for row in begun["hero"]["mapping"]} == {
        "strength": 3, "dexterity": 1, "constitution": 2, "intelligence": -1, "wisdom": 0,
        "charisma": 0,
    }  # fmt: skip
    strike = begun["hero"]["hero"]["block"]["strikes"]["longsword"]
    turn = say(home, "I attack Rag with my longsword")
    own = next(r for r in turn["rolls"] if r.get("kind") == "attack" and not r.get("by"))
    assert own["modifier"] == strike["to_hit"]
    assert sum(part["value"] for part in own["parts"]) == strike["to_hit"]
