"""Character sheets: look at a file, keep it, show it with its numbers, list them, take one away."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freeform.assistant.model import Number
from freeform.assistant.sheet.campaign import campaign_sheet
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.shelf import SheetPreview, SheetRow
from freeform.assistant.sheet.show import PARTS, section_named
from freeform.core.clock import Clock, SystemClock
from freeform.core.errors import Conflict, NotFound
from freeform.core.record import Record
from freeform.services.files import file_bytes
from freeform.services.house import House
from freeform.settings import Settings
from freeform.wiring.sheets import sheets

LONGEST_NAME = 120
"""Letters of a file's name that are kept."""


@dataclass(frozen=True)
class SheetFile:
    """A file that someone brings, and the id its sheet shall have ('': from its name)."""

    name: str
    content: bytes
    id: str = ""


class SheetPart(Record):
    """One section of a sheet with the numbers that belong to it."""

    id: str
    section: str
    content: dict[str, Any]
    derived: dict[str, Number]
    missing: list[str]


def read_sheet_file(path: Path, id: str = "") -> SheetFile:
    """A file of this machine. BadFile says why it cannot be read."""
    return SheetFile(path.name, file_bytes(path), id)


def preview_sheet(settings: Settings, file: SheetFile, clock: Clock | None = None) -> SheetPreview:
    """What keeping a file would change. Nothing is kept."""
    now = (clock or SystemClock()).now().isoformat(timespec="seconds")
    name = file.name.replace("\\", "/").rpartition("/")[2][:LONGEST_NAME]
    return sheets(settings).preview(file.content, name, now, file.id)


def import_sheet(
    settings: Settings, file: SheetFile, expected_hash: str = "", clock: Clock | None = None
) -> SheetPreview:
    """Keeps a sheet, and says what that changed. With a hash: only if it is that very file."""
    preview = preview_sheet(settings, file, clock)
    if expected_hash and expected_hash != preview.hash:
        raise Conflict(
            "that is not the file that was looked at; look at it again before keeping it"
        )
    sheets(settings).keep(file.content, preview)
    return preview


def list_sheets(settings: Settings) -> list[SheetRow]:
    """Every sheet that was brought in."""
    return sheets(settings).rows()


def show_sheet(settings: Settings, ref: str, *, files: bool = False) -> Sheet:
    """A sheet by its id or name; where files may be named, also one that was never brought in."""
    try:
        return sheets(settings).get(ref)
    except NotFound:
        path = Path(ref)
        if files and path.is_file():
            return read_sheet(file_bytes(path), path.name)
        raise


async def show_hero(house: House, campaign: str, turn: int | None = None) -> Sheet:
    """The player's character of a campaign, as the player may know it."""
    return campaign_sheet(await house.table.store.get_state(campaign, turn))


def part_of(sheet: Sheet, section: str) -> SheetPart:
    """One of the eight sections, by its name or that of one of its parts. NotFound lists them."""
    name = section_named(section)
    numbers = {
        key: number for key, number in sheet.derived.items() if number.section in PARTS[name]
    }
    return SheetPart(
        id=sheet.id,
        section=name,
        content=sheet.section(name).model_dump(mode="json"),
        derived=numbers,
        missing=sheet.missing,
    )


def remove_sheet(settings: Settings, ref: str) -> str:
    """Takes a sheet off the list, and gives its id; the files that were imported stay."""
    return sheets(settings).remove(ref)
