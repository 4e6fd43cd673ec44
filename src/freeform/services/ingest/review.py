"""What an ingest has found so far, for a person to look over and put right."""

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.core.text import plain_form
from freeform.ingest.checkpoint import read_record_json, write_whole
from freeform.ingest.config import Correction
from freeform.ingest.model import (
    ContentType,
    DocumentStructure,
    PageEntry,
    Route,
    SegmentEntry,
    SegmentManifest,
)
from freeform.ingest.run.job import CATALOGUE_CORRECTIONS, CORRECTIONS
from freeform.ingest.things.catalogue.find import FoundCatalogue
from freeform.ingest.things.catalogue.verdicts import CatalogueCorrection
from freeform.ingest.things.found import EntityEntry, EntityRegistry

DOUBT = 0.7
"""What is less sure than this is worth a look."""


class ChapterView(Record):
    """A chapter in the list."""

    id: str
    title: str
    intent: str
    page_start: int
    page_end: int
    words: int


class DoubtfulPage(Record):
    """A page worth a look, and why."""

    page: int
    why: list[str]


class BookReview(Record):
    """The book as it was understood. Parts a stage has not come to yet are empty."""

    title: str = ""
    method: str = ""
    pages: int = 0
    chapters: list[ChapterView] = Field(default_factory=list)
    types: dict[str, int] = Field(default_factory=dict)
    kinds: dict[str, int] = Field(default_factory=dict)
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


class Catalogues(Record):
    """Lists of the book with what their entries were taken for, the least sure first; of each so
    many rows as were asked for."""

    total: int
    catalogues: list[FoundCatalogue]
    put_right: list[str] = Field(default_factory=list)
    """Ids of lists that a person said something of, which may be taken back."""


class PageText(Record):
    """A page as it was read, to be held beside its picture."""

    page: int
    text: str
    entry: PageEntry | None = None


class SegmentCorrection(Record):
    """What a person says a segment is."""

    segment: str = Field(max_length=80)
    content_type: ContentType
    route: Route


class Slice(Record):
    """Which rows of a long list: those whose name has these words, from one on, so many."""

    words: str = ""
    offset: int = 0
    limit: int = 100

    def fits(self, name: str) -> bool:
        """Whether a name has the words."""
        return plain_form(self.words) in plain_form(name)


def review_book(work: Path) -> BookReview:
    """Everything that is there by now, but for the doubtful pages."""
    review = BookReview()
    if _is_done(work, "structure"):
        review = review.model_copy(update=_understood(work))
    if _is_done(work, "classify"):
        segments = segment_entries(work)
        types = Counter(s.content_type.value for s in segments if s.content_type)
        doubtful = [segment for segment in segments if segment.confidence < DOUBT]
        doubtful.sort(key=lambda segment: segment.confidence)
        sorted_types = dict(sorted(types.items()))
        review = review.model_copy(update={"types": sorted_types, "doubtful_segments": doubtful})
    if _is_done(work, "enrich"):
        review = review.model_copy(update={"kinds": registry(work).counts()})
    if _is_done(work, "systems"):
        text = (work / "systems" / "confidence.json").read_text(encoding="utf-8")
        review = review.model_copy(update={"systems": json.loads(text)})
    return review


def _understood(work: Path) -> dict[str, Any]:
    structure = read_record_json(work / "structure" / "structure.json", DocumentStructure)
    chapters = [
        ChapterView(
            id=chapter.id,
            title=chapter.title,
            intent=chapter.intent.value,
            page_start=chapter.page_start,
            page_end=chapter.page_end,
            words=chapter.word_count,
        )
        for chapter in structure.chapters
    ]
    return {
        "title": structure.title,
        "method": structure.method,
        "pages": structure.page_count,
        "chapters": chapters,
    }


def doubtful_pages(work: Path) -> list[DoubtfulPage]:
    """The pages worth a look; none before they were read."""
    if not _is_done(work, "extract"):
        return []
    pages = []
    for entry in page_entries(work):
        why = _doubts(entry)
        if why:
            pages.append(DoubtfulPage(page=entry.page_num, why=why))
    return pages


