"""The library by keyboard in a real browser: a book is brought, paused, read on, looked over, put right, shelved."""

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import TimeoutError as LateError

from tests.ingest.book import make_book
from tests.web.served import Eyes, Server, by_width, check_access, reading


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_book(tmp_path_factory.mktemp("book") / "drowned_coast.pdf", misprint=True)


def press(page: Page, name: str, role: str = "button") -> None:
    """Goes to it and presses Enter, as one does without a mouse."""
    found = page.get_by_role(role, name=name).first  # type: ignore[arg-type]
    found.focus()
    page.keyboard.press("Enter")


def bring(page: Page, book: Path) -> None:
    page.locator("input[type=file]").set_input_files(book)
    expect(page.get_by_role("textbox", name="Name")).to_be_focused()
    page.keyboard.type("The Coast")
    page.get_by_label("Licence").select_option("cc-by")
    expect(
        page.get_by_text("9 pages. Nothing is sent anywhere and nothing is paid")
    ).to_be_visible()
    page.get_by_text("More", exact=True).click()
    expect(page.get_by_label("Make a draft to look over first")).not_to_be_checked()
    press(page, "Read it")
    expect(page.get_by_role("heading", name="The Coast")).to_be_visible()


def test_a_book_is_brought_read_put_right_shelved_and_played(
    eyes: Eyes, server: Server, book: Path
) -> None:
    page = eyes.page("/#/setup")
    expect(page.locator("h1")).to_be_visible()
    page.locator("main").focus()
    page.keyboard.press("g")
    page.keyboard.press("l")
    expect(page.get_by_role("heading", name="Library")).to_be_visible()
    expect(page.get_by_text("Saltmarch").first).to_be_visible()

    bring(page, book)
    with suppress(LateError):
        page.get_by_role("button", name="Pause").press("Enter", timeout=3000)
    go_on = page.get_by_role("button", name="Go on")
    shelve = page.get_by_role("button", name="Put it on the shelf")
    expect(go_on.or_(shelve)).to_be_visible()  # a quick machine has read it by now
    if go_on.is_visible():
        page.reload()
        press(page, "Go on")
    expect(shelve).to_be_visible()
    expect(page.locator(".chapters")).to_contain_text("Creatures")

    page.get_by_role("tab", name="Found").click()
    page.get_by_label("Name").fill("reed")
    expect(page.get_by_text("1 found")).to_be_visible()
    page.get_by_role("tab", name="Problems").click()
    page.locator(".leaves button").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("region", name="What was read on page")).to_contain_text(
        "99 (4d10 + 8)"
    )
    assert (
        page.locator("dialog img").evaluate(
            "async node => { await node.decode(); return node.naturalWidth }"
        )
        > 100
    )
    page.keyboard.press("Escape")

    page.get_by_role("tab", name="Sections").click()
    doubtful = page.get_by_label("Only the doubtful ones")
    if doubtful.is_checked():
        doubtful.uncheck()
    page.get_by_placeholder("A heading").fill("drowned")
    press(page, "Put right: The Drowned Coast")
    page.get_by_label("It tells of").select_option("HISTORY")
    press(page, "Say so")
    expect(page.get_by_text("history, for")).to_contain_text("as you say")
    page.reload()
    press(page, "Do again what follows")
    expect(shelve).to_be_hidden()
    expect(shelve).to_be_visible()
    job = server.ask("/ingests")["jobs"][0]
    rows = server.ask(f"/ingests/{job['id']}/segments?q=drowned")["segments"]
    assert [row["content_type"] for row in rows] == ["HISTORY"]
    assert [row["name"] for row in job["report"]["stages"] if row["skipped"]] == [
        "extract",
        "structure",
        "segment",
    ]

    page.get_by_role("tab", name="Lists").click()
    page.get_by_placeholder("A heading").fill("spell")
    expect(page.get_by_role("columnheader", name="Casting Time")).to_be_visible()
    press(page, "Put right: Spell Descriptions")
    page.get_by_label("Its entries are").select_option("feature")
    page.get_by_label("Range is called").fill("Reach")
    press(page, "Say so, and do again what follows")
    expect(shelve).to_be_hidden()
    expect(shelve).to_be_visible()
    expect(page.get_by_role("columnheader", name="Reach")).to_be_visible()
    expect(page.get_by_text("feature · as you say")).to_be_visible()
    found = server.ask(f"/ingests/{job['id']}/entities?q=veil")["entities"]
    assert found[0]["kind"] == "feature" and found[0]["fields"]["Reach"] == "30 feet"

    press(page, "Put it on the shelf")
    press(page, "Play with it", "link")
    expect(page.get_by_role("heading", level=1, name="Coast")).to_be_visible()
    expect(page.get_by_role("button", name="Begin")).to_be_enabled()
    page.goto(f"{server.url}/#/library")
    expect(page.get_by_role("heading", name="The Coast")).to_be_visible()
    expect(page.locator(".book")).to_contain_text("On the shelf")


def test_a_file_that_is_no_book_is_refused_in_a_sentence(eyes: Eyes, tmp_path: Path) -> None:
    page = eyes.page("/#/library")
    notes = tmp_path / "notes.txt"
    notes.write_text("only notes")
    page.locator("input[type=file]").set_input_files(notes)
    expect(page.get_by_role("alert")).to_contain_text("notes.txt is no PDF")
    page.goto("about:blank")
    page.goto(f"{eyes.url}/#/library/none")
    expect(page.get_by_text("There is no such book here.")).to_be_visible()


def test_the_library_can_be_read_by_everyone(browser: Browser, server: Server, book: Path) -> None:
    """After the first test: one book is on the shelf, with something found under every tab."""
    job = server.ask("/ingests")["jobs"][0]["id"]
    found: list[str] = []
    parts = (
        "",
        f"/{job}",
        f"/{job}/things",
        f"/{job}/lists",
        f"/{job}/sections",
        f"/{job}/rules",
        f"/{job}/doubts",
    )
    with reading(browser, server) as (eyes, page):
        for part in (*parts, "page", "form"):
            _show(page, part, book)
            for width in (1100, 390):
                page.set_viewport_size({"width": width, "height": 800})
                found += check_access(page, f"{part} {width}", by_width(width))
        assert eyes.wrong == []
    assert found == []


def _show(page: Page, part: str, book: Path) -> None:
    if part == "page":
        page.locator(".leaves button").first.click()
    elif part == "form":
        page.keyboard.press("Escape")
        page.evaluate("location.hash = '#/library'")
        page.locator("input[type=file]").set_input_files(book)
        expect(page.get_by_text("nothing is paid")).to_be_visible()
        page.get_by_text("More", exact=True).click()
    else:
        page.evaluate("part => (location.hash = `#/library${part}`)", part)
    expect(page.locator("main h1").first).to_be_visible()
    expect(page.locator(".state.loading")).to_have_count(0)
    page.wait_for_timeout(100)
