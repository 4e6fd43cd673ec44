"""Everything out and everything in; nothing else in."""

import json
import sqlite3
import zipfile
from pathlib import Path

import pytest

from tests.apps.program import Home


def played(home: Home) -> Path:
    """A campaign with two turns, two takes and two branches, exported."""
    home.begin()
    home.json("turn", "a", "I look around")
    home.json("retry", "a")
    home.json("turn", "a", "I wait")
    home.json("branch", "a", "--turn", "1", "--name", "other")
    exported = home.json("export", "a", "a.zip")
    assert exported["kind"] == "zip"
    assert exported["counts"]["turns"] == 1
    return home.path / "a.zip"


@pytest.mark.parametrize("name", ["a", "b"])
def test_a_campaign_comes_back_as_it_was(home: Home, tmp_path: Path, name: str) -> None:
    file = played(home)
    other = Home(tmp_path / "other")
    brought = other.json("import", str(file), "--campaign", name)
    assert (brought["kind"], brought["campaign"]) == ("campaign", name)
    for verb in (("state",), ("branches",), ("show-event", "--turn", "1")):
        before, after = home.json(verb[0], "a", *verb[1:]), other.json(verb[0], name, *verb[1:])
        assert {**before, "campaign": "", "campaign_id": ""} == {
            **after,
            "campaign": "",
            "campaign_id": "",
        }
    assert len(other.json("tapes", name)["tapes"]) == len(home.json("tapes", "a")["tapes"])
    assert other.json("turn", name, "I look around")["turn_no"] == 2


def test_a_campaign_is_never_overwritten(home: Home) -> None:
    file = played(home)
    ran = home.run("import", str(file))
    assert (ran.code, "there is a campaign 'a' already" in ran.err) == (1, True)
    again = home.run("export", "a", "a.zip")
    assert (again.code, "is there already" in again.err) == (1, True)


def repacked(file: Path, changes: dict[str, bytes]) -> Path:
    """The archive with parts replaced or added."""
    with zipfile.ZipFile(file) as zip:
        parts = {name: zip.read(name) for name in zip.namelist()}
    out = file.with_name("changed.zip")
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip:
        for name, data in {**parts, **changes}.items():
            zip.writestr(name, data)
    return out


def strange_database(file: Path, statement: str) -> bytes:
    """The archive's own database after someone has run that statement on it."""
    with zipfile.ZipFile(file) as zip:
        copy = file.with_name("copy.db")
        copy.write_bytes(zip.read("table.db"))
    db = sqlite3.connect(copy)
    db.execute(statement)
    db.commit()
    db.close()
    return copy.read_bytes()


def test_archives_that_are_not_ours_are_refused_and_nothing_is_unpacked(home: Home) -> None:
    file = played(home)
    before = sorted(home.path.rglob("*"))
    trigger = "create trigger t after insert on tapes begin delete from campaigns; end"
    newer = json.dumps({"format": "freeform-campaign", "version": 99, "campaign": "z"}).encode()
    for changes, says in (
        ({"../../evil.txt": b"x"}, "was not made by"),
        ({"/evil.txt": b"x"}, "was not made by"),
        ({"manifest.json": b"{}"}, "does not read"),
        ({"manifest.json": b"\xff"}, "does not read"),
        ({"manifest.json": newer}, "newer Freeform RPG"),
        ({"table.db": b"\0" * 50_000_000}, "unpacks to more than"),
        ({"table.db": b"not a database at all"}, "table.db"),
        ({"table.db": strange_database(file, trigger)}, "not a campaign made by"),
        ({"table.db": strange_database(file, "pragma user_version = 999")}, "newer Freeform RPG"),
    ):
        changed = repacked(file, changes)
        ran = home.run("import", str(changed), "--campaign", "z")
        assert (ran.code, says in ran.err) == (1, True), (list(changes), ran.err)
        changed.unlink()
        (home.path / "copy.db").unlink(missing_ok=True)
    assert sorted(home.path.rglob("*")) == before


def test_a_log_leaves_as_json_lines_and_comes_back_as_it_was(home: Home) -> None:
    home.begin()
    home.json("turn", "a", "I look around")
    home.json("export", "a", "a.jsonl", "--format", "jsonl")
    file = home.path / "a.jsonl"
    kinds = [json.loads(line)["entry"]["kind"] for line in file.read_text().splitlines()]
    assert kinds == ["begun", "resolved", "narrated"]
    back = home.json("import", "a.jsonl", "--campaign", "b")
    assert (back["kind"], back["counts"]["turns"]) == ("campaign", 1)
    assert home.json("state", "b") == {**home.json("state", "a"), "campaign": "b"}
    file.write_text(file.read_text() + "{}\n")
    assert "a.jsonl:4" in home.run("import", "a.jsonl", "--campaign", "c").err


def test_notes_hold_what_is_known_and_link_to_each_other(home: Home) -> None:
    home.begin()
    told = home.json("turn", "a", "I look around")["final_text"]
    home.json("export", "a", "vault", "--format", "obsidian")
    vault = home.path / "vault"
    assert told.splitlines()[0] in (vault / "Story.md").read_text()
    assert "[[Orla]]" in (vault / "Now.md").read_text()
    assert (vault / "People" / "Orla.md").is_file()
    hidden = [
        f
        for f in home.json("state", "a")["facts"]
        if f["visibility"] == "hidden" and f["object"].get("text")
    ]
    assert hidden, "the scenario keeps a secret"
    everything = "\n".join(file.read_text() for file in vault.rglob("*.md"))
    assert [fact["id"] for fact in hidden if fact["object"]["text"] in everything] == []
