"""Sheets that people write themselves: Markdown, plain text, another game."""

import pytest

from freeform.assistant.sheet.model import Sheet, Uses
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.assistant.sheet.written.read import is_written_character
from freeform.core.errors import BadFile
from freeform.evals.suites.answers.question import HERE

WIZARD = """\
ORLA FENWICK
High Elf Wizard (School of Divination) - Level 5
Player: Tess      Alignment: Neutral Good      Background: Sage

STR 8   DEX 14   CON 13   INT 18   WIS 12   CHA 10

AC: 12 (15 with Mage Armor)
Hit Points: 22 (max 27)
Speed: 30 ft, swim 15 ft

SAVES
Intelligence +7
Wisdom +4

SKILLS
Arcana +7
Insight +4

ATTACKS
Dagger: +5 to hit, 1d4+2 piercing, range 20/60

SPELLS (* = prepared)
Cantrips: Fire Bolt, Light
1st level (4 slots, 3 used): Magic Missile*, Detect Magic (ritual)
3rd level (2 slots): Fireball*, Counterspell

FEATURES
Portent: roll two d20 after a long rest
Arcane Recovery (1/day, used): get back up to 3 levels of slots

EQUIPMENT
Wand of Secrets (3 charges, 1 left), attuned: Pearl of Power
Scroll case: map of Delmar, letter of introduction
Potion of Healing x3
89 gp, 12 sp
"""
GRAVEDIGGER = """\
# Sable Marrow
**Calling:** Gravedigger

## Traits
- Grit: 14
- Luck: 3

## Health
Wounds: 2/6

## Gear
- lantern oil x4
- 17 silver

## Talents
**Night Eyes.** Sees in the dark.
"""


def read(text: str, file: str = "hero.txt") -> Sheet:
    return read_sheet(text.encode(), file)


def test_a_plain_text_sheet_has_its_numbers() -> None:
    sheet = read(WIZARD)
    assert (sheet.name, sheet.character_basics.species) == ("Orla Fenwick", "High Elf")
    (wizard,) = sheet.character_basics.classes
    assert (wizard.name, wizard.level, wizard.subclass) == ("Wizard", 5, "School of Divination")
    stated = {"armor_class": 12, "save:int": 7, "skill:arcana": 7, "skill:insight": 4,
              "attack:Dagger": 5, "spell_dc:Wizard": 15, "speed:swim": 15}  # fmt: skip
    assert {key: sheet.derived[key].value for key in stated} == stated
    assert (sheet.combat_info.hp.current, sheet.combat_info.hp.max) == (22, 27)
    assert sheet.derived["damage:Dagger"].value == "1d4 + 2 piercing"


def test_spells_stand_under_their_level_and_are_prepared_where_marked() -> None:
    magic = read(WIZARD).magic_info
    assert {spell.name: spell.level for spell in magic.spells if spell.prepared} == {
        "Magic Missile": 1,
        "Fireball": 3,
    }
    assert magic.slots["1"] == Uses(max=4, used=3, reset="long rest")


def test_belongings_have_their_bags_counts_charges_and_state() -> None:
    sheet = read(WIZARD)
    items = {item.name: item for item in sheet.inventory_info.items}
    assert items["map of Delmar"].container == "Scroll case"
    assert items["Potion of Healing"].qty == 3
    assert items["Wand of Secrets"].charges == Uses(max=3, used=2)
    assert items["Pearl of Power"].attuned
    assert sheet.inventory_info.currency == {"gp": 89, "sp": 12}
    (recovery,) = sheet.combat_info.actions
    assert recovery.uses == Uses(max=1, used=1, reset="day")


def test_a_markdown_sheet_with_homebrew_keeps_what_it_states() -> None:
    sheet = read((HERE / "sheets" / "gerta.md").read_text(encoding="utf-8"), "gerta.md")
    assert sheet.derived["armor_class"].value == 16
    assert sheet.derived["attack:Quarry Maul +1"].value == 9
    assert sheet.derived["damage:Quarry Maul +1"].value == "2d6 + 6 bludgeoning"
    uses = {action.name: action.uses for action in sheet.combat_info.actions}
    assert uses["Rage"] == Uses(max=4, used=2, reset="long rest")
    assert "Rolling Boulder" in [feature.name for feature in sheet.abilities_info.features]
    assert "sister Hild" in sheet.story_info.backstory["Who she is"]


def test_a_sheet_of_another_game_is_its_labels_and_its_words() -> None:
    sheet = read(GRAVEDIGGER, "sable.md")
    assert sheet.system == "words"
    assert {key: number.value for key, number in sheet.derived.items()} == {
        "grit": 14,
        "luck": 3,
        "wounds": "2/6",
    }
    assert [feature.name for feature in sheet.abilities_info.features] == ["Night Eyes"]
    assert sheet.inventory_info.currency == {"sp": 17}


def test_prose_is_no_sheet_and_a_stat_block_no_character() -> None:
    with pytest.raises(BadFile, match="written in Markdown or plain text"):
        read("We met the reeve. She paid us 20 gold and we left for the weir.\n", "notes.md")
    block = "# Owlbear\n\n**Armor Class** 13\n**Hit Points** 59\n\nSTR 20 DEX 12 CON 17 INT 3\n"
    assert not is_written_character(block)
    assert is_written_character(WIZARD)


@pytest.mark.parametrize(
    ("said", "left", "most", "beside"),
    [
        ("Hit points (max 22): 9", 9, 22, 0),
        ("9 out of 22 hp", 9, 22, 0),
        ("Health: 22 → 9 (after the bog)", 9, 22, 0),
        ("HP......9 (of 22)", 9, 22, 0),
        ("(9) current / (22) maximum HP", 9, 22, 0),
        ("22 max, took 13 today => 9 hit points", 9, 22, 0),
        ("hitpionts: 9 (22)", 9, 22, 0),
        ("hp max: 22\nhp now: 9", 9, 22, 0),
        ("Odile has 22 hit points at most and 9 right now, plus 6 temporary.", 9, 22, 6),
    ],
)
def test_hit_points_are_read_by_the_words_beside_them(
    said: str, left: int, most: int, beside: int
) -> None:
    sheet = read(f"Pip, rogue 4\n\nstr 9 dex 17 con 13 int 11 wis 12 cha 16\n{said}\n", "pip.txt")
    hp = sheet.combat_info.hp
    assert (hp.current, hp.max, hp.temp) == (left, most, beside)


def test_what_a_written_sheet_does_not_state_is_not_made_up() -> None:
    page = "Pip, rogue 4\n\nstr 9, dex 17, con 13, int 11, wis 12, charsima 16\nstlth +9\n"
    source = SheetSource(read(page, "pip.txt"))
    titles = {piece.title for piece in source.pieces}
    assert not {"Hit Points", "Armor Class"} & titles
    assert source.sheet.derived["score:cha"].value == 16
    assert source.sheet.derived["skill:stealth"].value == 9


def test_a_page_without_scores_and_headings_is_a_sheet_by_its_numbers() -> None:
    page = "Crow, Lurk\nStress 5/9    Trauma 1/4\nCoin 2   Stash 11\nProwl [2]  Load: 3 of 5\n"
    told = {key: number.value for key, number in read(page, "crow.txt").derived.items()}
    assert told == {
        "stress": "5/9",
        "trauma": "1/4",
        "coin": 2,
        "stash": 11,
        "prowl": 2,
        "load": "3/5",
    }
