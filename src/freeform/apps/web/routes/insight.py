"""Routes for looking closely: why a fact is so, what a model was asked, the world, game nights."""

from fastapi import APIRouter, Response

from freeform.apps.web import responses
from freeform.apps.web.room import At, Once, Seen
from freeform.apps.web.visitors import Who
from freeform.core.errors import Forbidden
from freeform.engine.campaign.sessions import Session
from freeform.services import archives, campaigns, sessions
from freeform.services.archives import Format
from freeform.services.stories.portraits import read_portrait
from freeform.services.views.records import WorldShown

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["insight"])


@router.get("/why/{fact_id:path}")
async def why_fact(house: Seen, campaign: str, fact_id: str) -> responses.Why:
    """Where a fact comes from. What the player has not learnt is not there."""
    return responses.Why(**await campaigns.why(house, campaign, fact_id, known_only=True))


@router.get("/prompts/{turn_no}")
async def prompts(room: At, campaign: str, turn_no: int) -> responses.Prompts:
    """Every question a turn put to a model, word for word. It holds what the game master knows."""
    return responses.Prompts(passes=await campaigns.asked_in_turn(room.house, campaign, turn_no))


@router.get("/world")
async def world(house: Seen, campaign: str) -> WorldShown:
    """Who and what the player has heard of."""
    return await campaigns.world_view(house, campaign)


@router.get(
    "/portraits/{pack}", response_class=Response, responses={200: {"content": {"image/png": {}}}}
)
async def portrait(house: Seen, campaign: str, pack: str) -> Response:
    """The picture of someone who came with a character card."""
    content = await read_portrait(house, campaign, pack)
    kept = {"cache-control": "private, max-age=86400", "x-content-type-options": "nosniff"}
    return Response(content, media_type="image/png", headers=kept)


@router.get("/sessions")
async def nights(house: Seen, campaign: str) -> responses.Sessions:
    """All game nights, oldest first."""
    return responses.Sessions(sessions=await sessions.list_sessions(house, campaign))


@router.post("/sessions/start")
async def start(room: At, key: Once, campaign: str) -> Session:
    """Opens a game night."""
    night: Session = await room.plays.once(
        campaign, key, lambda: sessions.start_session(room.house, campaign)
    )
    return night


@router.post("/sessions/end")
async def end(room: At, key: Once, campaign: str) -> Session:
    """Closes the game night with a summary."""
    night: Session = await room.plays.once(
        campaign, key, lambda: sessions.end_session(room.house, campaign)
    )
    return night


@router.get("/recap")
async def recap(house: Seen, campaign: str) -> responses.Recap:
    """Previously…"""
    return responses.Recap(recap=(await sessions.recap(house, campaign)).recap)


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def export(
    room: At, house: Seen, who: Who, campaign: str, format: Format = Format.zip
) -> Response:
    """The whole campaign as a file: everything, notes for Obsidian, or its log. For those at the
    table who play, the story as a page (`format=html`), a book (`format=epub`), or a page to
    show to others (`format=share`: what the character knows, and nothing else)."""
    if format not in archives.STORY_ALONE and not who.knows_secrets:
        raise Forbidden("that holds what only the game master knows; take format=html, the story")
    told = house if format in archives.STORY_ALONE else room.house
    file = await archives.campaign_file(told, campaign, format)
    name = f'attachment; filename="{file.name}"'
    return Response(
        file.content, media_type="application/octet-stream", headers={"content-disposition": name}
    )
