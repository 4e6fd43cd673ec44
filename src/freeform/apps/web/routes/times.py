"""Routes of time: undo, redo, other takes, branches, the X-card, other words."""

from collections.abc import Awaitable, Callable

from fastapi import APIRouter

from freeform.apps.web import requests, responses
from freeform.apps.web.room import At, Once, Room
from freeform.core.errors import UserError
from freeform.engine.campaign import timeline
from freeform.engine.campaign.x_card import x_card
from freeform.engine.log import LogPosition
from freeform.engine.turn import Say, hear

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["time"])


async def _go(
    room: Room, campaign: str, key: str, why: str, work: Callable[[], Awaitable[LogPosition]]
) -> responses.PlaceShown:
    """Does it once, between turns, and tells everyone where play stands now."""

    async def move() -> responses.PlaceShown:
        room.plays.check_free(campaign)
        place = await work()
        room.moved(campaign, place.branch, place.turn_no, why)
        return responses.PlaceShown(branch=place.branch, turn_no=place.turn_no)

    answer: responses.PlaceShown = await room.plays.once(campaign, key, move)
    return answer


@router.post("/undo")
async def undo(
    room: At, key: Once, campaign: str, wanted: requests.UndoBody | None = None
) -> responses.PlaceShown:
    """Takes turns back with everything they changed."""
    turns = wanted.turns if wanted else 1
    return await _go(
        room, campaign, key, "undo", lambda: timeline.undo(campaign, turns, room.table.store)
    )


@router.post("/redo")
async def redo(room: At, key: Once, campaign: str) -> responses.PlaceShown:
    """Goes forward again."""
    return await _go(room, campaign, key, "redo", lambda: timeline.redo(campaign, room.table.store))


@router.post("/choose")
async def choose(
    room: At, key: Once, campaign: str, wanted: requests.ChooseBody
) -> responses.PlaceShown:
    """Another take on a turn holds from now on."""
    store = room.table.store
    return await _go(
        room,
        campaign,
        key,
        "retry",
        lambda: timeline.choose(campaign, wanted.turn_no, wanted.take, store),
    )


@router.post("/branch")
async def branch(
    room: At, key: Once, campaign: str, wanted: requests.BranchBody | None = None
) -> responses.PlaceShown:
    """A new branch, and play goes on there."""
    asked = wanted or requests.BranchBody()
    return await _go(
        room,
        campaign,
        key,
        "branch",
        lambda: timeline.branch(campaign, room.table.store, asked.turn_no, asked.name or None),
    )


@router.post("/switch")
async def switch(
    room: At, key: Once, campaign: str, wanted: requests.SwitchBody
) -> responses.PlaceShown:
    """Play goes on in another branch."""
    return await _go(
        room,
        campaign,
        key,
        "switch",
        lambda: timeline.switch(campaign, wanted.branch, room.table.store),
    )


@router.post("/x")
async def x(
    room: At, key: Once, campaign: str, wanted: requests.XBody | None = None
) -> responses.PlaceShown:
    """The X-card: whatever is being told stops, the last turn is taken back, and `what` stays out of play."""
    what = wanted.what if wanted else ""
    await room.table.store.head(campaign)
    await room.plays.stop(campaign)
    return await _go(room, campaign, key, "x", lambda: x_card(campaign, what, room.table))


@router.post("/retry", status_code=202)
async def retry(room: At, key: Once, campaign: str) -> responses.PlaceShown:
    """Another take on the last turn: the same words, other dice. The old take is kept."""

    async def again() -> responses.PlaceShown:
        room.plays.check_free(campaign)
        back = await timeline.rewind_last(campaign, room.table.store)
        return _play(room, campaign, back.position, back.player_input, back.take, "retry")

    answer: responses.PlaceShown = await room.plays.once(campaign, key, again)
    return answer


@router.post("/edit", status_code=202)
async def edit(
    room: At, key: Once, campaign: str, wanted: requests.EditBody
) -> responses.PlaceShown:
    """Goes back before a turn and plays other words; the old ones stay as a branch."""
    text = hear(wanted.text)

    async def anew() -> responses.PlaceShown:
        room.plays.check_free(campaign)
        store = room.table.store
        head = await store.head(campaign)
        if wanted.turn_no > head.turn_no:
            raise UserError(
                f"no turn {wanted.turn_no} on branch '{head.branch}'; there are {head.turn_no}"
            )
        place = await timeline.branch(campaign, store, wanted.turn_no - 1)
        take = len(await store.takes(campaign, wanted.turn_no)) + 1
        return _play(room, campaign, place, text, take, "branch")

    answer: responses.PlaceShown = await room.plays.once(campaign, key, anew)
    return answer


def _play(
    room: Room, campaign: str, place: LogPosition, text: str, take: int, why: str
) -> responses.PlaceShown:
    room.moved(campaign, place.branch, place.turn_no, why)
    turn_id = room.table.ids.new("turn")
    room.plays.start(Say(campaign=campaign, text=text, turn_id=turn_id, take=take))
    return responses.PlaceShown(branch=place.branch, turn_no=place.turn_no + 1, turn_id=turn_id)


@router.get("/branches")
async def branches(room: At, campaign: str) -> responses.Branches:
    """All branches, the oldest first."""
    rows = await timeline.branches(campaign, room.table.store)
    return responses.Branches(branches=[responses.BranchRow(**row.model_dump()) for row in rows])


@router.get("/takes/{turn_no}")
async def takes(room: At, campaign: str, turn_no: int) -> responses.Takes:
    """Every take on a turn, the oldest first."""
    rows = await timeline.alternatives(campaign, turn_no, room.table.store)
    kept = ({k: v for k, v in row._asdict().items() if k != "entry"} for row in rows)
    return responses.Takes(takes=[responses.TakeRow(**row) for row in kept])
