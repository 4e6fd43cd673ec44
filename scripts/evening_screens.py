"""Pictures of one evening at a table of several, in order, from the invitation to the end (docs/table.md)."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.web.evening import PLAYER, Evening, Sitting
from tests.web.served import Server

LAPTOP = (960, 640)
Save = Callable[[bytes, Path, int], None]


class Album:
    """Numbered pictures."""

    def __init__(self, out: Path, save: Save) -> None:
        self._out, self._save, self._number = out, save, 0

    def keep(self, page: Page) -> None:
        """The next one."""
        self._number += 1
        page.wait_for_timeout(300)
        self._save(page.screenshot(), self._out / f"evening-{self._number}.png", 64)


def take_evening(server: Server, browser: Browser, out: Path, save: Save) -> None:
    """Mo leads, Ben plays on a phone, Cleo on a laptop, Bea is an AI player."""
    with ExitStack() as stack:
        evening, album = Evening(server, browser, stack, "evening"), Album(out, save)
        evening.open()
        page = evening.master.page
        page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
        _invite(evening, album)
        ben, cleo = _come_in(evening, album)
        evening.asks_bea()
        _rounds(evening, album, ben, cleo)
        _talk(evening, album, ben)
        _together(evening, album, ben, cleo)
        _end(evening, album, ben, cleo)


def _invite(evening: Evening, album: Album) -> None:
    page = evening.master.page
    page.get_by_role("button", name="Invite").first.click()
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_role("img", name="The link as a QR code")).to_be_visible()
    album.keep(page)
    page.keyboard.press("Escape")


def _come_in(evening: Evening, album: Album) -> tuple[Sitting, Sitting]:
    link, eyes = evening.invited(PLAYER), evening.someone(390, scheme="dark", locale="en-GB")
    page = eyes.page(f"/join{link}")
    page.get_by_label("Your name at this table").fill("Ben")
    page.get_by_label("Somebody of my own").check()
    page.get_by_label("Their name").fill("Sparrow")
    page.get_by_label("Who they are, in a few words").fill("a courier with a bad knee")
    page.locator(".scroll").evaluate("node => (node.scrollTop = 0)")
    album.keep(page)
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_role("region", name="The story")).to_be_visible()
    ben = evening.here["Ben"] = Sitting("Ben", "Sparrow", eyes, page)
    evening.heroes["Ben"] = "Sparrow"
    cleo = evening.comes_in("Cleo", PLAYER, 1100, "Wren")
    cleo.page.set_viewport_size({"width": LAPTOP[0], "height": LAPTOP[1]})
    return ben, cleo


def _rounds(evening: Evening, album: Album, ben: Sitting, cleo: Sitting) -> None:
    evening.set_mode("rounds")
    evening.master.page.locator("aside .body").evaluate("node => (node.scrollTop = 0)")
    album.keep(evening.master.page)
    expect(ben.page.get_by_text("Your turn.", exact=True)).to_be_visible()
    ben.page.get_by_label("Your words").fill("Free Obed's foot from the stones")
    album.keep(ben.page)
    _people_on_phone(ben, lambda: album.keep(ben.page))
    evening.write(ben, "Free Obed's foot from the stones")
    evening.told_to_all(1)
    cleo.page.get_by_label("Your words").fill("I ask Obed about the bell")
    album.keep(cleo.page)
    evening.write(cleo, "I ask Obed about the bell")
    evening.told_to_all(3)


def _people_on_phone(who: Sitting, look: Callable[[], None], tab: str = "People") -> None:
    page = who.page
    page.get_by_role("button", name="The table").click()
    page.get_by_role("tab", name=tab).click()
    look()
    page.get_by_role("button", name="Close the panel").last.click()


def _talk(evening: Evening, album: Album, ben: Sitting) -> None:
    page = ben.page

    def talk() -> None:
        page.get_by_label("What you say beside the story").fill(
            "Bea, what do you make of the bell?"
        )
        page.keyboard.press("Enter")
        page.get_by_text("Roll dice").click()
        page.get_by_label("What for").fill("nerve")
        page.get_by_role("button", name="Roll", exact=True).click()
        expect(page.locator(".talk li", has_text="Bea").nth(1)).to_be_visible()
        expect(page.locator(".talk .roll")).to_be_visible()
        page.get_by_text("Roll dice").click()
        album.keep(page)

    _people_on_phone(ben, talk, "Talk")


def _together(evening: Evening, album: Album, ben: Sitting, cleo: Sitting) -> None:
    evening.set_mode("together")
    expect(cleo.page.get_by_text("All write together")).to_be_visible()
    before = evening.turns
    evening.write(cleo, "I look at the people in the water")
    expect(cleo.page.get_by_text("Yours is kept")).to_be_visible()
    album.keep(cleo.page)
    evening.write(ben, "I knock at the abbey gate")
    evening.told_to_all(before + 1)
    album.keep(ben.page)


def _end(evening: Evening, album: Album, ben: Sitting, cleo: Sitting) -> None:
    """Mo lets the tide rise, and it is told."""
    page = evening.master.page
    page.get_by_role("button", name="Behind the screen").click()
    page.get_by_role("tab", name="Clocks").click()
    album.keep(page)
    for value in range(1, 7):
        page.get_by_label("The tide: one on").click()
        expect(page.get_by_role("heading", name=f"The tide {value}/6")).to_be_visible()
    page.keyboard.press("Escape")
    evening.set_mode("free")
    evening.write(cleo, "I wait")
    evening.told_to_all(evening.turns + 1)
    album.keep(cleo.page)
    album.keep(ben.page)


def take_by_hand(server: Server, browser: Browser, out: Path, save: Save) -> None:
    """Mo tells every turn: what players have written waits, is proposed, changed and told."""
    with ExitStack() as stack:
        evening = Evening(server, browser, stack, "byhand")
        evening.open()
        ben = evening.comes_in("Ben", PLAYER, 390, "Sparrow")
        cleo = evening.comes_in("Cleo", PLAYER, 1100, "Wren")
        page = evening.master.page
        page.set_viewport_size({"width": 1100, "height": 760})
        page.get_by_label("The game master tells every turn").check()
        for who, words in ((ben, "Free Obed's foot from the stones"), (cleo, "I look around")):
            who.page.get_by_label("Your words").fill(words)
            who.page.get_by_role("button", name="Send").click()
            expect(who.page.get_by_text("Yours is kept; Mo tells it.")).to_be_visible()
        expect(page.get_by_role("checkbox", name="Wren")).to_be_visible()
        save(page.screenshot(), out / "by-hand-1.png", 64)
        page.get_by_role("button", name="Propose a telling").click()
        expect(page.get_by_role("button", name="Propose again")).to_be_visible()
        save(page.screenshot(), out / "by-hand-2.png", 64)
        page.get_by_label("Your words").fill("The stones give way all at once. Obed is free.")
        page.get_by_role("button", name="Send").click()
        expect(ben.page.get_by_text("The stones give way").first).to_be_visible()
        save(ben.page.screenshot(), out / "by-hand-3.png", 64)
