"""pack-ingest, promote-draft and list-systems as a person and a script use them."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from freeform.apps.cli.desk import Desk
from freeform.apps.cli.ingest.work import Wishes, run_ingest
from freeform.core.errors import UserError
from freeform.ingest.config import shown_name
from tests.apps.program import Home, Terminal
from tests.ingest.book import make_book


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with the small book beside it."""
    place = Home(tmp_path_factory.mktemp("table") / "home")
    make_book(place.path / "coast.pdf")
    return place


def test_a_book_becomes_a_pack_that_is_searched_and_played(home: Home) -> None:
    told = home.json("pack-ingest", "coast.pdf", "--license", "CC-BY 4.0", "--yes")
    keys = {"pack", "path", "pages", "segments", "entities", "stages", "validation", "systems"}
    assert keys <= set(told) and told["pack"] == "coast" and told["validation"]["ok"]
    assert [set(row) >= {"name", "seconds", "skipped"} for row in told["stages"]] == [True] * 8
    assert all({"confidence", "fields"} <= set(row) for row in told["systems"].values())
    assert told["license"]["type"] == "cc-by" and told["pages"] == 9

    found = home.json("pack", "search", "wrestling", "--pack", "coast")["chunks"][0]
    assert found["metadata"]["section_path"].endswith("Wrestling")
    assert (found["metadata"]["book"], found["metadata"]["page"]) == ("The Drowned Coast Guide", 1)
    shown = home.run("pack", "search", "reed knight", "--pack", "coast").out
    assert "The Drowned Coast Guide, page 4" in shown or "The Drowned Coast Guide, page 5" in shown

    assert {
        "id": "coast",
        "name": "The Drowned Coast Guide: rules",
        "inherits": "_base",
    } in home.json("list-systems")["systems"]
    begun = home.json("new-game", "--scenario", "coast", "--campaign", "c", "--seed", "3")
    assert begun["scenario"] == "coast"
    hit = next(
        row for row in home.json("turn", "c", "I attack the Tide Wisp")["rolls"]
        if row["kind"] == "attack" and row["target_id"] == "coast:tide_wisp"
    )  # fmt: skip
    assert [part["value"] for part in hit["against"]] == [14], "its armor class, as page 4 has it"
    rules = yaml.safe_load((Path(told["path"]) / "systems" / "coast.yaml").read_text())
    assert rules["creatures"]["tide_wisp"]["hp"] == 13
    asked = home.json(
        "ask", "How many hit points does the Reed Knight have?", "--rulebook", "coast"
    )
    assert "45" in asked["answer"] and asked["sources"][0]["where"].startswith(
        "Reed Knight, p. 4, coast"
    )
    unnamed = home.json("ask", "How many hit points does the Reed Knight have?")
    assert "45" in unnamed["answer"], "it is on the shelf"
    turn = home.json("turn", "c", "I pick the lock of the shed")
    assert turn["rolls"][0]["sides"] == 20 and turn["rolls"][0]["method"] == "target_number"
    place = json.loads(home.run("--json", "state", "c").out)["scene"]["location_id"]
    assert place.startswith("coast:")
    behind = home.json("why", "c", place)["chain"][0]
    if behind["what"] == "pack":
        assert behind["book"] == "The Drowned Coast Guide" and behind["page"] >= 1

    again = home.json("pack-ingest", "coast.pdf", "--license", "CC-BY 4.0", "--yes")
    assert all(row["skipped"] for row in again["stages"])


def test_a_draft_is_promoted_to_the_shelf(home: Home) -> None:
    told = home.json(
        "pack-ingest", "coast.pdf", "--id", "second", "--name", "Second", "--draft", "--yes", "--no-systems",
        "--reader", "pdfium",
    )  # fmt: skip
    assert (
        json.loads((Path(told["work"]) / "extract" / "extraction.json").read_text())["reader"]
        == "pdfium"
    )
    assert told["draft"] and told["installed"] is None and told["private"]
    assert (Path(told["path"]) / "REVIEW_NEEDED.md").is_file()
    assert "second" not in {row["id"] for row in home.json("pack", "list")["packs"]}
    done = home.json("promote-draft", told["path"])
    assert done["pack"] == "second" and "REVIEW_NEEDED.md" in done["left_behind"]
    row = next(row for row in home.json("pack", "list")["packs"] if row["id"] == "second")
    assert row["license"] is None
    assert not list(Path(done["path"]).glob("*.md")), "the papers are left behind"


