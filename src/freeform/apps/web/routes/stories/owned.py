"""Routes of the front page, of stories as things one owns, and of the map."""

from fastapi import APIRouter

from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once, Room, Seen
from freeform.services import campaigns as tables
from freeform.services.stories import owned as service
from freeform.services.stories.cards import StoryRow
from freeform.services.stories.front import StoryFront, story_front
from freeform.services.views.map import MapShown

router = APIRouter(prefix="/api", tags=["stories"])
MOST_COVERS = 24


@router.get("/home")
async def home(room: At) -> responses.Home:
    """One's stories where they stand, last played first: what a front page shows."""
    rows = await tables.list_campaigns(room.house)
    own = [row for row in rows if not row.party and not row.archived]
    fronts = [await _front(room, row) for row in own[:MOST_COVERS]]
    bin = await tables.list_deleted(room.house)
    return responses.Home(stories=fronts, more=len(rows) - len(fronts), deleted=len(bin))


async def _front(room: Room, row: StoryRow) -> StoryFront:
    """Kept until the story's files change."""

    async def read() -> StoryFront:
        return await story_front(room.house, row)

    folder = room.settings.home / "campaigns" / row.id
    return await room.kept.get(f"front {row.id}", [folder], read)


@router.post("/campaigns/{campaign}/card")
async def change(room: At, campaign: str, wanted: requests.StoryBody) -> StoryRow:
    """Another name, or away into the archive and back."""
    if wanted.name is not None:
        await service.rename_story(room.house, campaign, wanted.name)
    if wanted.archived is not None:
        return await service.archive_story(room.house, campaign, wanted.archived)
    return await service.show_story(room.house, campaign)


@router.post("/campaigns/{campaign}/copy", status_code=201)
async def copy(
    room: At, key: Once, campaign: str, wanted: requests.CopyBody | None = None
) -> StoryRow:
    """The same story once more, under an id of its own."""

    async def work() -> StoryRow:
        room.plays.check_free(campaign)
        return await service.copy_story(room.house, campaign, wanted.name if wanted else "")

    made: StoryRow = await room.plays.once(campaign, key, work)
    return made


@router.delete("/campaigns/{campaign}")
async def delete(room: At, campaign: str, for_good: bool = False) -> StoryRow:
    """Into the bin, from which it can be taken back; with `for_good`, out of the bin and gone."""
    room.plays.check_free(campaign)
    if for_good:
        return await service.remove_story(room.house, campaign)
    return await service.delete_story(room.house, campaign)


@router.post("/campaigns/{campaign}/restore")
async def restore(room: At, campaign: str) -> StoryRow:
    """Out of the bin, as it was."""
    return await service.restore_story(room.house, campaign)


@router.get("/campaigns/{campaign}/map")
async def map(house: Seen, campaign: str) -> MapShown:
    """What the character knows of the world's shape: places, ways, and who was last seen where."""
    return await tables.map_view(house, campaign)
