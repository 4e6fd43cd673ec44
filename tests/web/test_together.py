"""Four people, four browsers, one table: the host invites, a phone and a laptop play, one watches."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.web.served import AXE, Eyes, Server, check_access, looking, serving

KEY = "open-sesame-42"


@contextmanager
def someone(browser: Browser, server: Server, width: int) -> Iterator[Eyes]:
    with looking(browser, server, width, reduced_motion="reduce", bypass_csp=True) as eyes:
        eyes.context.add_init_script(path=str(AXE))
        yield eyes


def invited(page: Page, whom: str) -> str:
    """A link that the host makes."""
    page.get_by_role("button", name="Invite").first.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_text(whom, exact=True).click()
    sheet.get_by_role("button", name="Make a link").click()
    link = sheet.get_by_label("The link").input_value()
    assert sheet.get_by_role("img", name="The link as a QR code").is_visible()
    page.keyboard.press("Escape")
    return link.partition("/join")[2]


def comes_in(eyes: Eyes, link: str, name: str, hero: str = "") -> Page:
    """Opens a link, and takes a seat."""
    page = eyes.page(f"/join{link}")
    expect(page.get_by_label("Your name at this table")).to_be_visible()
    page.get_by_label("Your name at this table").fill(name)
    if hero:
        page.get_by_label("Somebody of my own").check()
        page.get_by_label("Their name").fill(hero)
    assert check_access(page, f"join {name}") == []
    page.keyboard.press("Enter") if not hero else page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("region", name="The story")).to_be_visible()
    assert link.strip("#") not in page.content() and link.strip("#") not in page.url
    return page


def says(page: Page, words: str) -> None:
    page.get_by_label("Your words").fill(words)
    page.keyboard.press("Enter")


def test_four_browsers_play_one_story(browser: Browser, tmp_path: Path) -> None:
    with ExitStack() as stack:
        server = stack.enter_context(serving(tmp_path, KEY))
        anna, ben, cleo, wim = (
            stack.enter_context(someone(browser, server, width)) for width in (1280, 390, 1100, 820)
        )
        host = anna.page("/")
        host.get_by_label("The key of this table").fill(KEY)
        host.keyboard.press("Enter")
        host.get_by_role("link", name="The Drowned Bell").click()
        host.get_by_role("button", name="Begin").click()
        expect(host.get_by_role("region", name="The story")).to_be_visible()
        host.get_by_role("button", name="Invite").click()
        host.get_by_label("What do they call you?").fill("Anna")
        host.keyboard.press("Enter")
        expect(host.get_by_role("button", name="Make a link")).to_be_visible()
        host.keyboard.press("Escape")
        phone = comes_in(ben, invited(host, "A player takes a seat and acts"), "Ben")
        laptop = comes_in(cleo, invited(host, "A player takes a seat and acts"), "Cleo", "Wren")
        watcher = comes_in(wim, invited(host, "A spectator watches"), "Wim")
        expect(watcher.get_by_text("You are watching.")).to_be_visible()
        expect(watcher.get_by_label("Your words")).to_have_count(0)

        host.get_by_role("tab", name="People").click()
        host.get_by_label("How turns go").select_option("rounds")
        expect(phone.get_by_text("Your turn.", exact=True)).to_be_visible()
        says(phone, "I look around")
        for page in (host, phone, laptop, watcher):
            expect(page.locator("article.turn")).to_have_count(1)
        expect(phone.get_by_text("Waiting for")).to_be_visible()
        expect(phone.get_by_role("button", name="Send")).to_be_disabled()
        says(laptop, "I listen at the door")
        says(host, "I wait")
        for page in (host, phone, laptop, watcher):
            expect(page.locator("article.turn")).to_have_count(3)
            expect(page.locator("article.turn .actor")).to_have_count(3)
        assert laptop.locator("article.turn").nth(1).locator(".actor").inner_text() == "Wren:"
        expect(laptop.get_by_text("Your turn.", exact=True)).to_be_visible()

        laptop.reload()
        expect(laptop.locator("article.turn")).to_have_count(3)
        laptop.get_by_role("tab", name="Talk").click()
        laptop.get_by_label("To whom").select_option(label="Whisper to Anna")
        laptop.get_by_label("What you say beside the story").fill("Is the ferryman lying?")
        laptop.keyboard.press("Enter")
        host.get_by_role("tab", name="Talk (1)").click()
        expect(host.get_by_role("listitem").filter(has_text="ferryman lying")).to_be_visible()
        assert "Is the ferryman lying?" not in phone.content() + watcher.content()
        for name, page in (
            ("host", host),
            ("phone", phone),
            ("laptop", laptop),
            ("watcher", watcher),
        ):
            assert check_access(page, name) == []

        host.get_by_role("tab", name="People").click()
        host.get_by_label("More about Wim").click()
        host.get_by_role("button", name="Send away").click()
        expect(watcher.get_by_role("heading", name="Your seat is empty.")).to_be_visible()
        for who in (ben, cleo):
            assert who.wrong == []
