"""What the suite `promises` costs, and that it grows with the turns alone. Prints a table or JSON.

python benchmarks/promises.py [--campaigns 20] [--turns 200] [--json]
"""

import argparse
import json
from time import perf_counter
from typing import Any

from freeform.evals.processes import in_processes
from freeform.evals.suites.promises.suite import run_promises
from freeform.services.measure.jobs import play_promises

TARGET_S = 120.0


def timed(campaigns: int, turns: int, processes: int) -> dict[str, Any]:
    start = perf_counter()
    report = run_promises(
        campaigns, turns, lambda jobs: in_processes(play_promises, jobs, processes)
    )
    seconds = perf_counter() - start
    return {
        "campaigns": campaigns,
        "turns": turns,
        "processes": processes,
        "seconds": round(seconds, 2),
        "ms_a_turn": round(seconds / (campaigns * turns) * 1000, 2),
        "kept": report.metrics["kept"],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--campaigns", type=int, default=20)
    parser.add_argument("--turns", type=int, default=200)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    growth = [
        timed(1, turns, 1)
        for turns in (given.turns // 2, given.turns, given.turns * 2, given.turns * 4)
    ]
    whole = timed(given.campaigns, given.turns, 2)
    report = {"bench": "promises", "target_s": TARGET_S, "growth": growth, "whole": whole}
    if given.json:
        print(json.dumps(report))
        return
    print(f"promises (target: {TARGET_S:g} s for 20 campaigns of 200 turns on 2 cores)")
    print(
        f"{'campaigns':>10}{'turns':>8}{'processes':>11}{'seconds':>10}{'ms a turn':>12}{'kept':>8}"
    )
    for row in (*growth, whole):
        figures = [
            row[name]
            for name in ("campaigns", "turns", "processes", "seconds", "ms_a_turn", "kept")
        ]
        print("{:>10}{:>8}{:>11}{:>10}{:>12}{:>8}".format(*figures))


if __name__ == "__main__":
    main()
