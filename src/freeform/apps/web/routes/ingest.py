"""Routes of the Library screen: drop a book, watch its stages, look it over, put right, accept."""

import builtins
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Query, Response, UploadFile

from freeform.apps.cli.ingest.work import corrected, names_of, replace_on_shelf
from freeform.apps.web import ingest_views as views
from freeform.apps.web.live.ingests import IngestJob, IngestJobs, check_pdf
from freeform.apps.web.room import At, Once, Room
from freeform.apps.web.uploads import PIECE
from freeform.core.errors import BadFile, Conflict, NotFound, UserError
from freeform.core.text import slug
from freeform.engine.shelf.pack_install import Shelving
from freeform.ingest.config import pack_id_of, parse_pages
from freeform.wiring import ingest as wired

router = APIRouter(prefix="/api/ingests", tags=["ingest"])
Job = str


@router.get("")
async def jobs(room: At) -> IngestJobs:
    """Every book that was dropped here, newest first, with its stages as they stand."""
    return IngestJobs(jobs=room.ingests.all())


@router.post("", status_code=201)
async def drop(
    room: At,
    key: Once,
    file: UploadFile,
    name: Annotated[str, Form(max_length=200)] = "",
    id: Annotated[str, Form(max_length=64)] = "",
    license: Annotated[str, Form(max_length=100)] = "",
    attribution: Annotated[str, Form(max_length=500)] = "",
    pages: Annotated[str, Form(max_length=200)] = "",
    system_hint: Annotated[str, Form(max_length=64)] = "",
    systems: Annotated[bool, Form()] = True,
    draft: Annotated[bool, Form()] = False,
) -> IngestJob:
    """Takes a PDF and begins to read it. Progress comes on the event stream as `ingest`."""

    async def work() -> IngestJob:
        stem, spoken = names_of(Path(slug(Path(file.filename or "book").stem) + ".pdf"), "")
        parse_pages(pages)
        if system_hint:
            from freeform.ingest.systems.config import load_extraction_config

            load_extraction_config(wired.config_folders(room.settings.home), system_hint)
        number = room.table.ids.new("ingest")
        folder = room.ingests.folder / number
        folder.mkdir(parents=True)
        kept = folder / "book.pdf"
        with kept.open("wb") as out:
            while piece := await file.read(PIECE):
                out.write(piece)
        try:
            check_pdf(kept)
        except UserError:
            kept.unlink()
            folder.rmdir()
            raise
        given = {
            "--pages": pages,
            "--system-hint": system_hint,
            "--attribution": " ".join(attribution.split()),
        }
        options = [f"{flag}={value}" for flag, value in given.items() if value]
        return room.ingests.add(
            IngestJob(
                id=number,
                file="book.pdf",
                pack=pack_id_of(id) if id else stem,
                name=" ".join(name.split()) or spoken,
                license=" ".join(license.split()),
                draft=draft,
                options=[*options, *([] if systems else ["--no-systems"])],
            )
        )

    answer: IngestJob = await room.plays.once("", key, work)
    return answer


@router.post("/look")
async def peek(room: At, file: UploadFile) -> views.Peeked:
    """A book at first sight, before anything is kept: its title and how many pages it has."""
    with tempfile.TemporaryDirectory(prefix="freeform-look-") as scratch:
        path = Path(scratch) / "book.pdf"
        with path.open("wb") as out:
            while piece := await file.read(PIECE):
                out.write(piece)
        check_pdf(path)
        try:
            async with wired.reader(room.settings).open(path) as book:
                return views.Peeked(title=book.title.strip(), pages=book.page_count)
        except BadFile as wrong:
            raise UserError(f"this book {wrong.reason}") from None


@router.get("/estimate")
async def estimate(
    room: At,
    pages: Annotated[int, Query(ge=1, le=100_000)],
    range: Annotated[str, Query(max_length=200)] = "",
    systems: bool = True,
) -> views.Cost:
    """About what the model that is chosen would be asked for so many pages, and what that costs."""
    wanted = (
        {page for first, last in parse_pages(range) for page in _within(first, last, pages)}
        if range
        else None
    )
    count = pages if wanted is None else len(wanted)
    told = wired.estimate(count, room.model, systems=systems)
    return views.Cost(**told.model_dump(), pages=count, line=told.line(room.model))


