"""The work behind pack-ingest: the wishes of the command line, the stages' progress, the shelf."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from freeform.apps.cli.desk import Desk
from freeform.core.errors import UserError
from freeform.ingest.config import IngestReport, StageNews, Tell
from freeform.packs.folder.once import each_text_once
from freeform.services.ingest.books import (
    IngestRequest,
    PlannedIngest,
    ShelvedPack,
    plan_ingest,
    shelve_pack,
    shelved_row,
)
from freeform.services.ingest.books import run_ingest as read_book


class Wishes(IngestRequest):
    """What was said on the command line or asked for."""

    install: bool | None = None
    yes: bool = False
    progress_json: bool = False


def run_ingest(desk: Desk, wishes: Wishes) -> tuple[IngestReport, ShelvedPack | None]:
    """Reads the book, then puts it on the shelf where that is wanted."""
    with each_text_once():
        return _read_and_shelve(desk, wishes)


def _read_and_shelve(desk: Desk, wishes: Wishes) -> tuple[IngestReport, ShelvedPack | None]:
    plan = asyncio.run(plan_ingest(desk.settings, wishes))
    _agree(desk, plan, wishes)
    with shown_progress(desk, wishes.progress_json) as tell:
        report = asyncio.run(read_book(desk.settings, plan, tell))
    for note in report.notes:
        desk.note(note)
    wanted = wishes.yes if wishes.install is None else wishes.install
    if not wanted or report.draft or not report.validation.ok:
        return report, None
    shelved = asyncio.run(shelve_pack(desk.settings, Path(report.path)))
    return report, shelved_row(shelved)


def _agree(desk: Desk, plan: PlannedIngest, wishes: Wishes) -> None:
    """Says what a model would cost, and stops unless that was agreed to."""
    line = plan.estimate.line(plan.config.model)
    desk.note(line)
    if plan.estimate.cost_usd != 0.0 and not wishes.yes:
        raise UserError(f"{line} Say --yes to go on, or --model offline to pay nothing.")


@contextmanager
def shown_progress(desk: Desk, as_json: bool) -> Iterator[Tell]:
    """News of the stages on standard error: JSON lines for programs, a bar, or a line each."""
    if as_json:
        yield _print_json
    elif desk.json or desk.quiet:
        yield _say_nothing
    elif desk.plain or not sys.stderr.isatty():
        yield _print_line
    else:
        with _bar() as tell:
            yield tell


def _say_nothing(news: StageNews) -> None:
    """Nobody looks."""


def _print_json(news: StageNews) -> None:
    print(news.model_dump_json(), file=sys.stderr, flush=True)


def _print_line(news: StageNews) -> None:
    if news.status in ("done", "skipped"):
        took = f"{news.seconds:.1f} s" if news.status == "done" else news.note
        print(f"{news.stage}: {took}", file=sys.stderr, flush=True)


@contextmanager
def _bar() -> Iterator[Tell]:
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
            task = tasks[news.stage]
            match news.status:
                case "working":
                    pace = f"{news.rate:.0f}/s, {news.left_s:.0f} s left"
                    bar.update(task, completed=news.done, total=news.total, told=pace)
                case "done":
                    bar.update(task, completed=1, total=1, told=f"{news.seconds:.1f} s")
                case "skipped":
                    bar.update(task, completed=1, total=1, told=news.note)
                case "failed":
                    bar.update(task, told="failed")
                case "started":
                    pass

        yield tell
