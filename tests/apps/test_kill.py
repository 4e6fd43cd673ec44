"""Whoever pulls the plug loses words, never the world."""

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import TextIO

from freeform import wiring
from freeform.core.record import canonical
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import Narrated, Resolved
from freeform.settings import Settings
from tests.apps.forked import Forked
from tests.patience import PATIENCE

TURNS = 110


async def _begin(home: Path) -> None:
    async with wiring.opened(Settings(home=home, model="offline")) as table:
        await begin(load_scenario("dead_drop"), "k", 7, Answers(), table)


async def _written(home: Path) -> tuple[dict[str, list[str]], bool]:
    """The kinds of entry of each turn, and whether the tables say what the log says."""
    async with wiring.opened(Settings(home=home, model="offline")) as table:
        kinds: dict[str, list[str]] = {}
        for logged in await table.store.read("k", 1):
            if isinstance(logged.entry, Resolved | Narrated):
                kinds.setdefault(logged.entry.turn_id, []).append(logged.entry.kind)
        cold = canonical((await table.store.get_state("k")).document())
        return kinds, cold == canonical((await table.store.rebuild("k")).document())


@contextmanager
def _playing(home: Path, first: int) -> Iterator[tuple[Forked, TextIO]]:
    """The player in a process of its own, from that turn on, and what it says."""
    out, into = os.pipe()
    args = [str(home), "k", str(first), str(TURNS)]
    with (
        open(out) as heard,
        Forked("tests.apps.playing", args, {**os.environ}, home, [into] * 3, PATIENCE) as player,
    ):
        os.close(into)
        yield player, heard


def test_a_killed_process_loses_no_fact_and_plays_no_turn_twice(tmp_path: Path) -> None:
    asyncio.run(_begin(tmp_path))
    chance, done, kills = Random(11), 0, 0
    while done < TURNS:
        with _playing(tmp_path, done + 1) as (player, heard):
            said = list(islice(heard, chance.randint(1, 14)))
            assert said, "the player says something before it is killed"
            time.sleep(chance.uniform(0.0, 0.03))
            with suppress(ProcessLookupError):
                os.kill(player.pid, signal.SIGKILL)
            said += heard
            kills += player.wait() == -signal.SIGKILL
        acknowledged = [line.split() for line in said if line.endswith("\n")]
        kinds, agrees = asyncio.run(_written(tmp_path))
        assert agrees, "the tables are what the log makes of them"
        for what, number in acknowledged:
            wanted = ["resolved"] if what == "facts" else ["resolved", "narrated"]
            assert kinds[f"n{number}"][: len(wanted)] == wanted
        whole = [id for id, found in kinds.items() if found == ["resolved", "narrated"]]
        assert all(found in (["resolved"], ["resolved", "narrated"]) for found in kinds.values())
        done = len(whole)
        assert whole == [f"n{n}" for n in range(1, done + 1)]
        db = sqlite3.connect(tmp_path / "campaigns" / "k" / "table.db")
        assert db.execute("pragma integrity_check").fetchone() == ("ok",)
        db.close()
    assert kills >= 5, "it was really killed"
    assert os.listdir(tmp_path / "campaigns") == ["k"]
