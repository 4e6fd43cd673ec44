"""An account in the browser: made with a link, left, and signed in to on another device; the owner's, without the key."""

from pathlib import Path

from playwright.sync_api import Browser, Page, expect

from tests.web.served import AXE, TAGS, check_access, looking, serving

KEY, WORDS = "open-sesame-42", "a heron in the reeds"
LIGHT = (("light", TAGS),)


def test_a_player_and_the_owner_come_back_by_signing_in(browser: Browser, tmp_path: Path) -> None:
    (tmp_path / "freeform.toml").write_text('accounts = "invited"\n')
    with (
        serving(tmp_path, KEY) as server,
        looking(browser, server, 1280) as owner,
        looking(browser, server, 390) as phone,
        looking(browser, server, 390) as other,
    ):
        host = owner.page("/login")
        host.get_by_label("The key of this table").fill(KEY)
        host.keyboard.press("Enter")
        host.get_by_role("link", name="The Drowned Bell").click()
        host.get_by_role("button", name="Begin").click()
        host.get_by_role("button", name="Invite").first.click()
        host.get_by_label("What do they call you?").fill("Anna")
        host.keyboard.press("Enter")
        host.get_by_role("button", name="Make a link").click()
        link = host.get_by_label("The link").input_value().partition("/join")[2]
        host.keyboard.press("Escape")
        _keeps_everything(host)

        page = phone.page(f"/join{link}")
        page.get_by_text("Sign in, or make an account").click()
        page.get_by_role("button", name="I have none yet").click()
        _says(page, "ben", "Make an account")
        expect(page.get_by_text("Signed in as ben")).to_be_visible()
        page.get_by_label("Your name at this table").fill("Ben")
        page.get_by_label("Somebody of my own").check()
        page.get_by_label("Their name").fill("Sparrow")
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("region", name="The story")).to_be_visible()

        page = other.page("/join")
        _reads_well(page)
        _says(page, "Ben", "Sign in", "not the words")
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
        _says(page, "Ben", "Sign in")
        page.get_by_role("link", name="The Drowned Bell, as Sparrow").click()
        expect(page.get_by_role("region", name="The story")).to_be_visible()
        page.get_by_role("button", name="The table").click()
        page.get_by_role("tab", name="People").click()
        expect(page.get_by_text("on 2 devices. Your seat is kept with it.")).to_be_visible()
        _reads_well(page)
        page.get_by_role("button", name="Sign out", exact=True).click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        _says(page, "anna", "Sign in")
        page.get_by_role("link", name="Come in").click()
        expect(page.get_by_role("link", name="Library")).to_be_visible()  # all of the house
        assert [one for one in phone.wrong + owner.wrong if "401" not in one] == []
        assert WORDS not in page.content() and WORDS not in str(other.context.cookies())


def _keeps_everything(host: Page) -> None:
    host.get_by_role("tab", name="People").click()
    host.get_by_text("Keep it all with an account").click()
    _says(host, "Anna", "Make an account")
    expect(host.get_by_text("Signed in as Anna")).to_be_visible()


def _says(page: Page, name: str, button: str, password: str = WORDS) -> None:
    page.get_by_label("Account name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name=button, exact=True).click()


def _reads_well(page: Page) -> None:
    page.evaluate(AXE.read_text())
    assert check_access(page, "accounts", LIGHT) == []
