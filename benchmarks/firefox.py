"""The main journeys in Debian's Firefox (`firefox-esr`), over WebDriver BiDi, with no driver in between.

`python benchmarks/firefox.py` starts the real server and a headless Firefox, walks each journey as a person clicks
and types, and prints a line for each; it ends with 1 where one fails or a page has an error in its console.
Without Firefox it says so in one line and ends with 0.
"""

import asyncio
import contextlib
import json
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import websockets

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.patience import PATIENCE  # noqa: E402
from tests.web.served import Server, serving  # noqa: E402

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
LISTENS = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
CARD = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": {
        "name": "Mira <b>Vane</b>",
        "description": "A lamplighter with a limp.",
        "first_mes": "The lamps are out along the quay. Mira Vane holds up a hand.",
        "scenario": "A quay at night.",
    },
}
FIND = """(words, role) => {
  const seen = (node) => node.getClientRects().length && getComputedStyle(node).visibility !== 'hidden'
  const named = (node) => (node.getAttribute('aria-label') || node.innerText || node.value || '').trim()
  const all = [...document.querySelectorAll(role)].filter(seen)
  return all.find((node) => named(node) === words) || all.find((node) => named(node).includes(words))
}"""


class Fox:
    """One page of one Firefox."""

    def __init__(self, wire: Any) -> None:
        self._wire, self._number, self.page, self.wrong = wire, 0, "", list[str]()

    async def ask(self, method: str, **params: Any) -> Any:
        """A command and its answer; what the console says on the way is noted."""
        self._number += 1
        await self._wire.send(json.dumps({"id": self._number, "method": method, "params": params}))
        while True:
            said = json.loads(await asyncio.wait_for(self._wire.recv(), PATIENCE))
            if said.get("method") == "log.entryAdded" and said["params"]["level"] == "error":
                self.wrong.append(str(said["params"]["text"]))
            if said.get("id") == self._number:
                if said["type"] == "error":
                    raise RuntimeError(f"{method}: {said['message']}")
                return said["result"]

    async def run(self, code: str) -> Any:
        """What an expression gives in the page, as JSON."""
        told = await self.ask(
            "script.evaluate",
            expression=f"Promise.resolve({code}).then((it) => JSON.stringify(it ?? null))",
            target={"context": self.page},
            awaitPromise=True,
        )
        if told["type"] == "exception":
            raise RuntimeError(told["exceptionDetails"]["text"])
        return json.loads(told["result"]["value"])

    async def until(self, code: str) -> Any:
        """Waits until an expression is true."""
        end = time.monotonic() + PATIENCE
        while not (found := await self.run(code)):
            if time.monotonic() > end:
                text = await self.run("document.body.innerText.slice(0, 600)")
                raise RuntimeError(f"never so: {code[:120]}\n{text}")
            await asyncio.sleep(0.05)
        return found

    async def go(self, url: str) -> None:
        """To a page."""
        await self.ask("browsingContext.navigate", context=self.page, url=url, wait="complete")

    async def click(self, words: str, role: str = "button, a, summary, label") -> None:
        """Clicks what is called so, once it is there and can be."""
        found = f"({FIND})({json.dumps(words)}, {json.dumps(role)})"
        await self.until(f"(() => {{ const it = {found}; return !!it && !it.disabled }})()")
        await self.run(f"{found}.click()")

    async def write(self, selector: str, text: str, then: str = "") -> None:
        """Writes into a field with real keys, and presses another at the end."""
        at = f"document.querySelector({json.dumps(selector)})"
        await self.until(f"!!{at} && !{at}.disabled")
        await self.run(f"({at}.focus(), {at}.select?.(), true)")
        keys = [*text, *([then] if then else [])]
        actions: list[dict[str, str]] = []
        for key in keys:
            actions += [{"type": "keyDown", "value": key}, {"type": "keyUp", "value": key}]
        source = {"type": "key", "id": "keys", "actions": actions}
        await self.ask("input.performActions", context=self.page, actions=[source])


ENTER = "\ue007"
INPUT = "textarea[placeholder^='What do you']"


async def play(fox: Fox, turns: int) -> None:
    """Takes turns by what is suggested, or by looking around, until so many are told."""
    done = "document.querySelectorAll('article.turn').length"
    for number in range(await fox.run(done), turns):
        await fox.write(INPUT, "I look around", ENTER)
        await fox.until(f"{done} > {number}")


async def first_run(fox: Fox, server: Server) -> None:
    """Home, a story from the shelf, three turns."""
    await fox.go(server.url)
    await fox.click("The Drowned Bell", "a")
    await fox.click("Begin")
    await play(fox, 3)


