"""Takes the pictures of every room for docs/screens: each room at three widths, light and dark; what one
opens in it wide and narrow. Each picture stays under 150 KB.

`python scripts/take_screens.py [house table rooms sheet players library desk evening]`: all, or those named.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from evening_screens import take_by_hand, take_evening  # noqa: E402

from tests.assistant.sheet.examples import BRANNOC  # noqa: E402
from tests.lore.emberfall import GAME, research_into  # noqa: E402
from tests.web.evening import KEY  # noqa: E402
from tests.web.served import Server, browsing, looking, missing, serving  # noqa: E402

LARGEST = 150_000
BOOK = (
    Path(os.environ.get("FREEFORM_DATA") or ROOT.parent / "shared" / "data")
    / "pdf"
    / "srd51"
    / "book.pdf"
)
"""A real book for the library; without it those pictures stay as they are."""
TURNS = ("I ask Obed about the bell Hester", "I wait", "Free Obed's foot from the stones")
LATER = (
    "Look at the people in the water", "Go to the Hard", "I ask Captain Voss about the bell", "Look at the barge",
    "Go to the weed rocks", "I search the rocks", "I wait", "Go to the strand road", "Go to the abbey gate", "I look around",
)  # fmt: skip


def main() -> None:
    """Plays a little, then looks at everything."""
    if reason := missing():
        sys.exit(reason)
    out = ROOT / "docs" / "screens"
    out.mkdir(parents=True, exist_ok=True)
    wanted = sys.argv[1:] or ["house", "table", "rooms", "sheet", "players", "library", "desk"]
    if "evening" in wanted or not sys.argv[1:]:
        _evening(out)
    if wanted == ["evening"]:
        return
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home)) as server,
        browsing() as browser,
    ):

        def both(look: Callable[["Camera"], None]) -> None:
            for width, scheme in ((1100, "light"), (390, "dark")):
                with looking(
                    browser, server, width, scheme, reduced_motion="reduce", locale="en-GB"
                ) as eyes:
                    look(Camera(eyes.page(), server, width, out))

        def all_six(look: Callable[["Camera"], None]) -> None:
            for width in (1280, 390, 820):
                for scheme in ("light", "dark"):
                    with looking(
                        browser, server, width, scheme, reduced_motion="reduce", locale="en-GB"
                    ) as eyes:
                        look(Camera(eyes.page(), server, width, out, scheme))

        server.begin("bell", seed=7)
        server.play("bell", *TURNS)
        if "table" in wanted:
            both(_table)
        if "desk" in wanted:
            both(_desk)
        if set(wanted) - {"table", "desk"}:
            _go_on(server)
        if "house" in wanted:
            _furnish(server)
            all_six(_house)
        if "rooms" in wanted:
            both(_rooms)
        if "sheet" in wanted:
            both(_sheet)
        if "players" in wanted:
            party = _play_party(server)
            both(lambda camera: _players(camera, party))
        if "library" in wanted and BOOK.is_file():
            _library(browser, server, BOOK, out)


def _evening(out: Path) -> None:
    """A table of several, in a house of its own that has a key."""
    with (
        tempfile.TemporaryDirectory() as home,
        serving(Path(home), KEY) as server,
        browsing() as browser,
    ):
        take_evening(server, browser, out, _save)
        take_by_hand(server, browser, out, _save)


def _go_on(server: Server) -> None:
    """A longer evening, with a branch left behind and a world that is being read about."""
    server.ask("/campaigns/bell/sessions/start", {})
    server.play("bell", *LATER[:2])
    server.ask("/campaigns/bell/branch", {"turn_no": 4, "name": "into-the-water"})
    server.play("bell", "Wade out to the people in the water")
    server.ask("/campaigns/bell/switch", {"branch": "main"})
    server.play("bell", *LATER[2:])
    research_into(
        server.home,
        ["Ashmoor", "Greyford"],
        lambda at: at.zone_name == "Greyford" and at.current_step > 3,
    )


@dataclass
class Camera:
    """One tab, and where its pictures go."""

    page: Page
    server: Server
    width: int
    out: Path
    scheme: str = ""
    """Said in the picture's name where there is one in the light and one in the dark."""

    def show(self, path: str) -> None:
        """Goes there and waits until it is drawn."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.server.url}/#/{path}")
        expect(self.page.locator("main h1, main h2").first).to_be_visible()
        expect(self.page.locator(".state.loading")).to_have_count(0, timeout=60_000)
        self.page.wait_for_timeout(400)

    def keep(self, name: str) -> None:
        """Takes the picture."""
        self.page.wait_for_timeout(200)
        full = "-".join(filter(None, (name, str(self.width), self.scheme)))
        _save(self.page.screenshot(), self.out / f"{full}.png", 64 if self.scheme else 256)


def _furnish(server: Server) -> None:
    """Other stories beside the first, a sheet and a party: a house somebody lives in."""
    server.begin("drop", "dead_drop", seed=7)
    server.play("drop", "I look around", "Ask Dutch about the Golden Bubble")
    server.begin("averil", seed=11)
    server.ask("/campaigns/averil/card", {"name": "The lamp-bearer"})
    server.ask("/parties", {"scenario": "dead_drop", "players": "4", "seed": 7, "strength": 0.3})


HOUSE = {
    "home": "play",
    "new": "new/drowned_bell",
    "stories": "stories",
    "table": "table/bell",
    "table-cyber": "table/drop",
    "map": "world/bell/map",
    "map-cyber": "world/drop/map",
    "world": "world/bell/people",
    "library": "library",
    "packs": "packs",
    "lab": "players",
    "settings": "settings",
}


def _house(camera: Camera) -> None:
    """Every room as one finds it."""
    for name, path in HOUSE.items():
        camera.show(path)
        camera.keep(name)
    camera.show("table/averil")
    camera.keep("opening")
    camera.page.keyboard.press("Control+k")
    expect(camera.page.get_by_role("dialog", name="Ask")).to_be_visible()
    camera.keep("ask-over")


def _desk(camera: Camera) -> None:
    """A draft on the game master's desk, and behind the screen of a running story."""
    rows = camera.server.ask("/drafts")["drafts"]
    made = rows[0] if rows else camera.server.ask("/drafts", {"scenario": "first_night"})
    page, at = camera.page, f"desk/{made['id']}"
    camera.show("desk")
    camera.keep("desk-drawer")
    camera.show(f"{at}/over")
    expect(page.get_by_role("group", name="Map of")).to_be_visible()
    camera.keep("desk")
    camera.show(f"{at}/facts")
    page.locator(".part details.card > summary").first.click()
    camera.keep("desk-facts")
    camera.show("table/bell")
    page.get_by_role("button", name="Behind the screen").click()
    expect(page.get_by_text("Nobody knows yet")).to_be_visible()
    camera.keep("desk-behind")


