"""How many turns a server tells with two web processes beside one, by turns in one run: `serve --workers`.

So many tables play offline as quickly as they are answered, for a while with one process, then with two, then again. Clients run
on the same machine and take their share of it: read the ratio, with the load beside it.
Run: python benchmarks/workers.py [--tables 8] [--seconds 20] [--rounds 2]
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.apps.program import Home
from tests.web.served import Server, serving

SAID = ("I look around", "I wait", "I listen", "I look for a way out")


def told(server: Server, tables: int, seconds: float) -> float:
    """Turns a second at so many tables."""
    played = [0] * tables
    for number in range(tables):
        server.begin(f"t{number}", "cellar")
        server.play(f"t{number}", "I look around")  # warm
    ends = time.monotonic() + seconds

    def play(number: int) -> None:
        while time.monotonic() < ends:
            server.play(f"t{number}", SAID[played[number] % len(SAID)])
            played[number] += 1

    threads = [threading.Thread(target=play, args=(number,)) for number in range(tables)]
    began = time.monotonic()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(played) / (time.monotonic() - began)


def main() -> None:
    """One, two, one, two."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--rounds", type=int, default=2)
    wanted = parser.parse_args()
    found: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(wanted.rounds):
        for workers, rates in found.items():
            with tempfile.TemporaryDirectory() as folder:
                home = Home(Path(folder) / "home")
                (home.path / "freeform.toml").write_text("[serve]\nper_minute = 0\n")
                with serving(home.path, more=["--workers", str(workers)]) as server:
                    rates.append(round(told(server, wanted.tables, wanted.seconds), 2))
            print(workers, rates[-1], "turns/s, load", os.getloadavg()[0], flush=True)
    ratio = statistics.mean(found[2]) / statistics.mean(found[1])
    print(json.dumps({"turns_a_second": found, "ratio": round(ratio, 2), "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
