"""Sheets as people write them: what is left of things, places in headings, tables, unknown JSON."""

import json

import pytest

from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.written.data import page_of
from freeform.assistant.sheet.written.lines import written_lines

PAGE = """BRAM OTTER
half-orc ranger 3 / rogue 2
STR 16 (+3)
DEX 14 (+2)
CON 14 (+2)
INT 8 (-1)
WIS 10 (+0)
CHA 12 (+1)

DEFENCE
AC 16
HP max 44, now 31
hit dice 3d10 + 2d8, left: 1d10 and 2d8

ATTACKS
Gull (dagger +1) +6, 1d4+3 p, thrown 20/60
Maul +6, 2d6+3 b

SPELLS
1st level slots: 4, used today: 3
Sleep - 90 ft, no save

GEAR - WORN
chain shirt
ring of warmth, left hand, ATTUNED
grey cloak

GEAR - ON THE MULE
bedroll
2 flasks of oil
tent, two poles missing

MONEY
3 pp (boot)
12 gp (pouch)
"""


@pytest.fixture
def bram() -> Sheet:
    return read_sheet(PAGE.encode(), "bram.txt")


def test_what_is_left_is_read_as_it_is_written(bram: Sheet) -> None:
    assert (bram.combat_info.hp.current, bram.combat_info.hp.max) == (31, 44)
    assert bram.magic_info.slots["1"].used == 3
    assert [each.hit_dice_used for each in bram.character_basics.classes] == [2, 0]


def test_a_heading_tells_where_things_are_and_a_comma_tells_of_one(bram: Sheet) -> None:
    things = {item.name: item for item in bram.inventory_info.items}
    assert things["bedroll"].container == things["tent"].container == "Mule"
    assert things["ring of warmth"].attuned and "left hand" not in things
    assert things["flasks of oil"].qty == 2 and things["Gull"].damage == "1d4"
    assert bram.inventory_info.currency == {"pp": 3, "gp": 12}
    assert [spell.name for spell in bram.magic_info.spells] == ["Sleep"]


def test_every_line_can_be_cited_under_its_heading(bram: Sheet) -> None:
    lines = {piece.text: piece.title for piece in written_lines(bram)}
    assert lines["tent, two poles missing"] == "GEAR - ON THE MULE"


TABLES = """# Ilse

**Class:** Wizard 3

| Ability | Score |
|---|---|
| Strength | 8 |
| Dexterity | 14 |
| Constitution | 12 |
| Intelligence | 17 |

- **Hit points:** 18 max, **11 now**

| Attack | To hit | Damage |
|---|---|---|
| Light crossbow | +4 | 1d8+2 piercing |

## Spellcasting

| Slot level | Total | Used today |
|---|---|---|
| 1st | 4 | 1 |

| Spell | Level | Prepared | Remarks |
|---|---|---|---|
| Web | 2 | yes | concentration |
| Find familiar | 1 | no | ritual |

## Familiar

- **HP** 1 · **AC** 11
"""


def test_tables_of_slots_spells_and_attacks_are_read() -> None:
    sheet = read_sheet(TABLES.encode(), "ilse.md")
    assert (sheet.combat_info.hp.current, sheet.combat_info.hp.max) == (11, 18)
    assert (sheet.magic_info.slots["1"].max, sheet.magic_info.slots["1"].used) == (4, 1)
    web, familiar = sheet.magic_info.spells
    assert web.prepared and web.conc and familiar.ritual and not familiar.prepared
    assert sheet.derived["attack:Light crossbow"].value == 4


def test_data_of_a_make_nobody_knows_is_read_as_a_page() -> None:
    told = {
        "name": "Vex",
        "class": "Rogue",
        "level": 5,
        "abilities": {"str": 10, "dex": 18, "con": 12, "int": 13, "wis": 11, "cha": 14},
        "hp": {"max": 33, "current": 21},
        "ac": {"total": 15, "parts": [{"name": "Leather", "value": 11}]},
        "skills": {"stealth": 10, "perception": {"bonus": 3}},
        "weapons": [{"name": "Rapier", "attack_bonus": 7, "damage": "1d8+4 piercing"}],
        "equipment": [{"name": "torch", "quantity": 4}, {"name": "rope", "note": "50 ft"}],
        "spells": [{"name": "Mage Hand", "level": 0}],
    }
    sheet = read_sheet(json.dumps(told).encode(), "vex.json")
    assert (sheet.combat_info.hp.current, sheet.combat_info.hp.max) == (21, 33)
    assert sheet.derived["mod:dex"].value == 4
    things = {item.name: item.qty for item in sheet.inventory_info.items}
    assert things == {"Rapier": 1, "torch": 4, "rope": 1}
    assert sheet.derived["skill:stealth"].value == 10
    assert sheet.derived["armor_class"].value == 15
    assert sheet.derived["attack:Rapier"].value == 7
    assert sheet.magic_info.spells[0].name == "Mage Hand"


