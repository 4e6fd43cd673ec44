"""Routes of the Library screen: drop a book, watch its stages, look it over, put right, accept."""

import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Depends, Form, Query, Response, UploadFile

from freeform.apps.web import ingest_views as views
from freeform.apps.web.room import At, Once, Room
from freeform.apps.web.uploads import PIECE
from freeform.core.errors import Conflict, FreeformError, UserError
from freeform.core.text import slug
from freeform.engine.shelf.pack_install import Shelving
from freeform.ingest.config import pack_id_of
from freeform.services.ingest import books, review
from freeform.services.ingest.books import BookPreview, IngestRequest
from freeform.services.ingest.claimed import free_id
from freeform.services.ingest.jobs import IngestJob, IngestJobs
from freeform.services.ingest.review import Catalogues, Entities, PageText, Segments, Slice

router = APIRouter(prefix="/api/ingests", tags=["ingest"])
PICTURE_DPI = 110
Words = Annotated[str, Query(max_length=100)]
Offset = Annotated[int, Query(ge=0, le=1_000_000)]
Limit = Annotated[int, Query(ge=1, le=500)]


@router.get("")
async def jobs(room: At) -> IngestJobs:
    """Every book that was dropped here, newest first, with its stages as they stand."""
    return IngestJobs(jobs=room.ingests.all())


@dataclass(frozen=True)
class DropForm:
    """What is said of a book beside its file."""

    name: Annotated[str, Form(max_length=200)] = ""
    id: Annotated[str, Form(max_length=64)] = ""
    license: Annotated[str, Form(max_length=100)] = ""
    attribution: Annotated[str, Form(max_length=500)] = ""
    pages: Annotated[str, Form(max_length=200)] = ""
    system_hint: Annotated[str, Form(max_length=64)] = ""
    systems: Annotated[bool, Form()] = True
    draft: Annotated[bool, Form()] = False

    def request(self) -> IngestRequest:
        """The same as the service takes it."""
        return IngestRequest(
            pdf=None,
            id=pack_id_of(self.id) if self.id else "",
            name=" ".join(self.name.split()),
            license=" ".join(self.license.split()),
            attribution=" ".join(self.attribution.split()),
            pages=self.pages,
            system_hint=self.system_hint,
            systems=self.systems,
            draft=self.draft,
        )


@router.post("", status_code=201)
async def drop(
    room: At, key: Once, file: UploadFile, form: Annotated[DropForm, Depends()]
) -> IngestJob:
    """Takes a PDF and begins to read it. Progress comes on the event stream as `ingest`."""
    request = form.request()

    async def work() -> IngestJob:
        books.check_request(room.settings, request)
        job = _job_of(room, file.filename or "book.pdf", request)
        await _keep(room, job, file)
        if not request.id:
            pdf, out = room.ingests.book(job), room.ingests.out
            job = job.model_copy(update={"pack": free_id(room.books, out, job.pack, pdf)})
        return room.ingests.add(job)

    answer: IngestJob = await room.plays.once("", key, work)
    return answer


def _job_of(room: Room, filename: str, request: IngestRequest) -> IngestJob:
    stem, spoken = books.names_of(Path(slug(Path(filename).stem) + ".pdf"), "")
    return IngestJob(
        id=room.table.ids.new("ingest"),
        file="book.pdf",
        pack=request.id or stem,
        name=request.name or spoken,
        license=request.license,
        draft=request.draft,
        options=_options(request),
    )


def _options(request: IngestRequest) -> list[str]:
    """The further wishes, as a job keeps them."""
    options = []
    if request.pages:
        options.append(f"--pages={request.pages}")
    if request.system_hint:
        options.append(f"--system-hint={request.system_hint}")
    if request.attribution:
        options.append(f"--attribution={request.attribution}")
    if not request.systems:
        options.append("--no-systems")
    return options


async def _keep(room: Room, job: IngestJob, file: UploadFile) -> None:
    """Writes the book where the job reads it; what is no PDF is not kept."""
    book = room.ingests.book(job)
    book.parent.mkdir(parents=True)
    await _write(file, book)
    try:
        books.check_pdf(book, _shown(file))
    except FreeformError:
        book.unlink()
        book.parent.rmdir()
        raise


async def _write(file: UploadFile, path: Path) -> None:
    try:
        with path.open("wb") as out:
            piece = await file.read(PIECE)
            while piece:
                out.write(piece)
                piece = await file.read(PIECE)
    except OSError as wrong:
        reason = (wrong.strerror or "it cannot be written").lower()
        raise UserError(f"the book cannot be kept ({reason}); free some room, try again") from None


def _shown(file: UploadFile) -> str:
    return (file.filename or "book.pdf").replace("\\", "/").rpartition("/")[2][:120]


