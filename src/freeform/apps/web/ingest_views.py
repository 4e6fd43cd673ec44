"""What the Library screen is shown of an ingest, beside what `services.ingest.review` gives."""

from pathlib import Path

from pydantic import Field

from freeform.core.record import Record
from freeform.ingest.things.catalogue.verdicts import CatalogueCorrection
from freeform.services.ingest import review
from freeform.services.ingest.review import BookReview, SegmentCorrection
from freeform.services.packs import SystemRow


class Cost(Record):
    """What a model would be asked for a book, and the same in one sentence."""

    pages: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost_usd: float | None
    line: str


class PageDoubt(Record):
    """A page worth a look, and why."""

    page: int
    why: list[str]
    image: str
    """Where its picture is."""


class IngestPreview(BookReview):
    """The book as it was understood, with the pages worth a look."""

    doubtful_pages: list[PageDoubt] = Field(default_factory=list)


class SystemsOnShelf(Record):
    """The rules one can play with."""

    systems: list[SystemRow]


class Correct(SegmentCorrection):
    """One segment, or several at once: what follows is then done again only once."""

    also: list[SegmentCorrection] = Field(default_factory=list, max_length=500)


class CorrectLists(Record):
    """What a person says of lists: their kinds, and what their columns are called."""

    lists: list[CatalogueCorrection] = Field(min_length=1, max_length=200)


def preview(work: Path, job_id: str) -> IngestPreview:
    """Everything that is there by now."""
    doubts = []
    for doubt in review.doubtful_pages(work):
        image = f"/api/ingests/{job_id}/pages/{doubt.page}/image"
        doubts.append(PageDoubt(page=doubt.page, why=doubt.why, image=image))
    return IngestPreview(**dict(review.review_book(work)), doubtful_pages=doubts)
