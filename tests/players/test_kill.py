"""Killed in any phase, a round goes on as if nothing had been: nothing is lost, nothing is said twice."""

import json
import signal
import subprocess
import sys
from pathlib import Path

POINTS = [1, 4, 10, 15, 19, 23, 27, 33, 40, 48]
"""Which write is the last; one round of three players makes about fifty-five."""


def test_a_round_killed_anywhere_ends_exactly_as_one_that_was_not(tmp_path: Path) -> None:
    run = [sys.executable, "-m", "tests.players.killing", str(tmp_path), "1", *map(str, POINTS)]
    done = subprocess.run(
        run, capture_output=True, text=True, cwd=Path(__file__).parents[2], check=False
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    killed = [row for row in rows if row["ended"] == -signal.SIGKILL]
    assert len(killed) >= 9, rows
    assert [row for row in rows if not row["same"]] == [], done.stderr[-2000:]
    assert len({row["phase"] for row in killed}) >= 7, killed
