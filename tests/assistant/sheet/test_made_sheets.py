"""Sheets of other makes, made for `eval answers`: large ids, what is set or ignored, potions, texts
with holes, and Avrae."""

from pathlib import Path

import freeform.evals.suites.answers as answers
from freeform.assistant.sheet.beyond.templates import TemplateValues, fill_in
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.read import read_sheet

SHEETS = Path(answers.__file__).parent / "sheets"


def made(name: str) -> Sheet:
    return read_sheet((SHEETS / f"{name}.json").read_bytes(), f"{name}.json")


def value(sheet: Sheet, key: str) -> int | float | str:
    return sheet.derived[key].value


def test_things_with_large_ids_stay_apart_and_in_their_bags() -> None:
    held = {item.name: item.container for item in made("ilva").inventory_info.items}
    assert held["Crowbar"] == "Bag of Holding"
    assert held["Spellbook"] == "Backpack"
    assert held["Longsword"] == ""


def test_a_potion_in_the_bag_makes_nobody_strong() -> None:
    assert value(made("ilva"), "score:str") == 10


def test_a_speed_that_a_thing_sets_is_the_speed() -> None:
    assert value(made("ilva"), "speed:walk") == 35


def test_a_fighting_style_counts_in_armor_and_not_without() -> None:
    sheet = made("ilva")
    assert value(sheet, "armor_class") == 18
    assert "Fighting Style (Fighter 1)" in [
        part.label for part in sheet.derived["armor_class"].parts
    ]


def test_what_is_ignored_does_not_slow_a_dwarf() -> None:
    assert value(made("hamund"), "speed:walk") == 25


def test_a_foundry_weapon_has_no_armor_class() -> None:
    weapons = [item for item in made("wenna").inventory_info.items if item.weapon]
    assert [item.armor_class for item in weapons] == [0, 0, 0]


def test_the_dice_of_a_level_stand_in_the_text_of_a_feature() -> None:
    features = {f.name: f.desc for f in made("wenna").abilities_info.features}
    assert "an extra 4d6 damage" in features["Sneak Attack"]


def test_templates_are_counted_and_unknown_ones_leave_no_hole() -> None:
    values = TemplateValues(level=8, class_level=8, mods={"dex": 5, "wis": 2}, uses=8, scale="1d6")
    assert (
        fill_in("DC {{savedc:wis}}, {{(modifier:dex+classlevel)#signed}}", values) == "DC 13, +13"
    )
    assert fill_in("{{scalevalue}}{{proficiency#signed}}", values) == "1d6+3"
    assert fill_in("by {{classlevel*5#unsigned}}{{newfangled}}", values) == "by 40"


def test_an_avrae_character_is_a_sheet_and_no_card() -> None:
    sheet = made("nessa")
    assert sheet.source.kind == "avrae"
    assert [value(sheet, key) for key in ("armor_class", "hit_points", "skill:persuasion")] == [
        14,
        21,
        7,
    ]
    assert sheet.combat_info.hp.current == 15
    assert value(sheet, "attack:Rapier") == 5
    assert value(sheet, "damage:Rapier") == "1d8 + 3 piercing"
    assert sheet.magic_info.slots["2"].used == 1
    assert sheet.inventory_info.currency["gp"] == 41
    assert sheet.combat_info.actions[0].uses.used == 1  # type: ignore[union-attr]
