"""Routes of a human game master: edit the state, say what is so, whisper, note, style, pin."""

from typing import cast

from fastapi import APIRouter

from freeform.apps.web import requests
from freeform.apps.web.room import At, Once
from freeform.engine.hand.correct import Corrected
from freeform.services import campaigns
from freeform.services.gm import hand
from freeform.services.gm.behind import BehindScreen, behind_screen
from freeform.services.gm.hand import HandShown

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["game master"])


@router.get("/gm")
async def show(room: At, campaign: str) -> HandShown:
    """The whispers, the note, the style and the pins that hold now."""
    return await hand.show(room.house, campaign)


@router.get("/gm/screen")
async def screen(room: At, campaign: str) -> BehindScreen:
    """What is true, whoever knows it: secrets, clocks, people's wants, corrections."""
    return await behind_screen(room.house, campaign)


@router.post("/gm")
async def lay_down(room: At, key: Once, campaign: str, wanted: requests.HandBody) -> Corrected:
    """Edits the state, says what is so, whispers, leaves a note or pins a fact; `undo` takes it
    back."""
    await campaigns.check_campaign(room.house, campaign)

    async def work() -> Corrected:
        return await hand.lay_down(
            room.house, campaign, wanted.verb, wanted.text, why=wanted.why, turns=wanted.turns
        )

    return cast(Corrected, await room.plays.move(campaign, "game master", work, key))


@router.post("/gm/pen")
async def pen(room: At, key: Once, campaign: str, wanted: requests.PenBody) -> Corrected:
    """Takes the narrator's pen: a passage of one's own, other words for a turn, the last one
    told anew; `undo` takes it back."""
    await campaigns.check_campaign(room.house, campaign)

    async def work() -> Corrected:
        return await hand.hold_pen(room.house, campaign, wanted.verb, wanted.text, wanted.turn_no)

    return cast(Corrected, await room.plays.move(campaign, "game master", work, key))


@router.post("/gm/style")
async def style(room: At, key: Once, campaign: str, wanted: requests.StyleBody) -> Corrected:
    """Says how prose is told from now on."""
    await campaigns.check_campaign(room.house, campaign)
    chosen = hand.style_of(wanted.model_dump())

    async def work() -> Corrected:
        return await hand.style(room.house, campaign, chosen)

    return cast(Corrected, await room.plays.move(campaign, "game master", work, key))