async def premise(fox: Fox, server: Server) -> None:
    """One sentence becomes a story that is played."""
    await fox.go(server.url)
    await fox.write("form textarea, form input", "a ferryman who will not cross at night", ENTER)
    await fox.click("Begin")
    await play(fox, 1)


async def card(fox: Fox, server: Server) -> None:
    """A card dropped on the page becomes somebody to meet."""
    await fox.go(server.url)
    text = json.dumps(json.dumps(CARD))
    await fox.run(
        "(() => { const bag = new DataTransfer();"
        f"bag.items.add(new File([{text}], 'mira.json', {{type: 'application/json'}}));"
        "for (const kind of ['dragenter', 'dragover', 'drop'])"
        "document.body.dispatchEvent(new DragEvent(kind, {bubbles: true, cancelable: true, dataTransfer: bag}));"
        "return true })()"
    )
    await fox.click("Play with it")
    await fox.click("Begin")
    await play(fox, 1)
    bold = "[...document.querySelectorAll('b')].some((node) => node.textContent === 'Vane')"
    assert not await fox.run(bold), "what a card says is text, never markup"


async def desk(fox: Fox, server: Server) -> None:
    """A game master begins a small story on a blank page, and it passes the checks."""
    await fox.go(f"{server.url}/#/desk")
    await fox.write("#name", "The Dry Well", ENTER)
    await fox.until("location.hash.startsWith('#/desk/the_dry_well')")
    await fox.write("#opening", "The bucket comes up empty.")
    await fox.until("document.body.innerText.includes('Kept')")
    found = server.ask("/drafts/the_dry_well")
    assert found["scenario"]["opening"].startswith("The bucket"), found["scenario"]["opening"]
    await fox.click("Play it", "button")
    await play(fox, 1)


async def export(fox: Fox, server: Server) -> None:
    """A story leaves as a page, and the page opens."""
    campaign = server.begin("exported")
    server.play(campaign, "I look around")
    await fox.go(server.url)
    page = await fox.run(
        f"fetch('/api/campaigns/{campaign}/export?format=html').then((it) => it.text())"
    )
    file = server.home / "story.html"
    file.write_text(page, encoding="utf-8")
    await fox.go(file.as_uri())
    assert await fox.run("document.querySelectorAll('.said').length") == 1


JOURNEYS = (first_run, premise, card, desk, export)


async def walk(url: str, server: Server) -> int:
    """Walks all journeys; how many failed."""
    failed = 0
    async with websockets.connect(f"{url}/session", max_size=None) as wire:
        fox = Fox(wire)
        await fox.ask("session.new", capabilities={})
        await fox.ask("session.subscribe", events=["log.entryAdded"])
        for journey in JOURNEYS:
            fox.page = (await fox.ask("browsingContext.create", type="tab"))["context"]
            began, fox.wrong = time.monotonic(), []
            told = "well"
            try:
                await journey(fox, server)
            except (RuntimeError, AssertionError, TimeoutError) as wrong:
                told = f"FAILED: {wrong}"
            told = f"FAILED: console: {fox.wrong}" if told == "well" and fox.wrong else told
            failed += told != "well"
            print(f"{journey.__name__:10} {time.monotonic() - began:5.1f} s  {told}", flush=True)
            await fox.ask("browsingContext.close", context=fox.page)
        with contextlib.suppress(RuntimeError):
            await fox.ask("session.end")
    return failed


async def main() -> int:
    """Starts both and walks."""
    if not FIREFOX:
        print("no Firefox: install the Debian package firefox-esr to walk these journeys")
        return 0
    with tempfile.TemporaryDirectory() as scratch:
        home, profile = Path(scratch) / "home", Path(scratch) / "profile"
        home.mkdir()
        profile.mkdir()
        with serving(home) as server:
            flags = ["--headless", "--no-remote", "--profile", str(profile)]
            fox = await asyncio.create_subprocess_exec(
                str(FIREFOX),
                *flags,
                "--remote-debugging-port=0",
                stderr=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.DEVNULL,
            )
            try:
                return await walk(await _address(fox), server)
            finally:
                fox.terminate()
                await fox.wait()


async def _address(fox: asyncio.subprocess.Process) -> str:
    assert fox.stderr
    while line := await asyncio.wait_for(fox.stderr.readline(), PATIENCE):
        if found := LISTENS.search(line.decode(errors="replace")):
            return found[1]
    raise RuntimeError("Firefox ended before it listened")


if __name__ == "__main__":
    sys.exit(min(1, asyncio.run(main())))
