"""`character` and `import` as a person uses them: the real program, real files, a home of its own."""

import json
from pathlib import Path

import pytest

from tests.apps.program import Home
from tests.assistant.sheet.examples import BRANNOC, brannoc

CHAT = (
    '{"user_name":"Ann","character_name":"Sera","chat_metadata":{}}\n'
    '{"name":"Sera","is_user":false,"send_date":"March 1, 2026 10:01am","mes":"Welcome, Ann."}\n'
)


def test_a_sheet_comes_in_is_listed_and_shown(home: Home) -> None:
    done = home.json("character", "import", str(BRANNOC))
    assert (done["id"], done["kind"], done["missing"]) == ("brannoc_vale", "dndbeyond", [])
    (row,) = home.json("character", "list")["characters"]
    assert (row["name"], row["classes"]) == ("Brannoc Vale", ["Paladin 5", "Warlock 2"])
    shown = home.json("character", "show", "brannoc_vale")
    athletics = shown["derived"]["skill:athletics"]
    assert (athletics["value"], [p["value"] for p in athletics["parts"]]) == (7, [4, 3])
    assert {"character_basics", "combat_info", "progress_info", "source", "raw_ref"} <= shown.keys()


def test_one_section_comes_with_its_own_numbers(home: Home) -> None:
    shown = home.json("character", "show", str(BRANNOC), "--section", "combat_info")
    assert shown["combat_info"]["ac"]["value"] == 20 and "armor_class" in shown["derived"]
    assert "skill:athletics" not in shown["derived"] and "magic_info" not in shown


def test_a_dry_run_says_what_would_change_and_keeps_nothing(home: Home, tmp_path: Path) -> None:
    assert home.json("character", "import", str(BRANNOC), "--dry-run")["kept"] is False
    assert home.json("character", "list")["characters"] == []
    home.json("character", "import", str(BRANNOC))
    export = brannoc()
    export["data"]["stats"][0]["value"] = 13
    changed = tmp_path / "changed.json"
    changed.write_text(json.dumps(export))
    ran = home.run("character", "import", str(changed), "--dry-run")
    assert "Athletics bonus: 7 > 6" in ran.out and ran.code == 0


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("", "empty"),
        ('{"data": {"stats": [', "ends in the middle"),
        ('{"a": 1}', "no sheet that we know"),
    ],
)
def test_a_bad_file_is_refused_in_one_sentence(
    home: Home, tmp_path: Path, content: str, says: str
) -> None:
    file = tmp_path / "bad.json"
    file.write_text(content)
    ran = home.run("character", "import", str(file))
    assert (ran.code, says in ran.err, "Traceback" in ran.err) == (1, True, False)


def test_an_unknown_sheet_or_section_is_told_what_there_is(home: Home) -> None:
    assert home.run("character", "show", "nobody").code == 1
    ran = home.run("character", "show", str(BRANNOC), "--section", "sanity")
    assert ran.code == 1 and "combat_info" in ran.err


def test_the_hero_of_a_campaign_is_a_sheet_too(home: Home) -> None:
    home.json("new-game", "--scenario", "cellar", "--campaign", "a", "--seed", "7")
    shown = home.json("character", "show", "a", "--campaign")
    assert shown["system"] == "freeform" and shown["character_basics"]["name"]


def test_import_finds_by_content_what_a_file_is(home: Home, tmp_path: Path) -> None:
    sheet = home.json("import", str(BRANNOC))
    assert (sheet["kind"], sheet["format"], sheet["id"]) == (
        "character",
        "dndbeyond",
        "brannoc_vale",
    )
    card = tmp_path / "card.json"
    data = {"name": "Ada", "description": "A smith.", "first_mes": "Well?"}
    card.write_text(json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}))
    done = home.json("import", str(card))
    assert (done["kind"], done["character"], done["counts"]["characters"]) == ("card", "ada", 1)
    chat = tmp_path / "chat.jsonl"
    chat.write_text(CHAT)
    kept = home.json("import", str(chat))
    assert (kept["kind"], kept["id"], kept["counts"]) == ("chat", "sera", {"messages": 1})
    rules = tmp_path / "5e-SRD-Conditions.json"
    rows = [
        {
            "index": "dazed",
            "name": "Dazed",
            "desc": ["- It blinks."],
            "url": "/api/2014/conditions/dazed",
        }
    ]
    rules.write_text(json.dumps(rows))
    book = home.json("import", str(rules))
    assert (book["kind"], book["edition"], book["counts"]["condition"]) == ("rulebook", "5.1", 1)
    assert {row["id"] for row in home.json("character", "list")["characters"]} == {
        "brannoc_vale",
        "ada",
    }


def test_import_says_what_it_takes_when_it_knows_nothing_of_a_file(
    home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "odd.json"
    file.write_text('{"a": 1}')
    ran = home.run("import", str(file))
    assert ran.code == 1 and "character card" in ran.err
    file.write_text('{"a": ')
    ran = home.run("import", str(file))
    assert ran.code == 1 and "ends in the middle" in ran.err


def test_a_rulebook_from_another_source_does_not_overwrite_the_first(
    home: Home, tmp_path: Path
) -> None:
    file = tmp_path / "5e-SRD-Conditions.json"
    for text in ("It blinks.", "It stares."):
        row = {
            "index": "dazed",
            "name": "Dazed",
            "desc": [text],
            "url": "/api/2014/conditions/dazed",
        }
        file.write_text(json.dumps([row]))
        ran = home.run("import", str(file))
    assert ran.code == 1 and "pack remove srd_5_1" in ran.err
    assert home.json("import", str(file), "--id", "srd_mine")["id"] == "srd_mine"
