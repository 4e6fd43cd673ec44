"""Reading a book into a pack: looked at, planned, run, put on the shelf; and a draft accepted."""

import re
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from freeform import wiring
from freeform.core.errors import BadFile, NotFound, UserError
from freeform.core.record import Record
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.books import Books
from freeform.ingest.config import (
    IngestConfig,
    IngestReport,
    Tell,
    pack_id_of,
    parse_pages,
    stage_name,
)
from freeform.ingest.model import RawPage
from freeform.ingest.page.order import order_page
from freeform.ingest.page.running_heads import at_edge
from freeform.ingest.run.estimate import Estimate
from freeform.ingest.run.ingest import ingest
from freeform.ingest.run.publish import MARKERS, promotable, promote
from freeform.ingest.systems.config import load_extraction_config
from freeform.packs.folder.files import digest_of, list_files
from freeform.packs.folder.manifest import ID, license_type, read_manifest
from freeform.packs.folder.once import each_text_once
from freeform.packs.model import LAYERS, Findings, Layer, License
from freeform.services.ingest.claimed import check_claim, free_id, same_book
from freeform.settings import Settings
from freeform.wiring import ingest as wired

_PLAIN = {"book", "document", "untitled", "scan", "file", "output", "print", "download", "rulebook"}
_LEAST_TITLE = 4
_PAGE_NUMBER = re.compile(r"^\s*\d+\s+|\s+\d+\s*$")


class IngestRequest(Record):
    """What someone wants of a book. What is left out comes from the book itself."""

    pdf: Path | None
    out: Path | None = None
    id: str = ""
    name: str = ""
    version: str = "1.0.0"
    layer: str = "setting"
    author: str = ""
    description: str = ""
    genre: str = ""
    license: str = ""
    attribution: str = ""
    pages: str = ""
    ocr: Literal["auto", "always", "never"] = "auto"
    images: bool = False
    systems: bool = True
    system_hint: str = ""
    draft: bool = False
    from_stage: str = ""


class BookPreview(Record):
    """A book at first sight. `title` is '' when neither the file nor its pages say one."""

    title: str
    pages: int


class PlannedIngest(Record):
    """An ingest that can be run, and about what a model would be asked."""

    config: IngestConfig
    from_stage: str
    estimate: Estimate


class ShelvedPack(Record):
    """A pack that was put on the shelf."""

    id: str
    version: str
    path: str
    chunks: int
    tokens: int


class PromotedDraft(Record):
    """A draft that became a pack."""

    pack: str
    version: str
    path: str
    left_behind: list[str]
    installed: ShelvedPack | None


class Surroundings(Record):
    """What books are read with here."""

    reader: str
    ocr_missing: str
    """What is missing to read pictures of text, or ''."""
    model: str
    stays_here: bool
    """Whether that model keeps everything on this machine."""
    vectors_sent_to: str
    """The host that gets texts for search by meaning; '' when they stay here."""


async def surroundings(settings: Settings) -> Surroundings:
    """Which reader and which model are used, and whether pictures of text can be read."""
    model = await wiring.chosen_model(settings)
    return Surroundings(
        reader=wired.reader(settings).name,
        ocr_missing=wired.ocr().missing(),
        model=model,
        stays_here=await wiring.stays_here(settings, model),
        vectors_sent_to=settings.vectors_sent_to,
    )


def check_pdf(path: Path, shown: str = "") -> None:
    """Refuses what is no PDF before any library looks, by the name its reader knows."""
    try:
        wired.check_file(path)
    except BadFile as wrong:
        raise BadFile(shown or path.name, wrong.reason, wrong.line) from None


