"""The sheet: looked at before it is kept, every number opens its parts and is thrown, a second file shows what differs."""

import re

from playwright.sync_api import Browser, FilePayload, Page, expect

from tests.assistant.sheet.examples import BRANNOC, brannoc, raw
from tests.web.served import Server, by_width, check_access, reading


def _press(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).focus()
    page.keyboard.press("Enter")


def _bring(page: Page, content: bytes) -> None:
    file: FilePayload = {"name": "brannoc.json", "mimeType": "application/json", "buffer": content}
    page.locator("input[type=file]").set_input_files([file])
    expect(page.get_by_role("dialog")).to_be_visible()


def test_a_sheet_is_brought_read_thrown_and_changed_by_keyboard(
    browser: Browser, server: Server
) -> None:
    server.begin("sheet-hero")
    server.play("sheet-hero", "I wait")
    before = server.ask("/characters")
    with reading(browser, server) as (eyes, page):
        page.goto(f"{server.url}/#/sheet/-/sheet-hero")
        expect(page.get_by_role("heading", name="Maren Holt")).to_be_visible()
        _press(page, "Lore 5")
        expect(page.get_by_text("as created")).to_be_visible()
        page.get_by_label("At turn").fill("0")
        page.keyboard.press("Enter")
        expect(page.get_by_text("As it stood at turn 0.")).to_be_visible()

        _bring(page, BRANNOC.read_bytes())
        expect(page.get_by_role("dialog", name="Brannoc Vale")).to_contain_text(
            "armour class 20, 58 hit points"
        )
        assert server.ask("/characters") == before, "nothing is kept by looking"
        _press(page, "Keep it")
        expect(page.get_by_role("heading", name="Brannoc Vale")).to_be_visible()

        _press(page, "Athletics")
        expect(page.get_by_text("Soldier (background)").first).to_be_visible()
        _press(page, "Roll Athletics, 1d20+7")
        expect(page.locator(".notice")).to_have_text(
            re.compile(r"Athletics: 1d20 \(\d+\) \+ 7 = \d+")
        )
        _press(page, "Armour class 20")
        expect(page.get_by_text("Ring of Protection").first).to_be_visible()

        export = brannoc()
        things = export["data"]["inventory"]
        export["data"]["inventory"] = [
            one for one in things if one["definition"]["name"] != "Shield"
        ]
        _bring(page, raw(export))
        expect(page.get_by_role("row", name="Armor Class 20 18")).to_be_visible()
        expect(page.get_by_role("row", name="item Shield yes gone")).to_be_visible()
        page.get_by_label("Kept as").fill("Brannoc the second")
        page.keyboard.press("Enter")
        expect(page.get_by_role("button", name="Keep it")).to_be_visible()
        page.get_by_label("Kept as").fill("brannoc_vale")
        page.keyboard.press("Enter")
        expect(page.get_by_role("row", name="item Shield yes gone")).to_be_visible()
        found = check_access(page, "what changes")
        _press(page, "Take the changes")
        expect(page.get_by_role("button", name="Armour class 18", exact=True)).to_be_visible()

        page.reload()
        expect(page.get_by_role("heading", name="Brannoc Vale")).to_be_visible()
        for name in ("Strength 18", "Athletics", "Hit points 47/58"):
            _press(page, name)
        for width in (1100, 390):
            page.set_viewport_size({"width": width, "height": 844})
            found += check_access(page, f"sheet {width}", by_width(width))
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(
            "document.documentElement.scrollWidth <= document.documentElement.clientWidth"
        )
        page.goto(f"{server.url}/#/sheet/nobody")
        expect(page.get_by_role("alert")).to_contain_text("nobody")
        assert [one for one in eyes.wrong if "404" not in one] == [] and found == []
