"""Home: a sentence becomes a story where the server can, stories are owned, and the map is walked by keyboard."""

import json

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.served import Eyes, Server


@pytest.fixture(scope="module")
def server(empty_server: Server) -> Server:
    """One of its own: the front page shows everything that is in a house."""
    return empty_server


def _menu(page: Page, story: str, tool: str) -> None:
    """By keyboard, as a menu is used."""
    page.get_by_label(f"What to do with {story}", exact=True).first.focus()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=tool).last.focus()
    page.keyboard.press("Enter")


def test_a_premise_is_sent_and_what_comes_of_it_is_played_or_said(eyes: Eyes) -> None:
    asked: list[dict[str, object]] = []
    there = False

    def answer(route: Route) -> None:
        asked.append(json.loads(route.request.post_data or "{}"))
        if there:
            route.fulfill(status=201, json={"scenario": "dead_drop", "name": "Dead Drop"})
        else:
            route.fulfill(status=404, json={"error": "there is nothing here", "kind": "not_found"})

    eyes.context.route(
        "**/api/scenarios",
        lambda route: answer(route) if route.request.method == "POST" else route.continue_(),
    )
    page = eyes.page("/")
    page.get_by_text("Cyberpunk", exact=True).first.click()
    page.get_by_label("Your idea, in your own words").fill("A courier who forgets")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("cannot make a new story")
    assert asked == [{"premise": "A courier who forgets", "genre": "Cyberpunk"}]
    expect(page.get_by_label("Your idea, in your own words")).to_have_value("A courier who forgets")
    there = True
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("heading", level=1, name="Dead Drop")).to_be_visible()
    assert page.evaluate("document.documentElement.dataset.genre") == "cyber"
    eyes.wrong[:] = [said for said in eyes.wrong if "404" not in said]


def test_a_story_is_continued_renamed_copied_put_away_and_its_deletion_undone(
    eyes: Eyes, server: Server
) -> None:
    server.begin("mine")
    server.play("mine", "Free Obed's foot from the stones")
    page = eyes.page("/#/play")
    card = page.get_by_role("article").filter(has_text="The Drowned Bell")
    expect(card).to_contain_text("Maren Holt")
    expect(card.get_by_role("img", name="With you: Obed Crake")).to_be_visible()
    page.get_by_role("link", name="Your stories").click()
    _menu(page, "The Drowned Bell", "Rename…")
    page.get_by_role("textbox", name="Name").fill("Salt & <b>bells</b>")
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Salt & <b>bells</b>")).to_be_visible()
    _menu(page, "Salt & <b>bells</b>", "Make a copy")
    copy = "Salt & <b>bells</b> (copy)"
    expect(page.get_by_role("link", name=copy)).to_be_visible()
    _menu(page, copy, "Put it away")
    expect(page.get_by_role("heading", name="Put away")).to_be_visible()
    _menu(page, copy, "Delete")
    expect(page.get_by_role("link", name=copy)).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("link", name=copy)).to_be_visible()
    page.get_by_label("Find a story").fill("(copy)")
    expect(page.locator("ul a.name")).to_have_count(1)
    _menu(page, copy, "Delete")
    page.get_by_role("button", name="Remove for good…").click()
    page.get_by_role("button", name="Remove it").click()
    expect(page.get_by_role("heading", name="In the bin")).to_have_count(0)
    assert [row["id"] for row in server.ask("/campaigns")["campaigns"]] == ["mine"]


def test_the_map_is_walked_by_keyboard_and_leads_back_to_the_table(
    eyes: Eyes, server: Server
) -> None:
    server.begin("walk")
    page = eyes.page("/#/table/walk")
    expect(page.get_by_label("Your words")).to_be_visible()
    page.get_by_role("region", name="The story").focus()
    page.keyboard.press("m")
    here = page.locator("[data-place='saltmarch:causeway']")
    expect(here).to_have_attribute("aria-pressed", "true")
    expect(page.locator("[data-place]")).to_have_count(3)
    assert "The gatehouse, shut" in (here.get_attribute("aria-label") or "")
    assert "Obed Crake" in (here.get_attribute("aria-label") or "")
    here.focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    walked = page.locator("[data-place][aria-pressed=true]")
    assert walked.get_attribute("data-place") != "saltmarch:causeway"
    page.keyboard.press("+")
    expect(page.get_by_role("button", name="Farther")).to_be_enabled()
    page.get_by_role("button", name="Set out for it").click()
    expect(page.get_by_label("Your words")).to_have_value("Go to the gatehouse")


def test_ask_lies_over_every_page_and_a_thread_goes_on(eyes: Eyes, server: Server) -> None:
    server.begin("asker")
    page = eyes.page("/#/ask/asker")  # where it was before
    expect(page.get_by_role("dialog", name="Ask")).to_be_visible()
    page.get_by_label("Your question").fill("What do I carry?")
    page.keyboard.press("Enter")
    expect(page.get_by_text("hammer").first).to_be_visible()
    page.get_by_label("Your question").fill("And who is with me?")
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="Answer 2")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_label("Your words")).to_be_visible()
    page.get_by_label("Your words").focus()
    page.keyboard.press("Control+k")
    expect(page.get_by_label("Your question")).to_be_focused()
    page.get_by_label("Thread").select_option(index=1)
    expect(page.get_by_role("region", name="Answer 1")).to_contain_text("What do I carry?")
