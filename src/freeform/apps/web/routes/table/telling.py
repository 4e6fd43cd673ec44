"""Routes of a game master who tells every turn: what waits, a proposal, and the telling."""

from contextlib import AbstractAsyncContextManager
from typing import Annotated, cast

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At, Key, Room
from freeform.apps.web.routes.table.people import CompanyShown, changed, me
from freeform.apps.web.visitors import Who
from freeform.core.text import MAX_INPUT
from freeform.engine.log import LogPosition, Resolved
from freeform.services.gm import telling
from freeform.services.gm.telling import ProposeWish, TellWish, TurnProposed, WrittenRow

router = APIRouter(prefix="/api/campaigns/{campaign}/company", tags=["people"])
Turns = Annotated[list[Word], Field(max_length=40)]
Passage = Annotated[str, Field(max_length=2 * MAX_INPUT)]


class ByHandBody(Body):
    """Whether the game master tells every turn."""

    on: bool


class ProposeBody(Body):
    """What to propose: for those turns, all that waits in one place, or words of one's own."""

    turns: Turns = Field(default_factory=list)
    text: Passage = ""
    seat: Word = ""


class TellBody(Body):
    """The telling; `proposed` keeps what was ruled in the last proposal (`proposal` says which one
    it must still be), `passage` answers nothing that waits."""

    text: Passage = ""
    turns: Turns = Field(default_factory=list)
    proposed: bool = False
    proposal: Annotated[str, Field(max_length=100)] = ""
    passage: bool = False
    seat: Word = ""


class WrittenShown(Shape):
    """What waits for the game master."""

    written: list[WrittenRow]


class ToldPlace(Shape):
    """Where the story stands once it is told."""

    turn_no: int
    branch: str


@router.post("/by-hand")
async def by_hand(room: At, who: Who, campaign: str, wanted: ByHandBody) -> CompanyShown:
    """The game master tells every turn from now on; or the engine does again."""
    _, asking = await me(room, campaign, who)
    table = await telling.set_by_hand(room.house, campaign, asking.id, wanted.on)
    return await changed(room, table, asking.id, "mode")


@router.get("/written")
async def written(room: At, who: Who, campaign: str) -> WrittenShown:
    """What players have written and nobody has told yet."""
    _, asking = await me(room, campaign, who)
    return WrittenShown(written=await telling.list_written(room.house, campaign, asking.id))


@router.post("/propose")
async def propose(room: At, who: Who, campaign: str, wanted: ProposeBody) -> TurnProposed:
    """What the engine would rule, roll and say; nothing is written."""
    _, asking = await me(room, campaign, who)
    return await propose_here(
        room, campaign, asking.id, ProposeWish.model_validate(wanted.model_dump())
    )


@router.post("/tell")
async def tell(room: At, who: Who, key: Key, campaign: str, wanted: TellBody) -> ToldPlace:
    """Tells a turn; the same key tells it once."""
    _, asking = await me(room, campaign, who)
    wish = TellWish.model_validate({**wanted.model_dump(), "turn_id": key})
    place = await tell_here(room, campaign, asking.id, wish)
    return ToldPlace(turn_no=place.turn_no, branch=place.branch)


async def propose_here(room: Room, campaign: str, person: str, wish: ProposeWish) -> TurnProposed:
    """Has a telling proposed while no turn is on its way, here or at another process."""

    async def work() -> TurnProposed:
        room.plays.check_free(campaign)
        return await telling.propose(room.house, campaign, person, wish)

    room.plays.check_free(campaign)
    async with _alone(room, campaign):
        return cast(TurnProposed, await room.plays.once(campaign, "", work))


def _alone(room: Room, campaign: str) -> AbstractAsyncContextManager[None]:
    """Inside, nobody plays what is due. It comes before `once`, as where that is played."""
    return room.wire.lease(campaign) if room.wire else room.house.tables.lease(campaign)


async def tell_here(room: Room, campaign: str, person: str, wish: TellWish) -> LogPosition:
    """Tells a turn between others, and those who see it hear it as any other."""

    async def work() -> LogPosition:
        room.plays.check_free(campaign)
        before = await room.table.store.get_state(campaign)
        place = await telling.tell(room.house, campaign, person, wish)
        for row in await room.table.store.tail(campaign, 1):
            if isinstance(row.entry, Resolved) and row.turn_no > before.turn_no:
                await room.plays.show_told(before, row.entry)
        return place

    key = f"{wish.turn_id} tell" if wish.turn_id else ""
    if not key:
        room.plays.check_free(campaign)
    async with _alone(room, campaign):
        place: LogPosition = await room.plays.once(campaign, key, work)
    room.tables.changed(campaign, "turn")
    room.tables.wake(campaign)
    room.tables.listen(campaign)
    return place
