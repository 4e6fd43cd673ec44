"""Requests to every route of a served table by a player and a spectator, who find no planted secret.

Prints how many were asked, how they were answered, and every leak. Exit 1 when there is one.
Run: python benchmarks/leaks.py [--requests 10000] [--seed 19]
"""

import argparse
import asyncio
import json
import logging
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.apps.web.guests import gathered
from tests.apps.web.leaking import Leaks, ask, plant, requests_to, routes
from tests.apps.web.serving import serving

KEY = "open-sesame-42"


async def measure(requests: int, seed: int) -> Leaks:
    """As many requests as are wanted, to routes by chance."""
    chance, seen = random.Random(seed), Leaks()
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder) / "home", serve_key=KEY) as served:
            served.http.headers["authorization"] = f"Bearer {KEY}"
            await served.begin()
            await served.begin("b")
            async with gathered(served, KEY) as company:
                ben = await company.guest("Ben", hero={"name": "Sparrow"})
                others = [
                    await company.guest("Cleo", hero={"name": "Wren"}),
                    await company.guest("Wim", "spectator"),
                ]
                await plant(company, ben)
                found = routes(company)
                while seen.asked < requests:
                    for wish in requests_to(chance.choice(found), chance):
                        await ask(chance.choice(others), wish, seen)
    return seen


def main() -> None:
    """Asks, and says what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=19)
    wanted = parser.parse_args()
    logging.disable(logging.WARNING)
    start = time.perf_counter()
    seen = asyncio.run(measure(wanted.requests, wanted.seed))
    seconds = round(time.perf_counter() - start, 1)
    told = {
        "asked": seen.asked,
        "answered": dict(sorted(seen.answered.items())),
        "leaks": seen.leaks,
        "mistakes": seen.mistakes[:20],
        "seconds": seconds,
    }
    print(f"{seen.asked:,} requests, {len(seen.leaks)} leaks, {seconds} s")
    print(json.dumps(told))
    sys.exit(1 if seen.leaks or seen.mistakes else 0)


if __name__ == "__main__":
    main()
