"""Sheets of other programs: real ones against hand tables, the example against what it was made to be."""

import json
from pathlib import Path

import pytest
import yaml
from inline_snapshot import snapshot

from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.read import read_sheet
from tests.assistant.sheet.examples import BRANNOC, brannoc, data_file, raw

HEROES = {
    "akra-dragonborn-cleric": {
        "ac": 16,
        "hp": 9,
        "init": 0,
        "perception": 4,
        "religion": 1,
        "wis": 4,
        "dc": 12,
    },
    "beiro-half-elf-bard": {
        "ac": 14,
        "hp": 10,
        "init": 3,
        "perception": 3,
        "religion": 2,
        "wis": 1,
        "dc": 14,
    },
    "krusk-half-orc-paladin": {
        "ac": 18,
        "hp": 12,
        "init": -1,
        "perception": 3,
        "religion": 2,
        "wis": 3,
        "dc": None,
    },
    "randal-human-fighter": {
        "ac": 19,
        "hp": 12,
        "init": 2,
        "perception": 1,
        "religion": -1,
        "wis": 1,
        "dc": None,
    },
    "sefris-half-elf-warlock": {
        "ac": 13,
        "hp": 10,
        "init": 2,
        "perception": -1,
        "religion": 2,
        "wis": 1,
        "dc": 14,
    },
    "zanna-gnome-wizard": {
        "ac": 11,
        "hp": 8,
        "init": 1,
        "perception": 1,
        "religion": 3,
        "wis": 3,
        "dc": 13,
    },
}
"""Worked out by hand from the rules and each actor's scores, training and gear."""


def headline(sheet: Sheet) -> dict[str, object]:
    skills, casters = sheet.abilities_info.skills, sheet.magic_info.casters
    return {
        "ac": sheet.combat_info.ac.value,
        "hp": sheet.combat_info.hp.max,
        "init": sheet.combat_info.initiative,
        "perception": skills["perception"].total,
        "religion": skills["religion"].total,
        "wis": sheet.combat_info.saves["wis"].total,
        "dc": casters[0].dc if casters else None,
    }


@pytest.mark.parametrize("name", HEROES)
def test_foundry_heroes_come_to_the_numbers_of_the_rules(name: str, data: Path) -> None:
    sheet = read_sheet(data_file(data, "foundry", f"{name}.yml"), f"{name}.yml")
    assert headline(sheet) == HEROES[name]
    assert sheet.combat_info.hp.current == sheet.combat_info.hp.max, (
        "they are unhurt, and Foundry states what is left"
    )
    assert sheet.missing == []


@pytest.mark.parametrize("name", HEROES)
def test_an_actor_reads_alike_as_yaml_and_json(name: str, data: Path) -> None:
    content = data_file(data, "foundry", f"{name}.yml")
    other = raw(yaml.load(content, Loader=yaml.CSafeLoader))
    one, two = read_sheet(content, "a"), read_sheet(other, "a")
    assert one.model_copy(update={"source": two.source}) == two


def test_a_d_and_d_beyond_monk_comes_to_the_numbers_of_the_rules(data: Path) -> None:
    sheet = read_sheet(data_file(data, "ddb", "monk8.json"), "monk8.json")
    values = {key: sheet.derived[key].value for key in (
        "score:dex", "score:con", "score:wis", "proficiency_bonus", "armor_class", "hit_points", "initiative",
        "speed:walk", "skill:stealth", "skill:religion", "skill:athletics", "save:con", "save:dex",
        "passive:insight", "attack:Quarterstaff, +2", "damage:Quarterstaff, +2", "attack:Dart",
        "attack:Unarmed strike", "carrying_capacity")}  # fmt: skip
    assert values == snapshot(
        {
            "score:dex": 20,
            "score:con": 16,
            "score:wis": 15,
            "proficiency_bonus": 3,
            "armor_class": 17,
            "hit_points": 67,
            "initiative": 5,
            "speed:walk": 45,
            "skill:stealth": 8,
            "skill:religion": 3,
            "skill:athletics": 1,
            "save:con": 6,
            "save:dex": 8,
            "passive:insight": 15,
            "attack:Quarterstaff, +2": 10,
            "damage:Quarterstaff, +2": "1d6 + 7 bludgeoning",
            "attack:Dart": 8,
            "attack:Unarmed strike": 8,
            "carrying_capacity": 180,
        }
    )
    assert (sheet.combat_info.hp.current, sheet.combat_info.exhaustion) == (58, 1)
    assert [r.who for r in sheet.social_info.allies] == ["Graihagh Softfoot", "Ash Hawthorne"]


