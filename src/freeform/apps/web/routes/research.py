"""Routes of research: begin, follow, go on, read."""

from typing import Annotated, Any

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body, Word
from freeform.apps.web.room import At, Room
from freeform.assistant.research.execute import Tell
from freeform.assistant.research.research import MAX_STEPS
from freeform.services.assistant import research as service
from freeform.services.assistant.research import ResearchRequest

router = APIRouter(prefix="/api/research", tags=["research"])


class ResearchWish(Body):
    """A question that takes several steps."""

    question: str = Field(min_length=1, max_length=4000)
    max_steps: int = Field(MAX_STEPS, ge=1, le=30)
    budget: int = Field(0, ge=0, description="Most tokens; 0 is no limit.")
    packs: list[str] = Field(default_factory=list)
    notes: Annotated[Word, Field(description="Also in these notes: a campaign.")] = ""
    gm: bool = False


@router.get("")
async def listed(room: At) -> dict[str, Any]:
    """What was researched, newest first."""
    return {"research": [row.model_dump() for row in await service.list_research(room.settings)]}


@router.get("/{research_id}")
async def read(room: At, research_id: str) -> dict[str, Any]:
    """All of one piece of research, as far as it is."""
    return (await service.load_research(room.settings, research_id)).model_dump(mode="json")


@router.post("", status_code=200)
async def begin(room: At, wish: ResearchWish) -> dict[str, Any]:
    """Does it to its end; `research` events on the stream tell how far it is."""
    request = ResearchRequest(
        question=wish.question,
        packs=wish.packs,
        notes=wish.notes,
        viewer="gm" if wish.gm else "player",
        max_steps=wish.max_steps,
        budget=wish.budget,
    )
    state = await service.begin_research(room.house, request, teller(room))
    return state.model_dump(mode="json")


@router.post("/{research_id}/resume")
async def go_on(room: At, research_id: str) -> dict[str, Any]:
    """Goes on where it stopped."""
    state = await service.resume_research(room.house, research_id, ResearchRequest(), teller(room))
    return state.model_dump(mode="json")


def teller(room: Room) -> Tell:
    """Tells how far a piece of research is, to whoever listens."""
    research_id = ""

    def tell(kind: str, news: dict[str, object]) -> None:
        nonlocal research_id
        research_id = str(news.get("researchId", research_id))
        room.hub.tell("research", research=research_id, stage=kind, told=news)

    return tell
