"""Routes of AI players at a shared table: brought, sent away, and standing in for someone away."""

from fastapi import APIRouter

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.responses import Shape
from freeform.apps.web.room import At
from freeform.apps.web.routes.table.people import CompanyShown, changed, me
from freeform.apps.web.visitors import Who
from freeform.services.table import companions
from freeform.services.table.companions import PersonaRow

router = APIRouter(prefix="/api/campaigns/{campaign}/company", tags=["people"])


class CompanionBody(Body):
    """An AI player by name, and the seat they take; without one they bring a character along."""

    persona: Word
    seat: Word = ""


class StandInBody(Body):
    """The AI player who plays your hero while you are away; '' lets it wait."""

    persona: Word = ""


class CompanionsShown(Shape):
    """The AI players who can be asked."""

    companions: list[PersonaRow]


@router.get("/companions")
async def who_there_is(room: At, campaign: str) -> CompanionsShown:
    """The AI players who can be asked to the table."""
    return CompanionsShown(companions=companions.list_companions())


@router.post("/companions", status_code=201)
async def add(room: At, who: Who, campaign: str, wanted: CompanionBody) -> CompanyShown:
    """An AI player sits down, in play too."""
    _, asking = await me(room, campaign, who)
    table = await companions.add_companion(
        room.house, campaign, asking.id, wanted.persona, wanted.seat
    )
    return await changed(room, table, asking.id, "companion")


@router.delete("/companions/{person}")
async def remove(room: At, who: Who, campaign: str, person: str) -> CompanyShown:
    """An AI player gets up; their seat is free."""
    _, asking = await me(room, campaign, who)
    table = await companions.remove_companion(room.house, campaign, asking.id, person)
    return await changed(room, table, asking.id, "companion")


@router.post("/stand-in")
async def stand_in(room: At, who: Who, campaign: str, wanted: StandInBody) -> CompanyShown:
    """Says who plays your hero while you are away, or that it waits for you."""
    _, asking = await me(room, campaign, who)
    table = await companions.allow_stand_in(room.house, campaign, asking.id, wanted.persona)
    return await changed(room, table, asking.id, "stand-in")
