"""The work behind pack-ingest: wishes to settings, the ten guided steps, progress, and the shelf at the end."""

import asyncio
import json
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, cast

from freeform import wiring
from freeform.apps.cli.desk import Desk
from freeform.apps.cli.pack.packs import books_of
from freeform.core.errors import UserError
from freeform.engine.shelf import pack_install
from freeform.engine.shelf.books import Books
from freeform.ingest.checkpoint import write_whole
from freeform.ingest.config import (
    Correction,
    IngestConfig,
    IngestReport,
    StageNews,
    Tell,
    pack_id_of,
    parse_pages,
    stage_name,
)
from freeform.ingest.model import ContentType, RawPage, Route
from freeform.ingest.page.order import order_page
from freeform.ingest.page.running_heads import at_edge
from freeform.ingest.run.ingest import ingest
from freeform.ingest.run.job import CORRECTIONS
from freeform.ingest.run.publish import MARKERS, promotable, promote
from freeform.packs.folder.files import digest_of, list_files
from freeform.packs.folder.manifest import ID, license_type, read_manifest
from freeform.packs.model import LAYERS, Findings, License
from freeform.wiring import ingest as wired

_PLAIN = {"book", "document", "untitled", "scan", "file", "output", "print", "download", "rulebook"}
_LEAST_TITLE = 4


@dataclass(frozen=True)
class Wishes:
    """What was said on the command line or asked for."""

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
    ocr: str = "auto"
    images: bool = False
    systems: bool = True
    system_hint: str = ""
    draft: bool = False
    from_stage: str = ""
    install: bool | None = None
    yes: bool = False
    progress_json: bool = False


@dataclass(frozen=True)
class BookPreview:
    """The book at first sight."""

    title: str
    pages: int


