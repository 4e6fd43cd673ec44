"""Names of five hundred letters, and words that run from right to left: no page grows wider than a phone."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from playwright.sync_api import Browser, expect

from tests.web.served import ROOT, Server, reading

LONG = "Aethelwynnabartholomewina" * 20
RIGHT_TO_LEFT = "מרים בת־הים " + "ש" * 488
NAMED = re.compile(f"{LONG[:25]}|{RIGHT_TO_LEFT[:11]}")
STORY = ROOT / "src" / "freeform" / "content" / "scenarios" / "first_night.yaml"
WIDE = """() => [document.documentElement, document.body, ...document.querySelectorAll('main, main > *, aside, dialog')]
  .filter(node => node.scrollWidth > node.clientWidth + 1 && node.clientWidth)
  .map(node => `${node.tagName}.${node.className}: ${node.scrollWidth} > ${node.clientWidth}`)"""
ROOMS = ("play", "table/names", "new/long_names", "sheet/-/names")
WIDTH = 390


@pytest.fixture(scope="module")
def server(empty_server: Server) -> Server:
    """A home of its own: such names are nobody else's."""
    return empty_server


def _write(home: Path) -> None:
    """A story that is on the shelf already, with people, places and things called so."""
    story: dict[str, Any] = yaml.safe_load(STORY.read_text(encoding="utf-8"))
    story |= {"id": "long_names", "name": LONG, "for_newcomers": False}
    named = [*story["heroes"], *story["entities"], *story.get("clocks", [])]
    for number, one in enumerate(named):
        one["name"] = (LONG if number % 2 else RIGHT_TO_LEFT)[:498] + f"{number:02}"
    (home / "scenarios").mkdir(exist_ok=True)
    text = yaml.safe_dump(story, allow_unicode=True, sort_keys=False)
    (home / "scenarios" / "long_names.yaml").write_text(text, encoding="utf-8")


def test_no_name_pushes_a_page_wider_than_its_window(browser: Browser, server: Server) -> None:
    _write(server.home)
    server.begin("names", "long_names")
    wrong: list[str] = []
    with reading(browser, server, WIDTH) as (_, page):
        for room in ROOMS:
            # Another document each time: nothing of the room before is there.
            page.goto(f"{server.url}/?{room.partition('/')[0]}#/{room}")
            expect(page.locator("main").get_by_text(NAMED).first).to_be_visible()
            expect(page.locator(".state.loading")).to_have_count(0)
            wrong += [f"{room}: {each}" for each in page.evaluate(WIDE)]
    assert wrong == [], "\n".join(wrong)
