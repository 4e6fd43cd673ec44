"""A picture in the browser: the door opened in Settings, asked for at a turn, shown in the story, gone with undo."""

import asyncio
import threading
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.apps.web.painter import Painter
from tests.patience import PATIENCE
from tests.web.served import Eyes, Server


@pytest.fixture
def painter() -> Iterator[Painter]:
    """A program that draws, in a thread of its own."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()

    async def opened() -> Painter:
        return await Painter().__aenter__()

    running = asyncio.run_coroutine_threadsafe(opened(), loop).result(PATIENCE)
    yield running
    asyncio.run_coroutine_threadsafe(running.__aexit__(), loop).result(PATIENCE)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(PATIENCE)
    loop.close()


def test_a_picture_is_asked_for_at_a_turn_and_goes_with_it(
    eyes: Eyes, server: Server, painter: Painter
) -> None:
    campaign = server.begin("drawn")
    server.play(campaign, "I look around")
    page = eyes.page(f"/#/table/{campaign}")
    page.get_by_label("More about turn 1").click()
    page.get_by_role("button", name="Picture…").click()
    page.get_by_role("link", name="Choose one in Settings").click()
    page.get_by_label("What draws").select_option("automatic1111")
    page.get_by_label("Address").fill(painter.url)
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_text("draws from now on")).to_be_visible()
    page.go_back()
    page.get_by_label("More about turn 1").click()
    page.get_by_role("button", name="Picture…").click()
    expect(page.get_by_text("on this machine")).to_be_visible()
    page.get_by_role("button", name="Draw it").click()
    drawn = page.locator("article img")
    expect(drawn).to_be_visible()
    assert drawn.evaluate("node => node.decode().then(() => node.naturalWidth)") == 640
    page.get_by_label("More about turn 1").click()
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(drawn).to_have_count(0)
