"""Books without a catalogue's shape: keyed rooms, people and places with a heading each, creatures in one line."""

from pathlib import Path

import pytest

from freeform.ingest.model import Block, ChapterIntent
from freeform.ingest.pack.guidance import find_advice, master_of
from freeform.ingest.structure.intents import intent_of
from freeform.ingest.systems.config import GuidanceConfig
from freeform.ingest.things.block_numbers import named_runs, stat_blocks_in
from freeform.ingest.things.kinds import Kind
from freeform.ingest.things.statruns import find_runs
from freeform.ingest.things.subject import keyed_series, told_kind
from freeform.ingest.things.things import find_things
from tests.ingest.paper import LEFT, Ink, column, prose, save
from tests.ingest.test_making import section
from tests.ingest.test_structure_ways import structure_of


@pytest.mark.parametrize(
    ("line", "name", "numbers"),
    [
        (
            "**Tin Rats (4):** AC 7 [12], HD 1-1, hp 2 each, MV 12, ML 6.",
            "Tin Rats",
            {"ac": 7, "hd": 1, "hp": 2, "mv": 12},
        ),
        (
            "BRN 70 AGI 40 MND 30 RES 80. HP 15. Armor 1 (wet leather).",
            "",
            {"brn": 70, "res": 80, "hp": 15, "armor": 1},
        ),
        ("Attributes: Might 2, Grace 3, Vigor 3, Charm 4", "", {"might": 2, "charm": 4}),
    ],
)
def test_a_line_of_labels_and_numbers_is_a_stat_block(
    line: str, name: str, numbers: dict[str, int]
) -> None:
    (run,) = find_runs(f"Some words before it.\n\n{line}")
    assert run.name == name and numbers.items() <= run.numbers.items()


@pytest.mark.parametrize(
    "text",
    [
        "In 1666 the Fire took the city. In 1789 the House fell. By 1916 the Salt had come with 40 ships and 3 kings.",
        "See Chapter 3, page 12, Table 4 and Part 2 of Book 5.",
        "| AC | 7 | HD | 1 | HP | 2 | MV | 12 |",
        "Roll 2d6 and add 3; on 10 you win, on 7 you pay.",
    ],
)
def test_years_references_tables_and_prose_are_no_stat_block(text: str) -> None:
    assert find_runs(text) == []


def test_a_creature_in_a_room_is_not_the_room() -> None:
    room = section(
        "3. The Well", "A shaft with iron rungs.\n\n**Well Lurker:** AC 6, HD 4, hp 18, MV 6, ML 8."
    )
    eel = section("Lamp Eel", "Twenty feet of muscle.\n\nBRN 110 AGI 60 MND 10 RES 50. HP 16.")
    assert [run.name for run in named_runs(room)] == ["Well Lurker"]
    assert list(stat_blocks_in([room, eel])) == [eel.id]


@pytest.mark.parametrize(
    ("title", "text", "kind"),
    [
        (
            "Harrow Dock",
            "Harrow Dock hangs from eleven chains above the clouds. Four thousand people live on it.",
            "place",
        ),
        (
            "Mother Hesper",
            "The abbess of the small house by the mill. Kind, tired, and lying about the key she lost.",
            "person",
        ),
        (
            "Ona Reyes",
            "The foreman is fifty and exact. She lost a hand to the chain. She owes her cousin a boat.",
            "person",
        ),
        (
            "The Society of Nine",
            "A dining club of owners and doctors, founded in 1844. They paid for what was done.",
            "faction",
        ),
        (
            "Stealth",
            "When you hide, roll and add your skill; your foe must beat it, or you stay unseen this turn.",
            None,
        ),
        (
            "Themes",
            "Loss runs through all of this, and the slow work of mending what was broken by other hands.",
            None,
        ),
    ],
)
def test_sentences_say_what_a_section_is_about(title: str, text: str, kind: Kind | None) -> None:
    assert told_kind(title, text, ChapterIntent.SETTING, False) == kind


def test_rooms_keyed_on_a_map_are_places() -> None:
    text = "Shelves cut in the rock hold clay bowls. The floor before the north door is a pit, and the air is cold here."
    titles = ("1. Hall of Bowls", "2. The Long Stair", "3. Pit")
    rooms = [section(title, text, path=("The Barrow", title)) for title in titles]
    rooms = [
        room.model_copy(update={"intent": ChapterIntent.SETTING, "chapter_id": "c"})
        for room in rooms
    ]
    assert keyed_series(titles) and not keyed_series(("1. Name", "Gear", "Notes", "9. Look"))
    assert [look.kind for look in find_things(rooms, {})] == ["place"] * 3


async def test_numbered_titles_are_headings_and_a_title_on_two_lines_is_one(tmp_path: Path) -> None:
    pages = []
    for number, word in enumerate(("Rats", "Kings", "Wells"), start=1):
        pages.append([
            Ink(f"Chapter {['One', 'Two', 'Three'][number - 1]}:", LEFT, 60, 22, True),
            Ink(f"The {word}", LEFT, 84, 22, True),
            Ink(f"{number}. Room of {word}", LEFT, 120, 12, True),
            *column(prose(30, 70 * number), LEFT, top=140),
        ])  # fmt: skip
    found = await structure_of(save(pages, tmp_path / "b.pdf"), tmp_path)
    assert [heading.title for heading in found.headings] == [
        "Chapter One: The Rats", "1. Room of Rats", "Chapter Two: The Kings", "2. Room of Kings",
        "Chapter Three: The Wells", "3. Room of Wells",
    ]  # fmt: skip


def test_a_line_about_the_licence_makes_no_legal_notice_of_a_chapter() -> None:
    legal = Block(
        kind="paragraph",
        text="Released under the Open Game License by the author.",
        page_start=1,
        page_end=1,
    )
    story = Block(
        kind="paragraph", text="The village lies on the river. " * 40, page_start=1, page_end=1
    )
    assert intent_of("The Barrow", [legal, story])[0] is ChapterIntent.SETTING
    assert intent_of("Page One", [legal] * 8)[0] is ChapterIntent.META


def test_the_book_says_what_its_game_master_is_called() -> None:
    rules = section(
        "Rolls",
        "The Lampwright may call for a roll. The Lampwright decides how hard it is for everyone.",
    )
    advice = section("Clues", "The Lampwright should never let a failed roll stop the story. Let the players pay in time, "
                     "and always put every clue that matters in three places.", path=("Advice", "Clues"))  # fmt: skip
    assert master_of([rules, advice]) == "Lampwright"
    found = find_advice([rules, advice], GuidanceConfig(categories={"pacing": ["time"]}))
    assert [piece.title for _, piece, _ in found] == ["Clues"]
