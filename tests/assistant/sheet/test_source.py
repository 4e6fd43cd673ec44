"""The sheet answers for itself: names where they stand, pieces that fit, numbers with parts."""

import pytest

from freeform.assistant.model import CHARACTER_SECTIONS, Wanted
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from tests.assistant.sheet.examples import BRANNOC


@pytest.fixture(scope="module")
def source() -> SheetSource:
    return SheetSource(read_sheet(BRANNOC.read_bytes(), "brannoc.json"))


def wanted(
    query: str, *entities: str, sections: tuple[str, ...] = (), intention: str = "combat_info"
) -> Wanted:
    return Wanted(
        tool="character_data",
        intention=intention,
        query=query,
        entities=list(entities),
        sections=list(sections),
    )


async def test_a_name_stands_in_every_section_that_knows_it(source: SheetSource) -> None:
    names = await source.names()
    where = {(n.name, n.section) for n in names}
    assert {("Eldritch Blast", "spell_list"), ("Agonizing Blast", "features_and_traits")} <= where
    assert {
        ("Eldaryth of Regret", "inventory"),
        ("Elara", "backstory"),
        ("Elara", "inventory"),
    } <= where
    assert "grappling" in next(n for n in names if n.name == "Athletics").aliases
    assert {n.section for n in names} <= set(CHARACTER_SECTIONS)


async def test_pieces_have_ids_of_their_own_and_names_point_to_them(source: SheetSource) -> None:
    ids = [piece.id for piece in source.pieces]
    assert len(ids) == len(set(ids))
    assert {id for name in await source.names() for id in name.pieces} <= set(ids)


async def test_the_sword_brings_its_attack_its_action_and_its_curse(source: SheetSource) -> None:
    found = await source.fetch(
        wanted(
            "What combat abilities are tied to it?",
            "Eldaryth of Regret",
            sections=("action_economy", "inventory"),
        )
    )
    titles = [piece.title for piece in found[:3]]
    assert set(titles) == {
        "Eldaryth of Regret",
        "Eldaryth of Regret (attack)",
        "Regret's Toll (Eldaryth of Regret)",
    }
    assert any("Curse" in piece.text for piece in found[:3])


async def test_numbers_come_with_their_parts_and_the_piece_that_shows_them(
    source: SheetSource,
) -> None:
    (number,) = await source.numbers(wanted("What is my athletics bonus?", "Athletics"))
    assert (number.value, [p.value for p in number.parts]) == (7, [4, 3])
    assert number.piece in {piece.id for piece in source.pieces}


async def test_without_a_name_a_section_gives_its_headlines(source: SheetSource) -> None:
    labels = [
        n.label for n in await source.numbers(wanted("How am I doing?", sections=("combat_stats",)))
    ]
    assert labels == ["Armor Class", "Hit point maximum", "Speed, walk", "Initiative"]


async def test_facts_are_stated_so_that_others_can_disagree(source: SheetSource) -> None:
    facts = [(f.subject, f.what, f.value) for piece in source.pieces for f in piece.facts]
    assert ("Eldaryth of Regret", "bonus", "+1") in facts and (
        "Brannoc Vale",
        "armor_class",
        "20",
    ) in facts