@router.post("/look")
async def peek(room: At, file: UploadFile) -> BookPreview:
    """A book at first sight, before anything is kept: its title and how many pages it has."""
    with tempfile.TemporaryDirectory(prefix="freeform-look-") as scratch:
        path = Path(scratch) / "book.pdf"
        await _write(file, path)
        return await books.look_at_book(room.settings, path, _shown(file))


@router.get("/estimate")
async def estimate(
    room: At,
    pages: Annotated[int, Query(ge=1, le=100_000)],
    range: Annotated[str, Query(max_length=200)] = "",
    systems: bool = True,
) -> views.Cost:
    """About what the model that is chosen would be asked for so many pages, and what that costs."""
    count, cost = books.estimate_cost(pages, range, room.model, systems=systems)
    return views.Cost(**cost.model_dump(), pages=count, line=cost.line(room.model))


@router.get("/{job}")
async def look(room: At, job: str) -> IngestJob:
    """One book, with its stages as they stand."""
    return room.ingests.get(job)


@router.delete("/{job}")
async def remove(room: At, job: str) -> IngestJobs:
    """Forgets a book and its stages; the pack it became stays on the shelf."""
    await room.ingests.remove(job)
    return IngestJobs(jobs=room.ingests.all())


@router.post("/{job}/pause")
async def pause(room: At, job: str) -> IngestJob:
    """Stops reading; finished stages are kept."""
    return await room.ingests.pause(job)


@router.post("/{job}/resume")
async def resume(room: At, job: str) -> IngestJob:
    """Goes on where it was, or tries a failed one again."""
    return room.ingests.resume(job)


@router.get("/{job}/preview")
async def preview(room: At, job: str) -> views.IngestPreview:
    """What was found: chapters, kinds of things, doubtful pages and sections."""
    return views.preview(_work(room, job), job)


@router.get("/{job}/entities")
async def entities(
    room: At,
    job: str,
    kind: Annotated[str, Query(max_length=20)] = "",
    q: Words = "",
    offset: Offset = 0,
    limit: Limit = 100,
) -> Entities:
    """The things that were found, by kind and name."""
    wanted = Slice(words=q, offset=offset, limit=limit)
    return review.entities(_work(room, job), kind, wanted)


@router.get("/{job}/segments")
async def segments(
    room: At,
    job: str,
    doubtful: bool = False,
    q: Words = "",
    offset: Offset = 0,
    limit: Limit = 100,
) -> Segments:
    """The pieces of the book with what they were taken for."""
    wanted = Slice(words=q, offset=offset, limit=limit)
    return review.segments(_work(room, job), doubtful, wanted)


@router.get("/{job}/catalogues")
async def catalogues(
    room: At, job: str, q: Words = "", offset: Offset = 0, limit: Limit = 40
) -> Catalogues:
    """The lists of the book as tables, the least sure first; `limit` rows of each."""
    wanted = Slice(words=q, offset=offset, limit=limit)
    return review.catalogues(_work(room, job), wanted)


@router.post("/{job}/catalogues")
async def correct_lists(room: At, job: str, wanted: views.CorrectLists) -> IngestJob:
    """Says what lists hold and what their columns are called; what follows from it is done
    again."""
    if room.ingests.get(job).is_busy:
        raise Conflict("the book is being read; pause it first, or wait for its end")
    review.correct_catalogues(_work(room, job), wanted.lists)
    return room.ingests.resume(job)


@router.get("/{job}/pages/{number}")
async def page(room: At, job: str, number: int) -> PageText:
    """A page as it was read, to be held beside its picture."""
    return review.page_text(_work(room, job), number)


@router.get(
    "/{job}/pages/{number}/image",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The page as a picture."}},
)
async def image(room: At, job: str, number: int) -> Response:
    """The page itself, as a PNG."""
    book = room.ingests.book(room.ingests.get(job))
    picture = await books.render_page(room.settings, book, number, PICTURE_DPI)
    return Response(picture, media_type="image/png")


@router.post("/{job}/corrections")
async def correct(room: At, job: str, wanted: views.Correct) -> IngestJob:
    """Says what one or more segments are; what follows from it is done again."""
    if room.ingests.get(job).is_busy:
        raise Conflict("the book is being read; pause it first, or wait for its end")
    review.correct_segments(_work(room, job), [wanted, *wanted.also])
    return room.ingests.resume(job)


@router.post("/{job}/accept")
async def accept(room: At, job: str) -> Shelving:
    """Puts the pack on the shelf; a draft loses its papers on the way."""
    found = room.ingests.get(job)
    if found.report is None or found.state not in ("done", "accepted"):
        raise Conflict(f"there is no pack to accept yet: the book is {found.state}")
    path = Path(str(found.report["path"]))
    done = await books.shelve_pack(room.settings, path, room.books)
    room.ingests.accepted(job)
    return done


def _work(room: Room, job: str) -> Path:
    return room.ingests.work(room.ingests.get(job))
