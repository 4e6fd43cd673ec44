"""Routes of packs on the game master's desk: entries and random tables. The owner's alone."""

import asyncio

from fastapi import APIRouter

from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once
from freeform.services.desk import pack_drafts as desk
from freeform.services.desk.kept import VersionRow
from freeform.services.desk.pack_drafts import PackDraftRow, PackDraftShown, PackPublished

router = APIRouter(prefix="/api/pack-drafts", tags=["drafts"])


class PackDrafts(responses.Shape):
    """All packs on the desk, the last changed first."""

    drafts: list[PackDraftRow]


class PackVersions(responses.Shape):
    """What is kept of one, newest first."""

    versions: list[VersionRow]


@router.get("")
async def drafts(room: At, deleted: bool = False) -> PackDrafts:
    """All of them; with `deleted`, those in the bin."""
    rows = await asyncio.to_thread(lambda: desk.list_pack_drafts(room.house, deleted=deleted))
    return PackDrafts(drafts=rows)


@router.post("", status_code=201)
async def begin(room: At, key: Once, wanted: requests.NewPackDraft) -> PackDraftShown:
    """Begins one: new, or as the copy of a pack on the shelf."""

    async def work() -> PackDraftShown:
        return await desk.begin_pack_draft(room.house, wanted.name, wanted.pack)

    made: PackDraftShown = await room.plays.once("", key, work)
    return made


@router.get("/{draft}")
async def show(room: At, draft: str) -> PackDraftShown:
    """One as it stands, with what is wrong by file and line."""
    return await desk.show_pack_draft(room.house, draft)


@router.post("/{draft}")
async def save(room: At, key: Once, draft: str, wanted: requests.PackDraftBody) -> PackDraftShown:
    """Keeps a change, whatever state it is in. 409: somebody else came first; both are kept."""

    async def work() -> PackDraftShown:
        return await desk.save_pack_draft(room.house, draft, wanted.texts, wanted.version)

    kept: PackDraftShown = await room.plays.once(f"pack draft {draft}", key, work)
    return kept


@router.post("/{draft}/undo")
async def undo(room: At, draft: str) -> PackDraftShown:
    """Takes the last change back."""
    return await desk.step_pack_draft(room.house, draft, back=True)


@router.post("/{draft}/redo")
async def redo(room: At, draft: str) -> PackDraftShown:
    """Takes it forth again."""
    return await desk.step_pack_draft(room.house, draft, back=False)


@router.get("/{draft}/versions")
async def versions(room: At, draft: str) -> PackVersions:
    """What is kept of one."""
    rows = await asyncio.to_thread(desk.list_pack_versions, room.house, draft)
    return PackVersions(versions=rows)


@router.post("/{draft}/publish", status_code=201)
async def publish(room: At, key: Once, draft: str) -> PackPublished:
    """Puts it on the shelf, once nothing is wrong with it."""

    async def work() -> PackPublished:
        return await desk.publish_pack_draft(room.house, draft)

    made: PackPublished = await room.plays.once(f"pack draft {draft}", key, work)
    return made


@router.delete("/{draft}")
async def delete(room: At, draft: str) -> PackDraftRow:
    """Into the bin."""
    return desk.delete_pack_draft(room.house, draft)


@router.post("/{draft}/restore")
async def restore(room: At, draft: str) -> PackDraftRow:
    """Out of the bin."""
    return desk.delete_pack_draft(room.house, draft, deleted=False)
