"""The verbs of `character`: import, show, list, remove."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.assistant.sheet.model import Sheet
    from freeform.assistant.sheet.shelf import SheetPreview, SheetRow

character = typer.Typer(help="Character sheets, whose numbers answer why.", no_args_is_help=True)
SheetId = Annotated[str, typer.Argument(help="A sheet's id or name, or a file.", metavar="ID")]
SheetPath = Annotated[
    Path,
    typer.Argument(
        help="D&D Beyond JSON, a Foundry dnd5e actor (JSON or YAML), or a character card."
    ),
]
MOST_CHANGES = 40
"""Changes that are shown to a person."""


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(character, name="character")


@character.command("import", epilog="Example: freeform-rpg character import brannoc.json")
def import_(
    ctx: typer.Context,
    file: SheetPath,
    id: Annotated[str, typer.Option(help="Keep it under this id; else from the name.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and keep nothing.")
    ] = False,
) -> None:
    """Brings a sheet in, from whatever program it comes, and says what it changes."""
    from freeform.services.assistant.characters import (
        import_sheet,
        preview_sheet,
        read_sheet_file,
    )

    desk = at(ctx)
    sheet_file = read_sheet_file(file, id)
    if dry_run:
        preview = preview_sheet(desk.settings, sheet_file)
    else:
        preview = import_sheet(desk.settings, sheet_file)
    document: dict[str, Any] = {
        **preview.model_dump(mode="json", exclude={"sheet"}),
        "kept": not dry_run,
        "counts": {
            "numbers": len(preview.sheet.derived),
            "items": len(preview.sheet.inventory_info.items),
        },
    }
    desk.answer(document, lambda: lines_about(preview, dry_run))


def lines_about(preview: "SheetPreview", dry_run: bool) -> list[str]:
    """What an import did, for a person."""
    verb = "Would keep" if dry_run else "Kept"
    classes = " / ".join(f"{c.name} {c.level}" for c in preview.sheet.character_basics.classes)
    called = f"{preview.name}, {classes}" if classes else preview.name
    head = f"{verb} {called} as {preview.id} (from {preview.kind})."
    if preview.already:
        return [f"{head} The very same file was kept before."]
    lines = [head]
    if preview.replaces:
        lines += [f"  {change}" for change in preview.changes[:MOST_CHANGES]]
        further = len(preview.changes) - MOST_CHANGES
        if further > 0:
            lines.append(f"  … and {further} more")
    lines += [f"Missing: {line}." for line in preview.missing]
    return [*lines, f"See it: freeform-rpg character show {preview.id}"]


@character.command(epilog="Example: freeform-rpg character show brannoc_vale --section combat_info")
def show(
    ctx: typer.Context,
    id: SheetId,
    section: Annotated[
        str, typer.Option(help="Only this section, e.g. combat_info or inventory.")
    ] = "",
    campaign: Annotated[
        bool, typer.Option("--campaign", help="The player's character of that campaign.")
    ] = False,
) -> None:
    """Shows a sheet in its normal form; every computed number with its parts."""
    from freeform.assistant.sheet.show import lines_of

    desk = at(ctx)
    sheet = sheet_of(desk, id, campaign=campaign)
    document = sheet.model_dump(mode="json", exclude={"effects"})
    if section:
        document = _part_of(sheet, document, section)
    desk.answer(document, lambda: lines_of(sheet, section))


def _part_of(sheet: "Sheet", document: dict[str, Any], section: str) -> dict[str, Any]:
    from freeform.services.assistant.characters import part_of

    part = part_of(sheet, section).model_dump(mode="json")
    about = {key: document[key] for key in ("id", "system", "edition", "source", "missing")}
    name = part["section"]
    return {**about, "section": name, name: part["content"], "derived": part["derived"]}


def sheet_of(desk: Desk, ref: str, *, campaign: bool = False) -> "Sheet":
    """A sheet by id or name; by file; or the hero of a campaign."""
    from freeform.services.assistant.characters import show_hero, show_sheet

    if campaign:
        return desk.run(lambda house: show_hero(house, ref))
    return show_sheet(desk.settings, ref, files=True)


@character.command("list", epilog="Example: freeform-rpg character list --json")
def list_(ctx: typer.Context) -> None:
    """Lists the sheets that were brought in."""
    from freeform.services.assistant.characters import list_sheets

    desk = at(ctx)
    rows = list_sheets(desk.settings)
    none = ["No sheets yet. Bring one in: freeform-rpg character import FILE"]
    document = {"characters": [row.model_dump(mode="json") for row in rows]}
    desk.answer(document, [_row_line(row) for row in rows] or none)


def _row_line(row: "SheetRow") -> str:
    about = ", ".join(row.classes) or row.system
    return f"{row.id}  {row.name} ({about}; from {row.kind})"


@character.command(epilog="Example: freeform-rpg character remove brannoc_vale")
def remove(ctx: typer.Context, id: SheetId) -> None:
    """Takes a sheet off the list; the files that were imported stay under the home."""
    from freeform.services.assistant.characters import remove_sheet

    desk = at(ctx)
    gone = remove_sheet(desk.settings, id)
    desk.answer({"id": gone}, [f"Removed {gone}; its imported files stay."])
