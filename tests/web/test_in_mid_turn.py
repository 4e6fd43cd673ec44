"""In the middle of the prose, which a model on loopback speaks only when told to: reload, stop, follow, hang up."""

import json
import re
import time
import urllib.request
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.patience import PATIENCE
from tests.web.served import Eyes, Server
from tests.web.slow_model import SlowModel, slow_model

FIRST, SECOND = "The water is at your knees. ", "The bell is under it. "
"""Each ends in a space: a sentence is shown when it is whole, since only then is it checked for lines and veils."""


@pytest.fixture
def model(server: Server) -> Iterator[SlowModel]:
    with slow_model() as speaking:
        server.ask("/model", {"model": speaking.name})
        yield speaking
        server.ask("/model", {"model": "offline"})


def _in_mid_turn(eyes: Eyes, server: Server, model: SlowModel, campaign: str) -> Page:
    """A page on which half of a turn's prose stands."""
    server.begin(campaign)
    page = eyes.page(f"/#/table/{campaign}")
    page.get_by_label("Your words").fill("I look around")
    page.keyboard.press("Enter")
    assert model.telling.wait(PATIENCE)
    model.speak(FIRST)
    expect(page.locator("article.live")).to_contain_text(FIRST.strip())
    return page


def _told(server: Server, campaign: str) -> list[str]:
    return [turn["final_text"] for turn in server.ask(f"/campaigns/{campaign}/story")["turns"]]


def test_a_reload_in_the_middle_of_the_prose_loses_nothing_and_plays_once(
    eyes: Eyes, server: Server, model: SlowModel
) -> None:
    page = _in_mid_turn(eyes, server, model, "mid-reload")
    page.reload()
    live = page.locator("article.live")
    expect(live).to_contain_text(FIRST.strip())
    expect(live).to_contain_text("I look around")
    model.speak(SECOND)
    expect(live).to_contain_text((FIRST + SECOND).strip())
    model.end()
    expect(page.locator("article.turn")).to_have_count(1)
    expect(live).to_have_count(0)
    assert _told(server, "mid-reload") == [(FIRST + SECOND).strip()]
    streamed = [json.dumps(asked) for asked in model.asked if asked.get("stream")]
    assert len(streamed) == 1, "the narrator was asked once"


def test_escape_in_the_middle_of_the_prose_stops_it_and_what_happened_stays(
    eyes: Eyes, server: Server, model: SlowModel
) -> None:
    page = _in_mid_turn(eyes, server, model, "mid-stop")
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Send")).to_be_visible()
    assert model.hung_up.wait(PATIENCE), "the model still talks to nobody"
    expect(page.get_by_text("The telling was stopped here")).to_be_visible()
    at = server.ask("/campaigns/mid-stop")
    assert (at["turn_no"], at["pending"], at["playing"]) == (1, True, "")
    # The words come with the next turn, and the first one is not played again.
    page.get_by_label("Your words").fill("I wait")
    page.keyboard.press("Enter")
    for words in (FIRST, SECOND):
        model.speak(words)
        model.end()
    expect(page.locator("article.turn")).to_have_count(2)
    expect(page.locator("article.live")).to_have_count(0)
    assert _told(server, "mid-stop") == [FIRST.strip(), SECOND.strip()]


def test_a_second_tab_follows_word_by_word_and_may_stop_it(
    eyes: Eyes, server: Server, model: SlowModel
) -> None:
    page = _in_mid_turn(eyes, server, model, "mid-tab")
    eyes.context.add_init_script("delete window.SharedWorker")  # some browsers of phones have none
    other = eyes.page("/#/table/mid-tab")
    expect(other.locator("article.live")).to_contain_text(FIRST.strip())
    model.speak(SECOND)
    for tab in (page, other):
        expect(tab.locator("article.live")).to_contain_text((FIRST + SECOND).strip())
    other.get_by_role("button", name="Stop").click()
    for tab in (page, other):
        expect(tab.get_by_role("button", name="Send")).to_be_visible()
        expect(tab.get_by_text("The telling was stopped here")).to_be_visible()


def test_a_tab_has_one_line_to_the_server_in_whatever_room_and_hears_its_table_there(
    eyes: Eyes, server: Server, model: SlowModel
) -> None:
    page = _in_mid_turn(eyes, server, model, "mid-rooms")
    for room, heading in (
        ("l", "Library"),
        ("p", "AI parties"),
        ("i", "Research a world"),
        ("w", "The world"),
    ):
        page.get_by_role("banner").get_by_role("link", name="Freeform").focus()
        page.keyboard.press("g")
        page.keyboard.press(room)
        expect(page.get_by_role("heading", name=heading, level=1)).to_be_visible()
        assert _lines(server) == 1, heading
    model.speak(SECOND)
    page.keyboard.press("g")
    page.keyboard.press("t")
    expect(page.locator("article.live")).to_contain_text((FIRST + SECOND).strip())
    model.end()
    expect(page.locator("article.turn")).to_contain_text((FIRST + SECOND).strip())


def test_eight_tabs_share_one_line_though_a_browser_has_six_and_all_of_them_follow(
    eyes: Eyes, server: Server, model: SlowModel
) -> None:
    page = _in_mid_turn(eyes, server, model, "mid-eight")
    server.begin("mid-other")
    tabs = [
        page,
        *(eyes.page("/#/table/mid-eight") for _ in range(6)),
        eyes.page("/#/table/mid-other"),
    ]
    for tab in tabs[:7]:
        expect(tab.locator("article.live")).to_contain_text(FIRST.strip())
    expect(tabs[7].get_by_text("Say what you do in your own words")).to_be_visible()
    assert _lines(server) == 1
    model.speak(SECOND)
    model.end()
    for tab in tabs[:7]:
        expect(tab.locator("article.turn")).to_contain_text((FIRST + SECOND).strip())
    server.ask("/model", {"model": "offline"})
    server.play("mid-other", "I wait")
    expect(tabs[7].locator("article.turn")).to_have_count(1)


def test_a_tab_nobody_looks_at_gives_its_line_back_and_catches_up_later(
    eyes: Eyes, server: Server, model: SlowModel
) -> None:
    page = _in_mid_turn(eyes, server, model, "mid-sleep")
    seem = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true }); "
    seem += "document.dispatchEvent(new Event('visibilitychange')) }"
    page.clock.install()
    page.evaluate(seem, True)
    page.clock.fast_forward(31_000)
    assert _lines(server, 0) == 0
    model.speak(SECOND)
    model.end()
    while server.ask("/campaigns/mid-sleep")["playing"]:
        time.sleep(0.02)
    page.evaluate(seem, False)
    expect(page.locator("article.turn")).to_contain_text((FIRST + SECOND).strip())
    expect(page.locator("article.live")).to_have_count(0)


def _lines(server: Server, wanted: int = 1) -> int:
    """How many event streams are open at the server, when those that were just closed are gone."""
    ends = time.monotonic() + PATIENCE
    while True:
        with urllib.request.urlopen(f"{server.url}/metrics") as answer:
            count = int(re.search(r"freeform_listeners (\d+)", answer.read().decode())[1])  # type: ignore[index]
        if count == wanted or time.monotonic() > ends:
            return count
        time.sleep(0.02)
