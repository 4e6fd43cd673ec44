"""Game nights on the World screen, and a file of unknown kind brought in among one's stories."""

import json
from pathlib import Path
from threading import Event

from playwright.sync_api import Route, expect

from tests.web.served import Eyes, Server


def test_a_night_is_begun_played_ended_and_told_of(eyes: Eyes, server: Server) -> None:
    server.begin("nights")
    eyes.context.add_init_script("delete window.SharedWorker")  # its requests cannot be held back
    held: list[Route] = []
    passing = Event()
    eyes.context.route(
        "**/api/events*",
        lambda route: route.continue_() if passing.is_set() else held.append(route),
    )
    page = eyes.page("/#/world/nights/time")
    page.get_by_role("button", name="Begin a night").click()
    expect(page.get_by_text("open, from turn")).to_be_visible()
    server.play("nights", "Free Obed's foot from the stones")
    passing.set()  # a line that comes only now is not held
    for route in held:  # a busy browser opens its line late: what happened before it is shown, too
        route.continue_()
    expect(page.get_by_text("Get Obed Crake off the road alive")).to_be_visible()  # nobody reloads
    page.get_by_role("button", name="End the night").click()
    expect(page.get_by_text("turns 1 to 1")).to_be_visible()
    page.get_by_role("button", name="The story so far").click()
    expect(page.locator(".recap")).to_contain_text("turn 1")
    [night] = server.ask("/campaigns/nights/sessions")["sessions"]
    assert night["ended_at"] and night["summary"]


def test_a_file_is_brought_in_and_one_that_is_nothing_is_refused_in_a_sentence(
    eyes: Eyes, server: Server, tmp_path: Path
) -> None:
    card = {
        "spec": "chara_card_v2",
        "spec_version": "2.0",
        "data": {
            "name": "Ansa Reed",
            "description": "A ferrywoman.",
            "first_mes": "Mind the step.",
        },
    }
    good, bad = tmp_path / "ansa.json", tmp_path / "noise.bin"
    good.write_text(json.dumps(card))
    bad.write_bytes(bytes(range(256)) * 20)
    page = eyes.page("/#/stories")
    page.locator(".drop input").set_input_files(good)
    expect(page.locator(".notice")).to_contain_text(
        "ansa.json is a character card; it is here now."
    )
    expect(page.locator("[aria-labelledby=bring] li")).to_contain_text("a character card")
    page.locator(".drop input").set_input_files(bad)
    expect(page.locator(".notice.wrong")).to_be_visible()
    assert all("Traceback" not in text for text in page.locator(".notice").all_inner_texts())
    eyes.wrong[:] = [said for said in eyes.wrong if "Failed to load resource" not in said]
