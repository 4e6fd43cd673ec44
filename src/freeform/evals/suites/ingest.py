"""The suite `ingest`: how well and how fast books become text, against Markdown twins nobody here
wrote.

Any folder with book.pdf and twin/*.md is a case. Each reader reads each book; the hard copies (row
by row, scanned) are made from the same pages.
"""

import json
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from freeform.core.errors import NotFound
from freeform.evals.report import SuiteReport
from freeform.evals.suites.ingest_books import write_row_by_row, write_scan
from freeform.evals.suites.ingest_twin import (
    compare_headings,
    gram_share,
    headings,
    read_twin,
    reading_order,
    similarity,
    table_share,
    words,
)
from freeform.ingest.model import ExtractOptions
from freeform.ingest.page.extract import extract, load_pages
from freeform.ingest.ports import Ocr, PdfReader
from freeform.ingest.structure.segment import load_segments, segment
from freeform.ingest.structure.structure import find_structure
from freeform.ingest.things.statblocks import StatBlock, find_stat_blocks

#: Pages of each book for the hard copies.
ROW_PAGES, SCAN_PAGES, SCAN_DPI = 40, 20, 200
ABILITIES = ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma")


async def run_ingest(
    data: Path | None,
    readers: Sequence[PdfReader],
    ocr: Ocr | None,
    *,
    scan_pages: int = SCAN_PAGES,
) -> SuiteReport:
    """The first reader's figures on top; every reader's below, by book."""
    if data is None:
        raise NotFound(
            "no data folder: give --data DIR, or set FREEFORM_DATA; books go into DIR/pdf/NAME"
        )
    books = find_books(data)
    cases: list[dict[str, Any]] = []
    notes: list[str] = []
    for reader in readers:
        for book in books:
            cases.append(await _read_book(book, reader, data))
    if ocr is None or ocr.missing():
        notes.append("OCR was not measured: " + (ocr.missing() if ocr else "no OCR"))
    else:
        for case, book in zip(cases, books, strict=False):
            case["ocr_word_accuracy"] = await _read_scan(book, readers[0], ocr, scan_pages)
            break  # one book's pages stand for print; pages take seconds each
    first = cases[: len(books)]
    metrics: dict[str, Any] = {name: _lowest(first, name) for name in FIGURES}
    metrics |= {
        case["book"]: {k: v for k, v in case.items() if k not in ("book", "reader")}
        for case in first
    }
    for reader in readers[1:]:
        metrics[reader.name] = {
            case["book"]: {k: v for k, v in case.items() if k not in ("book", "reader")}
            for case in cases
            if case["reader"] == reader.name
        }
    return SuiteReport(suite="ingest", n=len(books), metrics=metrics, cases=cases, notes=notes)


FIGURES = (
    "reading_order",
    "heading_recall",
    "pages_per_s",
    "heading_precision",
    "heading_levels",
    "five_grams",
    "section_similarity",
    "row_by_row_similarity",
    "table_rows",
    "monsters_found",
    "monsters_right",
    "ocr_word_accuracy",
)


