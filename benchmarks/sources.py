"""How long it takes to bring in sheets, notes and the SRD, and to ask them.

    python benchmarks/sources.py [--data DIR] [--json]

Processor seconds on one core (the clock on the wall depends on who else works), best of three for the small ones. The
rulebook is read from JSON, HTML and Markdown, written as a pack, put on the shelf and indexed by words.
"""

import argparse
import asyncio
import json
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

from freeform import wiring
from freeform.assistant.model import Wanted
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.rulebook.bring import read_rulebook, write_rulebook
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.engine.authored.library import content_folder
from freeform.engine.shelf import pack_install
from freeform.settings import Settings
from freeform.wiring.sheets import rulebook

ROOT = Path(__file__).parents[1]
QUESTIONS = (
    "How does grappling work?", "What is my armor class and why?", "what do I get back on a short rest",
    "Who is Isolde Marr?", "Which 3rd-level evocation spells do wizards have?",
)  # fmt: skip
SESSIONS = 50


def timed(work: Callable[[], Any], times: int = 3) -> tuple[float, Any]:
    """The least processor time, and what came of it."""
    best, made = float("inf"), None
    for _ in range(times):
        began = process_time()
        made = work()
        best = min(best, process_time() - began)
    return best, made


def sheets(data: Path) -> list[dict[str, Any]]:
    """Each real sheet, from bytes to numbers."""
    rows = []
    for file in sorted((data / "characters").glob("*/*")):
        content = file.read_bytes()
        seconds, sheet = timed(lambda content=content, name=file.name: read_sheet(content, name))
        rows.append(
            {
                "what": f"sheet {file.name}",
                "size": f"{len(sheet.derived)} numbers",
                "ms": round(seconds * 1000, 1),
            }
        )
    return rows


def books(data: Path, home: Path) -> list[dict[str, Any]]:
    """The SRD in three forms; the JSON one is also put on the shelf."""
    rows = []
    forms = {
        "JSON": data / "srd" / "json",
        "HTML": data / "srd" / "srd-5.1.html",
        "Markdown": data / "pdf" / "srd51" / "twin",
    }
    for name, path in forms.items():
        seconds, book = timed(lambda path=path: read_rulebook(path), 1)
        rows.append(
            {
                "what": f"SRD as {name}, read",
                "size": f"{len(book.entries)} entries",
                "ms": round(seconds * 1000, 1),
            }
        )
        if name == "JSON":
            seconds, folder = timed(lambda book=book: write_rulebook(book, home / "made"), 1)
            rows.append(
                {
                    "what": "… written as a pack",
                    "size": f"{len(book.entries)} files",
                    "ms": round(seconds * 1000, 1),
                }
            )
            shelf = wiring.books(Settings(home=home))
            seconds, done = timed(
                lambda folder=folder, shelf=shelf: asyncio.run(pack_install.install(shelf, folder)),
                1,
            )
            rows.append(
                {
                    "what": "… installed and indexed",
                    "size": f"{done.chunks} passages",
                    "ms": round(seconds * 1000, 1),
                }
            )
    return rows


async def asking(home: Path) -> list[dict[str, Any]]:
    """Opening the three sources, and one fetch from each for each question."""
    demo = content_folder("demo") / "brannoc"
    rows = []
    seconds, _ = timed(lambda: rulebook(wiring.books(Settings(home=home))), 1)
    rows.append(
        {"what": "rulebooks opened for the first time", "size": "", "ms": round(seconds * 1000, 1)}
    )
    seconds, rules = timed(lambda: rulebook(wiring.books(Settings(home=home))), 3)
    rows.append(
        {
            "what": "rulebooks opened again",
            "size": f"{len(rules.rows)} entries",
            "ms": round(seconds * 1000, 1),
        }
    )
    many = home / "notes"
    many.mkdir()
    texts = [file.read_text() for file in sorted((demo / "notes").glob("*.md"))]
    for number in range(SESSIONS):
        text = texts[number % len(texts)]
        (many / f"session-{number + 1:02d}.md").write_text(
            text.replace(text.split("\n")[1], f"session: {number + 1}", 1)
        )
    seconds, notes = timed(lambda: NotesSource(read_notes(many)), 1)
    rows.append(
        {
            "what": f"notes of {SESSIONS} sessions read",
            "size": f"{len(notes.notes)} notes",
            "ms": round(seconds * 1000, 1),
        }
    )
    sheet = SheetSource(read_sheet((demo / "sheet.json").read_bytes(), "sheet.json"))
    for label, source in (("sheet", sheet), ("notes", notes), ("rulebook", rules)):
        names = await source.names()
        spans = []
        for question in QUESTIONS * 4:
            intention = "find_by_criteria" if "spells" in question else "rule_mechanics"
            wanted = Wanted(
                tool=source.tool,
                intention=intention,
                query=question,
                sections=list(source.sections)[:3],
            )
            began = process_time()
            await source.fetch(wanted)
            spans.append(process_time() - began)
        worst = sorted(spans[len(QUESTIONS) :])[-1]
        rows.append(
            {
                "what": f"one fetch, {label} (slowest, warm)",
                "size": f"{len(names)} names",
                "ms": round(worst * 1000, 1),
            }
        )
    return rows


def main() -> None:
    """Runs it all and prints a table, then JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        rows = [*sheets(given.data), *books(given.data, home), *asyncio.run(asking(home))]
    if not given.json:
        for row in rows:
            print(f"{row['what']:<44} {row['size']:>16} {row['ms']:>10.1f} ms")
    print(json.dumps({"sources": rows}))


if __name__ == "__main__":
    main()