def _within(first: int, last: int, pages: int) -> Iterable[int]:
    return builtins.range(first, min(last, pages) + 1)


@router.get("/{job}")
async def look(room: At, job: Job) -> IngestJob:
    """One book, with its stages as they stand."""
    return room.ingests.get(job)


@router.delete("/{job}")
async def remove(room: At, job: Job) -> IngestJobs:
    """Forgets a book and its stages; the pack it became stays on the shelf."""
    await room.ingests.remove(job)
    return IngestJobs(jobs=room.ingests.all())


@router.post("/{job}/pause")
async def pause(room: At, job: Job) -> IngestJob:
    """Stops reading; finished stages are kept."""
    return await room.ingests.pause(job)


@router.post("/{job}/resume")
async def resume(room: At, job: Job) -> IngestJob:
    """Goes on where it was, or tries a failed one again."""
    return room.ingests.resume(job)


@router.get("/{job}/preview")
async def preview(room: At, job: Job) -> views.IngestPreview:
    """What was found: chapters, kinds of things, doubtful pages and sections."""
    return views.preview(_work(room, job), job)


@router.get("/{job}/entities")
async def entities(
    room: At,
    job: Job,
    kind: Annotated[str, Query(max_length=20)] = "",
    q: Annotated[str, Query(max_length=100)] = "",
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> views.Entities:
    """The things that were found, by kind and name."""
    return views.entities(_work(room, job), kind, q, offset, limit)


@router.get("/{job}/segments")
async def segments(
    room: At,
    job: Job,
    doubtful: bool = False,
    q: Annotated[str, Query(max_length=100)] = "",
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> views.Segments:
    """The pieces of the book with what they were taken for."""
    return views.segments(_work(room, job), doubtful, offset, limit, q)


@router.get("/{job}/pages/{number}")
async def page(room: At, job: Job, number: int) -> views.PageText:
    """A page as it was read, to be held beside its picture."""
    return views.page_text(_work(room, job), number)


@router.get(
    "/{job}/pages/{number}/image",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The page as a picture."}},
)
async def image(room: At, job: Job, number: int) -> Response:
    """The page itself, as a PNG."""
    found = room.ingests.get(job)
    async with wired.reader(room.settings).open(room.ingests.book(found)) as book:
        if not 1 <= number <= book.page_count:
            raise NotFound(f"the book has {book.page_count} pages; there is no page {number}")
        return Response(await book.render(number, dpi=110), media_type="image/png")


@router.post("/{job}/corrections")
async def correct(room: At, job: Job, wanted: views.Correct) -> IngestJob:
    """Says what one or more segments are; what follows from it is done again."""
    found = room.ingests.get(job)
    if found.state in ("running", "waiting"):
        raise Conflict("the book is being read; pause it first, or wait for its end")
    work = _work(room, job)
    known = {segment.id for segment in views.segments(work, False, 0, 10**9).segments}
    said = (wanted, *wanted.also)
    if unknown := next((each.segment for each in said if each.segment not in known), ""):
        raise NotFound(f"this book has no segment '{unknown}'")
    for each in said:
        corrected(work, each.segment, each.content_type, each.route)
    return room.ingests.resume(job)


@router.post("/{job}/accept")
async def accept(room: At, job: Job) -> Shelving:
    """Puts the pack on the shelf; a draft loses its papers on the way."""
    found = room.ingests.get(job)
    if found.report is None or found.state not in ("done", "accepted"):
        raise Conflict(f"there is no pack to accept yet: the book is {found.state}")
    done = await replace_on_shelf(room.books, Path(str(found.report["path"])))
    room.ingests.accepted(job)
    return done


def _work(room: Room, job: str) -> Path:
    return room.ingests.work(room.ingests.get(job))