@pytest.mark.parametrize(
    ("wishes", "told"),
    [
        ({"pdf": "gone.pdf"}, "gone.pdf"),
        ({"pdf": "notes.pdf"}, "PDF"),
        ({"pdf": "cut.pdf"}, "cut.pdf"),
        ({"pdf": "empty.pdf"}, "empty.pdf"),
        ({"pdf": "."}, ""),
        ({"pages": "9-2"}, "backwards"),
        ({"pages": "400-500"}, "has 9 pages"),
        ({"from_stage": "cook"}, "the stages are"),
        ({"system_hint": "gurps"}, "list-systems"),
        ({"id": "No Id!"}, "--id no_id"),
        ({"layer": "cellar"}, "homebrew"),
        ({"pdf": None}, "which book"),
    ],
)
def test_bad_input_is_told_in_one_sentence(home: Home, wishes: dict[str, Any], told: str) -> None:
    (home.path / "notes.pdf").write_text("these are only notes")
    (home.path / "cut.pdf").write_bytes((home.path / "coast.pdf").read_bytes()[:700])
    (home.path / "empty.pdf").write_bytes(b"")
    said = {"pdf": "coast.pdf", "yes": True, "id": "bad"} | wishes
    pdf = home.path / said.pop("pdf") if said["pdf"] is not None else said.pop("pdf")
    desk = Desk(home=home.path, model="offline", quiet=True)
    with pytest.raises(UserError) as wrong:
        run_ingest(desk, Wishes(pdf=pdf, **said))
    assert told in str(wrong.value) and len(str(wrong.value)) < 400


def test_a_person_sees_the_sentence_and_the_exit_code(home: Home) -> None:
    ran = home.run("pack-ingest", "nowhere.pdf", "--yes")
    assert ran.code == 1 and "nowhere.pdf" in ran.err and "Traceback" not in ran.err
    assert home.run("promote-draft", "nowhere").code == 1


def test_a_model_that_costs_money_is_not_asked_without_a_word(home: Home) -> None:
    ran = home.run("pack-ingest", "coast.pdf", "--id", "dear", model="anthropic:claude-sonnet-4-5")
    assert ran.code == 1 and "--yes" in ran.err and "$" in ran.err
    assert not (home.path / "ingest" / "work" / "dear").exists(), "nothing was begun"


def test_at_a_terminal_every_step_is_asked_and_enter_takes_what_is_proposed(home: Home) -> None:
    terminal = Terminal(home, "pack-ingest", "coast.pdf", "--no-systems", "--id", "asked")
    for question, answer in (
        ("4. Name?", ""),
        ("Licence", "cc-by"),
        ("draft", ""),
        ("6. Where to?", ""),
        ("Go on?", ""),
        ("shelf when it is done", "n"),
    ):
        shown = terminal.wait_for(question)
        if question.startswith("4."):
            assert "1. Reader: pdf_oxide" in shown and "nothing leaves this machine" in shown
        terminal.type(f"{answer}\r")
    terminal.wait_for("freeform-rpg pack install")
    assert terminal.end() == 0


def test_another_book_of_that_name_takes_the_next_id_and_none_by_force(home: Home) -> None:
    other = home.path / "elsewhere" / "coast.pdf"
    other.parent.mkdir()
    make_book(other)
    other.write_bytes(other.read_bytes() + b"\n% another printing\n")
    first = home.json("pack-ingest", "coast.pdf", "--license", "CC-BY 4.0", "--yes")
    assert first["pack"] == "coast"
    assert home.json("pack-ingest", str(other), "--yes", "--no-systems")["pack"] == "coast_2"
    forced = home.run("pack-ingest", str(other), "--id", "coast", "--yes")
    assert forced.code == 1 and "another book has the id 'coast'" in forced.err
    assert shown_name(Path("Caf\udce9 ledger.pdf")) == "Caf? ledger.pdf"
