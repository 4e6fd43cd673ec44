"""The Researcher screen: it fills by itself while the researcher works, is decided on by keyboard, and says who says so."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.lore.emberfall import research_into
from tests.web.served import Eyes, Server, looking

DEAF = "delete window.SharedWorker; window.EventSource = class extends EventTarget { close() {} }"


@pytest.fixture(scope="module")
def server(empty_server: Server) -> Server:
    """One of its own: no world is being researched here yet."""
    return empty_server


@pytest.fixture
def asleep(browser: Browser, server: Server) -> Iterator[Eyes]:
    """Someone whose pages never hear of anything: what they see is old."""
    with looking(browser, server) as person:
        person.context.add_init_script(DEAF)
        yield person


def test_a_fork_is_decided_by_keyboard_and_deciding_twice_is_harmless(
    eyes: Eyes, asleep: Eyes, server: Server
) -> None:
    page = eyes.page("/#/lore")
    expect(page.get_by_text("No world is being researched.")).to_be_visible()
    research_into(server.home, ["Ashmoor"])
    # Nobody reloads: the event stream tells.
    expect(page.get_by_role("heading", name="1 decision for you")).to_be_visible()
    expect(
        page.get_by_role("group", name="Which zone should be researched after Ashmoor?")
    ).to_contain_text("Adjacent zones: Greyford, Sunken Vale, Tarn Heights")
    same, other = asleep.page("/#/lore"), asleep.page("/#/lore")
    for stale in (same, other):
        expect(stale.get_by_role("button", name="Decide: Greyford")).to_be_visible()
    page.keyboard.press("d")
    expect(page.get_by_role("radio", name="Greyford")).to_be_focused()
    _decide(page, "2", "Sunken Vale it is.")
    expect(page.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    same.keyboard.press("d")
    _decide(same, "2", "Sunken Vale was the answer already; nothing has changed.")
    assert asleep.wrong == []
    other.keyboard.press("d")
    _decide(other, "3", "answered already with 'Sunken Vale'; nothing was changed")
    expect(other.get_by_role("heading", name="Nothing to decide")).to_be_visible()
    [decision] = server.ask("/lore/inbox?all=true")["decisions"]
    assert (decision["choice"], decision["answered_by"]) == ("Sunken Vale", "web")


def _decide(page: Page, number: str, said: str) -> None:
    page.keyboard.press(number)
    page.keyboard.press("Enter")
    expect(page.locator(".notice")).to_contain_text(said)


def test_the_chart_is_walked_by_keyboard_and_each_fact_has_its_quotes(
    eyes: Eyes, server: Server
) -> None:
    research_into(server.home, ["Ashmoor"])
    page = eyes.page("/#/lore")
    zone = page.get_by_role("button", name="Ashmoor, zone")
    zone.focus()
    page.keyboard.press("Enter")
    facts = page.locator(".facts")
    expect(facts.get_by_role("heading", name="Ashmoor")).to_be_visible()
    expect(facts).to_contain_text("Faction: Cinder Court or Reed Folk? Kept: Cinder Court.")
    expect(facts).to_contain_text("Saltgate (dead link)")
    expect(facts.get_by_text("Level range: 10 to 20")).to_be_hidden()
    facts.get_by_text("10-20", exact=True).click()
    expect(facts.get_by_text("Level range: 10 to 20")).to_be_visible()
    page.reload()
    expect(facts.get_by_role("heading", name="Ashmoor")).to_be_visible()
    zone.focus()
    page.keyboard.press("ArrowRight")
    expect(zone).not_to_be_focused()
    page.keyboard.press("Enter")
    expect(facts.get_by_role("heading", level=3)).not_to_have_text("Ashmoor")
    page.get_by_role("checkbox", name="People").uncheck()
    expect(page.get_by_role("button", name="Mara Vell, person")).to_have_count(0)


def test_a_conflict_is_settled_and_taken_back_in_the_browser(eyes: Eyes, server: Server) -> None:
    research_into(server.home, ["Ashmoor"])
    page = eyes.page("/#/lore")
    dispute = page.get_by_role("group", name="Ashmoor, Faction")
    dispute.get_by_role("button", name="Reed Folk is right").click()
    expect(page.locator(".notice")).to_contain_text("Changed: Ashmoor")
    expect(page.get_by_text("No source contradicts another.")).to_be_visible()
    page.get_by_text("1 thing you have said").click()
    page.get_by_role("button", name="Take back").click()
    expect(dispute).to_be_visible()
    assert eyes.wrong == []


def test_researched_worlds_are_linked_from_the_world(eyes: Eyes, server: Server) -> None:
    research_into(server.home, ["Ashmoor"])
    page = eyes.page("/#/world/-/lore")
    page.get_by_role("link", name="Emberfall").click()
    expect(page.get_by_role("heading", name="Emberfall")).to_be_visible()
    page.keyboard.press("g")
    page.keyboard.press("s")
    page.keyboard.press("g")
    page.keyboard.press("i")
    expect(page.get_by_role("heading", level=1, name="Research a world")).to_be_visible()
