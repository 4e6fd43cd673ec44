"""Five browsers at one table: who leads, a phone, its owner's second device, a laptop, one who watches; and an AI player.

A short evening through all four modes; `python benchmarks/table_evening.py` plays a long one in each.
"""

from pathlib import Path

from playwright.sync_api import Browser, expect

from tests.web.evening import KEY, Evening, gathering
from tests.web.served import AXE, TAGS, check_access, serving

LIGHT = (("light", TAGS),)


def test_an_evening_in_all_modes_is_one_story(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(tmp_path, KEY) as server,
        gathering(server, browser, "bell") as evening,
    ):
        evening.play("free", cut=evening.reloads)
        evening.set_mode("rounds")
        evening.loses_the_line("rounds")
        evening.set_mode("called")
        evening.second_device(evening.here["Ben"])
        evening.play("called")
        evening.set_mode("together")
        evening.play("together")
        evening.check_watcher()
        evening.check_one_story()
        _whispers(evening)
        _reads_well(evening)
        _asks_and_leaves(evening)
        _sends_away(evening)


def _whispers(evening: Evening) -> None:
    """What is for one stays with one."""
    cleo, master = evening.here["Cleo"].page, evening.master.page
    cleo.get_by_role("tab", name="Talk").click()
    cleo.get_by_label("To whom").select_option(label="Whisper to Mo")
    cleo.get_by_label("What you say beside the story").fill("Is the ferryman lying?")
    cleo.keyboard.press("Enter")
    master.get_by_role("tab", name="Talk (").click()
    expect(master.get_by_role("listitem").filter(has_text="ferryman lying")).to_be_visible()
    others = [evening.here[name].page for name in ("Ben", "Wim")]
    assert not any("ferryman lying" in page.content() for page in others)


def _reads_well(evening: Evening) -> None:
    """For everyone, whatever they read with: who leads, and the phone with its panel open."""
    master, (phone,) = evening.master.page, evening.here["Ben"].others
    master.get_by_role("tab", name="People").click()
    phone.get_by_role("button", name="The table").click()
    expect(phone.get_by_role("heading", name="At the table")).to_be_visible()
    for name, page in (("who leads", master), ("phone", phone)):
        page.evaluate(AXE.read_text())
        assert check_access(page, name, LIGHT) == []


def _asks_and_leaves(evening: Evening) -> None:
    """A guest asks what their hero knows, which is no turn; and is asked before the seat is free."""
    cleo, (phone,) = evening.here["Cleo"].page, evening.here["Ben"].others
    told = len(evening.here["Cleo"].story(evening.campaign))
    cleo.get_by_role("button", name="Ask", exact=False).first.click()
    cleo.get_by_role("button", name="What do I carry?").click()
    expect(cleo.get_by_role("region", name="Answer 1")).to_contain_text("Items")
    cleo.evaluate(AXE.read_text())
    assert check_access(cleo, "a guest asks", LIGHT) == []
    cleo.keyboard.press("Escape")
    assert len(evening.here["Cleo"].story(evening.campaign)) == told
    phone.get_by_role("tab", name="People").click()
    cleo.get_by_role("tab", name="Talk").click()
    cleo.get_by_label("To whom").select_option(label="Whisper to Ben")
    cleo.get_by_label("What you say beside the story").fill("Psst.")
    cleo.keyboard.press("Enter")
    expect(phone.get_by_role("tab", name="Talk (1)")).to_be_visible()
    phone.get_by_role("button", name="Close the panel").last.click()
    expect(phone.get_by_role("button", name="1 new in Talk")).to_be_visible()
    cleo.get_by_role("tab", name="People").click()
    cleo.get_by_role("button", name="Leave", exact=True).click()
    cleo.get_by_role("button", name="Leave for good").click()
    expect(cleo.get_by_text("You have left this table")).to_be_visible()


def _sends_away(evening: Evening) -> None:
    master, watcher = evening.master.page, evening.here["Wim"].page
    master.get_by_label("More about Wim").click()
    master.get_by_role("button", name="Send away").click()
    expect(watcher.get_by_role("heading", name="Your seat is empty.")).to_be_visible()
