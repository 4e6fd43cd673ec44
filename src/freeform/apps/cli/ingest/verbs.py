"""The verbs of ingest: pack-ingest, promote-draft, list-systems."""

import asyncio
from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import at

if TYPE_CHECKING:
    from freeform.ingest.config import IngestReport, StageRow
    from freeform.services.ingest.books import ShelvedPack


class ReaderChoice(StrEnum):
    """Which library reads the PDF."""

    pdf_oxide = "pdf_oxide"
    pdfium = "pdfium"
    pymupdf = "pymupdf"


class OcrChoice(StrEnum):
    """When pictures of text are read."""

    auto = "auto"
    always = "always"
    never = "never"


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command(
        "pack-ingest", epilog="Example: freeform-rpg pack-ingest book.pdf --license cc-by --yes"
    )(pack_ingest)
    app.command("promote-draft", epilog="Example: freeform-rpg promote-draft draft/my_book")(
        promote_draft
    )
    app.command("list-systems", epilog="Example: freeform-rpg list-systems --json")(list_systems)


def pack_ingest(
    ctx: typer.Context,
    pdf: Annotated[
        Path | None, typer.Argument(help="The book; asked for when left out.", metavar="PDF")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Where work, pack and draft are written; else below the home."),
    ] = None,
    id: Annotated[str, typer.Option(help="The pack's id; else from the file's name.")] = "",
    name: Annotated[str, typer.Option(help="The name the book is cited by; else its title.")] = "",
    pack_version: Annotated[str, typer.Option(help="The pack's version.")] = "1.0.0",
    layer: Annotated[
        str, typer.Option(help="core, setting, regional, adventure or homebrew.")
    ] = "setting",
    author: Annotated[str, typer.Option(help="Who wrote the book.")] = "",
    description: Annotated[str, typer.Option(help="What the pack is, in a sentence.")] = "",
    genre: Annotated[str, typer.Option(help="Its genre.")] = "",
    license: Annotated[
        str, typer.Option(help="The book's licence, e.g. cc-by, ogl, commercial; none: private.")
    ] = "",
    attribution: Annotated[str, typer.Option(help="The line the licence asks for.")] = "",
    pages: Annotated[str, typer.Option(help="Only these pages, e.g. 1-40,55.")] = "",
    reader: Annotated[
        ReaderChoice | None,
        typer.Option(help="Which library reads the PDF; else the setting pdf_reader."),
    ] = None,
    ocr: Annotated[OcrChoice, typer.Option(help="Read pictures of text.")] = OcrChoice.auto,
    images: Annotated[
        bool, typer.Option("--images", help="Keep the pictures of the book beside its pages.")
    ] = False,
    systems: Annotated[
        bool, typer.Option("--systems/--no-systems", help="Take the rules out, too.")
    ] = True,
    system_hint: Annotated[
        str, typer.Option(help="The family of games; `list-systems` lists them.")
    ] = "",
    draft: Annotated[
        bool, typer.Option("--draft", help="Write a draft to be looked over, not a pack.")
    ] = False,
    from_stage: Annotated[
        str, typer.Option(help="Do this stage and all that follow from it again.")
    ] = "",
    install: Annotated[
        bool | None,
        typer.Option("--install/--no-install", help="Put the pack on the shelf; with --yes it is."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Ask nothing.")] = False,
    progress: Annotated[bool, typer.Option("--progress-json", hidden=True)] = False,
) -> None:
    """Turns a PDF sourcebook into a pack, in eight stages; those finished before are skipped."""
    from freeform.apps.cli.ingest.guide import guide_ingest
    from freeform.apps.cli.ingest.work import Wishes, run_ingest

    desk = at(ctx)
    if reader is not None:
        desk = replace(desk, pdf_reader=reader.value)
    wishes = Wishes(
        pdf=pdf,
        out=out,
        id=id,
        name=name,
        version=pack_version,
        layer=layer,
        author=author,
        description=description,
        genre=genre,
        license=license,
        attribution=attribution,
        pages=pages,
        ocr=ocr.value,
        images=images,
        systems=systems,
        system_hint=system_hint,
        draft=draft,
        from_stage=from_stage,
        install=install,
        yes=yes,
        progress_json=progress,
    )
    if desk.is_terminal and not yes and not desk.json:
        wishes = guide_ingest(desk, wishes)
    report, installed = run_ingest(desk, wishes)
    document: dict[str, Any] = {**report.model_dump(mode="json"), "installed": installed}
    desk.answer(document, lambda: _told(report, installed))
    if not report.validation.ok:
        raise typer.Exit(1)


def _told(report: "IngestReport", installed: "ShelvedPack | None") -> list[str]:
    done = [row for row in report.stages if not row.skipped]
    skipped = [row.name for row in report.stages if row.skipped]
    lines = [_head(report, done)]
    if skipped:
        lines.append(f"Skipped, finished before: {', '.join(skipped)}.")
    if report.systems:
        lines.append(f"Rules: {_rules(report) or 'none found'}.")
    answered = _answered(report)
    if answered:
        lines.append(f"The book's own questions answered among the first five: {answered}.")
    for row in done:
        # What validation found is told below; here, what the reading stages left out.
        if row.name != "validate":
            lines += [f"warning: {row.name}: {line}" for line in row.warnings[:5]]
    lines += [f"error: {line}" for line in report.validation.errors[:10]]
    lines += [f"warning: {line}" for line in report.validation.warnings[:5]]
    terms = report.license.type if report.license else "none known: the pack is private"
    return [*lines, f"Licence: {terms}.", *_what_next(report, installed)]


def _head(report: "IngestReport", done: "list[StageRow]") -> str:
    stages = ", ".join(f"{row.name} {row.seconds:.1f}" for row in done) or "nothing to do"
    return (
        f"{report.pack}: {report.pages} pages, {report.segments} segments, "
        f"{report.entities} entities in {report.seconds:.1f} s ({stages})."
    )


def _rules(report: "IngestReport") -> str:
    sure = []
    for name, row in report.systems.items():
        if row["confidence"]:
            sure.append(f"{name} {row['confidence']:.0%}")
    return ", ".join(sure)


def _answered(report: "IngestReport") -> str:
    rates = []
    for name, rate in report.validation.stats.items():
        if name.startswith("found_"):
            rates.append(f"{name.removeprefix('found_')} {rate:.0%}")
    return ", ".join(rates)


def _what_next(report: "IngestReport", installed: "ShelvedPack | None") -> list[str]:
    if report.draft:
        return [
            f"Draft in {report.path}. Read REVIEW_NEEDED.md there, "
            f"then: freeform-rpg promote-draft {report.path}"
        ]
    if installed is None:
        return [
            f"Pack in {report.path}. "
            f"Put it on the shelf with: freeform-rpg pack install {report.path}"
        ]
    lines = [f'Installed {installed.id} {installed.version}: try freeform-rpg pack search "…".']
    if report.system:
        lines.append(f"Its rules can be played: freeform-rpg new-game --scenario {report.pack}")
    return lines


def promote_draft(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(help="The draft's folder.", metavar="DIR")],
    to: Annotated[
        Path | None, typer.Option(help="Copy it to this folder instead of the shelf.")
    ] = None,
) -> None:
    """Accepts a draft: its papers are left behind, the pack goes on the shelf."""
    from freeform.services.ingest.books import promote_draft

    desk = at(ctx)
    done = asyncio.run(promote_draft(desk.settings, folder, to))
    where = f"in {done.path}" if to else f"on the shelf as {done.pack} {done.version}"
    left = f"; left behind: {', '.join(done.left_behind)}" if done.left_behind else ""
    desk.answer(done, [f"The pack is {where}{left}."])


def list_systems(ctx: typer.Context) -> None:
    """Lists the families of games: rules to play with, and how their books are read."""
    from freeform.services.packs import list_systems

    desk = at(ctx)
    rows = list_systems(desk.settings)
    lines = []
    for row in rows:
        inherits = f" (on {row.inherits})" if row.inherits else ""
        lines.append(f"{row.id}  {row.name}{inherits}")
    desk.answer({"systems": rows}, lines)
