"""Foundry's formulas come to numbers, and nothing else runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.assistant.sheet.foundry.formula import reckon, references
from freeform.assistant.sheet.read import read_sheet
from tests.assistant.sheet.examples import raw

KNOWN = {
    "abilities.cha.mod": 3.0,
    "classes.paladin.levels": 5.0,
    "prof": 2.0,
    "scale.monk.speed": 10.0,
}


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        ("max(1, @abilities.cha.mod)", 3),
        ("5 * @classes.paladin.levels", 25),
        ("@abilities.cha.mod + floor(@classes.paladin.levels / 2)", 5),
        ("-@prof + 1", -1),
        ("@scale.monk.speed", 10),
        ("3", 3),
        ("1d8 + @prof", None),
        ("@unknown.thing", None),
        ("", None),
        ("__import__('os')", None),
        ("9 ** 9 ** 9", None),
        ("1 / 0", None),
        ("(" * 150, None),
    ],
)
def test_a_formula_comes_to_a_number_or_to_none(formula: str, value: int | None) -> None:
    assert reckon(formula, KNOWN) == value


@given(st.text(max_size=60))
def test_any_text_is_a_number_or_none(text: str) -> None:
    assert reckon(text, KNOWN) is None or isinstance(reckon(text, KNOWN), int)


def test_scales_uses_and_effects_of_an_actor_are_counted() -> None:
    scale = {
        "type": "ScaleValue",
        "configuration": {"identifier": "speed", "scale": {"2": {"value": 10}, "6": {"value": 15}}},
    }
    change = {"key": "system.attributes.movement.walk", "mode": 2, "value": "@scale.monk.speed"}
    actor = {
        "name": "Li",
        "type": "character",
        "system": {
            "abilities": {"str": {"value": 10}, "cha": {"value": 16}},
            "attributes": {"movement": {"walk": 30}, "hp": {"bonuses": {"level": "2"}}},
        },
        "items": [
            {
                "name": "Monk",
                "type": "class",
                "system": {"identifier": "monk", "levels": 5, "hitDice": "d8", "advancement": [
                    scale, {"type": "HitPoints", "value": {"1": "max", "2": "avg", "3": "avg", "4": 3, "5": "avg"}},
                ]},
            },
            {"name": "Swift", "type": "feat", "system": {}, "effects": [{"changes": [change], "transfer": True}]},
            {
                "name": "Song",
                "type": "feat",
                "system": {"uses": {"max": "max(1, @abilities.cha.mod)"}, "activation": {"type": "bonus"}},
            },
        ],
    }  # fmt: skip
    assert references(actor)["scale.monk.speed"] == 10
    sheet = read_sheet(raw(actor), "li.json")
    assert sheet.combat_info.speeds == {"walk": 40}
    assert sheet.combat_info.hp.max == 8 + 5 + 5 + 3 + 5 + 2 * 5
    (song,) = sheet.combat_info.actions
    assert song.uses and song.uses.max == 3
