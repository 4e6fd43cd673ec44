"""The route of questions at a shared table: each is answered from what one's own seat may know."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body
from freeform.apps.web.room import At
from freeform.apps.web.routes.table.people import me
from freeform.apps.web.visitors import Who
from freeform.assistant.model import Answer
from freeform.services.assistant.seated import ask_at_table

router = APIRouter(prefix="/api/campaigns/{campaign}/company", tags=["people"])


class SeatAskBody(Body):
    """A question, and those before it in the same conversation, oldest first."""

    question: Annotated[str, Field(max_length=100_000)]
    before: Annotated[list[Annotated[str, Field(max_length=4000)]], Field(max_length=20)] = Field(
        default_factory=list
    )


@router.post("/ask")
async def ask(room: At, who: Who, campaign: str, asked: SeatAskBody) -> Answer:
    """Answers from your hero's sheet, what your hero saw, and the rules of this story."""
    _, asking = await me(room, campaign, who)
    return await ask_at_table(room.house, campaign, asking.id, asked.question, asked.before)