def entities(work: Path, kind: str, wanted: Slice) -> Entities:
    """Those of a kind, and whose name has the words."""
    fitting = []
    if _is_done(work, "enrich"):
        for entity in registry(work).entities:
            if (not kind or entity.kind == kind) and wanted.fits(entity.name):
                fitting.append(entity)
    end = wanted.offset + wanted.limit
    return Entities(total=len(fitting), entities=fitting[wanted.offset : end])


def segments(work: Path, doubtful: bool, wanted: Slice) -> Segments:
    """All, or those of which the sort is doubtful, whose heading has the words."""
    fitting = []
    if _is_done(work, "classify"):
        for segment in segment_entries(work):
            if (not doubtful or segment.confidence < DOUBT) and wanted.fits(segment.title):
                fitting.append(segment)
    end = wanted.offset + wanted.limit
    return Segments(total=len(fitting), segments=fitting[wanted.offset : end])


def catalogues(work: Path, wanted: Slice) -> Catalogues:
    """The lists of the book as tables; of each as many entries as the slice asks for."""
    found = _catalogues(work) if _is_done(work, "classify") else []
    fitting = [each for each in found if wanted.fits(each.under)]
    fitting.sort(key=lambda each: each.probability)
    end = wanted.offset + wanted.limit
    shown = [
        each.model_copy(update={"entries": each.entries[wanted.offset : end]}) for each in fitting
    ]
    return Catalogues(total=len(fitting), catalogues=shown, put_right=list(_said_of_lists(work)))


def correct_catalogues(work: Path, said: Sequence[CatalogueCorrection]) -> None:
    """Writes down what a person says of lists, above what they said before, or takes it back; the
    next run heeds it."""
    known = {each.id: each for each in _catalogues(work)} if _is_done(work, "classify") else {}
    for correction in said:
        if correction.catalogue not in known:
            raise NotFound(f"this book has no list '{correction.catalogue}'")
    path = work / CATALOGUE_CORRECTIONS
    held = _said_of_lists(work)
    for correction in said:
        earlier = held.pop(correction.catalogue, None)
        if correction.taken_back:
            continue
        if earlier is not None:
            correction = correction.after(CatalogueCorrection.model_validate(earlier))
        held[correction.catalogue] = correction.model_dump(mode="json")
    write_whole(path, json.dumps(held, indent=1, ensure_ascii=False))


def _said_of_lists(work: Path) -> dict[str, Any]:
    """What a person said of lists, by their ids."""
    path = work / CATALOGUE_CORRECTIONS
    held = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return dict(held)


def _catalogues(work: Path) -> list[FoundCatalogue]:
    rows = json.loads((work / "classify" / "catalogues.json").read_text(encoding="utf-8"))
    return [FoundCatalogue.model_validate(row) for row in rows]


def page_text(work: Path, number: int) -> PageText:
    """One page as it was read. NotFound when it was not."""
    for entry in page_entries(work):
        if entry.page_num == number:
            text = ""
            if entry.file:
                text = (work / "extract" / entry.file).read_text(encoding="utf-8")
            return PageText(page=number, text=text, entry=entry)
    raise NotFound(f"page {number} was not read")


def correct_segments(work: Path, corrections: Sequence[SegmentCorrection]) -> None:
    """Writes down what a person says segments are; the next run heeds it."""
    known: set[str] = set()
    if _is_done(work, "classify"):
        known = {segment.id for segment in segment_entries(work)}
    for correction in corrections:
        if correction.segment not in known:
            raise NotFound(f"this book has no segment '{correction.segment}'")
    for correction in corrections:
        note_correction(work, correction)


def note_correction(work: Path, said: SegmentCorrection) -> None:
    """Keeps one correction beside the stages."""
    path = work / CORRECTIONS
    held = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    correction = Correction(content_type=said.content_type, route=said.route)
    held[said.segment] = correction.model_dump(mode="json")
    write_whole(path, json.dumps(held, indent=1))


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
    path = work / "classify" / "segment_manifest.json"
    return list(read_record_json(path, SegmentManifest).segments)


def registry(work: Path) -> EntityRegistry:
    """Everything that was found."""
    return read_record_json(work / "enrich" / "entity_registry.json", EntityRegistry)


def _is_done(work: Path, stage: str) -> bool:
    return (work / stage / "stage_meta.json").is_file()


def _doubts(page: PageEntry) -> list[str]:
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