def _table(camera: Camera) -> None:
    page = camera.page
    camera.show("table/bell")
    if camera.width < 600:
        page.locator(".glance").click()
        camera.keep("table-sheet")
    page.get_by_role("tab", name="Known").click()
    page.get_by_role("button", name="Why: ").first.click()
    expect(page.get_by_text("In the scenario")).to_be_visible()
    camera.keep("why")
    page.keyboard.press("Escape")
    page.get_by_role("tab", name="Now", exact=True).click()
    if camera.width < 600:
        page.get_by_role("button", name="Close the panel").last.click()
    page.locator(".story").focus()
    page.keyboard.press("?")
    camera.keep("keys")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="X-card").first.click()
    camera.keep("x-card")
    page.keyboard.press("Escape")
    page.locator("article.turn summary").last.click()
    page.get_by_role("button", name="Prompts").last.click()
    page.get_by_role("button", name="Show it all the same").click()
    page.locator("dialog summary").first.click()
    camera.keep("prompts")


def _rooms(camera: Camera) -> None:
    page = camera.page
    camera.show("new/drowned_bell")
    page.get_by_text("Someone of your own").click()
    page.get_by_role("textbox", name="Who they are").fill(
        "A diver who was paid to look for the bell, and found it."
    )
    page.get_by_role("textbox", name="Name").fill("Tove Arn")
    page.locator(".new").evaluate(
        "node => (node.scrollTop = node.querySelector('.own').offsetTop - 170)"
    )
    camera.keep("new-hero")
    for name, part in (
        ("bonds", "graph"),
        ("timeline", "time"),
    ):
        camera.show(f"world/bell/{part}")
        camera.keep(f"world-{name}")
    camera.show("packs")
    page.get_by_role("button", name="Look into it: Saltmarch").click()
    expect(page.get_by_text("Checked:")).to_be_visible()
    page.locator("li", has_text="Saltmarch").evaluate(
        "node => node.scrollIntoView({ block: 'center' })"
    )
    camera.keep("pack")
    camera.show("world/bell/lore")
    page.get_by_label("Search the lore").fill("why do the dead walk")
    page.keyboard.press("Enter")
    expect(page.get_by_text("passages")).to_be_visible()
    camera.keep("world-lore")
    camera.show("lore")
    camera.keep("lore")
    camera.show(f"lore/{GAME}/zone:ashmoor")
    page.locator(".facts summary").first.click()
    page.locator(".facts" if camera.width < 600 else "#world").evaluate(
        "node => node.scrollIntoView()"
    )
    camera.keep("lore-facts")


