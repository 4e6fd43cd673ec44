"""Verbs for taking everything out and bringing it back: `export` and `import`."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.campaign.turns import Campaign
from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.engine.table import Table


READS = (
    "a campaign's archive or log, a pack, a folder of notes, a lorebook, a D&D Beyond or Foundry character, a character card, "
    "the SRD as JSON, HTML or Markdown, or a SillyTavern chat"
)


class Format(StrEnum):
    """How a campaign leaves."""

    zip = "zip"
    obsidian = "obsidian"
    jsonl = "jsonl"


def add_to(app: typer.Typer) -> None:
    """Adds the verbs."""
    app.command("export", epilog="Example: freeform-rpg export a a.zip")(export)
    app.command("import", epilog="Example: freeform-rpg import a.zip --campaign a-again")(import_)


def export(
    ctx: typer.Context,
    campaign: Campaign,
    path: Annotated[Path, typer.Argument(help="The file to write; for obsidian, the folder.")],
    format: Annotated[
        Format, typer.Option(help="Everything in one file, notes, or the log.")
    ] = Format.zip,
) -> None:
    """Writes a campaign out: all of it as a zip, what you know as an Obsidian vault, or its log."""
    from freeform import wiring
    from freeform.engine.campaign.archive import export_jsonl, export_vault, export_zip

    desk = at(ctx)

    async def work(table: "Table") -> dict[str, int]:
        match format:
            case Format.zip:
                copy = wiring.campaign_files(desk.settings)
                return await export_zip(campaign, path, table, copy)
            case Format.obsidian:
                return await export_vault(campaign, path, table)
            case Format.jsonl:
                return await export_jsonl(campaign, path, table)

    counts = desk.run(work)
    private = desk.run(lambda table: _private_packs(table, campaign))
    warnings = [
        f"{name} came from a book without a known licence: keep this file to your own table"
        for name in private
    ]
    for line in warnings:
        desk.note(f"warning: {line}")
    text = ", ".join(f"{n} {name}" for name, n in counts.items())
    document: dict[str, Any] = {
        "kind": format.value,
        "campaign": campaign,
        "path": str(path),
        "counts": counts,
        "warnings": warnings,
    }
    desk.answer(document, [f"Wrote {path}: {text}."])


async def _private_packs(table: "Table", campaign: str) -> list[str]:
    """The packs of a campaign that are marked private: what was played quotes them."""
    held = (await table.store.begun(campaign)).packs
    if table.lore is None or not held:
        return []
    shelved = table.lore.books.shelf.packs()
    return sorted(
        {s.manifest.id for s in shelved if s.manifest.id in held and "private" in s.manifest.tags}
    )


def import_(
    ctx: typer.Context,
    path: Annotated[
        Path,
        typer.Argument(
            help="An archive made by `export`, a pack, a lorebook, a folder of notes, a character sheet or card, the "
            "SRD (JSON, HTML or Markdown), a SillyTavern chat."
        ),
    ],
    campaign: Annotated[str | None, typer.Option(help="Bring an archive in under this id.")] = None,
    id: Annotated[str, typer.Option(help="Keep a sheet, a rulebook or a chat under this id.")] = "",
) -> None:
    """Brings something in, whatever it is: campaigns, packs, notes, sheets, cards, rulebooks, chats."""
    from freeform.apps.cli.campaign.import_ import bring
    from freeform.engine.campaign.archive import is_log

    desk = at(ctx)
    if is_log(path):
        _import_campaign(desk, path, campaign, as_log=True)
        return
    if bring(desk, path, id):
        return
    if _kind(path) == "campaign":
        _import_campaign(desk, path, campaign)
        return
    from freeform.apps.cli.pack.packs import installed, report

    done = installed(desk, path)
    if desk.json:
        counts = {"entries": done.entries, "chunks": done.chunks, "tokens": done.tokens}
        desk.answer({**done.model_dump(mode="json"), "counts": counts}, [])
    else:
        report(desk, done, f"Brought in a {done.kind}")


def _import_campaign(desk: Desk, path: Path, campaign: str | None, as_log: bool = False) -> None:
    from freeform import wiring
    from freeform.engine.campaign.archive import import_log, import_zip

    files = wiring.campaign_files(desk.settings)
    name, counts = desk.run(
        lambda table: (
            import_log(path, campaign, table)
            if as_log
            else import_zip(path, campaign, table, files)
        )
    )
    document = {"kind": "campaign", "campaign": name, "counts": counts}
    desk.answer(
        document,
        [
            f"Brought in {name}: turn {counts['turns']}. Play on: freeform-rpg play --campaign {name}"
        ],
    )


def _kind(path: Path) -> str:
    """What is there, by its content. BadFile says what could be brought in instead."""
    import zipfile

    from freeform.core.errors import BadFile
    from freeform.packs.verbs import kind_of

    if path.is_file() and zipfile.is_zipfile(path):
        return "campaign"
    try:
        return kind_of(path)
    except BadFile:
        if not path.is_file():
            raise
        raise BadFile(str(path), f"nothing we read; `import` takes {READS}") from None
