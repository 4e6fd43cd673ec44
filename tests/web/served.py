"""The real server in a process of its own, and pages of a real browser that note everything that is not as it should be."""

import json
import os
import re
import shutil
import signal
import socket
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests.apps.forked import Forked
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
STATIC = ROOT / "src" / "freeform" / "apps" / "web" / "static"
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGS = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
INLINE = """document.querySelectorAll("[style]:not([style='']), style, script:not([src])").length"""
WIDER = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
AXE_RUN = (
    "only => axe.run(document, {runOnly: only, resultTypes: ['violations'], elementRef: false})"
)
expect.set_options(timeout=PATIENCE * 1000)


def missing() -> str:
    """What is not here that a browser test needs; '' when all is."""
    if not CHROMIUM:
        return "no chromium: install the Debian package to run this test"
    if not (STATIC / "index.html").is_file() or not AXE.is_file():
        return "the web app is not built: run `make web`"
    return ""


@dataclass
class Server:
    """A running server and its home."""

    url: str
    home: Path
    process: Forked

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """What the API answers; POST when there is a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/api{path}", data, {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.load(answer)

    def begin(self, campaign: str, scenario: str = "drowned_bell", seed: int = 7) -> str:
        """A new campaign."""
        self.ask("/campaigns", {"scenario": scenario, "campaign": campaign, "seed": seed})
        return campaign

    def play(self, campaign: str, *texts: str) -> None:
        """Plays turns to their end."""
        for text in texts:
            before = self.ask(f"/campaigns/{campaign}")["turn_no"]
            self.ask(f"/campaigns/{campaign}/turns", {"text": text, "mode": "do"})
            self.wait(campaign, before + 1)

    def wait(self, campaign: str, turn_no: int) -> None:
        """Until this turn is over."""
        end = time.monotonic() + PATIENCE
        while (
            (at := self.ask(f"/campaigns/{campaign}"))["turn_no"] < turn_no
            or at["playing"]
            or at["pending"]
        ):
            assert time.monotonic() < end, f"turn {turn_no} never ended"
            time.sleep(0.02)


@contextmanager
def serving(home: Path, key: str = "", more: Sequence[str] = ()) -> Iterator[Server]:
    """`freeform-rpg serve` on a free port, offline, in a process that need not import everything first."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "TMPDIR") if name in os.environ}
    environ = {**kept, "HOME": str(home), "FREEFORM_HOME": str(home), "FREEFORM_SERVE_KEY": key}
    told = ["--model", "offline", "serve", "--port", "0", *more]
    said = home / "said.txt"  # a file never fills up, as a pipe that nobody reads does
    with said.open("wb") as out, open(os.devnull, "rb") as given:
        files = [given.fileno(), out.fileno(), out.fileno()]
        process = Forked("tests.web.serve_program", told, environ, ROOT, files, PATIENCE)
    with process:
        try:
            yield Server(_address(process, said), home, process)
        finally:
            if not process.has_ended():
                os.kill(process.pid, signal.SIGTERM)
            process.wait()


def _address(process: Forked, said: Path) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and not process.has_ended():
        if found := re.search(r"http://[\d.]+:\d+(?=\D)", said.read_text()):
            return found[0]
        time.sleep(0.05)
    raise AssertionError(f"the server did not start: {said.read_text()}")


@contextmanager
def browsing() -> Iterator[Browser]:
    """Debian's Chromium."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=ARGS, timeout=PATIENCE * 1000
        )
        yield browser
        browser.close()


@dataclass
class Eyes:
    """Pages of one person, and what went wrong on them."""

    context: BrowserContext
    url: str
    wrong: list[str] = field(default_factory=list)

    def page(self, path: str = "/") -> Page:
        """A new tab."""
        page = self.context.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        page.on(
            "console",
            lambda said: (
                self.wrong.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("request", lambda request: self._sees(request.url))
        page.goto(self.url + path)
        return page

    def _sees(self, address: str) -> None:
        if urlsplit(address).netloc != urlsplit(self.url).netloc:
            self.wrong.append(f"a request to {address}")


@contextmanager
def looking(
    browser: Browser, server: Server, width: int = 1100, scheme: str = "light", **more: Any
) -> Iterator[Eyes]:
    """A person at a screen."""
    height = 800 if width > 600 else 844
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=scheme, **more
    )
    try:
        yield Eyes(context, server.url)
    finally:
        context.close()


COLOURS = {"type": "rule", "values": ["color-contrast"]}
BOTH = (("light", TAGS), ("dark", COLOURS))
"""Everything in the light, colours again in the dark: for what is looked at in one width."""


def by_width(width: int) -> tuple[tuple[str, Any], ...]:
    """For what is looked at wide and narrow: everything each time, wide in the light and narrow in the dark."""
    return ((("light" if width > 600 else "dark"), TAGS),)


def check_access(page: Page, name: str, looks: tuple[tuple[str, Any], ...] = BOTH) -> list[str]:
    """What somebody could not read on this page as it stands."""
    found: list[str] = []
    for scheme, only in looks:
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        seen = page.evaluate(AXE_RUN, only)
        found += [
            f"{name} {scheme}: {v['id']} {[n['target'] for n in v['nodes']][:3]}"
            for v in seen["violations"]
        ]
    if (wider := page.evaluate(WIDER)) > 0:
        found.append(f"{name}: {wider} px too wide")
    if inline := page.evaluate(INLINE):
        found.append(f"{name}: {inline} inline styles or scripts")
    return found


@contextmanager
def reading(browser: Browser, server: Server, width: int = 1100) -> Iterator[tuple[Eyes, Page]]:
    """A page that a checker of access may look at; it starts in the light and nothing moves."""
    with looking(browser, server, width, reduced_motion="reduce", bypass_csp=True) as eyes:
        eyes.context.add_init_script(path=str(AXE))
        yield eyes, eyes.page("/#/nowhere")


@contextmanager
def silent_model() -> Iterator[str]:
    """The address of a model server that listens and never answers: a turn that takes as long as one wants."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/v1"
