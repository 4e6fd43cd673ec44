"""A very long story in the browser: how long until its last turn can be read, and how typing feels beside it.

`python benchmarks/web_story.py [--turns 5000] [--opens 5] [--json]`. The story is written into the log through the store
(four turns are played, then their entries again and again), the server is a process of its own, the browser is
Chromium. A short story of 20 turns is measured beside it: what differs is what length costs.
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.web.long_story import write_long_story  # noqa: E402
from tests.web.served import Server, browsing, looking, missing, serving  # noqa: E402

WORDS = "I lift the lantern and look along the road for anyone who is still standing in the water"
READY = "turn => { const node = document.querySelector(`[data-turn='${turn}']`); return !!node && !!node.innerText }"
WATCH = """() => {
  window.keys = []
  new PerformanceObserver((list) => {
    const typed = list.getEntries().filter((entry) => ['keydown', 'input'].includes(entry.name))
    window.keys.push(...typed.map((entry) => entry.duration))
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })
  window.frames = []
  document.getElementById('words').addEventListener('keydown', () => {
    const began = performance.now()
    requestAnimationFrame(() => setTimeout(() => window.frames.push(performance.now() - began)))
  })
}"""


def opened(browser: Browser, server: Server, campaign: str, turns: int, *, cold: bool) -> float:
    """Milliseconds from asking for the page until its last turn can be read; cold with nothing in the cache."""
    with looking(browser, server) as eyes:
        page = eyes.context.new_page()
        if not cold:
            page.goto(f"{server.url}/#/table/{campaign}")
            page.wait_for_function(READY, arg=turns)
            page.goto("about:blank")
        began = time.perf_counter()
        page.goto(f"{server.url}/#/table/{campaign}", wait_until="commit")
        page.wait_for_function(READY, arg=turns)
        return (time.perf_counter() - began) * 1000


def typed(browser: Browser, server: Server, campaign: str, turns: int) -> dict[str, float]:
    """Milliseconds from a key to the frame that shows it, after leafing through some of the story."""
    with looking(browser, server) as eyes:
        page = eyes.context.new_page()
        page.goto(f"{server.url}/#/table/{campaign}")
        page.wait_for_function(READY, arg=turns)
        leaf_back(page)
        page.evaluate(WATCH)
        page.get_by_label("Your words").focus()
        for letter in WORDS:
            page.keyboard.press(letter if letter != " " else "Space")
        page.wait_for_timeout(300)
        frames: list[float] = page.evaluate("window.frames")
        slow: list[float] = page.evaluate("window.keys")
        nodes: int = page.evaluate("document.querySelectorAll('*').length")
        shown: int = page.locator("article.turn").count()
    ordered = sorted(frames)
    return {
        "keys": len(frames),
        "key_to_frame_p50_ms": round(statistics.median(ordered), 1),
        "key_to_frame_p95_ms": round(ordered[int(len(ordered) * 0.95)], 1),
        "key_to_frame_max_ms": round(ordered[-1], 1),
        "events_over_50_ms": sum(one > 50 for one in slow),
        "turns_in_the_page": shown,
        "nodes": nodes,
    }


def leaf_back(page: Page) -> None:
    """Scrolls up ten times, so that earlier pages are fetched."""
    story = page.get_by_role("region", name="The story")
    for _ in range(10):
        story.evaluate("node => (node.scrollTop = 0)")
        page.wait_for_timeout(120)


def measure(turns: int, opens: int) -> dict[str, Any]:
    """Both stories, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        home, told = Path(folder), dict[str, Any]()
        sizes = {"short": 20, "long": turns}
        for name, size in sizes.items():
            began = time.perf_counter()
            write_long_story(home, name, size)
            told[name] = {"turns": size, "written_s": round(time.perf_counter() - began, 1)}
        with serving(home) as server, browsing() as browser:
            for name, size in sizes.items():
                row = told[name]
                row["first_open_ms"] = round(opened(browser, server, name, size, cold=True))
                for manner in ("cold", "warm"):
                    times = sorted(
                        opened(browser, server, name, size, cold=manner == "cold")
                        for _ in range(opens)
                    )
                    row[f"{manner}_open_p50_ms"] = round(statistics.median(times))
                    row[f"{manner}_open_max_ms"] = round(times[-1])
                row.update(typed(browser, server, name, size))
        return told


def main() -> None:
    """Prints a table, or JSON."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--turns", type=int, default=5000)
    asked.add_argument("--opens", type=int, default=5)
    asked.add_argument("--json", action="store_true")
    given = asked.parse_args()
    if reason := missing():
        sys.exit(reason)
    told = measure(given.turns, given.opens)
    if given.json:
        print(json.dumps(told))
        return
    for what in told["long"]:
        print(f"{what:22} {told['short'][what]:>10} {told['long'][what]:>10}")


if __name__ == "__main__":
    main()
