"""Several processes at one campaign, and processes that die in the middle of it."""

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.core.chance import Chance
from freeform.core.clock import HandClock
from freeform.engine.rules.change import fold
from tests.apps.forked import Forked
from tests.patience import PATIENCE
from tests.story import begun

KILLS, TURNS = 14, 100


@contextmanager
def started(home: Path, how_many: int) -> Iterator[tuple[Forked, TextIO]]:
    """A writer in a process of its own, and what it says."""
    args = [str(home), "c", str(how_many)]
    out, into = os.pipe()
    with (
        open(out) as said,
        Forked("tests.adapters.sqlite.writer", args, {}, home, [into] * 3, PATIENCE) as writer,
    ):
        os.close(into)
        yield writer, said


def create(home: Path) -> None:
    async def make() -> None:
        shelf = CampaignShelf(home)
        await SqliteStore(shelf, HandClock()).create("c", begun())
        shelf.close()

    asyncio.run(make())


def look(home: Path) -> tuple[int, list[int]]:
    """The turn the campaign is at and its entries, after checking that file, tables and log agree."""

    async def read() -> tuple[int, list[int]]:
        shelf = CampaignShelf(home)
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
    with started(tmp_path, 60) as (one, first), started(tmp_path, 60) as (other, second):
        wins = [line for line in (*first, *second) if line != "ready\n"]
        assert [one.wait(), other.wait()] == [0, 0]
    entries = [int(line.split()[1]) for line in wins]
    assert len(set(entries)) == len(entries) == 120
    assert look(tmp_path)[1] == sorted([1, *entries])


@pytest.mark.skipif(os.name == "nt", reason="there is no SIGKILL on Windows")
def test_a_killed_process_loses_nothing_it_said_was_saved(tmp_path: Path) -> None:
    create(tmp_path)
    chance, said, kills = Chance(11, "kills"), [1], 0
    turn_no = 0
    while kills < KILLS or turn_no < TURNS:
        with started(tmp_path, 10**6) as (writer, heard):
            assert heard.readline() == "ready\n"
            time.sleep(0.02 + chance.fraction() * 0.25)
            os.kill(writer.pid, signal.SIGKILL)
            lines = list(heard)
            assert writer.wait() == -signal.SIGKILL
        kills += 1
        # The last line may be cut in the middle of a number.
        said += [int(line.split()[1]) for line in lines if line.endswith("\n")]
        turn_no, there = look(tmp_path)
        assert set(said) <= set(there)
        # At most the one append that was saved but not yet said.
        assert len(there) - len(said) <= kills
    assert kills >= 12
