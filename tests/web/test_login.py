"""A table with a key: a browser is asked for it once, and everything works behind it."""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.served import check_access, reading, serving

KEY = "open-sesame-42"


def test_a_browser_says_the_key_once_and_plays(browser: Browser, tmp_path: Path) -> None:
    with serving(tmp_path, KEY) as server, reading(browser, server, 390) as (eyes, page):
        expect(page.get_by_role("heading", name="Freeform RPG")).to_be_visible()
        assert check_access(page, "login") == [] and eyes.wrong == []
        page.get_by_label("The key of this table").fill("guess")
        page.keyboard.press("Enter")
        expect(page.get_by_role("alert")).to_have_text("That is not the key.")
        page.get_by_label("The key of this table").fill(KEY)
        page.keyboard.press("Enter")
        page.get_by_role("link", name="The Drowned Bell").click()
        page.get_by_role("button", name="Begin").click()
        page.get_by_label("Your words").fill("I look around")
        page.keyboard.press("Enter")
        expect(page.locator("article.turn")).to_have_count(1)
        assert ["401" in one for one in eyes.wrong] == [True]
        assert KEY not in page.content() and KEY not in str(eyes.context.cookies())
