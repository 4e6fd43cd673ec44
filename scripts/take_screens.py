"""Takes the pictures of every screen for docs/screens, wide and narrow; each stays under 150 KB."""

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, expect

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
from tests.web.served import Server, browsing, looking, missing, serving  # noqa: E402

LARGEST = 150_000
TURNS = (
    "Free Obed's foot from the stones",
    "I ask Obed about the bell Hester",
    "I wait",
    "Go to the abbey gate",
    "I call through the grille that we come for shelter",
    "I ask Dame Hild about the people in the water",
)


def main() -> None:
    """Plays a little, then looks at everything."""
    if reason := missing():
        sys.exit(reason)
    out = ROOT / "docs" / "screens"
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as home, serving(Path(home)) as server, browsing() as browser:
        server.begin("bell", seed=7)
        server.play("bell", *TURNS)
        for width, scheme in ((1100, "light"), (390, "dark")):
            with looking(browser, server, width, scheme, reduced_motion="reduce", locale="en-GB") as eyes:
                page = eyes.page()
                _look(page, server, width, out)


def _look(page: Page, server: Server, width: int, out: Path) -> None:
    def show(path: str) -> None:
        page.goto("about:blank")
        page.goto(f"{server.url}/#/{path}")
        expect(page.locator("main h1, main h2").first).to_be_visible()
        expect(page.locator(".state.loading")).to_have_count(0)
        page.wait_for_timeout(400)

    def keep(name: str) -> None:
        page.wait_for_timeout(200)
        _save(page.screenshot(), out / f"{name}-{width}.png")

    show("table/bell")
    keep("table")
    page.locator(".story").evaluate("node => (node.scrollTop = 0)")
    keep("table-opening")
    if width < 600:
        page.get_by_role("button", name="Show the table").click()
        keep("table-sheet")
        page.keyboard.press("Escape")
    page.get_by_role("button", name="X-card").first.click()
    keep("x-card")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Prompts").last.click()
    page.locator("summary").first.click()
    keep("prompts")
    for name, step in (("setup-model", "1 Model"), ("setup-safety", "2 Safety"), ("setup-story", "3 Story")):
        show("setup")
        page.get_by_role("button", name=step).click()
        expect(page.locator(".state.loading")).to_have_count(0)
        keep(name)
    for name, part in (("index", "people"), ("bonds", "graph"), ("timeline", "time"), ("packs", "packs")):
        show(f"world/bell/{part}")
        keep(f"world-{name}")
    show("world/bell/lore")
    page.get_by_label("Search the lore").fill("why do the dead walk")
    page.keyboard.press("Enter")
    expect(page.get_by_text("passages")).to_be_visible()
    keep("world-lore")


def _save(picture: bytes, file: Path) -> None:
    """With as many colours as fit."""
    image = Image.open(BytesIO(picture)).convert("RGB")
    for colours in (256, 128, 64, 32):
        image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(file, optimize=True)
        if file.stat().st_size < LARGEST:
            return
    sys.exit(f"{file.name} is {file.stat().st_size} bytes; at most {LARGEST} are allowed")


if __name__ == "__main__":
    main()
