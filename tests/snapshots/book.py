"""Books read into packs: structure, things with their fields, tables, rules, what is doubtful, and each file written."""

import json
import re
from pathlib import Path
from typing import Any

from freeform.ingest.config import IngestConfig
from freeform.ingest.run.ingest import ingest
from freeform.settings import Settings
from freeform.wiring import ingest as wired
from tests.ingest.book import make_book
from tests.ingest.strangers import write_cards, write_hexes, write_two_columns
from tests.ingest.strangers_abroad import write_old_school
from tests.snapshots.keeping import cut, plain, sealed, without

TICKING = ("seconds", "timings_ms", "at", "sha256", "digest", "path", "work", "pdf", "out", "key")

SEALED = ("stage_meta", "segment_manifest", "page_map", "sections", "questions")
"""Long files of the work whose things stand in the others as well; `stage_meta` tells of time and place."""


async def book(folder: Path) -> dict[str, Any]:
    """A guide of the usual kind, and a deck of cards unlike it."""
    made = make_book(folder / "coast.pdf")
    write_cards(folder / "cards.pdf")
    return {
        "coast": await _read(folder, made, "coast", "The Drowned Coast Guide"),
        "cards": await _read(folder, folder / "cards.pdf", "cards", "Beasts Below"),
    }


async def other_books(folder: Path) -> dict[str, Any]:
    """Books of other layouts and other games: each page of the pack by its first lines and a seal, the work under seals."""
    told: dict[str, Any] = {}
    for write in (write_two_columns, write_hexes, write_old_school):
        name = write.__name__.removeprefix("write_")
        made = write(folder / f"{name}.pdf")
        read = await _read(folder, made.pdf, name, name.replace("_", " ").title())
        pages = {file: f"{_title(page)} {sealed(page)[:4]}" for file, page in read["pack"].items()}
        told[name] = {"report": read["report"], "sealed": read["sealed"], "pages": pages}
    return told


def _title(page: Any) -> str:
    """The first heading of a page."""
    lines = page if isinstance(page, list) else []
    return next((line for line in lines if line.startswith("# ")), "")


async def _read(folder: Path, pdf: Path, id: str, name: str) -> dict[str, Any]:
    crew = await wired.crew(Settings(home=folder / "home", model="offline"))
    config = IngestConfig(pdf=str(pdf), out=str(folder / id), pack_id=id, name=name)
    report = await ingest(config, crew, lambda news: None)
    pack, work = Path(report.path), Path(report.work)
    return {
        "report": cut(without(plain(report), *TICKING)),
        "work": {
            file.relative_to(work).as_posix(): _shown(file)
            for file in sorted(work.rglob("*.json"))
            if file.stem not in SEALED
        },
        "sealed": {
            file.relative_to(work).as_posix(): sealed(_shown(file))
            for file in sorted(work.rglob("*.json"))
            if file.stem != "stage_meta"
        },
        "pack": {
            file.relative_to(pack).as_posix(): _page(file)
            for file in sorted(pack.rglob("*"))
            if file.suffix in (".yaml", ".md")
        },
    }


def _shown(file: Path) -> Any:
    return cut(without(plain(json.loads(file.read_text(encoding="utf-8"))), *TICKING))


def _page(file: Path) -> Any:
    """A page of the pack, without the digest of the file, which was made just now; of scenarios,
    which are made of the rest, a seal."""
    text = re.sub(r"(?m)^ *source_digest: .*\n", "", file.read_text(encoding="utf-8"))
    return sealed(text) if file.parent.name == "scenarios" else cut(text.splitlines())
