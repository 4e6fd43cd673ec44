"""A monkey with a seed clicks through all rooms of the page: no console error, no dead end, no refused suggestion.

`python benchmarks/monkey.py [--clicks 1000] [--seed 1] [--width 1280] [--firefox] [--json]`. The server and the browser are real ones, the
home is its own and gone afterwards. It clicks whatever can be clicked, types into whatever takes text (long, right-to-left and HTML
texts among them), and changes the room every so often. It does not choose another model (that reaches for other machines) and brings
no files. It ends with 1 where something was wrong, and says after which clicks.
"""

import argparse
import json
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ElementHandle, Page, Response, sync_playwright
from playwright.sync_api import Error as PlaywrightError

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.web.served import ARGS, CHROMIUM, Server, missing, serving

ROOMS = (
    "play", "stories", "table/bell", "table/drop", "world/bell/map", "world/bell/people", "world/bell/graph", "world/bell/time",
    "world/bell/lore", "library", "sheet", "packs", "desk", "players", "lore", "settings", "new/tithe_door", "table/bell",
)  # fmt: skip
WORDS = (
    "look around", "ask about the bell", "go back", "2d6+1", "שלום עולם, מי שם?", "<img src=x onerror=alert(1)> & <b>bold</b>",
    "a" * 500, "I wait", "the old lighthouse and its keeper", "'; drop table log; --", "   ", "7", "spiders",
)  # fmt: skip
REACHES_OUT = ("Use it", "Try it on a turn", "Show its models")
CLICKABLE = """() => {
  const over = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document
  const all = [...over.querySelectorAll('button, a[href], summary, input, textarea, select, [role=tab], svg [data-place]')]
  return all.filter(node => {
    if (node.disabled || node.closest('[inert]') || ['file', 'color'].includes(node.type)) return false
    if (!node.checkVisibility({ visibilityProperty: true, opacityProperty: false })) return false
    if (node.tagName === 'A' && (node.download || node.target || !node.getAttribute('href').startsWith('#'))) return false
    const box = node.getBoundingClientRect()
    return box.width > 0 && box.height > 0
  })
}"""


