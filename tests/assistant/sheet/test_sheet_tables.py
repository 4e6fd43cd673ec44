"""Tables on a written sheet, as different hands draw them: rows are records under their heads."""

import pytest

from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.written.lines import written_lines

ABILITIES = "STR 9\nDEX 16\nCON 13\nINT 12\nWIS 15\nCHA 10\n"
BARS = """| Item | n | Where |
|---|---|---|
| Lantern, hooded | 1 | D |
| Torch | 6 | K (bottom) |
| Saw, 3 chisels | 1+3 | W |
"""
HALF_DRAWN = """Item | n | Where
--- | :--: | ---
Lantern, hooded | 1 | D
Torch | 6 | K (bottom)
Saw, 3 chisels | 1+3 | W
"""
HTML = """<table><tr><th>Item</th><th>n</th><th>Where</th></tr>
<tr><td>Lantern, hooded</td><td>1</td><td>D</td></tr>
<tr><td>Torch</td><td>6</td><td>K (bottom)</td></tr>
<tr><td>Saw, 3 chisels</td><td>1+3</td><td>W</td></tr></table>
"""
TABS = "Item\tn\tWhere\nLantern, hooded\t1\tD\nTorch\t6\tK (bottom)\nSaw, 3 chisels\t1+3\tW\n"
GAPS = """Item               n      Where
Lantern, hooded    1      D
Torch              6      K (bottom)
Saw, 3 chisels     1+3    W
"""


def written(text: str) -> Sheet:
    return read_sheet(text.encode(), "hero.md")


@pytest.mark.parametrize(
    "table", [BARS, HALF_DRAWN, HTML, TABS, GAPS], ids=["bars", "half", "html", "tabs", "gaps"]
)
def test_things_of_a_table_have_their_count_and_the_place_that_a_legend_explains(
    table: str,
) -> None:
    legend = "D = with the donkey Petra (in Olm), K = kitbag, W = worn"
    sheet = written(f"# Hedda\n\n{ABILITIES}\n## Gear\n\n{legend}\n\n{table}")
    held = {item.name: (item.qty, item.container) for item in sheet.inventory_info.items}
    assert held["Lantern"] == (1, "Donkey Petra")
    assert held["Torch"] == (6, "Kitbag")
    assert held["Saw"] == (1, "")
    assert held["chisels"] == (3, "")
    assert not [name for name in held if "=" in name or "|" in name or "<" in name]
    told = [line.text for line in written_lines(sheet)]
    assert "Item Lantern, hooded | n 1 | Where with the donkey Petra (in Olm)" in told


def test_a_table_without_heads_is_labels_and_values_and_one_row_is_a_record() -> None:
    sheet = written(f"""# HEDDA SAND

| | |
|---|---|
| Race / Cl | gnome / DRU 4 (Moon) |
| Lang | Gnomish, Druidic |

{ABILITIES}

## Fighting

| AC | HP max | HP cur | HD |
|---|---|---|---|
| 14 (hide) | 33 | 12 | d8, 1 of 4 left |

## Magic

| Slot lv | max | left |
|---|---|---|
| 1 | 4 | 1 |
| 2 | 3 | 3 |

- C0: Guidance, Shillelagh
- Ready: 1 Entangle, Goodberry // 2 Moonbeam

## People

| Name | Tie |
|---|---|
| Uncle Orm | owes me 5 gp |
| Ketil | rival |

## Purse

| gp | sp |
|---|---|
| 17 | 40 |
""")
    basics, hp = sheet.character_basics, sheet.combat_info.hp
    assert (basics.name, basics.species) == ("Hedda Sand", "gnome")
    kept = [(c.name, c.level, c.hit_dice_used) for c in basics.classes]
    assert kept == [("Druid", 4, 3)]
    assert sheet.abilities_info.languages == ["Gnomish", "Druidic"]
    assert (hp.current, hp.max) == (12, 33)
    assert {n: u.max - u.used for n, u in sheet.magic_info.slots.items()} == {"1": 1, "2": 3}
    spells = {spell.name: spell.level for spell in sheet.magic_info.spells}
    assert spells == {"Guidance": 0, "Shillelagh": 0, "Entangle": 1, "Goodberry": 1, "Moonbeam": 2}
    assert sheet.inventory_info.currency == {"gp": 17, "sp": 40}


def test_what_only_stands_in_columns_is_no_table_without_a_head_of_names() -> None:
    sheet = written(
        f"# Hedda\n\n{ABILITIES}\nName:    Hedda      Class:   Druid 4\nHP: 9    AC: 14    Speed: 30\n"
    )
    assert (sheet.character_basics.level, sheet.combat_info.hp.max) == (4, 9)