async def look_at_book(settings: Settings, pdf: Path, shown: str = "") -> BookPreview:
    """Opens a book: one that cannot be read is told by the name its reader knows."""
    try:
        async with wired.reader(settings).open(pdf) as book:
            title, count = book.title.strip(), book.page_count
            if not says_something(title) and count >= 6:
                middle = range(count // 2, min(count // 2 + 5, count) + 1)
                title = running_title(await book.read(list(middle)))
            return BookPreview(title=title, pages=count)
    except BadFile as wrong:
        raise BadFile(shown or pdf.name, wrong.reason, wrong.line) from None


def running_title(pages: Sequence[RawPage]) -> str:
    """What stands at the head or foot of most of these pages, without its number; else ''."""
    seen: Counter[str] = Counter()
    for page in pages:
        seen.update(_edge_texts(page))
    best, times = "", 0
    for text, count in seen.items():
        is_title = re.search(r"[A-Za-z]{3}", text) and len(text) <= 80
        if is_title and (count, text) > (times, best):
            best, times = text, count
    return best if times >= max(3, 0.6 * len(pages)) else ""


def _edge_texts(page: RawPage) -> set[str]:
    texts = set()
    for line in order_page(page).lines:
        if at_edge(line, page.height):
            texts.add(_PAGE_NUMBER.sub("", " ".join(line.text.split())).strip())
    return texts


def says_something(title: str) -> bool:
    """Whether a file's title is one that a person would call the book by."""
    plain = title.lower()
    machine_made = plain.startswith(("microsoft word", "untitled"))
    return len(title) >= _LEAST_TITLE and not machine_made and " " in title


def names_of(pdf: Path, title: str) -> tuple[str, str]:
    """An id, from the file's name, and a name, from the title if it says anything, else from the
    file. Where the file's name says nothing the id is from the title, else from its folder."""
    stem = pdf.stem
    if pack_id_of(stem) in _PLAIN or len(stem) < 3:
        stem = title if says_something(title) else pdf.resolve().parent.name or stem
    if says_something(title):
        return pack_id_of(stem), title
    return pack_id_of(stem), stem.replace("_", " ").replace("-", " ").strip().title()


def check_request(settings: Settings, request: IngestRequest) -> None:
    """What can be said against a request before its book is opened. UserError says it."""
    parse_pages(request.pages)
    if request.system_hint:
        load_extraction_config(wired.config_folders(settings.home), request.system_hint)


async def plan_ingest(settings: Settings, request: IngestRequest) -> PlannedIngest:
    """Opens the book and checks the request; UserError says what does not fit."""
    model = await wiring.chosen_model(settings)
    from_stage = stage_name(request.from_stage) if request.from_stage else ""
    if request.pdf is None:
        raise UserError("say which book: freeform-rpg pack-ingest BOOK.pdf")
    look = await look_at_book(settings, request.pdf)
    config = _config(settings, request, request.pdf, look.title, model)
    check_request(settings, request)
    told = wired.estimate(look.pages, model, systems=request.systems)
    return PlannedIngest(config=config, from_stage=from_stage, estimate=told)


def _config(
    settings: Settings, request: IngestRequest, pdf: Path, title: str, model: str
) -> IngestConfig:
    id, name = names_of(pdf, title)
    out = (request.out or settings.home / "ingest").expanduser().absolute()
    books = wiring.books(settings)
    if request.id:
        check_claim(books, out, (_checked_id(request.id), request.version), pdf)
    return IngestConfig(
        pdf=str(pdf.resolve()),
        out=str(out),
        pack_id=request.id or free_id(books, out, _checked_id(id), pdf),
        name=request.name or name,
        version=request.version,
        layer=_layer(request.layer),
        author=request.author,
        description=request.description,
        genre=request.genre,
        license=_license(request),
        page_ranges=parse_pages(request.pages),
        ocr=request.ocr,
        images=request.images,
        systems=request.systems,
        system_hint=request.system_hint,
        draft=request.draft,
        model=model,
    )


def _checked_id(id: str) -> str:
    if not ID.match(id):
        raise UserError(
            f"'{id}' cannot be a pack's id; use small letters, digits and _, "
            f"for example --id {pack_id_of(id)}"
        )
    return id


def _layer(wanted: str) -> Layer:
    for layer in LAYERS:
        if layer == wanted:
            return layer
    raise UserError(f"no layer '{wanted}'; it is one of {', '.join(LAYERS)}")


def _license(request: IngestRequest) -> License | None:
    if not request.license:
        return None
    return License(type=license_type(request.license), attribution=request.attribution)


async def run_ingest(settings: Settings, plan: PlannedIngest, tell: Tell) -> IngestReport:
    """The eight stages. `tell` hears of each; those that were finished before are skipped."""
    crew = await wired.crew(settings)
    with each_text_once():
        return await ingest(plan.config, crew, tell, from_stage=plan.from_stage)


def estimate_cost(pages: int, ranges: str, model: str, *, systems: bool) -> tuple[int, Estimate]:
    """How many of so many pages are wanted, and about what asking that model for them costs."""
    count = pages
    if ranges:
        wanted: set[int] = set()
        for first, last in parse_pages(ranges):
            wanted.update(range(first, min(last, pages) + 1))
        count = len(wanted)
    return count, wired.estimate(count, model, systems=systems)


async def render_page(settings: Settings, pdf: Path, number: int, dpi: int) -> bytes:
    """A page as a PNG. NotFound when the book has none of that number."""
    async with wired.reader(settings).open(pdf) as book:
        if not 1 <= number <= book.page_count:
            raise NotFound(f"the book has {book.page_count} pages; there is no page {number}")
        return await book.render(number, dpi=dpi)


async def shelve_pack(
    settings: Settings, path: Path, books: Books | None = None
) -> pack_install.Shelving:
    """Puts a read book's pack on the shelf, or on these `books`; a draft's papers are left behind.

    A version of it that came from an earlier run is replaced, unless a campaign needs it, or it is
    of another book (UserError).
    """
    books = books or wiring.books(settings)
    manifest = read_manifest(path, Findings())
    with tempfile.TemporaryDirectory(prefix="freeform-accept-") as scratch:
        pack = Path(scratch) / manifest.id
        promote(path, pack)
        for shelved in books.shelf.packs():
            same = (shelved.manifest.id, shelved.manifest.version) == (
                manifest.id,
                manifest.version,
            )
            ours = shelved.origin == "installed" and "ingested" in shelved.manifest.tags
            if same and ours:
                if not same_book(shelved.manifest, manifest):
                    raise UserError(
                        f"the shelf has another book as {manifest.id} {manifest.version} "
                        f"({shelved.manifest.name}); read this one with another id"
                    )
                if books.shelf.digest(shelved) != digest_of(list_files(pack, Findings())):
                    await pack_install.remove(books, manifest.id, f"=={manifest.version}")
                break
        with each_text_once():
            return await pack_install.install(books, pack)


def shelved_row(done: pack_install.Shelving) -> ShelvedPack:
    """What a reader of a report wants to know of it."""
    return ShelvedPack(
        id=done.id, version=done.version, path=done.path, chunks=done.chunks, tokens=done.tokens
    )


async def promote_draft(settings: Settings, folder: Path, to: Path | None = None) -> PromotedDraft:
    """Accepts a draft: without its papers it goes to a folder, or on the shelf."""
    id = promotable(folder)
    version = read_manifest(folder, Findings()).version
    left = [name for name in MARKERS if (folder / name).is_file()]
    if to is not None:
        promote(folder, to)
        return PromotedDraft(
            pack=id, version=version, path=str(to), left_behind=left, installed=None
        )
    done = shelved_row(await shelve_pack(settings, folder))
    return PromotedDraft(pack=id, version=version, path=done.path, left_behind=left, installed=done)
