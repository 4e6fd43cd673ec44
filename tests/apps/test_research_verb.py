"""`research` as a person runs it: the larder of thirty dishes, a kill in the middle, and going on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.apps import forked

LARDER = Path(__file__).parents[2] / "examples" / "packs" / "emberfall_larder"
QUESTION = "Can you give me details about every food buff in the game, including their location and coordinates?"

DIES_AT_THE_TWELFTH = """
import os, signal
from freeform.__main__ import main
from freeform.adapters.sqlite.research import SqliteResearch

put_item, put = SqliteResearch.put_item, []

async def put_and_die(self, *given):
    await put_item(self, *given)
    put.append(given)
    if len(put) == 12:
        os.kill(os.getpid(), signal.SIGKILL)

SqliteResearch.put_item = put_and_die
main()
"""


def run(home: Path, *words: str, code: int = 0) -> Any:
    """One verb with --json; its document."""
    ended, out, err = forked.run(arguments(home, *words), {**os.environ}, home, b"", 110)
    assert ended == code, err
    return json.loads(out) if out else err.decode()


def arguments(home: Path, *words: str) -> list[str]:
    return ["--home", str(home), "--model", "offline", "--json", *words]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    run(tmp_path, "pack", "install", str(LARDER))
    return tmp_path


def test_the_seeds_question_is_answered_with_thirty_rows_and_one_gap(home: Path) -> None:
    state = run(home, "research", QUESTION)
    assert state["status"] == "COMPLETED"
    assert {
        "researchId",
        "originalQuery",
        "status",
        "collectedData",
        "plan",
        "answer",
        "sources",
    } <= set(state)
    first, *rest = state["plan"]
    assert len(first["result"]) == 30
    assert all(
        step["iterate_over"] == first["output_key"] and step["depends_on"] == [1] for step in rest
    )
    rows = [line for line in state["answer"].splitlines() if line.startswith("| ") and "[" in line]
    assert len(rows) == 30
    assert "| Whistlefish | Feather fall for 10 minutes" in state["answer"]
    assert state["missing"] == ["Candied Nightshade: Recipe location was not found"]
    for source in state["sources"]:
        file = source["where"].split(", The Emberfall")[0].split(", ")[-1].split(":")[0]
        assert source["quote"].split(": ")[-1].strip('"') in (LARDER / file).read_text(
            encoding="utf-8"
        )
    assert run(home, "research", "show", state["researchId"])["answer"] == state["answer"]
    assert run(home, "research", "list")["research"][0]["researchId"] == state["researchId"]


def test_after_a_kill_in_the_middle_it_goes_on_and_does_nothing_twice(home: Path) -> None:
    command = [sys.executable, "-c", DIES_AT_THE_TWELFTH, *arguments(home, "research", QUESTION)]
    ended = subprocess.run(command, capture_output=True, check=False)
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    done = items(home)
    assert 12 <= len(done) < 91
    (row,) = run(home, "research", "list")["research"]
    assert row["status"] == "IN_PROGRESS"
    state = run(home, "research", "--resume", row["researchId"])
    assert state["status"] == "COMPLETED" and len(state["missing"]) == 1
    after = items(home)
    assert len(after) == 91 and {key: after[key] for key in done} == done


def items(home: Path) -> dict[tuple[int, str], int]:
    """Each finished item with its row: a row written again would have another number."""
    path = home / "research" / "research.db"
    if not path.exists():
        return {}
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as db:
            rows = db.execute("select step_id, item, rowid from items").fetchall()
    except sqlite3.OperationalError:
        return {}
    return {(step, item): row for step, item, row in rows}


def test_a_small_budget_gives_a_partial_answer_and_the_code_for_it(home: Path) -> None:
    state = run(home, "research", QUESTION, "--budget", "900", code=4)
    assert state["partial"] and state["sources"]
    more = run(home, "research", "--resume", state["researchId"], "--budget", "100000")
    assert not more["partial"] and len(more["missing"]) == 1


def test_neither_a_question_nor_an_id_is_refused_plainly(home: Path) -> None:
    assert "a question or --resume" in run(home, "research", code=1)["error"]["message"]
