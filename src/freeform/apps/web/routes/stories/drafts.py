"""Routes of the game master's desk: drafts of scenarios. The owner's alone."""

import asyncio

from fastapi import APIRouter, UploadFile
from fastapi.responses import Response

from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once
from freeform.apps.web.uploads import uploaded
from freeform.engine.proof.report import ScenarioReport
from freeform.services.campaigns import CampaignBegun
from freeform.services.desk import drafts as desk
from freeform.services.desk.drafts import DraftPublished, DraftRow, DraftShown, DraftWish
from freeform.services.desk.kept import VersionRow
from freeform.services.desk.preview import preview_draft

router = APIRouter(prefix="/api/drafts", tags=["drafts"])


class Drafts(responses.Shape):
    """All drafts, the last changed first, and the systems they may be written for."""

    drafts: list[DraftRow]
    deleted: int
    systems: list[desk.SystemChoice]


class DraftVersions(responses.Shape):
    """What is kept of a draft, newest first."""

    versions: list[VersionRow]


@router.get("")
async def drafts(room: At, deleted: bool = False) -> Drafts:
    """All drafts; with `deleted`, those in the bin."""

    def read() -> Drafts:
        bin = desk.list_drafts(room.house, deleted=True)
        shown = bin if deleted else desk.list_drafts(room.house)
        return Drafts(drafts=shown, deleted=len(bin), systems=desk.choices(room.house))

    return await asyncio.to_thread(read)


@router.post("", status_code=201)
async def begin(room: At, key: Once, wanted: requests.NewDraft) -> DraftShown:
    """Begins a draft: of nothing, of a premise, or as the copy of a story."""
    wish = DraftWish(**wanted.model_dump())

    async def work() -> DraftShown:
        return await desk.begin_draft(room.house, wish)

    made: DraftShown = await room.plays.once("", key, work)
    return made


@router.post("/file", status_code=201)
async def begin_from_file(room: At, file: UploadFile) -> DraftShown:
    """Begins a draft of a scenario's file."""
    async with uploaded(file) as arrival:
        return await desk.begin_from_file(room.house, arrival.path, arrival.name)


@router.get("/{draft}")
async def show(room: At, draft: str, version: int | None = None) -> DraftShown:
    """A draft as it stands, with the findings at their fields, the clues and the map."""
    return await desk.show_draft(room.house, draft, version)


@router.post("/{draft}")
async def save(room: At, key: Once, draft: str, wanted: requests.DraftBody) -> DraftShown:
    """Keeps a change, whatever state it is in. 409: somebody else came first; both are kept."""

    async def work() -> DraftShown:
        return await desk.save_draft(room.house, draft, wanted.scenario, wanted.version)

    kept: DraftShown = await room.plays.once(f"draft {draft}", key, work)
    return kept


@router.post("/{draft}/undo")
async def undo(room: At, draft: str) -> DraftShown:
    """Takes the last change back."""
    return await desk.step_draft(room.house, draft, back=True)


@router.post("/{draft}/redo")
async def redo(room: At, draft: str) -> DraftShown:
    """Takes it forth again."""
    return await desk.step_draft(room.house, draft, back=False)


@router.get("/{draft}/versions")
async def versions(room: At, draft: str) -> DraftVersions:
    """What is kept of a draft."""
    return DraftVersions(versions=await asyncio.to_thread(desk.list_versions, room.house, draft))


@router.post("/{draft}/version")
async def go_to(room: At, draft: str, wanted: requests.VersionBody) -> DraftShown:
    """Another version holds from now on."""
    return await desk.go_to_version(room.house, draft, wanted.number)


@router.get("/{draft}/check")
async def check(room: At, draft: str) -> ScenarioReport:
    """Every mistake, and what play reaches of it."""
    return await desk.check_draft(room.house, draft)


@router.get(
    "/{draft}/yaml", response_class=Response, responses={200: {"content": {"text/yaml": {}}}}
)
async def export(room: At, draft: str) -> Response:
    """The draft as a scenario's file."""
    named = f'attachment; filename="{draft}.yaml"'
    text = await asyncio.to_thread(desk.draft_text, room.house, draft)
    return Response(text, media_type="text/yaml", headers={"content-disposition": named})


@router.post("/{draft}/preview", status_code=201)
async def preview(
    room: At, key: Once, draft: str, wanted: requests.PreviewBody | None = None
) -> CampaignBegun:
    """Begins to play the draft as it stands; the last preview goes."""
    place = wanted.place if wanted else ""

    async def work() -> CampaignBegun:
        return await preview_draft(room.house, draft, place, room.plays.stop)

    begun: CampaignBegun = await room.plays.once("", key, work)
    return begun


@router.post("/{draft}/publish", status_code=201)
async def publish(room: At, key: Once, draft: str) -> DraftPublished:
    """Puts the draft on the shelf, once nothing is wrong with it."""

    async def work() -> DraftPublished:
        made = await desk.publish_draft(room.house, draft)
        return made.model_copy(update={"path": ""})

    made: DraftPublished = await room.plays.once(f"draft {draft}", key, work)
    return made


@router.delete("/{draft}")
async def delete(room: At, draft: str) -> DraftRow:
    """Into the bin."""
    return desk.delete_draft(room.house, draft)


@router.post("/{draft}/restore")
async def restore(room: At, draft: str) -> DraftRow:
    """Out of the bin."""
    return desk.delete_draft(room.house, draft, deleted=False)
