"""Stat blocks are found by their shape, in three printed forms, and never split."""

from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.ingest.model import Block, BookSection, ChapterIntent, SegmentOptions
from freeform.ingest.structure.segment import _cut_chapter, _units
from freeform.ingest.systems.config import StatBlockHints
from freeform.ingest.systems.foes import foes_of
from freeform.ingest.things.found import EntityEntry, EntityRegistry
from freeform.ingest.things.statblocks import find_stat_blocks

MARSH_HAG = """## Marsh Hag

*Medium fey, chaotic evil*

**Armor Class** 15 (natural armor)

**Hit Points** 136 (16d8 + 64)

**Speed** 30 ft., swim 40 ft.

| STR | DEX | CON | INT | WIS | CHA |
| --- | --- | --- | --- | --- | --- |
| 14 (+2) | 11 (+0) | 19 (+4) | 8 (−1) | 3 (−4) | 1 (−5) |

**Senses** darkvision 60 ft., passive Perception 6

**Languages** —

**Challenge** 5 (1,800 XP)

**Mud Walk.** Mud is no hindrance to the hag.

**Actions**

**Claw.** Melee Weapon Attack: +5 to hit. Hit: 7 (1d8 + 3) slashing damage.

It never lets go.
"""


def test_a_block_is_read_whole() -> None:
    (hag,) = find_stat_blocks("Some prose before.\n\n" + MARSH_HAG)
    assert (hag.name, hag.size, hag.creature_type, hag.alignment) == (
        "Marsh Hag",
        "Medium",
        "fey",
        "chaotic evil",
    )
    assert (hag.armor_class, hag.armor_note, hag.hit_points, hag.hit_dice) == (
        15,
        "natural armor",
        136,
        "16d8 + 64",
    )
    assert hag.speed == "30 ft., swim 40 ft." and (hag.challenge, hag.xp) == ("5", 1800)
    assert hag.abilities == {"STR": 14, "DEX": 11, "CON": 19, "INT": 8, "WIS": 3, "CHA": 1}
    assert hag.details["senses"].startswith("darkvision")
    assert [trait.name for trait in hag.traits["traits"]] == ["Mud Walk"]
    (claw,) = hag.traits["actions"]
    assert claw.name == "Claw" and claw.text.endswith("It never lets go.")
    assert hag.doubts == ()


def test_hit_points_that_do_not_fit_their_dice_are_doubted() -> None:
    (hag,) = find_stat_blocks(MARSH_HAG.replace("136", "186"))
    assert "186" in hag.doubts[0]


def test_newer_and_older_ways_of_printing_are_read() -> None:
    new = (
        "### Reed Stalker\n\n*Small Beast, Unaligned*\n\n**AC** 13 **Initiative** +3 (13)\n\n**HP** 11 (2d6 + 4)\n\n"
        "**Speed** 40 ft.\n\nStr 8 -1 -1 Dex 16 +3 +3 Con 14 +2 +2 Int 2 -4 -4 Wis 12 +1 +1 Cha 4 -3 -3\n\n**CR** 1/4 (XP 50; PB +2)"
    )
    (stalker,) = find_stat_blocks(new)
    assert (stalker.name, stalker.armor_class, stalker.hit_points) == ("Reed Stalker", 13, 11)
    assert stalker.abilities["DEX"] == 16 and (stalker.challenge, stalker.xp) == ("1/4", 50)
    old = "### Bog Toad\n\nAC 7 [12], HD 2+2 (11hp), Att 1 x bite (1d6), MV 90' (30'), ML 6, XP 25"
    (toad,) = find_stat_blocks(old)
    assert (toad.name, toad.armor_class, toad.hit_points, toad.xp) == ("Bog Toad", 12, 11, 25)


def test_prose_about_armour_is_no_block() -> None:
    assert (
        find_stat_blocks(
            "# Armour\n\nArmor Class 10 is what a person without armour has.\n\nHit points are life."
        )
        == []
    )


def section(number: int, title: str, text: str) -> BookSection:
    blocks = tuple(
        Block(
            kind="table" if part.startswith("|") else "paragraph",
            text=part,
            page_start=number,
            page_end=number,
        )
        for part in text.split("\n\n")
        if part.strip()
    )
    return BookSection(
        id=f"s{number}", chapter_id="ch", title=title, level=3, heading_path=("Monsters", title),
        page_start=number, page_end=number, intent=ChapterIntent.BESTIARY, blocks=blocks,
    )  # fmt: skip


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.integers(0, 60), st.booleans()), min_size=1, max_size=12),
    st.integers(20, 120),
    st.integers(40, 200),
)
async def test_no_sizes_split_a_block_and_no_words_are_lost(
    shape: list[tuple[int, bool]], least: int, target: int
) -> None:
    body = MARSH_HAG.split("\n", 2)[2]
    sections = [
        section(at, f"Hag {at}", body + "\n\nReeds. " * length)
        if hag
        else section(at, f"Note {at}", "Mud and rain. " * length + ".")
        for at, (length, hag) in enumerate(shape, start=1)
    ]
    options = SegmentOptions(min_words=least, target_words=target, max_words=3 * target)
    units = await _cut_chapter(sections, options, None)
    texts = [unit.markdown() for unit in units]
    for text in texts:
        for block in find_stat_blocks(text):
            assert block.hit_points == 136 and block.challenge == "5" and "actions" in block.traits
    assert sum(len(find_stat_blocks(text)) for text in texts) == sum(1 for _, hag in shape if hag)
    bodies = [block.text for unit in units for block in unit.blocks if block.kind != "heading"]
    wanted = [
        block.text for unit in _units(sections) for block in unit.blocks if block.kind != "heading"
    ]
    assert "".join("".join(bodies).split()) == "".join("".join(wanted).split())


def test_the_dice_of_points_and_numbers_are_no_damage() -> None:
    fields = {"hit_points": "11 (2d8 + 2)", "number_appearing": "3d6"}
    wolf = EntityEntry(
        id="wolf", name="Wolf", kind="creature", type="npc", section="s", fields=fields
    )
    bear = wolf.model_copy(update={"id": "bear", "fields": fields | {"attack": "claw 1d6"}})
    hints = StatBlockHints(toughness=["hit_points"])
    texts = {"s": "Bite. +4 to hit. Hit: 7 (2d4+2) piercing damage."}
    made = foes_of(EntityRegistry(entities=[wolf, bear]), {}, hints, texts, [])["creatures"]
    dice = {
        id: [each["damage"] for each in block["strikes"].values()] for id, block in made.items()
    }
    assert dice == {"wolf": [["2d4+2"]], "bear": [["1d6"]]}
