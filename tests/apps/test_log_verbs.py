"""The log at the doors: what a command leaves in the file, and what it leaves off the screen."""

import json
import sqlite3
from typing import Any

from freeform.core.log import read_line
from tests.apps.program import Home

NOBODY = "url:http://127.0.0.1:1/v1#nobody"
WORDS = "I whisper swordfish to the lamp"


def logged(home: Home) -> list[dict[str, Any]]:
    """The lines of the home's log."""
    text = (home.path / "logs" / "freeform.log").read_text(encoding="utf-8")
    return [read_line(line) or {} for line in text.splitlines()]


def taped_requests(home: Home, campaign: str) -> set[str]:
    """The requests of a campaign's tapes."""
    (file,) = (home.path / "campaigns").rglob(f"{campaign}*/table.db")
    with sqlite3.connect(file) as db:
        return {row[0] for row in db.execute("select request from tapes where turn_no = 1")}


def test_a_turn_that_degrades_is_in_the_log_under_the_request_of_its_tapes(home: Home) -> None:
    home.begin()
    home.extra |= {"FREEFORM_RETRIES": "0", "OPENAI_API_KEY": "sk-planted-key-0123456789"}
    ran = home.run("--json", "turn", "a", WORDS, model=NOBODY)
    assert json.loads(ran.out)["turn_no"] == 1, "standard output is the document alone"
    degraded = [line for line in logged(home) if line["event"] == "degraded"]
    assert degraded
    assert {line["request"] for line in degraded} == taped_requests(home, "a")
    text = (home.path / "logs" / "freeform.log").read_text() + ran.err
    assert "swordfish" not in text and "planted" not in text
    checked = home.json("doctor")
    assert checked["faults"][-1]["event"] == "degraded" and checked["faults"][-1]["do"]
    assert "The last faults in the log" in home.run("doctor").out


def test_a_game_at_the_table_is_not_littered(home: Home) -> None:
    home.extra |= {"FREEFORM_RETRIES": "0"}
    ran = home.run("play", "--scenario", "cellar", "--campaign", "b", typed="look\n", model=NOBODY)
    assert "freeform.model" not in ran.err + ran.out
    assert any(line["event"] == "degraded" for line in logged(home))


def test_a_home_that_cannot_hold_a_log_is_played_in_all_the_same(home: Home) -> None:
    home.begin()
    (home.path / "logs").write_text("in the way")
    home.extra |= {"FREEFORM_RETRIES": "0"}
    ran = home.run("--json", "turn", "a", "look", model=NOBODY)
    assert ran.code == 0 and json.loads(ran.out)["turn_no"] == 1
    parts = {row["part"]: row for row in home.json("doctor")["parts"]}
    assert parts["log"]["ok"] is False and "log_file" in parts["log"]["note"]
