"""Routes of packs: list, look, bring in, take away, search; and characters out again as cards."""

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Query, Response, UploadFile
from pydantic import BaseModel, Field

from freeform.apps.web import responses
from freeform.apps.web.ingest_views import SystemsOnShelf
from freeform.apps.web.room import At
from freeform.apps.web.uploads import uploaded
from freeform.engine.shelf.pack_install import Shelving
from freeform.packs.model import PackValidation
from freeform.packs.verbs import PackInfo, PackList
from freeform.retrieval.model import LoreRetrievalQuery, LoreRetrievalResult
from freeform.services import archives
from freeform.services import packs as books
from freeform.services.arrivals.bring import BroughtIn

router = APIRouter(prefix="/api", tags=["packs"])


@router.get("/packs")
async def packs(room: At) -> PackList:
    """Every version of every pack at hand."""
    return await room.kept.get("packs", room.content("packs"), lambda: books.list_packs(room.house))


@router.get("/systems")
async def rules_systems(room: At) -> SystemsOnShelf:
    """Every rules system one can play with, the ones taken out of books too."""

    async def read() -> SystemsOnShelf:
        return SystemsOnShelf(systems=books.list_systems(room.settings))

    return await room.kept.get("systems", room.content("systems"), read)


@router.get("/packs/{pack}")
async def pack(room: At, pack: str) -> PackInfo:
    """One pack: its manifest and what is in it."""
    return await books.pack_info(room.house, pack)


@router.get("/packs/{pack}/check")
async def check(room: At, pack: str) -> PackValidation:
    """What is wrong with a pack on the shelf, with file, line and fix."""
    return books.validate_pack(room.house, pack)


@router.post("/packs", status_code=201)
async def install(room: At, file: UploadFile) -> responses.ImportedFile:
    """Installs a pack: a zip of one, a zip of Markdown notes, a lorebook, or a character card."""
    async with uploaded(file) as arrival:
        return _shown(await archives.import_file(room.house, arrival))


@router.delete("/packs/{pack}")
async def remove(room: At, pack: str) -> Shelving:
    """Takes a pack from the shelf; refused while a campaign needs it."""
    return await books.remove_pack(room.house, pack)


@router.post("/import", status_code=201)
async def import_file(
    room: At,
    file: UploadFile,
    campaign: Annotated[str, Form(max_length=64)] = "",
    id: Annotated[str, Form(max_length=64)] = "",
) -> responses.ImportedFile:
    """Brings in a campaign, pack, vault, lorebook or card; its kind is found by its content."""
    async with uploaded(file, campaign=campaign, id=id) as arrival:
        return _shown(await archives.import_file(room.house, arrival))


def _shown(done: BroughtIn) -> responses.ImportedFile:
    return responses.ImportedFile(
        kind=done.kind,
        counts=done.counts,
        id=done.id,
        warnings=done.warnings,
        scenario=done.scenario,
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
    file = books.character_card(room.house, pack, entry, format)
    name = f'attachment; filename="{file.name}"'
    return Response(file.content, media_type=file.media_type, headers={"content-disposition": name})


class SearchWish(BaseModel):
    """What to look for, and where."""

    q: Annotated[str, Field(max_length=1000)] = ""
    pack: list[str] = Field(default_factory=list)
    type: list[str] = Field(default_factory=list)
    campaign: Annotated[str, Field(max_length=64)] = ""
    corpus: Literal["authored", "history", "all"] = "all"
    view: Literal["player", "gm"] = "player"
    k: Annotated[int, Field(ge=1, le=100)] = 20


@router.get("/search")
async def search(room: At, wish: Annotated[SearchWish, Query()]) -> LoreRetrievalResult:
    """Passages that fit, of a campaign or of all packs, each with its file and section."""
    wanted = LoreRetrievalQuery(
        keywords=wish.q, packs=wish.pack, types=wish.type, k=wish.k, corpus=wish.corpus
    )
    return await books.search_packs(room.house, wanted, wish.view, wish.campaign)