def _sheet(camera: Camera) -> None:
    """A sheet with some numbers opened, a question about it, and the tree of branches."""
    page = camera.page
    if camera.width > 600:
        camera.show("sheet/-/bell")
        page.locator("input[type=file]").set_input_files(BRANNOC)
        page.get_by_role("button", name="Keep it").click()
        expect(page.get_by_role("heading", name="Brannoc Vale")).to_be_visible()
    camera.show("sheet/brannoc_vale")
    page.get_by_role("button", name="Armour class 20", exact=True).click()
    page.get_by_role("button", name="Athletics", exact=True).click()
    if camera.width > 600:
        page.get_by_role("button", name="Roll Athletics, 1d20+7", exact=True).click()
        expect(page.locator(".notice")).to_contain_text("Athletics")
    page.locator(".sheet").evaluate("node => (node.scrollTop = 0)")
    camera.keep("sheet")
    camera.show("table/bell")
    page.keyboard.press("Control+k")
    page.get_by_label("You are").select_option("brannoc_vale")
    page.get_by_label("Your question").fill(
        "How does grappling work and what is my athletics bonus?"
    )
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Sources")).to_be_visible(timeout=60_000)
    camera.keep("ask")
    camera.show("table/bell")
    page.get_by_role("button", name="Branch: ").first.click()
    camera.keep("branches")


def _play_party(server: Server) -> str:
    """Four players who forget like people, and the same evening with another seed."""
    names = []
    for seed, strength in ((7, 1.0), (9, 0.3)):
        made = server.ask(
            "/parties",
            {"scenario": "dead_drop", "players": "4", "seed": seed, "strength": strength},
        )
        server.ask(f"/parties/{made['party']}/run", {"rounds": 12 if seed == 7 else 4})
        while server.ask(f"/parties/{made['party']}")["running"]:
            time.sleep(0.2)
        names.append(made["party"])
    return str(names[0])


def _players(camera: Camera, party: str) -> None:
    """With a memory that is really wrong: the shortest that Cato has mixed up on day 90."""
    told = camera.server.ask(f"/parties/{party}/memory/cato?at=90&explain=true&most=200")[
        "memories"
    ]
    wrong = [one for one in told if one["corruption_type"] == "conflation"]
    fact = min(wrong, key=lambda one: len(one["truth"]))["fact_id"]
    views = {
        "": "",
        "-rounds": "rounds~3",
        "-memory": f"memory~cato~90~~{fact}",
        "-beside": "beside",
    }
    for name, part in views.items():
        camera.show(f"players/{party}/{part}" if part else "players")
        camera.page.wait_for_timeout(600)
        if camera.width < 600 and part.startswith("memory"):
            camera.page.locator(".players").evaluate(
                "node => (node.scrollTop += node.querySelector('.sum').getBoundingClientRect().top - 90)"
            )
        camera.keep(f"players{name}")


def _library(browser: Browser, server: Server, book: Path, out: Path) -> None:
    """A real book in mid-run, then what was found of it; of the book itself only titles are shown."""
    with (
        looking(browser, server, 1100, "light", reduced_motion="reduce", locale="en-GB") as wide,
        looking(browser, server, 390, "dark", reduced_motion="reduce", locale="en-GB") as narrow,
    ):
        cameras = [
            Camera(eyes.page(), server, width, out) for eyes, width in ((wide, 1100), (narrow, 390))
        ]
        for camera in reversed(cameras):
            page = camera.page
            camera.show("library")
            page.locator("input[type=file]").set_input_files(book)
            page.get_by_role("textbox", name="Name").fill("SRD 5.1")
            page.get_by_label("Licence").select_option("cc-by")
            expect(page.get_by_text("403 pages.")).to_be_visible(timeout=60_000)
            page.get_by_text("More", exact=True).click()
            camera.keep("library-form")
        page.get_by_role("button", name="Read it").click()
        job = ""
        while not job:
            job = next((each["id"] for each in server.ask("/ingests")["jobs"]), "")
        cameras[1].show(f"library/{job}")
        for stage, name in (
            ("Reading the pages", "library-reading"),
            ("Finding people", "library-run"),
        ):
            for camera in cameras:
                expect(camera.page.locator("li.on", has_text=stage)).to_contain_text(
                    "/s", timeout=300_000
                )
                camera.keep(name)
        for camera in cameras:
            expect(camera.page.get_by_role("button", name="Put it on the shelf")).to_be_visible(
                timeout=300_000
            )
            camera.show("library")
            camera.keep("library")
            camera.show(f"library/{job}/sections")
            camera.keep("library-sections")


def _save(picture: bytes, file: Path, most: int = 256) -> None:
    """With as many colours as fit, and no more than wished for."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    for colours in (each for each in (256, 128, 64, 32) if each <= most):
        image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
            file, optimize=True
        )
        if file.stat().st_size < LARGEST:
            return
    sys.exit(f"{file.name} is {file.stat().st_size} bytes; at most {LARGEST} are allowed")


if __name__ == "__main__":
    main()
