"""Questions to the sheets and notes that people have: one that cannot be read, a name in a list, a
person among others."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.core.errors import BadFile
from freeform.services.assistant.questions import ask
from freeform.services.house import House, opened_house
from freeform.services.librarian import AskWish
from freeform.settings import Settings

NOTES = """# Session 1
We met Hobb the ferryman. He wants 4 gp.
Sir Hugo is a tall knight with a grey horse. He lost his left hand at Vael.
The rain did not stop until the morning.
"""
SHEET = """Tobin, ranger 5
hp 27, of a total of 44
Spells: hunter's grasp, cure wounds, spike growth.
Strength 12, dexterity 17, constitution 14, intelligence 10, wisdom 15, charisma 9.
"""


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    settings = Settings.model_validate({"home": tmp_path / "home", "model": "offline"})
    async with opened_house(settings) as opened:
        yield opened


@pytest.fixture
def notes(tmp_path: Path) -> str:
    path = tmp_path / "notes.md"
    path.write_text(NOTES, encoding="utf-8")
    return str(path)


async def test_a_sheet_that_cannot_be_read_is_named_and_the_notes_answer(
    house: House, notes: str, tmp_path: Path
) -> None:
    broken = tmp_path / "broken.json"
    broken.write_text('{"name": "Zed", "hp":', encoding="utf-8")
    told = await ask(house, "Who is Sir Hugo?", AskWish(character=str(broken), notes=notes))
    assert "tall knight" in told.answer
    assert "broken.json" in told.answer
    with pytest.raises(BadFile):
        await ask(house, "Who is Hobb?", AskWish(character=str(broken)))


async def test_who_somebody_is_is_told_in_the_sentences_about_them(
    house: House, notes: str
) -> None:
    told = await ask(house, "Who is Sir Hugo?", AskWish(notes=notes))
    assert "tall knight" in told.answer
    assert "left hand" in told.answer
    assert "rain" not in told.answer
    assert "Hobb" not in told.answer


async def test_what_a_sheet_only_lists_is_not_told_and_a_book_is_asked_for(
    house: House, tmp_path: Path
) -> None:
    sheet = tmp_path / "tobin.txt"
    sheet.write_text(SHEET, encoding="utf-8")
    wish = AskWish(character=str(sheet))
    told = await ask(house, "What does hunter's grasp do?", wish)
    assert told.answer.startswith("Not said")
    assert "freeform-rpg import" in told.answer
    left = await ask(house, "How many hit points do I have left?", wish)
    assert "27 of 44" in left.answer
