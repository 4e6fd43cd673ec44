"""Requests to every route of a served table by a player and a spectator, who find no planted secret: written together, told by a
person, with heroes in different places and in the order of a fight, by HTTP, `/v1` and MCP.

Prints how many were asked, how they were answered, and every leak. Exit 1 when there is one.
Run: python benchmarks/leaks.py [--requests 10000] [--seed 19] [--settings apart,initiative]
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

from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.leaking import (
    Leaks,
    ask,
    plant,
    plant_apart,
    plant_by_hand,
    requests_to,
    routes,
)
from tests.apps.web.serving import serving

KEY = "open-sesame-42"
SETTINGS = {
    "together": "cellar",
    "by hand": "cellar",
    "apart": "dead_drop",
    "initiative": "tithe_door",
}
"""How the table stands, and a story in which it can."""
WAY = "I go to Kettle Row"


async def _stand(setting: str, company: Company, ben: Guest, seen: Leaks) -> None:
    """Puts the table as the setting has it, with secrets of that kind."""
    # What Ben wrote for all to tell together is told once they play otherwise.
    told = {"zqdraftzq"} if setting in ("apart", "initiative") else set()
    seen.may = {"Cleo": told, "Wim": told}
    if setting == "by hand":
        await plant_by_hand(company, ben)
    elif setting == "apart":
        seen.may["Wim"] = told | await plant_apart(company, ben, WAY)
    elif setting == "initiative":
        wish = {"mode": "initiative"}
        set_so = await company.owner.post("/api/campaigns/a/company/mode", json=wish)
        assert set_so.status_code == 200, set_so.text


async def measure(requests: int, seed: int, settings: list[str]) -> Leaks:
    """As many requests as are wanted, to routes by chance, in every setting."""
    chance, seen = random.Random(seed), Leaks()
    for number, setting in enumerate(settings, start=1):
        scenario = SETTINGS[setting]
        with tempfile.TemporaryDirectory() as folder:
            async with serving(Path(folder) / "home", serve_key=KEY) as served:
                served.http.headers["authorization"] = f"Bearer {KEY}"
                await served.begin("a", scenario)
                await served.begin("b")
                async with gathered(served, KEY) as company:
                    ben = await company.guest("Ben", hero={"name": "Sparrow"})
                    others = [
                        await company.guest("Cleo", hero={"name": "Wren"}),
                        await company.guest("Wim", "spectator"),
                    ]
                    await plant(company, ben)
                    await _stand(setting, company, ben, seen)
                    found = routes(company)
                    doors = [each for each in found if _is_another_program(each)]
                    while seen.asked < requests * number // len(settings):
                        route = chance.choice(doors if chance.random() < DOORS else found)
                        for wish in requests_to(route, chance):
                            await ask(chance.choice(others), wish, seen)
        print(f"{setting}: {seen.asked:,} asked, {len(seen.leaks)} leaks", flush=True)
    return seen


DOORS = 0.15
"""How often a request goes to one of the doors for other programs, which have few addresses."""


def _is_another_program(route: object) -> bool:
    return str(getattr(route, "path", "/mcp")).startswith(("/v1", "/mcp"))


def main() -> None:
    """Asks, and says what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=19)
    parser.add_argument("--settings", default=",".join(SETTINGS))
    wanted = parser.parse_args()
    logging.disable(logging.WARNING)
    start = time.perf_counter()
    seen = asyncio.run(measure(wanted.requests, wanted.seed, wanted.settings.split(",")))
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
