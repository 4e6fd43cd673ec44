"""Routes of dice at a shared table: roll, and the log of what was rolled."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body
from freeform.apps.web.room import At
from freeform.apps.web.routes.table.people import TalkShown, me
from freeform.apps.web.visitors import Who
from freeform.services.table import dice
from freeform.services.table.dice import RollWish, Secrecy
from freeform.services.table.talk import talk_row

router = APIRouter(prefix="/api/campaigns/{campaign}/company", tags=["people"])


class TableRollBody(Body):
    """What is rolled and what for; `secret`: `mine` or `gm`; `for_all`: once for each character."""

    expr: Annotated[str, Field(max_length=80)]
    why: Annotated[str, Field(max_length=200)] = ""
    secret: Secrecy = ""
    for_all: bool = False


@router.get("/rolls")
async def log(room: At, who: Who, campaign: str) -> TalkShown:
    """The dice log: who rolled what, and why, as far as you may see it."""
    _, asking = await me(room, campaign, who)
    return TalkShown(lines=await dice.read_rolls(room.house, campaign, asking.id))


@router.post("/rolls", status_code=201)
async def roll(room: At, who: Who, campaign: str, wanted: TableRollBody) -> TalkShown:
    """Rolls dice for all to see, in secret, or for everyone at once."""
    table, asking = await me(room, campaign, who)
    wish = RollWish.model_validate(wanted.model_dump())
    line = await dice.roll_at_table(room.house, campaign, asking.id, wish)
    room.tables.said(table, line)
    names = {each.id: each.name for each in table.people}
    return TalkShown(lines=[talk_row(line, names)])
