"""Routes of packs: list, look, bring in, take away, search; and characters out again as cards."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Response, UploadFile

from freeform import wiring
from freeform.apps.web import responses
from freeform.apps.web.ingest_views import SystemRow, SystemsOnShelf
from freeform.apps.web.room import At, Room
from freeform.apps.web.uploads import PIECE, bring_in
from freeform.engine.authored.library import systems
from freeform.engine.shelf import pack_install
from freeform.packs.formats.card import export_card, to_json, to_png
from freeform.packs.model import PackValidation
from freeform.packs.verbs import PackInfo, PackList
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult, Viewer

router = APIRouter(prefix="/api", tags=["packs"])


@router.get("/packs")
async def packs(room: At) -> PackList:
    """Every version of every pack at hand."""
    return await room.kept.get(
        "packs", room.content("packs"), lambda: pack_install.listed(room.books)
    )


@router.get("/systems")
async def rules_systems(room: At) -> SystemsOnShelf:
    """Every rules system one can play with, the ones taken out of books too."""

    async def read() -> SystemsOnShelf:
        found = systems(room.settings.home)
        return SystemsOnShelf(
            systems=[SystemRow(id=s.id, name=s.name, inherits=s.inherits or "") for s in found]
        )

    return await room.kept.get("systems", room.content("systems"), read)


@router.get("/packs/{pack}")
async def pack(room: At, pack: str) -> PackInfo:
    """One pack: its manifest and what is in it."""
    return await pack_install.info(room.books, pack)


@router.get("/packs/{pack}/check")
async def check(room: At, pack: str) -> PackValidation:
    """What is wrong with a pack on the shelf, with file, line and fix."""
    return pack_install.validate(room.books, Path(room.books.shelf.find(pack).path))


@router.post("/packs", status_code=201)
async def install(room: At, file: UploadFile) -> responses.ImportedFile:
    """Installs a pack: a zip of one, a zip of Markdown notes, a lorebook, or a character card."""
    return await _bring(room, file, None)


@router.delete("/packs/{pack}")
async def remove(room: At, pack: str) -> pack_install.Shelving:
    """Takes a pack from the shelf; refused while a campaign needs it."""
    return await pack_install.remove(room.books, pack)


@router.post("/import", status_code=201)
async def import_file(
    room: At, file: UploadFile, campaign: Annotated[str, Form(max_length=64)] = ""
) -> responses.ImportedFile:
    """Brings in a campaign, pack, vault, lorebook or card; its kind is found by its content."""
    return await _bring(room, file, campaign)


async def _bring(room: Room, file: UploadFile, campaign: str | None) -> responses.ImportedFile:
    with TemporaryDirectory() as folder:
        kept, work = Path(folder) / "upload", Path(folder) / "work"
        work.mkdir()
        with kept.open("wb") as out:
            while piece := await file.read(PIECE):
                out.write(piece)
        return await bring_in(
            kept,
            file.filename or "upload",
            campaign,
            work,
            room.table,
            room.books,
            wiring.campaign_files(room.settings),
            room.settings.serve_upload_mb * 8_000_000,
        )


@router.get(
    "/packs/{pack}/cards/{entry}",
    response_class=Response,
    responses={200: {"content": {"application/json": {}}}},
)
async def card(
    room: At, pack: str, entry: str, format: Literal["json", "png"] = "json"
) -> Response:
    """A character of a pack as a character card, with every field it came with."""
    shelf = room.books.shelf
    found = export_card(shelf.load(shelf.find(pack)), entry)
    content, kind = (
        (to_png(found), "image/png") if format == "png" else (to_json(found), "application/json")
    )
    name = f'attachment; filename="{entry.rpartition(":")[2]}.{format}"'
    return Response(content, media_type=kind, headers={"content-disposition": name})


@router.get("/search")
async def search(
    room: At,
    q: Annotated[str, Query(max_length=1000)] = "",
    pack: Annotated[list[str] | None, Query()] = None,
    type: Annotated[list[str] | None, Query()] = None,
    campaign: Annotated[str, Query(max_length=64)] = "",
    corpus: Literal["authored", "history", "all"] = "all",
    view: Literal["player", "gm"] = "player",
    k: Annotated[int, Query(ge=1, le=100)] = 20,
) -> LoreRetrievalResult:
    """Passages of the packs that fit, each with its file and section; those of a campaign, or of all packs."""
    return await search_lore(room, q, pack or [], type or [], campaign, corpus, view, k)


async def search_lore(
    room: Room,
    q: str,
    packs: list[str],
    types: list[str],
    campaign: str,
    corpus: str,
    view: str,
    k: int = 20,
) -> LoreRetrievalResult:
    """The same for every door."""
    asked = LoreRetrievalQuery.model_validate(
        {"keywords": q, "packs": packs, "types": types, "k": k, "corpus": corpus}
    )
    store = room.table.store if campaign else None
    return await pack_install.search(
        room.books, asked, Viewer.parse(view), campaign=campaign, store=store
    )
