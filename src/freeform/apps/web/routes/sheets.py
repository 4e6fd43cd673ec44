"""Routes of character sheets: list, look at a file before it is kept, keep, show, take away."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import BaseModel

from freeform.apps.web.room import At, Seen
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.shelf import SheetPreview, SheetRow
from freeform.services.assistant import characters as service
from freeform.services.assistant.characters import SheetFile, SheetPart

router = APIRouter(prefix="/api", tags=["sheets"])
SheetId = Annotated[str, Form(max_length=64)]


class Characters(BaseModel):
    """The sheets at hand."""

    characters: list[SheetRow]


class KeptSheet(BaseModel):
    """A sheet that was kept."""

    id: str
    hash: str


class SheetRemoved(BaseModel):
    """A sheet that was taken away."""

    id: str


@router.get("/characters")
async def characters(room: At) -> Characters:
    """Every sheet that was brought in."""
    return Characters(characters=service.list_sheets(room.settings))


@router.post("/characters/preview")
async def preview(room: At, file: Annotated[UploadFile, File()], id: SheetId = "") -> SheetPreview:
    """What keeping a file would change: its sheet, the differences, what it lacks."""
    sheet_file = await _read(file, id)
    # In a thread: a long page takes seconds, and the other tables go on meanwhile.
    return await asyncio.to_thread(
        service.preview_sheet, room.settings, sheet_file, room.table.clock
    )


@router.post("/characters", status_code=201)
async def keep(
    room: At,
    file: Annotated[UploadFile, File()],
    id: SheetId = "",
    hash: Annotated[str, Form(max_length=80)] = "",
) -> KeptSheet:
    """Keeps a sheet. With the `hash` of a preview, only if it is that very file."""
    sheet_file = await _read(file, id)
    kept = await asyncio.to_thread(
        service.import_sheet, room.settings, sheet_file, hash, room.table.clock
    )
    return KeptSheet(id=kept.id, hash=kept.hash)


async def _read(file: UploadFile, id: str) -> SheetFile:
    return SheetFile(file.filename or "upload", await file.read(), id)


@router.get("/characters/{id}")
async def show(room: At, id: str) -> Sheet:
    """A sheet in its normal form; `derived` has every computed number with its parts."""
    return service.show_sheet(room.settings, id)


@router.get("/characters/{id}/sections/{section}")
async def section(room: At, id: str, section: str) -> SheetPart:
    """One of the eight sections, by its name or that of one of its parts."""
    return service.part_of(service.show_sheet(room.settings, id), section)


@router.delete("/characters/{id}")
async def remove(room: At, id: str) -> SheetRemoved:
    """Takes a sheet off the list; the files that were imported stay."""
    return SheetRemoved(id=service.remove_sheet(room.settings, id))


@router.get("/campaigns/{campaign}/character")
async def hero(
    house: Seen, campaign: str, turn: Annotated[int | None, Query(ge=0)] = None
) -> Sheet:
    """The player's character of a campaign, as the player may know it."""
    return await service.show_hero(house, campaign, turn)
