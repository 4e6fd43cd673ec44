"""The Players screen: a party is seated, plays live, is stepped through, remembers wrongly, and is laid beside another."""

import re
import time

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.patience import PATIENCE
from tests.web.served import Eyes, Server, by_width, check_access, reading

WIDER = "Math.max(...['html', '.players'].map(at => document.querySelector(at)).map(n => n.scrollWidth - n.clientWidth))"
VIEWS = (
    "",
    "/wrong",
    "/wrong/rounds~2~3",
    "/wrong/memory~cato~90",
    "/wrong/hearing~cato",
    "/wrong/beside~right",
)


@pytest.fixture(scope="module")
def parties(server: Server) -> dict[str, str]:
    """One that forgets like people, one that forgets nothing: the same seed, three rounds each."""
    names = {}
    for alias, strength in (("wrong", 1.0), ("right", 0.0)):
        made = server.ask(
            "/parties", {"scenario": "dead_drop", "players": "4", "seed": 7, "strength": strength}
        )
        names[alias] = made["party"]
        server.ask(f"/parties/{made['party']}/run", {"rounds": 3})
        end = time.monotonic() + PATIENCE
        while server.ask(f"/parties/{made['party']}")["running"]:
            assert time.monotonic() < end
            time.sleep(0.1)
    return names


def _path(view: str, parties: dict[str, str]) -> str:
    for alias, name in parties.items():
        view = re.sub(rf"(?<=[/~]){alias}\b", name, view)
    return f"/#/players{view}"


def _ready(page: Page) -> None:
    expect(page.locator("main h1")).to_be_visible()
    expect(page.locator(".state.loading")).to_have_count(0)


def test_a_party_is_seated_and_plays_live_by_keyboard_alone(eyes: Eyes) -> None:
    page = eyes.page("/#/setup")
    expect(page.locator("main h1")).to_be_visible()
    page.locator("body").press("g")
    page.keyboard.press("p")
    page.get_by_label("Who plays Cato").focus()
    page.keyboard.type("nobody")
    page.get_by_label("Who plays Dee").focus()
    page.keyboard.type("nobody")
    expect(page.get_by_text("(2 of 12)")).to_be_visible()
    page.get_by_label("Forgetting").focus()
    page.keyboard.press("End")
    page.get_by_label("Seed").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Nothing is played yet.")).to_be_visible()
    page.get_by_role("spinbutton", name="Rounds").fill("2")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Round 2 of 2")).to_be_visible()
    expect(page.get_by_role("button", name="Play on")).to_be_enabled()
    expect(page.get_by_role("row")).to_have_count(3)
    page.reload()
    expect(page.get_by_text("Round 2 of 2")).to_be_visible()


def test_arrows_step_through_a_recorded_run_and_a_reload_stays_there(
    eyes: Eyes, server: Server, parties: dict[str, str]
) -> None:
    page = eyes.page(_path("/wrong/rounds~1", parties))
    expect(page.get_by_text("Round 1 of 3")).to_be_visible()
    steps = len(server.ask(f"/parties/{parties['wrong']}/rounds/1/lanes")["rows"])
    expect(page.locator(".lanes .line")).to_have_count(steps - 1)
    page.keyboard.press("ArrowRight")
    expect(page.get_by_text(f"step 1 of {steps}")).to_be_visible()
    expect(page.locator(".lanes .line")).to_have_count(0)
    expect(page.get_by_label("What they settled")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".line.now")).to_have_class(re.compile("ooc_discussion"))
    page.reload()
    expect(page.get_by_text(f"step 2 of {steps}")).to_be_visible()
    page.keyboard.press("Shift+ArrowRight")
    expect(page.get_by_text("Round 2 of 3")).to_be_visible()
    expect(page.get_by_label("What they settled").locator("li")).to_have_count(4)


def test_a_wrong_memory_stands_beside_the_truth_with_its_curve(
    eyes: Eyes, server: Server, parties: dict[str, str]
) -> None:
    told = server.ask(f"/parties/{parties['wrong']}/memory/cato?at=90&explain=true&most=200")
    wrong = [one for one in told["memories"] if one["believed"] != one["truth"]]
    page = eyes.page(_path("/wrong/memory~cato~90", parties))
    expect(page.get_by_text(f"{len(wrong)} of them wrongly")).to_be_visible()
    expect(page.get_by_role("img", name="Forgetting curve")).to_be_visible()
    fact = min(wrong, key=lambda one: len(one["truth"]))
    listed = sorted(told["memories"], key=lambda one: one["valid_at"])
    buttons = page.locator("ol button")
    buttons.first.click()
    for at in range(1, listed.index(fact) + 1):
        page.keyboard.press("ArrowDown")
        expect(buttons.nth(at)).to_have_attribute("aria-pressed", "true")
    card = page.get_by_label("One memory")
    assert _words(card.locator("dd").first.inner_text()) == _words(fact["believed"])
    assert _words(card.locator("dd").last.inner_text()) == _words(fact["truth"])
    expect(card.locator("circle").first).to_be_visible()
    page.get_by_role("combobox", name="Forgetting").select_option("0")
    expect(page.get_by_text("0 of them wrongly")).to_be_visible()
    expect(card.get_by_text("Remembered as it was.")).to_be_visible()


def test_two_runs_lie_side_by_side_and_can_be_taken_away(
    eyes: Eyes, server: Server, parties: dict[str, str]
) -> None:
    page = eyes.page(_path("/wrong/beside~right", parties))
    found = server.ask(f"/parties/{parties['wrong']}/compare/{parties['right']}")
    parted = found["parted_at"]
    expect(
        page.get_by_text(f"They part in round {parted}." if parted else "They are the same")
    ).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(3)
    with page.expect_download() as taken:
        page.get_by_role("link", name="Parquet").click()
    assert taken.value.path().read_bytes()[:4] == b"PAR1"
    with page.expect_download() as taken:
        page.get_by_role("link", name="JSONL").click()
    assert taken.value.path().read_text(encoding="utf-8").count('"phase": "directives"') == 12


def test_everyone_can_read_the_players_screen(
    browser: Browser, server: Server, parties: dict[str, str]
) -> None:
    found: list[str] = []
    with reading(browser, server) as (eyes, page):
        for view in VIEWS:
            page.goto(server.url + "/#/nowhere")
            expect(page.get_by_role("heading", name="There is no such page.")).to_be_visible()
            page.goto(server.url + _path(view, parties))
            _ready(page)
            for width in (1100, 390):
                page.set_viewport_size({"width": width, "height": 844})
                found += check_access(page, f"{view} {width}", by_width(width))
                assert page.evaluate(WIDER) <= 0, (view, width)
    assert found == [] and eyes.wrong == []


def _words(text: str) -> str:
    """The words alone: the page breaks lines and rounds quotation marks."""
    return " ".join(text.replace("“", '"').replace("”", '"').split())
