"""A new user's first five minutes, in one go: the promise of the web app."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.patience import PATIENCE
from tests.web.served import Eyes, Server
from tests.web.slow_model import slow_model

RAISES_THE_TIDE = "I wait"


@pytest.fixture(scope="module")
def server(empty_server: Server) -> Server:
    """One of its own: nobody has played here yet."""
    return empty_server


def _turns(page: Page) -> int:
    return page.locator("article.turn").count()


def _clock(page: Page, id: str) -> int:
    return int(page.locator(f"[data-clock={id}]").inner_text().partition("/")[0])


def _play(page: Page, text: str) -> None:
    before = _turns(page)
    page.get_by_label("Your words").fill(text)
    page.keyboard.press("Enter")
    expect(page.locator("article.turn")).to_have_count(before + 1)
    expect(page.locator("article.live")).to_have_count(0)


def _more(page: Page, tool: str) -> None:
    """What one can do with the last turn lies behind one button."""
    last = page.locator("article.turn").last
    last.locator("summary").click()
    last.get_by_role("button", name=tool).click()


def test_a_new_users_first_five_minutes(eyes: Eyes, server: Server) -> None:
    # Nothing is here yet: home asks what one wants to play, says who runs the game, and has stories ready.
    page = eyes.page("/")
    expect(page.get_by_role("heading", name="What do you want to play?")).to_be_visible()
    expect(page.get_by_text("Nothing leaves this machine").first).to_be_visible()
    page.get_by_role("link", name="The Drowned Bell").click()
    page.get_by_role("button", name="Begin").click()

    # The table: an opening at a cliff-hanger, seen from its first line, suggestions, clocks.
    expect(page.locator("header .title")).to_have_text("The Drowned Bell")
    expect(page.locator("header .title")).to_be_in_viewport()
    expect(page.get_by_text("Then a bell rings, under your feet.")).to_be_visible()
    page.get_by_role("button", name="Free Obed’s foot from the stones").click()

    # The first action: dice with their breakdown, then prose.
    first = page.locator("article.turn").first
    expect(first.get_by_role("group", name=re.compile(r"Dice: 1d20 \(\d+\)"))).to_be_visible()
    expect(first.locator(".prose p").first).not_to_be_empty()
    expect(page.get_by_text("Get Obed Crake off the road alive").first).to_be_visible()

    # A clock moves, and undo brings it back; redo brings it forth.
    before = _clock(page, "tide")
    for _ in range(12):
        _play(page, RAISES_THE_TIDE)
        if _clock(page, "tide") != before:
            break
    after, told = _clock(page, "tide"), _turns(page)
    assert after > before
    page.get_by_role("button", name="Undo the last turn").click()
    expect(page.locator("article.turn")).to_have_count(told - 1)
    expect(page.locator("[data-clock=tide]")).to_have_text(re.compile(rf"^{before}/"))
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("[data-clock=tide]")).to_have_text(re.compile(rf"^{after}/"))

    # Retry keeps the other take.
    _more(page, "Retry")
    expect(page.get_by_role("img", name="Take 2 of 2")).to_be_visible()
    page.get_by_role("button", name="The take before").click()
    expect(page.get_by_role("img", name="Take 1 of 2")).to_be_visible()

    # A branch; the old one stays.
    page.get_by_role("button", name="Branch: main").click()
    page.get_by_label("Start a branch from here").fill("what-if")
    page.get_by_role("dialog").get_by_role("button", name="Branch").click()
    expect(page.get_by_role("button", name="Branch: what-if")).to_be_visible()

    # Where a fact comes from, and what the model was asked.
    page.get_by_role("tab", name="Known").click()
    page.get_by_role("button", name=re.compile("^Why: ")).first.click()
    expect(page.get_by_role("dialog")).to_contain_text(
        re.compile(r"turn \d|when drowned bell began")
    )
    page.keyboard.press("Escape")
    _more(page, "Prompts")
    page.get_by_role("button", name="Show it all the same").click()
    expect(page.get_by_role("dialog")).to_contain_text("engine/interpreter")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)

    # The world can be searched; each passage names its file.
    page.get_by_role("region", name="The story").focus()
    page.keyboard.press("/")
    page.get_by_role("tab", name="Find in the lore").click()
    page.get_by_label("Search the lore").fill("bell")
    page.keyboard.press("Enter")
    expect(page.get_by_text("lantern_core/technology/bells.md").first).to_be_visible()

    # A second tab follows live. (The first Escape empties the field, as search fields do.)
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("article.turn").first).to_be_visible()
    count = _turns(page)
    other = eyes.page(page.url.removeprefix(server.url))
    expect(other.locator("article.turn")).to_have_count(count)
    _play(page, "I look at the people in the water")
    expect(other.locator("article.turn")).to_have_count(count + 1)
    expect(other.locator("article.turn").last).to_contain_text("I look at the people in the water")
    other.close()

    # A reload in mid-turn, with half of the prose on the page: a model speaks when it is told to.
    campaign = page.url.rpartition("/")[2]
    live = page.locator("article.live")
    with slow_model() as model:
        server.ask("/model", {"model": model.name})
        page.get_by_label("Your words").fill("I shout at the gate to be let in")
        page.keyboard.press("Enter")
        assert model.telling.wait(PATIENCE)
        model.speak("Somebody slides the bar back. ")
        expect(live).to_contain_text("Somebody slides the bar back.")
        page.reload()
        expect(live).to_contain_text("Somebody slides the bar back.")
        model.speak("A lantern comes out.")
        model.end()
        expect(live).to_have_count(0)
    last = page.locator("article.turn").last
    expect(last).to_contain_text("I shout at the gate to be let in")
    expect(last).to_contain_text("Somebody slides the bar back. A lantern comes out.")
    expect(page.locator("article.turn")).to_have_count(count + 2)
    assert server.ask(f"/campaigns/{campaign}")["turn_no"] == count + 2
