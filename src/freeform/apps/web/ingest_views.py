"""What an ingest has found so far, for a person to look over: chapters, things, doubtful pages and sections."""

import json
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.ingest.checkpoint import read_record_json
from freeform.ingest.model import (
    ContentType,
    DocumentStructure,
    PageEntry,
    Route,
    SegmentEntry,
    SegmentManifest,
)
from freeform.ingest.things.found import EntityEntry, EntityRegistry

DOUBT = 0.7


class Peeked(Record):
    """A book at first sight. `title` is what the file itself says, '' when it says nothing."""

    title: str
    pages: int


class Cost(Record):
    """What a model would be asked for a book, and the same in one sentence."""

    pages: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    line: str


class ChapterView(Record):
    """A chapter in the list."""

    id: str
    title: str
    intent: str
    page_start: int
    page_end: int
    words: int


class PageDoubt(Record):
    """A page worth a look, and why."""

    page: int
    why: list[str]
    image: str
    """Where its picture is."""


class IngestPreview(Record):
    """The book as it was understood. Parts a stage has not come to yet are empty."""

    title: str = ""
    method: str = ""
    pages: int = 0
    chapters: list[ChapterView] = Field(default_factory=list)
    types: dict[str, int] = Field(default_factory=dict)
    kinds: dict[str, int] = Field(default_factory=dict)
    doubtful_pages: list[PageDoubt] = Field(default_factory=list)
    doubtful_segments: list[SegmentEntry] = Field(default_factory=list)
    systems: dict[str, Any] = Field(default_factory=dict)


class Entities(Record):
    """Things that were found."""

    total: int
    entities: list[EntityEntry]


class Segments(Record):
    """Pieces of the book with what they were taken for."""

    total: int
    segments: list[SegmentEntry]


class SystemRow(Record):
    """A rules system on the shelf."""

    id: str
    name: str
    inherits: str = ""


class SystemsOnShelf(Record):
    """The rules one can play with."""

    systems: list[SystemRow]


class PageText(Record):
    """A page as it was read, to be held beside its picture."""

    page: int
    text: str
    entry: PageEntry | None = None


class CorrectionShown(Record):
    """What a person says a segment is."""

    segment: str = Field(max_length=80)
    content_type: ContentType
    route: Route


class Correct(CorrectionShown):
    """One segment, or several at once: what follows is then done again only once."""

    also: list[CorrectionShown] = Field(default_factory=list, max_length=500)


def preview(work: Path, job_id: str) -> IngestPreview:
    """Everything that is there by now."""
    told: dict[str, Any] = {}
    if (work / "structure" / "stage_meta.json").is_file():
        structure = read_record_json(work / "structure" / "structure.json", DocumentStructure)
        told |= {
            "title": structure.title,
            "method": structure.method,
            "pages": structure.page_count,
        }
        told["chapters"] = [
            ChapterView(
                id=c.id, title=c.title, intent=c.intent.value, page_start=c.page_start, page_end=c.page_end,
                words=c.word_count,
            )
            for c in structure.chapters
        ]  # fmt: skip
    if (work / "extract" / "stage_meta.json").is_file():
        told["doubtful_pages"] = [
            PageDoubt(
                page=p.page_num, why=why, image=f"/api/ingests/{job_id}/pages/{p.page_num}/image"
            )
            for p in page_entries(work)
            if (why := _why(p))
        ]
    if (work / "classify" / "stage_meta.json").is_file():
        segments = segment_entries(work)
        told["types"] = _counted(s.content_type.value for s in segments if s.content_type)
        told["doubtful_segments"] = sorted(
            (s for s in segments if s.confidence < DOUBT), key=lambda s: s.confidence
        )
    if (work / "enrich" / "stage_meta.json").is_file():
        told["kinds"] = registry(work).counts()
    if (work / "systems" / "stage_meta.json").is_file():
        told["systems"] = json.loads(
            (work / "systems" / "confidence.json").read_text(encoding="utf-8")
        )
    return IngestPreview(**told)


def entities(work: Path, kind: str, q: str, offset: int, limit: int) -> Entities:
    """Those of a kind, and whose name has these words."""
    wanted = plain_form(q)
    mine = [
        e
        for e in (
            registry(work).entities if (work / "enrich" / "stage_meta.json").is_file() else []
        )
        if (not kind or e.kind == kind) and wanted in plain_form(e.name)
    ]
    return Entities(total=len(mine), entities=mine[offset : offset + limit])


def segments(work: Path, doubtful: bool, offset: int, limit: int, q: str = "") -> Segments:
    """All, or those of which the sort is doubtful, whose heading has these words."""
    wanted = plain_form(q)
    there = segment_entries(work) if (work / "classify" / "stage_meta.json").is_file() else []
    mine = [
        s for s in there if (not doubtful or s.confidence < DOUBT) and wanted in plain_form(s.title)
    ]
    return Segments(total=len(mine), segments=mine[offset : offset + limit])


def page_text(work: Path, number: int) -> PageText:
    """One page as it was read."""
    entry = next((p for p in page_entries(work) if p.page_num == number), None)
    if entry is None:
        raise NotFound(f"page {number} was not read")
    text = (work / "extract" / entry.file).read_text(encoding="utf-8") if entry.file else ""
    return PageText(page=number, text=text, entry=entry)


def page_entries(work: Path) -> list[PageEntry]:
    """The rows of page_map.json; none before the book was read."""
    try:
        rows = json.loads((work / "extract" / "page_map.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return []
    rows = rows["pages"] if isinstance(rows, dict) else rows
    return [PageEntry.model_validate(row) for row in rows]


def segment_entries(work: Path) -> list[SegmentEntry]:
    """The rows of the classified manifest."""
    return list(
        read_record_json(work / "classify" / "segment_manifest.json", SegmentManifest).segments
    )


def registry(work: Path) -> EntityRegistry:
    """Everything that was found."""
    return read_record_json(work / "enrich" / "entity_registry.json", EntityRegistry)


def _why(page: PageEntry) -> list[str]:
    why = list(page.doubts)
    if page.image_only and not page.ocr:
        why.append("the page is a picture that was not read")
    if page.ocr_confidence is not None and page.ocr_confidence < 0.8:
        why.append(f"read from a picture, {page.ocr_confidence:.0%} sure")
    if page.doubtful_glyphs:
        why.append(f"{page.doubtful_glyphs} signs without a known letter")
    if page.order_confidence < 0.6:
        why.append("the order of its columns is doubtful")
    return why


def _counted(values: Any) -> dict[str, int]:
    counts: dict[str, int] = {}
    for value in values:
        counts[value] = counts.get(value, 0) + 1
    return dict(sorted(counts.items()))
