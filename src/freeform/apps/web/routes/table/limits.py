"""Routes of safety: a table's lines and veils, shown and changed."""

from fastapi import APIRouter

from freeform.apps.web import requests
from freeform.apps.web.room import At, Once
from freeform.engine.campaign.limits import LimitChange
from freeform.engine.log import LogPosition
from freeform.services import campaigns, limits
from freeform.services.limits import LimitsShown

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["safety"])


@router.get("/limits")
async def show(room: At, campaign: str) -> LimitsShown:
    """The lines and veils that hold now."""
    return await limits.show_limits(room.house, campaign)


@router.post("/limits")
async def change(room: At, key: Once, campaign: str, wanted: requests.LimitsBody) -> LimitsShown:
    """Draws lines and veils, or takes them away. A telling on its way stops where more is kept
    out: its facts stay, and its words come with the next turn."""
    await campaigns.check_campaign(room.house, campaign)
    change = LimitChange(lines=wanted.lines, veils=wanted.veils, remove=wanted.remove)
    if change.lines or change.veils:
        await room.plays.stop(campaign)

    async def work() -> LogPosition:
        return await limits.change_limits(room.house, campaign, change)

    await room.plays.move(campaign, "limits", work, key)
    return await limits.show_limits(room.house, campaign)
