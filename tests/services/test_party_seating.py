"""Anybody sits down: a persona of a file, whatever the file is, or of some sentences."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.core.errors import FreeformError, UserError
from freeform.services.house import House, opened_house
from freeform.services.party.seating import make_persona, near_of, persona_file, read_persona
from freeform.settings import Settings

WORDS = "A retired smuggler from the river. She trusts nobody and counts the exits."


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with opened_house(Settings(home=tmp_path, model="offline"), model=False) as made:
        yield made


async def test_a_page_a_card_a_sheet_and_a_persona_of_its_own_making_are_read(
    house: House, tmp_path: Path
) -> None:
    page = tmp_path / "old_ketha.txt"
    page.write_text(WORDS)
    named = tmp_path / "page.md"
    named.write_text(f"# Ketha Voss\n{WORDS}")
    card = tmp_path / "card.json"
    data = {"name": "Ketha", "description": WORDS, "first_mes": "Who sent you?"}
    card.write_text(json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}))
    near = near_of(house.table)
    read = [read_persona(house.settings, path, near) for path in (page, named, card)]
    assert [one.character.name for one in read] == ["Old Ketha", "Ketha Voss", "Ketha"]
    kept = tmp_path / "ketha.yaml"
    kept.write_text(persona_file(read[1]))
    assert read_persona(house.settings, kept, near) == read[1]


async def test_sentences_make_a_persona_and_a_file_only_where_files_may_be_named(
    house: House, tmp_path: Path
) -> None:
    page = tmp_path / "ketha.txt"
    page.write_text(WORDS)
    assert make_persona(house, "Ketha", WORDS).character.name == "Ketha"
    assert make_persona(house, str(page)).character.name == "Ketha"
    with pytest.raises(UserError, match="no file 'nobody.txt'"):
        make_persona(house, "nobody.txt")
    house.files = False
    with pytest.raises(UserError, match="no file"):
        make_persona(house, str(page))


async def test_a_file_that_describes_nobody_is_refused(house: House, tmp_path: Path) -> None:
    broken = tmp_path / "broken.yaml"
    broken.write_text("name: [")
    with pytest.raises(FreeformError):
        read_persona(house.settings, broken, near_of(house.table))
