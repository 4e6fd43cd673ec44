"""Keeping sheets: the raw file unchanged, a look before keeping, what changed said line by line."""

import hashlib
from pathlib import Path

import pytest

from freeform.assistant.sheet.shelf import SheetShelf
from freeform.assistant.sheet.show import lines_of, section_named
from freeform.core.errors import NotFound
from tests.assistant.sheet.examples import BRANNOC, brannoc, raw


@pytest.fixture
def shelf(tmp_path: Path) -> SheetShelf:
    return SheetShelf(tmp_path)


def keep(shelf: SheetShelf, content: bytes) -> str:
    return shelf.keep(content, shelf.preview(content, "brannoc.json")).id


def test_the_raw_file_is_kept_byte_for_byte_under_its_hash(shelf: SheetShelf) -> None:
    content = BRANNOC.read_bytes()
    sheet = shelf.get(keep(shelf, content))
    kept = shelf.folder / sheet.id / sheet.raw_ref
    assert kept.read_bytes() == content
    assert (
        sheet.source.hash == f"sha256:{hashlib.sha256(content).hexdigest()}"
        and sheet.raw_ref in str(kept)
    )


def test_a_look_keeps_nothing(shelf: SheetShelf) -> None:
    found = shelf.preview(BRANNOC.read_bytes(), "brannoc.json")
    assert (found.replaces, [str(c) for c in found.changes]) == (
        False,
        ["new: sheet of Brannoc Vale"],
    )
    assert shelf.rows() == []


def test_another_import_says_what_it_changes_and_keeps_both_files(shelf: SheetShelf) -> None:
    keep(shelf, BRANNOC.read_bytes())
    export = brannoc()
    ring = next(
        i for i in export["data"]["inventory"] if i["definition"]["name"] == "Ring of Protection"
    )
    ring["isAttuned"] = False
    export["data"]["customItems"].append({"name": "Odd key", "quantity": 1})
    found = shelf.preview(raw(export), "brannoc.json")
    told = {str(change) for change in found.changes}
    assert {"Armor Class: 20 > 19", "new: item Odd key", "Wisdom save: 5 > 4"} <= told
    shelf.keep(raw(export), found)
    assert shelf.get("brannoc_vale").combat_info.ac.value == 19
    assert len(list((shelf.folder / "brannoc_vale" / "raw").iterdir())) == 2


def test_the_same_file_again_changes_nothing(shelf: SheetShelf) -> None:
    keep(shelf, BRANNOC.read_bytes())
    found = shelf.preview(BRANNOC.read_bytes(), "brannoc.json")
    assert (found.already, found.changes) == (True, [])


@pytest.mark.parametrize("ref", ["brannoc_vale", "Brannoc Vale", "brannoc", "BRANNOC VALE"])
def test_a_sheet_goes_by_id_name_and_beginning(shelf: SheetShelf, ref: str) -> None:
    keep(shelf, BRANNOC.read_bytes())
    assert shelf.get(ref).id == "brannoc_vale"


def test_an_unknown_name_is_told_what_there_is(shelf: SheetShelf) -> None:
    keep(shelf, BRANNOC.read_bytes())
    with pytest.raises(NotFound, match="did you mean brannoc_vale"):
        shelf.get("branoc_vael")
    with pytest.raises(NotFound):
        shelf.get("../../etc")


def test_a_removed_sheet_leaves_its_raw_file(shelf: SheetShelf) -> None:
    id = keep(shelf, BRANNOC.read_bytes())
    shelf.remove(id)
    assert shelf.rows() == [] and len(list((shelf.folder / id / "raw").iterdir())) == 1


def test_sections_go_by_their_names_and_those_of_their_parts() -> None:
    assert [section_named(n) for n in ("combat_info", "magic", "inventory", "spell_list", "relations")] == [
        "combat_info", "magic_info", "inventory_info", "magic_info", "social_info",
    ]  # fmt: skip
    with pytest.raises(NotFound, match="combat_info"):
        section_named("sanity")


def test_a_shown_sheet_tells_each_number_with_its_parts(shelf: SheetShelf) -> None:
    lines = list(lines_of(shelf.get(keep(shelf, BRANNOC.read_bytes())), "abilities"))
    assert (
        "  Athletics bonus +7 = STR modifier +4 (Strength 18), proficiency +3 (Soldier (background)). Passive 17."
        in lines
    )
