"""Every screen, wide and narrow, light and dark: no foreign request, nothing a checker of access objects to."""

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.lore.emberfall import research_into
from tests.web.served import AXE, Server, looking

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


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


SCREENS: dict[str, tuple[str, Callable[[Page], None] | None]] = {
    "setup-model": ("/#/setup", lambda page: page.get_by_text("Use another").click()),
    "setup-safety": ("/#/setup", _open("Safety")),
    "setup-story": ("/#/setup", _open("3 Story")),
    "table": ("/#/table/played", None),
    "table-new": ("/#/table/fresh", None),
    "table-hero": ("/#/table/played", _tab("Hero")),
    "table-known": ("/#/table/played", _tab("Known")),
    "table-safety": ("/#/table/played", _tab("Safety")),
    "table-editing": ("/#/table/played", lambda page: page.get_by_role("button", name="Edit").last.click()),
    "x-card": ("/#/table/played", _open("X-card")),
    "branches": ("/#/table/played", _open("Branch: main")),
    "prompts": ("/#/table/played", lambda page: page.get_by_role("button", name="Prompts").last.click()),
    "keys": ("/#/table/played", lambda page: page.keyboard.press("?")),
    "table-missing": ("/#/table/nobody", None),
    "world-index": ("/#/world/played", None),
    "world-bonds": ("/#/world/played/graph", None),
    "world-timeline": ("/#/world/played/time", None),
    "world-lore": ("/#/world/played/lore", _search),
    "world-packs": ("/#/world/played/packs", None),
    "world-empty": ("/#/world/-/people", None),
    "lore": ("/#/lore", None),
    "lore-node": ("/#/lore/Emberfall/zone:ashmoor", lambda page: page.locator(".facts summary").first.click()),
    "nowhere": ("/#/nowhere", None),
}
EXPECTED_404 = {"table-missing"}


@pytest.fixture(scope="module", autouse=True)
def campaigns(server: Server) -> Iterator[None]:
    """A story with some turns, and one that has not begun."""
    server.begin("fresh")
    server.begin("played")
    server.play("played", "Free Obed's foot from the stones", "I wait for an hour", "Go to the abbey gate")
    research_into(server.home, ["Ashmoor", "Greyford"], lambda point: point.zone_name == "Greyford")
    yield


@pytest.mark.timeout(400)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1100, 390])
def test_every_screen_can_be_read_by_everyone(browser: Browser, server: Server, width: int, scheme: str) -> None:
    found: list[str] = []
    with looking(browser, server, width, scheme, reduced_motion="reduce", bypass_csp=True) as eyes:
        eyes.context.add_init_script(path=str(AXE))
        page = eyes.page()
        for name, (path, act) in SCREENS.items():
            eyes.wrong.clear()
            page.goto("about:blank")
            page.goto(server.url + path)
            expect(page.locator("main h1, main h2").first).to_be_visible()
            expect(page.locator(".state.loading")).to_have_count(0)
            if act:
                act(page)
                page.wait_for_timeout(100)
                expect(page.locator(".state.loading")).to_have_count(0)
            seen = page.evaluate("tags => axe.run(document, {runOnly: tags, resultTypes: ['violations']})", TAGS)
            found += [f"{name}: {v['id']} {[n['target'] for n in v['nodes']][:3]}" for v in seen["violations"]]
            sizes = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
            if sizes[0] > sizes[1]:
                found.append(f"{name}: {sizes[0]} wide on {sizes[1]}")
            wrong = [one for one in eyes.wrong if not (name in EXPECTED_404 and "404" in one)]
            found += [f"{name}: {one}" for one in wrong]
    assert found == []


@pytest.mark.parametrize("path", ["/#/setup", "/#/table/played", "/#/world/played", "/#/lore/Emberfall/zone:ashmoor"])
def test_text_at_twice_its_size_still_fits(browser: Browser, server: Server, path: str) -> None:
    with looking(browser, server, 1100) as eyes:
        page = eyes.page(path)
        page.add_style_tag(content="html { font-size: 200% }")
        page.wait_for_timeout(600)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
        if "table" in path:
            expect(page.get_by_label("Your words")).to_be_in_viewport()


def test_nothing_on_the_page_needs_a_looser_policy(browser: Browser, server: Server) -> None:
    """No inline script, no style attribute, no style element: the strictest policy would do."""
    with looking(browser, server) as eyes:
        for path in ("/#/setup", "/#/table/played", "/#/world/played/graph", "/#/lore/Emberfall/zone:ashmoor"):
            page = eyes.page(path)
            page.wait_for_timeout(600)
            inline = "document.querySelectorAll('[style], style, script:not([src])').length"
            assert page.evaluate(inline) == 0, path