def computed() -> float:
    """Seconds of computing so far, in this process and in those it started and saw end (a
    reader's)."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _lowest(cases: Sequence[Mapping[str, Any]], name: str) -> float | None:
    """A suite is as good as its worst book."""
    found = [case[name] for case in cases if case.get(name) is not None]
    return min(found) if found else None


def find_books(data: Path) -> list[Path]:
    """Folders with a book and its twin, in the data folder or in its folder 'pdf'."""
    for place in (data / "pdf", data):
        found = sorted(
            file.parent for file in place.glob("*/book.pdf") if (file.parent / "twin").is_dir()
        )
        if found:
            return found
    raise NotFound(f"no books in {data}; put NAME/book.pdf and NAME/twin/*.md into {data / 'pdf'}")


async def _read_book(book: Path, reader: PdfReader, data: Path) -> dict[str, Any]:
    twin = read_twin(book / "twin")
    with tempfile.TemporaryDirectory(prefix="freeform-ingest-") as scratch:
        place = Path(scratch)
        started = computed()
        async with reader.open(book / "book.pdf") as opened:
            found = await extract(
                opened, place / "extract", ExtractOptions(ocr="never"), reader=reader.name
            )
        structure = await find_structure(place / "extract", place / "structure")
        seconds = computed() - started
        async with reader.open(book / "book.pdf") as opened:
            pages = [
                page.page_num
                for page in load_pages(place / "extract")
                if page.columns > 1 and page.word_count > 150
            ]
            step = max(1, len(pages) // ROW_PAGES)
            chosen = pages[::step][:ROW_PAGES]
            rows = await _row_by_row(opened, reader, chosen, place) if chosen else None
        text = "\n\n".join(
            (place / "structure" / chapter.file).read_text("utf-8")
            for chapter in structure.chapters
        )
        await segment(place / "structure", place / "segment")
        blocks = [
            block
            for part in load_segments(place / "segment")
            for block in find_stat_blocks(part.text)
        ]
    order, pairs = reading_order(text, twin)
    tables, table_count = table_share(text, twin)
    case: dict[str, Any] = {
        "book": book.name,
        "reader": reader.name,
        "pages": found.pages_read,
        "pages_per_s": round(found.pages_read / seconds, 1),
        "five_grams": round(gram_share(text, twin), 4),
        "reading_order": round(order, 4),
        "reading_order_pairs": pairs,
        **compare_headings(headings(_levelled(structure)), headings(twin)),
        "section_similarity": compare_headings(headings(text), headings(twin))[
            "section_similarity"
        ],
        "table_rows": tables,
        "table_rows_n": table_count,
        "row_by_row_similarity": rows,
        "doubtful_pages": len(found.doubtful_pages),
    }
    gold = data / "srd" / "json" / "5e-SRD-Monsters.json"
    if gold.is_file() and len(blocks) > 20:
        case |= compare_monsters(blocks, json.loads(gold.read_text(encoding="utf-8")))
    return case


def _levelled(structure: Any) -> str:
    """The headings with the levels stage 2 gave them; a chapter's own file starts at level one
    again."""
    return "\n\n".join(
        f"{'#' * min(6, heading.level)} {heading.title}" for heading in structure.headings
    )


async def _row_by_row(opened: Any, reader: PdfReader, numbers: Sequence[int], place: Path) -> float:
    raw = await opened.read(numbers)
    copy = place / "rows.pdf"
    write_row_by_row(raw, copy)
    async with reader.open(copy) as hard:
        await extract(hard, place / "rows", ExtractOptions(ocr="never"))
    straight = {page.page_num: page.text for page in load_pages(place / "extract")}
    alike = [
        similarity(words(page.text), words(straight[number]))
        for number, page in zip(numbers, load_pages(place / "rows"), strict=True)
    ]
    return round(sum(alike) / len(alike), 4)


async def _read_scan(book: Path, reader: PdfReader, ocr: Ocr, count: int) -> float:
    """Share of a text layer's words that OCR of a noisy picture gives back, in order."""
    with tempfile.TemporaryDirectory(prefix="freeform-scan-") as scratch:
        place = Path(scratch)
        async with reader.open(book / "book.pdf") as opened:
            step = max(1, opened.page_count // count)
            numbers = list(range(1 + step // 2, opened.page_count + 1, step))[:count]
            pictures = [await opened.render(number, dpi=SCAN_DPI) for number in numbers]
            await extract(
                opened,
                place / "straight",
                ExtractOptions(
                    ocr="never", page_ranges=tuple((number, number) for number in numbers)
                ),
            )
        write_scan(pictures, place / "scan.pdf", dpi=SCAN_DPI)
        async with reader.open(place / "scan.pdf") as scanned:
            await extract(scanned, place / "scan", ExtractOptions(ocr="auto"), ocr=ocr)
        right = total = 0.0
        for straight, read in zip(
            load_pages(place / "straight"), load_pages(place / "scan"), strict=True
        ):
            a, b = words(straight.text), words(read.text)
            right += similarity(a, b) * (len(a) + len(b)) / 2
            total += max(len(a), 1)
        return round(min(1.0, right / total), 4)


def _key(name: str) -> str:
    return "".join(sorted(words(name)))


def compare_monsters(
    blocks: Sequence[StatBlock], gold: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    """Names, armour, hit points and scores against the gold. 'X, Wolf Form' is printed as X; 'Elf,
    Drow' is Drow."""
    ours: dict[str, StatBlock] = {}
    for block in blocks:
        ours.setdefault(_key(block.name), block)
        for part in block.name.split(", ")[1:]:
            ours.setdefault(_key(part), block)
    found = right = scores = 0
    missed: list[str] = []
    for monster in gold:
        name = re.sub(r", \w+ Form$", "", monster["name"])
        printed_as = ours.get(_key(name))
        if printed_as is None:
            missed.append(monster["name"])
            continue
        found, block = found + 1, printed_as
        armour = {entry["value"] for entry in monster["armor_class"]}
        printed = {block.armor_class, *map(int, re.findall(r"\b\d+\b", block.armor_note))}
        right += bool(armour & printed) and block.hit_points == monster["hit_points"]
        scores += list(block.abilities.values())[:6] == [monster[ability] for ability in ABILITIES]
    return {
        "monsters_found": round(found / max(1, len(gold)), 4),
        "monsters_right": round(right / max(1, found), 4),
        "monsters_scores": round(scores / max(1, found), 4),
        "monsters_missed": missed,
    }
