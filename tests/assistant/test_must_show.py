"""The seed's three questions on the bundled example, through the librarian: real sheet, real notes, the rules digest."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.assistant.model import Answer
from freeform.engine.authored.library import content_folder
from freeform.services.librarian import AskWish, Librarian
from freeform.settings import Settings
from freeform.wiring import opened

DEMO = content_folder("demo") / "brannoc"
WISH = AskWish(character=str(DEMO / "sheet.json"), notes=str(DEMO / "notes"))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture
async def librarian(home: Path) -> AsyncIterator[Librarian]:
    settings = Settings.model_validate({"home": home, "model": "offline"})
    async with opened(settings) as table:
        yield Librarian(settings, table)


def needs(answer: Answer) -> set[tuple[str, str]]:
    return {(need.tool, need.intention) for need in answer.tools_needed}


async def test_the_named_sword_and_its_curse(librarian: Librarian) -> None:
    answer = await librarian.ask(
        "What combat abilities do I have tied to Eldaryth of Regret?", WISH
    )
    assert needs(answer) == {("character_data", "combat_info")}
    assert [entity.name for entity in answer.entities] == ["Eldaryth of Regret"]
    assert "inventory" in answer.resolution["Eldaryth of Regret"][0].found_in_sections
    assert "inventory" in answer.queries[0].auto_include
    to_hit = next(number for number in answer.numbers if "to hit" in number.label)
    assert (
        to_hit.value == 8 == sum(part.value for part in to_hit.parts if isinstance(part.value, int))
    )
    assert "Regret's Toll" in answer.answer and "Curse" in answer.answer


async def test_someone_who_stands_only_on_the_sheet_is_found_there_and_said_to_be_in_no_notes(
    librarian: Librarian,
) -> None:
    answer = await librarian.ask(
        "Remind me who Elara is and what persuasion abilities I have", WISH
    )
    assert needs(answer) == {("session_notes", "npc_history"), ("character_data", "abilities_info")}
    assert {place.tool for place in answer.resolution["Elara"]} == {"character_data"}
    assert "backstory" in answer.resolution["Elara"][0].found_in_sections
    assert "elder sister" in answer.answer
    assert any("Elara" in line and "the notes" in line for line in answer.searched_and_empty)
    alone = await librarian.ask("Who is Elara?", WISH)
    assert "elder sister" in alone.answer and any(
        "was found in the sheet" in note for note in alone.notes
    )


async def test_grappling_with_the_real_bonus_in_each_edition(librarian: Librarian) -> None:
    question = "How does grappling work and what's my athletics bonus?"
    answer = await librarian.ask(question, WISH)
    assert needs(answer) == {("rulebook", "rule_mechanics"), ("character_data", "abilities_info")}
    (bonus,) = [number for number in answer.numbers if number.label.startswith("Athletics")]
    assert bonus.value == 7 and [part.value for part in bonus.parts] == [4, 3]
    editions = {source.edition for source in answer.sources if source.title == "Grappling"}
    assert editions == {"5.1", "5.2"}
    for edition in ("5.1", "5.2"):
        only = await librarian.ask(question, WISH.model_copy(update={"edition": edition}))
        assert {source.edition for source in only.sources if source.tool == "rulebook"} == {edition}


async def test_where_sheet_and_notes_disagree_both_stand_with_their_sources(
    librarian: Librarian,
) -> None:
    answer = await librarian.ask("What bonus does Eldaryth of Regret give me?", WISH)
    (difference,) = [each for each in answer.disagreements if each.what == "bonus"]
    assert [side.split(" [")[0] for side in difference.sides] == ["sheet: 1", "notes: 2"]
    assert {source.tool for source in answer.sources} >= {"character_data", "session_notes"}


async def test_without_sheet_and_notes_only_the_rules_answer_and_the_rest_is_said(
    librarian: Librarian,
) -> None:
    answer = await librarian.ask(
        "How does grappling work and what's my athletics bonus?", AskWish()
    )
    assert {query.tool for query in answer.queries} == {"rulebook"}
    assert "no character sheet was given" in answer.answer