IN_COLUMNS = """\
CHARACTER SHEET                              Brought up to date: 6 April
========================================================================
Name:           Tobin Reed                   Player:      Walter
Race:           Human                        Class:       Fighter 4

COMBAT FIGURES
------------------------------------------------------------------------
Armour class:            19   (splint 17, shield 2)
Hit points, maximum:     44
Hit points, now:         31

STR 16  DEX 10  CON 14  INT 9  WIS 12  CHA 8
"""


def test_a_sheet_in_columns_has_its_name_and_numbers_and_rules_are_no_headings() -> None:
    sheet = read_sheet(IN_COLUMNS.encode(), "tobin.txt")
    assert sheet.name == "Tobin Reed"
    assert (sheet.combat_info.hp.current, sheet.combat_info.hp.max) == (31, 44)
    assert sheet.derived["armor_class"].value == 19
    titles = {piece.title for piece in written_lines(sheet)}
    assert "COMBAT FIGURES" in titles and not any("--" in title for title in titles)


@pytest.mark.parametrize(
    ("line", "armor", "now", "most"),
    [
        ("- **AC 18** (chain mail 16 + shield 2)\n- **HP 26 / 38**, temp 0", 18, 26, 38),
        ("AC 15\nHP max 58     now 41", 15, 41, 58),
        ("AC: 13\nHP now: 9\nMax HP: 12", 13, 9, 12),
        ("AC 14\nLevel 5 Life Cleric\nHP: 38/40", 14, 38, 40),
        ("AC 14\nHorse HP: 19\nHP: 44", 14, 44, 44),
        ("AC 14\nHealth potions: 2\nHit points: 31", 14, 31, 31),
        ("AC 14\n3 health potions\nAda's hp 38", 14, 38, 38),
        ("AC 14\nHP: ٢٢", 14, 22, 22),
        ("AC 14\nHP: −3/22", 14, 0, 22),
    ],
)
def test_numbers_are_read_however_their_labels_stand(
    line: str, armor: int, now: int, most: int
) -> None:
    text = f"# Ada\nFighter 5\n\nSTR 16 DEX 12 CON 14 INT 10 WIS 11 CHA 9\n\n{line}\n"
    sheet = read_sheet(text.encode(), "ada.md")
    assert sheet.derived["armor_class"].value == armor
    assert (sheet.combat_info.hp.current, sheet.combat_info.hp.max) == (now, most)


def test_potions_of_health_are_no_hit_points_and_a_score_may_stand_behind_its_bonus() -> None:
    text = (
        "# Ada\nFighter 5\n\nstr -1/8\ndex +1/12\ncon 14\nint 10\nwis 11\ncha 9\n\n"
        "3 health potions\nLife domain 1\n"
    )
    sheet = read_sheet(text.encode(), "ada.md")
    assert sheet.combat_info.hp.max == 0
    assert sheet.derived["mod:str"].value == -1


@pytest.mark.parametrize(
    "written",
    [
        "slots\n- 1st: 1 left of 4\n- 2nd: 2 left of 3\n",
        "- **Slots:** 1st level 4 (3 used), 2nd level 3 (1 used)\n",
        "Slots -> 1st: 4 (3 spent); 2nd: 3 (1 spent)\n",
        "Spell slots 1st 1/4, 2nd 2/3\n",
        "**Slots**\n\n- first level: 1 left of 4\n- second level: 2 left of 3\n",
        "save dc 13. slots 1st: 4 (3 used) 2nd: 3 (1 used)\n",
        "Level 1 slots: 4, left 1\nLevel 2 slots: 3, left 2\n",
        "1st lvl  4 SLOTS  (used 3)    back on a long rest\n2nd lvl  3 SLOTS  (used 1)\n",
    ],
)
def test_slots_are_counted_however_they_are_listed(written: str) -> None:
    text = (
        f"# Ada\nWizard 4\n\nSTR 8 DEX 12 CON 14 INT 16 WIS 11 CHA 9\nHP 20\n\n## Spells\n{written}"
    )
    slots = read_sheet(text.encode(), "ada.md").magic_info.slots
    assert {level: (uses.max, uses.used) for level, uses in slots.items()} == {
        "1": (4, 3),
        "2": (3, 1),
    }


