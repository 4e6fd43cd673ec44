"""Routes of character sheets: list, look at a file before it is kept, keep it, show it with its numbers, take it away."""

from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, UploadFile
from pydantic import BaseModel

from freeform.apps.web.room import At, Room
from freeform.assistant.model import Number
from freeform.assistant.sheet.campaign import campaign_sheet
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.shelf import SheetPreview, SheetRow, SheetShelf
from freeform.assistant.sheet.show import PARTS, section_named
from freeform.core.errors import Conflict
from freeform.wiring.sheets import sheets

router = APIRouter(prefix="/api", tags=["sheets"])


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


class SheetSection(BaseModel):
    """One section of a sheet with its numbers."""

    id: str
    section: str
    content: dict[str, Any]
    derived: dict[str, Number]
    missing: list[str]


@router.get("/characters")
async def characters(room: At) -> Characters:
    """Every sheet that was brought in."""
    return Characters(characters=_shelf(room).rows())


@router.post("/characters/preview")
async def preview(
    room: At, file: Annotated[UploadFile, File()], id: Annotated[str, Form(max_length=64)] = ""
) -> SheetPreview:
    """What keeping a file would change: its sheet, the differences, what it lacks. Nothing is kept."""
    return _look(room, await file.read(), file.filename, id)


@router.post("/characters", status_code=201)
async def keep(
    room: At,
    file: Annotated[UploadFile, File()],
    id: Annotated[str, Form(max_length=64)] = "",
    hash: Annotated[str, Form(max_length=80)] = "",
) -> KeptSheet:
    """Keeps a sheet. With the `hash` of a preview, only if it is that very file."""
    content = await file.read()
    found = _look(room, content, file.filename, id)
    if hash and hash != found.hash:
        raise Conflict(
            "that is not the file that was looked at; look at it again before keeping it"
        )
    _shelf(room).keep(content, found)
    return KeptSheet(id=found.id, hash=found.hash)


@router.get("/characters/{id}")
async def show(room: At, id: str) -> Sheet:
    """A sheet in its normal form; `derived` has every computed number with its parts."""
    return _shelf(room).get(id)


@router.get("/characters/{id}/sections/{section}")
async def section(room: At, id: str, section: str) -> SheetSection:
    """One of the eight sections, by its name or that of one of its parts."""
    name, sheet = section_named(section), _shelf(room).get(id)
    return SheetSection(
        id=sheet.id,
        section=name,
        content=sheet.section(name).model_dump(mode="json"),
        derived={
            key: number for key, number in sheet.derived.items() if number.section in PARTS[name]
        },
        missing=sheet.missing,
    )


@router.delete("/characters/{id}")
async def remove(room: At, id: str) -> SheetRemoved:
    """Takes a sheet off the list; the files that were imported stay."""
    return SheetRemoved(id=_shelf(room).remove(id))


@router.get("/campaigns/{campaign}/character")
async def hero(room: At, campaign: str, turn: Annotated[int | None, Query(ge=0)] = None) -> Sheet:
    """The player's character of a campaign, as the player may know it."""
    return campaign_sheet(await room.table.store.get_state(campaign, turn))


def _shelf(room: Room) -> SheetShelf:
    return sheets(room.settings)


def _look(room: Room, content: bytes, name: str | None, id: str) -> SheetPreview:
    now = room.table.clock.now().isoformat(timespec="seconds")
    return _shelf(room).preview(
        content, (name or "upload").replace("\\", "/").rpartition("/")[2][:120], now, id
    )