@dataclass
class Monkey:
    """One browser tab, and what went wrong in it."""

    page: Page
    server: Server
    chance: random.Random
    wrong: list[str] = field(default_factory=list)
    pressed: Counter[str] = field(default_factory=Counter)
    refused_by_server: int = 0
    suggestions: int = 0
    deeds: list[str] = field(default_factory=list)

    def watch(self) -> None:
        """Notes everything that is not as it should be."""
        self.page.on("console", lambda said: self._hears(said.type, said.text))
        self.page.on("pageerror", lambda error: self._note(f"page error: {error}"))
        self.page.on("response", self._answered)
        self.page.on("dialog", lambda asked: asked.dismiss())

    def click(self) -> None:
        """One deed."""
        nodes = self._nodes()
        if not nodes:
            self._note("a dead end: nothing to press")
            self.go(self.chance.choice(ROOMS))
            return
        node = self.chance.choice(nodes)
        try:
            self._press(node)
        except PlaywrightError:
            self.pressed["went away"] += 1  # the page moved on under the hand
        if self.page.get_by_text("There is no such page.").is_visible():
            self._note("a link that leads nowhere")

    def go(self, room: str) -> None:
        """Into another room, by its address."""
        self.deeds.append(f"to {room}")
        self.page.goto(f"{self.server.url}/#/{room}")
        self.page.wait_for_timeout(250)

    def _nodes(self) -> list[ElementHandle]:
        """What can be pressed now; a page that is still loading is given a moment."""
        for _ in range(40):
            found = self.page.evaluate_handle(CLICKABLE).get_properties().values()
            nodes = [node for each in found if (node := each.as_element())]
            if nodes:
                return nodes
            self.page.wait_for_timeout(250)
        return []

    def _press(self, node: ElementHandle) -> None:
        tag, kind, name, chip = node.evaluate(
            "n => [n.tagName, n.type || '', (n.ariaLabel || n.innerText || n.name || n.id || '').trim().slice(0, 60),"
            " n.classList.contains('chip') && !!n.closest('.composer') && !n.classList.contains('on')]"
        )
        if name in REACHES_OUT:
            return
        self.deeds.append(f"{tag.lower()} '{name}' at {self.page.url.rpartition('#')[2]}")
        self.pressed[tag.lower()] += 1
        if tag == "TEXTAREA" or (tag == "INPUT" and kind not in ("radio", "checkbox", "range")):
            words = self.chance.choice(WORDS) if kind != "number" else "7"
            node.fill(words[:200] if tag == "INPUT" else words, timeout=2000)
            if self.chance.random() < 0.6:
                node.press("Enter", timeout=2000)
        elif tag == "SELECT":
            many = node.evaluate("n => n.options.length")
            node.select_option(index=self.chance.randrange(many), timeout=2000)
        elif chip:
            self._suggested(node, name)
        else:
            node.click(timeout=2000)
        self.page.wait_for_timeout(60)

    def _suggested(self, node: ElementHandle, name: str) -> None:
        """What is suggested is never refused."""
        campaign = self.page.url.rpartition("/")[2]
        before = self.server.ask(f"/campaigns/{campaign}")["turn_no"]
        node.click(timeout=2000)
        self.suggestions += 1
        end = time.monotonic() + 60
        while time.monotonic() < end:
            self.page.wait_for_timeout(100)
            at = self.server.ask(f"/campaigns/{campaign}")
            if at["turn_no"] > before and not at["playing"] and not at["pending"]:
                break
        turn = self.server.ask(f"/campaigns/{campaign}/story?limit=1")["turns"][-1]
        if turn["turn_no"] > before and turn["blocked"]:
            self._note(f"a refused suggestion: '{name}': {turn['blocked']}")

    def _hears(self, kind: str, text: str) -> None:
        if kind in ("error", "warning") and "the server responded with a status of 4" not in text:
            self._note(f"console {kind}: {text}")

    def _answered(self, response: Response) -> None:
        if response.status >= 500 and response.status != 503:
            self._note(f"{response.status} from {response.request.method} {response.url}")
        self.refused_by_server += 400 <= response.status < 500

    def _note(self, what: str) -> None:
        self.wrong.append(f"{what[:300]} (after: {'; '.join(self.deeds[-4:])})")
        print(self.wrong[-1], file=sys.stderr, flush=True)


def main() -> None:
    """Clicks, and says what came of it."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--clicks", type=int, default=1000)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--width", type=int, default=1280)
    asked.add_argument("--firefox", action="store_true")
    asked.add_argument("--json", action="store_true")
    given = asked.parse_args()
    if reason := missing():
        sys.exit(reason)
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home)) as server,
        sync_playwright() as play,
    ):
        server.begin("bell", seed=7)
        server.play("bell", "I look around")
        server.begin("drop", "dead_drop", seed=7)
        start = time.monotonic()
        browser: Browser = (
            play.firefox.launch() if given.firefox else play.chromium.launch(executable_path=CHROMIUM, args=ARGS)
        )  # fmt: skip
        page = browser.new_page(viewport={"width": given.width, "height": 844})
        monkey = Monkey(page, server, random.Random(given.seed))
        monkey.watch()
        monkey.go("play")
        for number in range(given.clicks):
            if number % 20 == 19:
                monkey.go(monkey.chance.choice(ROOMS))
            monkey.click()
            if number % 50 == 49:
                print(number + 1, monkey.deeds[-1], len(monkey.wrong), file=sys.stderr, flush=True)
        seconds = time.monotonic() - start
        browser.close()
    told = {
        "clicks": given.clicks, "seed": given.seed, "width": given.width, "seconds": round(seconds),
        "pressed": dict(monkey.pressed), "suggestions": monkey.suggestions,
        "told no (4xx)": monkey.refused_by_server, "wrong": monkey.wrong,
    }  # fmt: skip
    print(json.dumps(told, ensure_ascii=False, indent=1) if given.json else _lines(told))
    sys.exit(1 if monkey.wrong else 0)


def _lines(told: dict[str, object]) -> str:
    return "\n".join(f"{name:16} {value}" for name, value in told.items())


if __name__ == "__main__":
    main()
