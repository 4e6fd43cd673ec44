"""Routes of time: undo, redo, other takes, branches, the X-card, other words."""

from fastapi import APIRouter

from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once, Seen
from freeform.engine.log import LogPosition
from freeform.services import campaigns, play
from freeform.services.gm.behind import check_last_correction
from freeform.services.play import Rewritten

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["time"])


def _place(place: LogPosition) -> responses.PlaceShown:
    return responses.PlaceShown(branch=place.branch, turn_no=place.turn_no)


def _playing(rewritten: Rewritten) -> responses.PlaceShown:
    """Where play will stand when the turn that was begun there is told."""
    place, turn_id = rewritten.place, rewritten.say.turn_id
    return responses.PlaceShown(branch=place.branch, turn_no=place.turn_no + 1, turn_id=turn_id)


@router.post("/undo")
async def undo(
    room: At, key: Once, campaign: str, wanted: requests.UndoBody | None = None
) -> responses.PlaceShown:
    """Takes turns back with everything they changed."""
    turns = wanted.turns if wanted else 1
    meant = wanted.correction if wanted else None

    async def work() -> LogPosition:
        if meant is not None:
            await check_last_correction(room.house, campaign, meant)
        return await play.undo(room.house, campaign, turns)

    return _place(await room.plays.move(campaign, "undo", work, key))


@router.post("/redo")
async def redo(room: At, key: Once, campaign: str) -> responses.PlaceShown:
    """Goes forward again."""

    async def work() -> LogPosition:
        return await play.redo(room.house, campaign)

    return _place(await room.plays.move(campaign, "redo", work, key))


@router.post("/choose")
async def choose(
    room: At, key: Once, campaign: str, wanted: requests.ChooseBody
) -> responses.PlaceShown:
    """Another take on a turn holds from now on."""

    async def work() -> LogPosition:
        return await play.choose_take(room.house, campaign, wanted.turn_no, wanted.take)

    return _place(await room.plays.move(campaign, "retry", work, key))


@router.post("/branch")
async def branch(
    room: At, key: Once, campaign: str, wanted: requests.BranchBody | None = None
) -> responses.PlaceShown:
    """A new branch, and play goes on there."""
    asked = wanted or requests.BranchBody()

    async def work() -> LogPosition:
        return await play.start_branch(room.house, campaign, asked.turn_no, asked.name or "")

    return _place(await room.plays.move(campaign, "branch", work, key))


@router.post("/switch")
async def switch(
    room: At, key: Once, campaign: str, wanted: requests.SwitchBody
) -> responses.PlaceShown:
    """Play goes on in another branch."""

    async def work() -> LogPosition:
        return await play.switch_branch(room.house, campaign, wanted.branch)

    return _place(await room.plays.move(campaign, "switch", work, key))


@router.post("/x")
async def x(
    room: At, key: Once, campaign: str, wanted: requests.XBody | None = None
) -> responses.PlaceShown:
    """The X-card: the telling stops, the last turn is taken back, and `what` stays out of play."""
    what = wanted.what if wanted else ""
    await campaigns.check_campaign(room.house, campaign)
    await room.plays.stop(campaign)

    async def work() -> LogPosition:
        return await play.use_x_card(room.house, campaign, what)

    return _place(await room.plays.move(campaign, "x", work, key))


@router.post("/retry", status_code=202)
async def retry(room: At, key: Once, campaign: str) -> responses.PlaceShown:
    """Another take on the last turn: the same words, other dice. The old take is kept."""

    async def work() -> Rewritten:
        return await play.rewind(room.house, campaign)

    return _playing(await room.plays.begin_anew(campaign, "retry", work, key))


@router.post("/edit", status_code=202)
async def edit(
    room: At, key: Once, campaign: str, wanted: requests.EditBody
) -> responses.PlaceShown:
    """Goes back before a turn and plays other words; the old ones stay as a branch."""

    async def work() -> Rewritten:
        return await play.other_words(room.house, campaign, wanted.turn_no, wanted.text)

    return _playing(await room.plays.begin_anew(campaign, "branch", work, key))


@router.get("/branches")
async def branches(room: At, campaign: str) -> responses.Branches:
    """All branches, the oldest first."""
    rows = await play.list_branches(room.house, campaign)
    return responses.Branches(branches=[responses.BranchRow(**row.model_dump()) for row in rows])


@router.get("/takes/{turn_no}")
async def takes(house: Seen, campaign: str, turn_no: int) -> responses.Takes:
    """Every take on a turn, the oldest first."""
    rows = await play.list_takes(house, campaign, turn_no)
    return responses.Takes(takes=[responses.TakeRow(**row.model_dump()) for row in rows])