@pytest.mark.parametrize(
    "written",
    [
        "MONEY   pp 3   gp 146   sp 35\n(50 gp more lie in the guild's strongbox)\n",
        "MONEY           PP      GP      SP\n-----------------\nOn my person    3       146     35\n",
        "Money: 3 pp, 146 gp, 35 sp\n",
        "belt pouch: 3 pp 146 gp 35 sp, a garnet (worth 50 gp)\n",
        "| Coin | Number |\n|---|---|\n| Platinum | 3 |\n| Gold | 146 |\n| Silver | 35 |\n",
    ],
)
def test_coins_are_counted_in_columns_too(written: str) -> None:
    text = f"# Ada\nWizard 4\n\nSTR 8 DEX 12 CON 14 INT 16 WIS 11 CHA 9\nHP 20\n\n{written}"
    purse = read_sheet(text.encode(), "ada.md").inventory_info
    assert purse.currency == {"pp": 3, "gp": 146, "sp": 35}
    assert purse.coins == ["3 pp", "146 gp", "35 sp", "179.5 gp in all"]


def test_saves_without_signs_are_no_scores_and_may_stand_behind_a_longer_label() -> None:
    scores = {"STR": 8, "DEX": 16, "CON": 15, "INT": 12, "WIS": 10, "CHA": 18}
    data = {
        "name": "Vexa",
        "class": "Sorcerer 6",
        "abilities": scores,
        "saves": {"CON": 5, "CHA": 7},
    }
    sheet = read_sheet(json.dumps(data).encode(), "vexa.json")
    assert sheet.derived["score:con"].value == 15 and sheet.derived["save:con"].value == 5
    page = "# Ada\nRanger 5\n\nSTR 12 DEX 17 CON 14 INT 10 WIS 16 CHA 8\nHP 20\nsaves im good at: str +4, dex +6\n"
    written = read_sheet(page.encode(), "ada.md")
    assert written.derived["save:dex"].value == 6 and written.derived["save:con"].value == 2


@pytest.mark.parametrize(
    ("written", "coins"),
    [
        ("1,200 gp 15 sp", {"gp": 1200, "sp": 15}),
        ("10 gp 5 sp, 3 cp", {"gp": 10, "sp": 5, "cp": 3}),
        ("a garnet, 2,050 gp 4 sp, 3 cp", {"gp": 2050, "sp": 4, "cp": 3}),
    ],
)
def test_a_comma_shortens_no_purse(written: str, coins: dict[str, int]) -> None:
    text = f"# Ada\nWizard 4\n\nSTR 8 DEX 12 CON 14 INT 16 WIS 11 CHA 9\nHP 20\n\n{written}\n"
    assert read_sheet(text.encode(), "ada.md").inventory_info.currency == coins


@pytest.mark.parametrize(
    "written",
    [
        "Once a day I regain spell slots of 1st-2nd level.",
        "Spell slots 1st-3rd level come back on a short rest.",
        "I may spend slots of 2nd 3 times.",
    ],
)
def test_running_text_makes_no_slots(written: str) -> None:
    text = f"# Ada\nFighter 4\n\nSTR 8 DEX 12 CON 14 INT 16 WIS 11 CHA 9\nHP 20\n\n## Spells\n{written}\n"
    assert read_sheet(text.encode(), "ada.md").magic_info.slots == {}


def test_points_in_data_have_no_sign() -> None:
    told = {
        "hit_points": {"max": 28, "current": 24},
        "death_saves": {"value": 2},
        "saves": {"dex": {"bonus": 5}},
    }
    page = page_of(told | {"name": "Vex"})
    assert "Hit points: 28" in page and "+28" not in page and "+2" not in page and "+5" in page


def test_coins_behind_a_purse_are_ones_own_and_a_debt_beside_them_is_not() -> None:
    text = "OONA halfling rogue lvl 4\nhp 22 of 27\npurse 14gp 6sp. owes Deacon Pell 20gp\n"
    assert read_sheet(text.encode(), "oona.txt").inventory_info.currency == {"gp": 14, "sp": 6}
