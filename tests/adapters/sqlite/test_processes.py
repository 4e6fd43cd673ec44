"""Several processes at one campaign, and processes that die in the middle of it."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from freeform.adapters.sqlite.shelf import Shelf
from freeform.adapters.sqlite.store import SqliteStore
from freeform.core.chance import Chance
from freeform.core.clock import HandClock
from freeform.engine.change import fold
from tests.story import begun

WRITER = Path(__file__).with_name("writer.py")
KILLS, TURNS = 14, 100


def start(home: Path, how_many: int) -> "subprocess.Popen[str]":
    command = [sys.executable, str(WRITER), str(home), "c", str(how_many)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def create(home: Path) -> None:
    async def make() -> None:
        shelf = Shelf(home)
        await SqliteStore(shelf, HandClock()).create("c", begun())
        shelf.close()

    asyncio.run(make())


def look(home: Path) -> tuple[int, list[int]]:
    """The turn the campaign is at and its entries, after checking that file, tables and log agree."""

    async def read() -> tuple[int, list[int]]:
        shelf = Shelf(home)
        store = SqliteStore(shelf, HandClock())
        log = await store.read("c")
        state = await store.get_state("c")
        told = fold("c", "main", [logged.entry for logged in log])
        assert state.document() == told.document()
        shelf.close()
        return state.turn_no, [logged.id for logged in log]

    with sqlite3.connect(home / "campaigns" / "c" / "table.db") as db:
        assert db.execute("pragma integrity_check").fetchall() == [("ok",)]
        assert db.execute("pragma foreign_key_check").fetchall() == []
        facts = db.execute("select count(*) from log where kind = 'resolved'").fetchone()
        assert db.execute("select count(*) from events").fetchone() == facts
    db.close()
    return asyncio.run(read())


def test_two_processes_never_both_win(tmp_path: Path) -> None:
    create(tmp_path)
    writers = [start(tmp_path, 60) for _ in range(2)]
    wins = [line for writer in writers for line in writer.communicate(timeout=100)[0].splitlines()[1:]]
    assert [writer.returncode for writer in writers] == [0, 0]
    entries = [int(line.split()[1]) for line in wins]
    assert len(set(entries)) == len(entries) == 120
    assert look(tmp_path)[1] == sorted([1, *entries])


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL on Windows")
@pytest.mark.timeout(300)
def test_a_killed_process_loses_nothing_it_said_was_saved(tmp_path: Path) -> None:
    create(tmp_path)
    chance, said, kills = Chance(11, "kills"), [1], 0
    turn_no = 0
    while kills < KILLS or turn_no < TURNS:
        writer = start(tmp_path, 10**6)
        assert writer.stdout
        assert writer.stdout.readline() == "ready\n"
        time.sleep(0.02 + chance.fraction() * 0.25)
        writer.send_signal(signal.SIGKILL)
        lines = writer.communicate(timeout=30)[0].splitlines(keepends=True)
        assert writer.returncode == -signal.SIGKILL
        kills += 1
        # The last line may be cut in the middle of a number.
        said += [int(line.split()[1]) for line in lines if line.endswith("\n")]
        turn_no, there = look(tmp_path)
        assert set(said) <= set(there)
        # At most the one append that was saved but not yet said.
        assert len(there) - len(said) <= kills
    assert kills >= 12
