"""A sheet becomes a hero of any table: every stat with what it was made from, within the system's range."""

from freeform.assistant.sheet.as_hero import hero_of
from freeform.assistant.sheet.model import (
    AbilityScore,
    CharacterBasics,
    InventoryInfo,
    Item,
    Origin,
    Sheet,
)
from freeform.engine.authored.library import load_scenario, load_system
from freeform.engine.campaign.begin import Answers, choose_hero

SCORES = {
    "str": (8, -1),
    "dex": (20, 5),
    "con": (16, 3),
    "int": (10, 0),
    "wis": (12, 1),
    "cha": (14, 2),
}


def sheet() -> Sheet:
    abilities = {name: AbilityScore(score=score, mod=mod) for name, (score, mod) in SCORES.items()}
    return Sheet(
        id="ort",
        source=Origin(kind="ddb"),
        character_basics=CharacterBasics(name="Ort", species="Elf", abilities=abilities),
        inventory_info=InventoryInfo(items=[Item(name="Quarterstaff")], currency={"gp": 7}),
    )


def test_each_stat_says_what_it_was_made_from() -> None:
    made = hero_of(sheet(), load_system("d20"))
    assert made.hero.stats == {"might": -1, "agility": 5, "lore": 0, "heart": 2, "resolve": 3}
    assert {each.stat: each.made_from for each in made.mapping}["resolve"] == "con"
    assert not any(each.held_to_range for each in made.mapping)


def test_another_system_holds_it_to_its_range_and_says_so() -> None:
    system = load_system("pbta")
    made = hero_of(sheet(), system)
    finesse = next(each for each in made.mapping if each.stat == "finesse")
    assert (finesse.value, finesse.modifier, finesse.held_to_range) == (3, 5, True)
    hero = choose_hero(load_scenario("dead_drop"), Answers(hero=made.hero), system)
    assert hero.name == "Ort" and hero.stats["finesse"] == 3


def test_gear_and_money_come_along_as_facts() -> None:
    told = {fact.predicate: fact.text for fact in hero_of(sheet(), load_system("d20")).hero.facts}
    assert told["gear"] == "You carry Quarterstaff." and told["money"] == "You have 7 gp."


def test_a_sheet_without_abilities_is_played_all_the_same() -> None:
    bare = Sheet(id="x", source=Origin(kind="card"), character_basics=CharacterBasics(name="X"))
    made = hero_of(bare, load_system("pbta"))
    assert made.hero.stats == {} and "no abilities" in made.not_taken[0]
