"""Kills the lore researcher with SIGKILL at chosen moments, many runs of many kills, and compares what each run leaves.

    python benchmarks/lore_kills.py --runs 5 --kills 200

A moment is the n-th call of any function, n by a fixed seed: the same moments on every machine. Each run must leave the
steps, messages, ledger, claims and graph of a run that nobody disturbed.
"""

import argparse
import asyncio
import json
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.lore.killing import run_killed, story, work


def main() -> None:
    """Prints a table and JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--runs", type=int, default=5)
    asked.add_argument("--kills", type=int, default=200)
    asked.add_argument("--reach", type=int, default=4_000)
    args = asked.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        assert work(Path(folder) / "calm.db") == 0
        calm = asyncio.run(story(Path(folder) / "calm.db"))
        for seed in range(args.runs):
            start, file = time.perf_counter(), Path(folder) / f"{seed}.db"
            kills = run_killed(file, args.kills, seed, args.reach)
            same = asyncio.run(story(file)) == calm
            rows.append(
                {
                    "seed": seed,
                    "kills": kills,
                    "same": same,
                    "s": round(time.perf_counter() - start, 1),
                }
            )
            print(
                f"seed {seed}: {kills} kills, {'the same' if same else 'DIFFERENT'}, {rows[-1]['s']} s",
                flush=True,
            )
    print(json.dumps({"steps": len(calm["steps"]), "messages": len(calm["inbox"]), "runs": rows}))


if __name__ == "__main__":
    main()
