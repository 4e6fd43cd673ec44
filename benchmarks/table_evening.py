"""An evening in real browsers: who leads, a phone, a laptop, one who watches, and an AI player, in every mode.

In the order of initiative, with heroes in different places and told by a person, too. In each: a reload in mid-turn, a lost line that
comes back, a page that loses its event stream alone, a second device, a late joiner. Prints a row for each mode and JSON;
exit 1 where somebody read another story, acted for another, or was asked to act without seeing the scene.
Run: python benchmarks/table_evening.py [--turns 30] [--modes free,rounds,called,together,initiative,apart,by_hand]
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.web.evening import KEY, MODES, Evening, gathering
from tests.web.served import Server, browsing, missing, serving


def play(evening: Evening, mode: str, turns: int) -> None:
    """So many turns; in the second fifth of them somebody reloads, in the third a line is lost, and so on."""
    evening.set_mode(mode)
    step = max(1, turns // 7)
    happens = {
        "reload": lambda: evening.play(mode, cut=evening.reloads),
        "lost line": lambda: evening.loses_the_line(mode),
        "lost stream": lambda: evening.loses_the_stream(mode),
        "second device": lambda: evening.second_device(evening.here["Ben"]),
        "late joiner": lambda: evening.late_joiner(),
    }
    for number, name in enumerate(happens, start=1):
        while evening.turns < number * step:
            evening.play(mode)
        happens[name]()
    while evening.turns < turns:
        evening.play(mode)
    evening.check_watcher()
    evening.check_one_story(apart=mode == "apart")


def measure(server: Server, browser: Browser, mode: str, turns: int) -> dict[str, Any]:
    """One mode, with a table and browsers of its own."""
    row: dict[str, Any] = {"mode": mode, "turns": 0, "wrong": ""}
    start = time.perf_counter()
    with gathering(server, browser, mode) as evening:
        try:
            play(evening, mode, turns)
        except AssertionError as wrong:
            row["wrong"] = str(wrong)[:2000]
        told = evening.master.story(mode)
        parts = [part for turn in told for part in turn["parts"] or [turn]]
        row |= {"turns": len(told), "deeds": Counter(part["actor"] for part in parts)}
    row["seconds"] = round(time.perf_counter() - start)
    return row


def main() -> None:
    """Every mode that is wanted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=30)
    parser.add_argument("--modes", default=",".join(MODES))
    wanted = parser.parse_args()
    if reason := missing():
        sys.exit(reason)
    rows: list[dict[str, Any]] = []
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), KEY) as server,
        browsing() as browser,
    ):
        for mode in wanted.modes.split(","):
            row = measure(server, browser, mode, wanted.turns)
            rows.append(row)
            deeds = ", ".join(f"{name} {count}" for name, count in sorted(row["deeds"].items()))
            told = row["wrong"] or "one story for all"
            print(
                f"{mode:9} {row['turns']:3} turns  {row['seconds']:4} s  {deeds}: {told}",
                flush=True,
            )
    print(json.dumps(rows))
    sys.exit(1 if any(row["wrong"] for row in rows) else 0)


if __name__ == "__main__":
    main()
