"""A map of hundreds of places in the browser: how long until it is drawn, and how typing answers while it is laid out.

`python benchmarks/web_map.py [--places 300] [--opens 5] [--json]`. The server and Chromium are real, and so is all the page does; the map
itself is made up (a town of so many places, each with a way to one before it and to some others), since no story has that many yet, and
given to the page in place of the server's.
"""

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.served import Server, browsing, looking, missing, serving

NAMES = ("gate", "mill", "chapel", "harbour", "wood", "tower", "square", "cellar", "inn", "hill")


def made_up(places: int, seed: int = 7) -> dict[str, Any]:
    """A town: each place hangs on one before it, and one in three has a second way."""
    chance = random.Random(seed)
    told: dict[str, Any] = {"places": [], "ways": [], "people": []}
    for number in range(places):
        name = f"The {NAMES[number % len(NAMES)]} {number}"
        place = {
            "id": f"p{number}",
            "name": name,
            "here": number == 0,
            "visited": number % 4 < 3,
            "about": "",
        }
        told["places"].append(place)
        ends = [chance.randrange(max(0, number - 12), number)] if number else []
        if number > 2 and chance.random() < 0.33:
            ends.append(chance.randrange(number))
        for end in ends:
            state = chance.choice(("open", "open", "open", "shut", "guarded", "unsure"))
            told["ways"].append(
                {
                    "from": f"p{end}",
                    "to": f"p{number}",
                    "name": name,
                    "open": state == "open",
                    "state": state,
                }
            )
    return told  # fmt: skip


def opened(browser: Browser, server: Server, told: dict[str, Any]) -> dict[str, float]:
    """Milliseconds from the answer of the server to a drawn map, and the longest the page stood still meanwhile."""
    with looking(browser, server) as eyes:
        page = eyes.context.new_page()
        page.route("**/api/campaigns/bell/map", lambda route: route.fulfill(json=told))
        page.goto(f"{server.url}/#/world/bell/people")
        page.get_by_role("tab", name="Map").wait_for()
        page.evaluate(
            "() => { window.still = 0; new PerformanceObserver(list => { for (const one of list.getEntries())"
            " window.still = Math.max(window.still, one.duration) }).observe({ type: 'longtask' }) }"
        )
        began = time.perf_counter()
        page.get_by_role("tab", name="Map").click()
        page.wait_for_function(
            "many => document.querySelectorAll('[data-place]').length === many",
            arg=len(told["places"]),
        )
        return {"drawn_ms": (time.perf_counter() - began) * 1000, "still_ms": page.evaluate("window.still")}  # fmt: skip


def main() -> None:
    """Prints a table, or JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--places", type=int, default=300)
    asked.add_argument("--opens", type=int, default=5)
    asked.add_argument("--json", action="store_true")
    given = asked.parse_args()
    if reason := missing():
        sys.exit(reason)
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home)) as server,
        browsing() as browser,
    ):
        server.begin("bell")
        rows = [opened(browser, server, made_up(given.places)) for _ in range(given.opens)]
    drawn = sorted(row["drawn_ms"] for row in rows)
    told = {
        "places": given.places, "opens": given.opens, "drawn_p50_ms": round(statistics.median(drawn)), "drawn_max_ms": round(drawn[-1]),
        "page_still_max_ms": round(max(row["still_ms"] for row in rows)),
    }  # fmt: skip
    print(
        json.dumps(told)
        if given.json
        else "\n".join(f"{name:18} {value:>8}" for name, value in told.items())
    )


if __name__ == "__main__":
    main()