def look_at(desk: Desk, pdf: Path) -> BookPreview:
    """Opens the book: a file that cannot be read is told before anything else is asked."""

    async def work() -> BookPreview:
        async with wired.reader(desk.settings).open(pdf) as book:
            title, count = book.title.strip(), book.page_count
            if not _says_something(title) and count >= 6:
                middle = range(count // 2, min(count // 2 + 5, count) + 1)
                title = running_title(await book.read(list(middle)))
            return BookPreview(title, count)

    return asyncio.run(work())


def running_title(pages: Sequence[RawPage]) -> str:
    """What stands at the head or foot of most of these pages, without its page number; '' when nothing does."""
    seen: Counter[str] = Counter()
    for page in pages:
        edge = [line for line in order_page(page).lines if at_edge(line, page.height)]
        seen.update(
            {
                re.sub(r"^\s*\d+\s+|\s+\d+\s*$", "", " ".join(line.text.split())).strip()
                for line in edge
            }
        )
    told = [
        (times, text)
        for text, times in seen.items()
        if re.search(r"[A-Za-z]{3}", text) and len(text) <= 80
    ]
    times, text = max(told, default=(0, ""))
    return text if times >= max(3, 0.6 * len(pages)) else ""


def _says_something(title: str) -> bool:
    plain = title.lower()
    return (
        len(title) >= _LEAST_TITLE
        and not plain.startswith(("microsoft word", "untitled"))
        and " " in title
    )


def names_of(pdf: Path, title: str) -> tuple[str, str]:
    """An id and a name: from the title if it says anything, else from the file, or from its folder."""
    stem = pdf.stem
    if pack_id_of(stem) in _PLAIN or len(stem) < 3:
        stem = pdf.resolve().parent.name or stem
    return pack_id_of(stem), (title if _says_something(title) else "") or stem.replace(
        "_", " "
    ).replace("-", " ").strip().title()


def config_of(desk: Desk, wishes: Wishes, model: str, pdf: Path, title: str) -> IngestConfig:
    """The settings of the run; UserError says what does not fit."""
    id, name = names_of(pdf, title)
    id = wishes.id or id
    if not ID.match(id):
        raise UserError(
            f"'{id}' cannot be a pack's id; use small letters, digits and _, for example --id {pack_id_of(id)}"
        )
    layer = next((each for each in LAYERS if each == wishes.layer), None)
    if layer is None:
        raise UserError(f"no layer '{wishes.layer}'; it is one of {', '.join(LAYERS)}")
    terms = (
        License(type=license_type(wishes.license), attribution=wishes.attribution)
        if wishes.license
        else None
    )
    out = wishes.out or desk.settings.home / "ingest"
    return IngestConfig(
        pdf=str(pdf.resolve()),
        out=str(out.expanduser().absolute()),
        pack_id=id,
        name=wishes.name or name,
        version=wishes.version,
        layer=layer,
        author=wishes.author,
        description=wishes.description,
        genre=wishes.genre,
        license=terms,
        page_ranges=parse_pages(wishes.pages),
        ocr=cast(Literal["auto", "always", "never"], wishes.ocr),
        images=wishes.images,
        systems=wishes.systems,
        system_hint=wishes.system_hint,
        draft=wishes.draft,
        model=model,
    )


def run_ingest(desk: Desk, wishes: Wishes) -> tuple[IngestReport, dict[str, Any] | None]:
    """Steps 8 to 10: the stages, then the shelf."""
    model = asyncio.run(wiring.chosen_model(desk.settings))
    from_stage = stage_name(wishes.from_stage) if wishes.from_stage else ""
    if wishes.pdf is None:
        raise UserError("say which book: freeform-rpg pack-ingest BOOK.pdf")
    looked = look_at(desk, wishes.pdf)
    config = config_of(desk, wishes, model, wishes.pdf, looked.title)
    _check_hint(desk, wishes.system_hint)
    told = wired.estimate(looked.pages, model, systems=wishes.systems)
    desk.note(told.line(model))
    if told.cost_usd != 0.0 and not wishes.yes:
        raise UserError(
            f"{told.line(model)} Say --yes to go on, or --model offline to pay nothing."
        )

    async def work(tell: Tell) -> IngestReport:
        return await ingest(config, await wired.crew(desk.settings), tell, from_stage=from_stage)

    with shown_progress(desk, wishes.progress_json) as tell:
        report = asyncio.run(work(tell))
    for note in report.notes:
        desk.note(note)
    wanted = wishes.install if wishes.install is not None else wishes.yes
    if not wanted or report.draft or not report.validation.ok:
        return report, None
    return report, put_on_shelf(desk, Path(report.path))


def put_on_shelf(desk: Desk, path: Path) -> dict[str, Any]:
    """Installs the pack. A version of it that came from an earlier run is replaced, unless a campaign needs it."""
    done = asyncio.run(replace_on_shelf(books_of(desk), path))
    return {
        "id": done.id,
        "version": done.version,
        "path": done.path,
        "chunks": done.chunks,
        "tokens": done.tokens,
    }


async def replace_on_shelf(books: Books, path: Path) -> pack_install.Shelving:
    """The same for every door; a draft's papers are left behind."""
    manifest = read_manifest(path, Findings())
    with tempfile.TemporaryDirectory(prefix="freeform-accept-") as scratch:
        pack = Path(scratch) / manifest.id
        promote(path, pack)
        same = [
            s
            for s in books.shelf.packs()
            if (s.manifest.id, s.manifest.version) == (manifest.id, manifest.version)
        ]
        ours = [s for s in same if s.origin == "installed" and "ingested" in s.manifest.tags]
        if ours and books.shelf.digest(ours[0]) != digest_of(list_files(pack, Findings())):
            await pack_install.remove(books, manifest.id, f"=={manifest.version}")
        return await pack_install.install(books, pack)


def promoted(desk: Desk, folder: Path, to: Path | None) -> dict[str, Any]:
    """A draft without its papers: in `to`, or on the shelf."""
    id = promotable(folder)
    version = read_manifest(folder, Findings()).version
    left = [name for name in MARKERS if (folder / name).is_file()]
    if to is not None:
        promote(folder, to)
        return {
            "pack": id,
            "version": version,
            "path": str(to),
            "left_behind": left,
            "installed": None,
        }
    done = put_on_shelf(desk, folder)
    return {
        "pack": id,
        "version": version,
        "path": done["path"],
        "left_behind": left,
        "installed": done,
    }


def corrected(work: Path, segment: str, content_type: ContentType, route: Route) -> None:
    """Writes down what a person says a segment is; the next run heeds it."""
    path = work / CORRECTIONS
    held = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    held[segment] = Correction(content_type=content_type, route=route).model_dump(mode="json")
    write_whole(path, json.dumps(held, indent=1))


def _check_hint(desk: Desk, hint: str) -> None:
    if hint:
        from freeform.ingest.systems.config import load_extraction_config

        load_extraction_config(wired.config_folders(desk.settings.home), hint)


@contextmanager
def shown_progress(desk: Desk, as_json: bool) -> Iterator[Tell]:
    """News of the stages on standard error: as JSON lines for programs, as a bar at a terminal, else one line each."""
    if as_json:
        yield lambda news: print(news.model_dump_json(), file=sys.stderr, flush=True)
        return
    if desk.json or desk.quiet:
        yield lambda news: None
        return
    if desk.plain or not sys.stderr.isatty():
        yield lambda news: _line(news)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[told]}"),
    )
    with Progress(*columns, console=Console(stderr=True)) as bar:
        tasks: dict[str, Any] = {}

        def tell(news: StageNews) -> None:
            if news.stage not in tasks:
                tasks[news.stage] = bar.add_task(news.stage, total=news.total or 1, told="")
            match news.status:
                case "working":
                    told = f"{news.rate:.0f}/s, {news.left_s:.0f} s left"
                    bar.update(tasks[news.stage], completed=news.done, total=news.total, told=told)
                case "done":
                    bar.update(
                        tasks[news.stage], completed=1, total=1, told=f"{news.seconds:.1f} s"
                    )
                case "skipped":
                    bar.update(tasks[news.stage], completed=1, total=1, told=news.note)
                case "failed":
                    bar.update(tasks[news.stage], told="failed")
                case "started":
                    pass

        yield tell