def test_each_number_of_the_example_says_why() -> None:
    sheet = read_sheet(BRANNOC.read_bytes(), "sheet.json")
    told = {
        key: [(part.label, part.value, part.source) for part in sheet.derived[key].parts]
        for key in ("skill:athletics", "armor_class", "attack:Eldaryth of Regret")
    }
    assert told == snapshot(
        {
            "skill:athletics": [
                ("STR modifier", 4, "Strength 18"),
                ("proficiency", 3, "Soldier (background)"),
            ],
            "armor_class": [
                ("armor", 16, "Chain Mail"),
                ("shield", 2, "Shield"),
                ("Fighting Style: Defense (Paladin 2)", 1, "Fighting Style: Defense (Paladin 2)"),
                ("Ring of Protection", 1, "Ring of Protection"),
            ],
            "attack:Eldaryth of Regret": [
                ("STR modifier", 4, "Strength 18"),
                ("proficiency bonus", 3, "martial melee"),
                ("magic", 1, "Eldaryth of Regret"),
            ],
        }
    )
    assert sheet.magic_info.pact and sheet.magic_info.pact.model_dump() == {
        "level": 1,
        "max": 2,
        "used": 1,
    }


def test_a_thing_counts_only_worn_and_attuned() -> None:
    export = brannoc()
    cloak = next(
        i for i in export["data"]["inventory"] if i["definition"]["name"] == "Cloak of Protection"
    )
    before = read_sheet(raw(export), "a").combat_info.ac.value
    cloak["isAttuned"] = True
    after = read_sheet(raw(export), "a").combat_info.ac.value
    cloak["equipped"] = False
    doffed = read_sheet(raw(export), "a").combat_info.ac.value
    assert (before, after, doffed) == (20, 21, 20)


def test_a_later_class_does_not_bring_what_only_a_first_one_does() -> None:
    sheet = read_sheet(BRANNOC.read_bytes(), "a")
    assert sheet.abilities_info.skills["arcana"].rank == 0, (
        "the warlock's skill came with the second class"
    )


def test_what_a_person_typed_over_a_number_wins() -> None:
    export = brannoc()
    export["data"]["characterValues"] = [
        {"typeId": 1, "value": 23},
        {"typeId": 23, "value": 12, "valueId": "2"},
        {"typeId": 26, "value": 4, "valueId": "19"},
    ]
    sheet = read_sheet(raw(export), "a")
    skills = sheet.abilities_info.skills
    assert (sheet.combat_info.ac.value, skills["athletics"].total, skills["persuasion"].total) == (
        23,
        12,
        9,
    )


def test_an_old_foundry_actor_reads_too() -> None:
    actor = {
        "name": "Old Tam",
        "type": "character",
        "data": {
            "abilities": {
                a: {"value": 10, "proficient": 0}
                for a in ("str", "dex", "con", "int", "wis", "cha")
            },
            "attributes": {"hp": {"value": 5, "max": 11}, "ac": {"calc": "flat", "flat": 14}},
            "skills": {"ste": {"value": 2, "ability": "dex"}},
        },
        "items": [
            {"name": "Rogue", "type": "class", "data": {"levels": 3, "hitDice": "d8"}},
            {
                "name": "Rapier",
                "type": "weapon",
                "data": {
                    "damage": {"parts": [["1d8 + @mod", "piercing"]]},
                    "weaponType": "martialM",
                    "properties": {"fin": True, "hvy": False},
                    "equipped": True,
                    "proficient": True,
                    "attackBonus": 1,
                },
            },
        ],
    }
    sheet = read_sheet(raw(actor), "old.json")
    attack = sheet.combat_info.attacks[0]
    assert (sheet.combat_info.ac.value, sheet.combat_info.hp.max, sheet.combat_info.hp.current) == (
        14,
        11,
        5,
    )
    assert sheet.abilities_info.skills["stealth"].total == 4
    assert (attack.to_hit, attack.damage) == (3, ["1d8 + 1 piercing"])


def test_a_card_is_a_sheet_of_words(data: Path) -> None:
    sheet = read_sheet((data / "cards" / "seraphina_v2.png").read_bytes(), "seraphina.png")
    assert (sheet.name, sheet.system, sheet.derived) == ("Seraphina", "words", {})
    assert sheet.story_info.backstory and "no numbers" in sheet.missing[0]


def test_our_own_form_reads_back_as_it_was() -> None:
    sheet = read_sheet(BRANNOC.read_bytes(), "a")
    again = read_sheet(sheet.model_dump_json().encode(), "b")
    assert again.model_copy(update={"source": sheet.source}) == sheet


def test_the_newer_rules_are_told_by_the_books() -> None:
    export = brannoc()
    for cls in export["data"]["classes"]:
        cls["definition"]["sources"] = [{"sourceId": 145}]
    assert (read_sheet(raw(export), "a").edition, read_sheet(raw(brannoc()), "a").edition) == (
        "2024",
        "2014",
    )


def test_the_envelope_of_the_site_is_no_matter() -> None:
    outer, inner = (
        read_sheet(raw(brannoc()), "a"),
        read_sheet(json.dumps(brannoc()["data"]).encode(), "a"),
    )
    assert outer.derived == inner.derived
