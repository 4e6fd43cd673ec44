"""The verbs of `character`: import, show, list, remove."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freeform.apps.cli.desk import Desk, at

if TYPE_CHECKING:
    from freeform.assistant.sheet.model import Sheet
    from freeform.assistant.sheet.shelf import SheetPreview, SheetShelf

character = typer.Typer(help="Character sheets, whose numbers answer why.", no_args_is_help=True)
SheetId = Annotated[str, typer.Argument(help="A sheet's id or name, or a file.", metavar="ID")]
SheetFile = Annotated[
    Path,
    typer.Argument(
        help="D&D Beyond JSON, a Foundry dnd5e actor (JSON or YAML), or a character card."
    ),
]


def add_to(app: typer.Typer) -> None:
    """Adds the group."""
    app.add_typer(character, name="character")


def shelf_of(desk: Desk) -> "SheetShelf":
    """The sheets under the home."""
    from freeform.assistant.sheet.shelf import SheetShelf

    return SheetShelf(desk.settings.home)


@character.command("import", epilog="Example: freeform-rpg character import brannoc.json")
def import_(
    ctx: typer.Context,
    file: SheetFile,
    id: Annotated[str, typer.Option(help="Keep it under this id; else from the name.")] = "",
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would change, and keep nothing.")
    ] = False,
) -> None:
    """Brings a sheet in, from whatever program it comes, and says what it changes."""
    desk = at(ctx)
    found = look_at(desk, file, id)
    document: dict[str, Any] = {
        **found.model_dump(mode="json", exclude={"sheet"}),
        "kept": not dry_run,
        "counts": {
            "numbers": len(found.sheet.derived),
            "items": len(found.sheet.inventory_info.items),
        },
    }
    if not dry_run:
        shelf_of(desk).keep(file.read_bytes(), found)
    desk.answer(document, lambda: lines_about(found, dry_run))


def look_at(desk: Desk, file: Path, id: str = "") -> "SheetPreview":
    """What keeping a file would change."""
    from freeform.core.clock import SystemClock

    now = SystemClock().now().isoformat(timespec="seconds")
    return shelf_of(desk).preview(read_file(file), file.name, now, id)


def read_file(file: Path) -> bytes:
    """The bytes of a file someone named."""
    from freeform.core.errors import BadFile

    try:
        return file.read_bytes()
    except IsADirectoryError:
        raise BadFile(str(file), "a folder; give the character's file") from None
    except OSError as wrong:
        raise BadFile(
            str(file), f"{(wrong.strerror or 'cannot be read').lower()}; check the path"
        ) from None


def lines_about(found: "SheetPreview", dry_run: bool) -> list[str]:
    """What an import did, for a person."""
    basics = found.sheet.character_basics
    classes = " / ".join(f"{c.name} {c.level}" for c in basics.classes)
    verb = "Would keep" if dry_run else "Kept"
    head = (
        f"{verb} {found.name}{f', {classes}' if classes else ''} as {found.id} (from {found.kind})."
    )
    if found.already:
        return [f"{head} The very same file was kept before."]
    return [
        head,
        *(f"  {change}" for change in found.changes[:40] if found.replaces),
        *(
            [f"  … and {len(found.changes) - 40} more"]
            if found.replaces and len(found.changes) > 40
            else []
        ),
        *(f"Missing: {line}." for line in found.missing),
        f"See it: freeform-rpg character show {found.id}",
    ]


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
    from freeform.assistant.sheet.show import lines_of, section_named

    desk = at(ctx)
    sheet = sheet_of(desk, id, campaign=campaign)
    document = sheet.model_dump(mode="json", exclude={"effects"})
    if section:
        name = section_named(section)
        kept = {key: document[key] for key in ("id", "system", "edition", "source", "missing")}
        parts = _derived(sheet, name)
        document = {**kept, "section": name, name: document[name], "derived": parts}
    desk.answer(document, lambda: lines_of(sheet, section))


def _derived(sheet: "Sheet", section: str) -> dict[str, Any]:
    """The numbers that belong to a section."""
    from freeform.assistant.sheet.show import PARTS

    return {
        key: number.model_dump(mode="json")
        for key, number in sheet.derived.items()
        if number.section in PARTS[section]
    }


def sheet_of(desk: Desk, ref: str, *, campaign: bool = False) -> "Sheet":
    """A sheet by id or name; by file; or the hero of a campaign."""
    from freeform.assistant.sheet.campaign import campaign_sheet
    from freeform.assistant.sheet.read import read_sheet
    from freeform.core.errors import NotFound

    if campaign:
        return campaign_sheet(desk.run(lambda house: house.table.store.get_state(ref)))
    shelf = shelf_of(desk)
    try:
        return shelf.get(ref)
    except NotFound:
        if Path(ref).is_file():
            return read_sheet(Path(ref).read_bytes(), Path(ref).name)
        raise


@character.command("list", epilog="Example: freeform-rpg character list --json")
def list_(ctx: typer.Context) -> None:
    """Lists the sheets that were brought in."""
    desk = at(ctx)
    rows = shelf_of(desk).rows()
    none = ["No sheets yet. Bring one in: freeform-rpg character import FILE"]
    lines = [
        f"{row.id}  {row.name} ({', '.join(row.classes) or row.system}; from {row.kind})"
        for row in rows
    ]
    desk.answer({"characters": [row.model_dump(mode="json") for row in rows]}, lines or none)


@character.command(epilog="Example: freeform-rpg character remove brannoc_vale")
def remove(ctx: typer.Context, id: SheetId) -> None:
    """Takes a sheet off the list; the files that were imported stay under the home."""
    desk = at(ctx)
    gone = shelf_of(desk).remove(id)
    desk.answer({"id": gone}, [f"Removed {gone}; its imported files stay."])