def _line(news: StageNews) -> None:
    if news.status in ("done", "skipped"):
        took = f"{news.seconds:.1f} s" if news.status == "done" else news.note
        print(f"{news.stage}: {took}", file=sys.stderr, flush=True)


def guide_ingest(desk: Desk, wishes: Wishes) -> Wishes:
    """The seed's ten steps at a terminal; what a flag has said is not asked. (8 to 10 are the run itself.)"""
    from freeform.apps.cli.play.voice import Voice

    voice = Voice(desk)
    reading = wired.ocr()
    missing = reading.missing()
    voice.line(
        f"1. Reader: {wired.reader(desk.settings).name}. Pictures of text: {missing or 'can be read'}."
    )
    model = asyncio.run(wiring.chosen_model(desk.settings))
    stays = asyncio.run(wiring.stays_here(desk.settings, model))
    sent_to = desk.settings.vectors_sent_to
    leaves = " (nothing leaves this machine)" if stays else ""
    if sent_to:
        leaves = f" (texts are sent to {sent_to} for search by meaning)"
    voice.line(f"2. Model: {model}{leaves}.")
    while wishes.pdf is None or not wishes.pdf.is_file():
        if wishes.pdf is not None:
            voice.line(f"There is no file {wishes.pdf}.")
        given = voice.ask("3. Which PDF? ").strip().strip("'\"")
        if not given:
            raise UserError("no book was named; nothing was done")
        wishes = replace(wishes, pdf=Path(given).expanduser())
    looked = look_at(desk, wishes.pdf)
    id, name = names_of(wishes.pdf, looked.title)
    voice.line(
        f"   {wishes.pdf.name}: {looked.pages} pages{f', {looked.title}' if looked.title else ''}."
    )

    def ask(question: str, default: str, given: str) -> str:
        return given or voice.ask(f"{question} [{default}] ").strip() or default

    wishes = replace(
        wishes, name=ask("4. Name?", name, wishes.name), id=ask("   Id?", id, wishes.id)
    )
    licence = (
        wishes.license
        or voice.ask("   Licence (cc-by, ogl, commercial …; Enter: not known, private)? ").strip()
    )
    wishes = replace(wishes, license=licence)
    if wishes.systems:
        wishes = replace(
            wishes, systems=_agreed(voice.ask("5. Take the rules out, too? [Y/n] "), True)
        )
    if not wishes.draft:
        wishes = replace(
            wishes, draft=_agreed(voice.ask("   Write a draft to look over first? [y/N] "), False)
        )
    out = wishes.out or desk.settings.home / "ingest"
    given = "" if wishes.out else voice.ask(f"6. Where to? [{out}] ").strip()
    wishes = replace(wishes, out=Path(given).expanduser() if given else out)
    voice.line(
        f"7. {looked.pages} pages of {wishes.name} become the pack {wishes.id} in {wishes.out}."
    )
    voice.line(f"   {wired.estimate(looked.pages, model, systems=wishes.systems).line(model)}")
    if not _agreed(voice.ask("   Go on? [Y/n] "), True):
        raise UserError("nothing was done")
    if wishes.install is None and not wishes.draft:
        wishes = replace(
            wishes,
            install=_agreed(voice.ask("10. Put it on the shelf when it is done? [Y/n] "), True),
        )
    return replace(wishes, yes=True)


def _agreed(answer: str, default: bool) -> bool:
    said = answer.strip().lower()
    return default if not said else said.startswith(("y", "j", "o", "s"))


def read_news(line: str) -> StageNews | None:
    """A line of progress as a program reads it; None for any other line."""
    try:
        return StageNews.model_validate(json.loads(line))
    except ValueError:
        return None
