"""Every screen, wide and narrow, light and dark: no foreign request, nothing a checker of access objects to."""

import os
import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.lore.emberfall import research_into
from tests.web.served import WIDER, Server, by_width, check_access, reading


def _search(page: Page) -> None:
    page.get_by_label("Search the lore").fill("bell")
    page.keyboard.press("Enter")
    expect(page.get_by_text("passages")).to_be_visible()


def _open(name: str) -> Callable[[Page], None]:
    return lambda page: page.get_by_role("button", name=name).first.click()


def _tab(name: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        if (show := page.locator(".glance")).is_visible():
            show.click()
        page.get_by_role("tab", name=name).click()

    return choose


def _why(page: Page) -> None:
    _tab("Known")(page)
    page.get_by_role("button", name=re.compile("^Why: The abbey gate")).click()
    expect(page.get_by_role("dialog", name="Why is this so?")).to_contain_text(
        "saltmarch/locations"
    )


def _own(page: Page) -> None:
    page.get_by_text("Someone of your own").click()
    page.get_by_text("How it is played").click()
    page.get_by_text("What stays out of the story").click()


def _tool(name: str) -> Callable[[Page], None]:
    def choose(page: Page) -> None:
        last = page.locator("article.turn").last
        last.locator("summary").click()
        last.get_by_role("button", name=name).click()

    return choose


def _prompts(page: Page) -> None:
    _tool("Prompts")(page)
    page.get_by_role("button", name="Show it all the same").click()


def _rename(page: Page) -> None:
    page.locator("summary").first.click()
    page.get_by_role("button", name="Rename…").click()


def _list(page: Page) -> None:
    expect(page.locator("svg [data-place]").first).to_be_visible()
    page.get_by_text("The same as a list").click()


def _look_into(page: Page) -> None:
    page.get_by_role("button", name="Look into it: Saltmarch").click()
    expect(page.get_by_text("Checked:")).to_be_visible()


def _ask(page: Page) -> None:
    page.get_by_label("Your question").fill("What do I carry?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("hammer").first).to_be_visible()


SCREENS: dict[str, tuple[str, Callable[[Page], None] | None]] = {
    "home": ("/play", None),
    "new": ("/new/drowned_bell", _own),
    "stories": ("/stories", lambda page: page.locator("summary").first.click()),
    "stories-rename": ("/stories", _rename),
    "settings": (
        "/settings",
        lambda page: page.get_by_role("button", name="Another server").click(),
    ),
    "table": ("/table/played", None),
    "table-new": ("/table/fresh", None),
    "table-hero": ("/table/played", _tab("Hero")),
    "table-known": ("/table/played", _tab("Known")),
    "table-safety": ("/table/played", _tab("Safety")),
    "table-editing": ("/table/played", _tool("Edit your words")),
    "table-reword": ("/table/played", _tool("Edit the telling")),
    "table-tools": (
        "/table/played",
        lambda page: page.locator("article.turn summary").last.click(),
    ),
    "table-cyber": ("/table/cyber", None),
    "why": ("/table/played", _why),
    "x-card": ("/table/played", _open("X-card")),
    "branches": ("/table/played", _open("Branch: main")),
    "invite": ("/table/played", _open("Invite")),
    "prompts": ("/table/played", _prompts),
    "keys": ("/table/played", lambda page: page.keyboard.press("?")),
    "table-missing": ("/table/nobody", None),
    "map": ("/world/played", _list),
    "world-index": ("/world/played/people", None),
    "world-bonds": ("/world/played/graph", None),
    "world-timeline": ("/world/played/time", None),
    "world-lore": ("/world/played/lore", _search),
    "packs": ("/world/played/packs", _look_into),
    "world-empty": ("/world/-/people", None),
    "ask": ("/ask/-", None),
    "ask-answered": ("/ask/played", _ask),
    "sheet": ("/sheet/-/played", None),
    "lore": ("/lore", None),
    "lore-node": (
        "/lore/Emberfall/zone:ashmoor",
        lambda page: page.locator(".facts summary").first.click(),
    ),
    "nowhere": ("/nowhere", None),
}
EXPECTED_404 = {"table-missing"}
THUMBS = {"home", "new", "stories", "settings", "table", "table-tools", "table-reword", "map"}
"""Where a thumb must find what it wants: nothing to press is smaller than 44 px on a phone."""
TOO_SMALL = """() => [...document.querySelectorAll('button, summary, select, nav a, a.button')]
    .filter(node => node.checkVisibility({ visibilityProperty: true }) && !node.closest('aside:not(.open)'))
    .map(node => [node.ariaLabel || node.innerText.trim(), node.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
    .map(([name, box]) => `${name} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


@pytest.fixture(scope="module", autouse=True)
def campaigns(server: Server) -> Iterator[None]:
    """A story with some turns, and one that has not begun."""
    server.begin("fresh")
    server.begin("cyber", "dead_drop")
    server.begin("played")
    server.play(
        "played", "Free Obed's foot from the stones", "I wait for an hour", "Go to the abbey gate"
    )
    research_into(server.home, ["Ashmoor", "Greyford"], lambda point: point.zone_name == "Greyford")
    yield


NOWHERE = "There is no such page."
SHOWN = """([path, nowhere]) => {
    const head = document.querySelector('main h1, main h2')
    return head?.checkVisibility() && (head.innerText === nowhere) === (path === '/nowhere')
        && !document.querySelector('.state.loading')
}"""


def _go(page: Page, path: str) -> None:
    """From one room to another as people do: the page is loaded once, which is most of the time this takes.

    The page itself says with its next picture that a room is there; an expectation looks every half second.
    """
    page.keyboard.press("Escape")
    page.evaluate("document.documentElement.removeAttribute('style')")
    for room in ("/nowhere", path):
        page.evaluate("path => (location.hash = path)", room)
        page.wait_for_function(SHOWN, arg=[room, NOWHERE])


def _screens_at(width: int) -> list[tuple[str, tuple[str, Callable[[Page], None] | None]]]:
    """Every screen at one width, turn and turn about, and those for thumbs at both; all at both with `ALL_SCREENS=1`."""
    rows, all_at_both = list(SCREENS.items()), os.environ.get("ALL_SCREENS") == "1"
    own = rows[width < 600 :: 2]
    return [row for row in rows if all_at_both or row in own or row[0] in THUMBS]


@pytest.mark.parametrize("width", [1100, 390])
def test_every_screen_can_be_read_by_everyone(browser: Browser, server: Server, width: int) -> None:
    """Wide in the light and narrow in the dark, nothing wider than the screen, no style or script that a strict policy would forbid, no error."""
    found: list[str] = []
    with reading(browser, server, width) as (eyes, page):
        for name, (path, act) in _screens_at(width):
            eyes.wrong.clear()
            _go(page, path)
            if act:
                act(page)
                page.wait_for_timeout(100)
                expect(page.locator(".state.loading")).to_have_count(0)
            found += check_access(page, name, by_width(width))
            if width < 600 and name in THUMBS:
                found += [f"{name}: {small} is too small" for small in page.evaluate(TOO_SMALL)]
            found += [
                f"{name}: {one}"
                for one in eyes.wrong
                if not (name in EXPECTED_404 and "404" in one)
            ]
            page.evaluate("document.documentElement.style.fontSize = '200%'")
            if (wider := page.evaluate(WIDER)) > 0:
                found.append(f"{name}: {wider} px too wide with text of twice the size")
            if name == "table" and width > 600:
                expect(page.get_by_label("Your words")).to_be_in_viewport()
    assert found == []
