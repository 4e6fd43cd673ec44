"""An account in the browser: made with a link, and signed in to on another device."""

from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, expect

from tests.patience import PATIENCE
from tests.web.served import AXE, TAGS, check_access, looking, serving

KEY, WORDS = "open-sesame-42", "a heron in the reeds"
LIGHT = (("light", TAGS),)


def test_a_player_comes_back_on_another_device_by_signing_in(
    browser: Browser, tmp_path: Path
) -> None:
    (tmp_path / "freeform.toml").write_text('accounts = "invited"\n')
    with (
        serving(tmp_path, KEY) as server,
        looking(browser, server, 390) as phone,
        looking(browser, server, 1280) as laptop,
    ):
        page = phone.page(f"/join#{_invited(server.url)}")
        page.get_by_text("Sign in, or make an account").click()
        page.get_by_role("button", name="I have none yet").click()
        _says(page, "ben", "Make an account")
        expect(page.get_by_text("Signed in as ben")).to_be_visible()
        page.get_by_label("Your name at this table").fill("Ben")
        page.get_by_label("Somebody of my own").check()
        page.get_by_label("Their name").fill("Sparrow")
        page.get_by_role("button", name="Come in").click()
        expect(page.get_by_role("region", name="The story")).to_be_visible()

        page = laptop.page("/join")
        _says(page, "Ben", "Sign in", "not the words")
        expect(page.get_by_role("alert")).to_contain_text("do not belong together")
        _says(page, "Ben", "Sign in")
        page.get_by_role("link", name="The Drowned Bell, as Sparrow").click()
        expect(page.get_by_role("region", name="The story")).to_be_visible()
        page.get_by_role("tab", name="People").click()
        expect(page.get_by_text("on 2 devices. Your seat is kept with it.")).to_be_visible()
        page.evaluate(AXE.read_text())
        assert check_access(page, "accounts", LIGHT) == []
        assert WORDS not in page.content() and WORDS not in str(laptop.context.cookies())
        page.get_by_role("button", name="Sign out", exact=True).click()
        expect(page.get_by_role("heading", name="Sign in")).to_be_visible()
        assert phone.wrong == [] and all("403" in one for one in laptop.wrong)


def _invited(url: str) -> str:
    """The owner begins a story and invites; a link's code."""

    def ask(path: str, **body: Any) -> Any:
        headers = {"authorization": f"Bearer {KEY}"}
        address = f"{url}/api/campaigns{path}"
        return httpx.post(address, json=body, headers=headers, timeout=PATIENCE).json()

    ask("", scenario="drowned_bell", campaign="a", seed=7)
    ask("/a/company", name="Anna")
    return str(ask("/a/company/invites", role="player")["token"])


def _says(page: Page, name: str, button: str, password: str = WORDS) -> None:
    page.get_by_label("Account name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name=button, exact=True).click()
