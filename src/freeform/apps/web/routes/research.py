"""Routes of research: begin, follow, go on, read."""

from typing import Any

from fastapi import APIRouter
from pydantic import Field

from freeform.apps.web.requests import Body
from freeform.apps.web.room import At, Room
from freeform.assistant.research import research as part
from freeform.wiring.research import opened_research, research_ports

router = APIRouter(prefix="/api/research", tags=["research"])


class ResearchWish(Body):
    """A question that takes several steps."""

    question: str = Field(min_length=1, max_length=4000)
    max_steps: int = Field(part.MAX_STEPS, ge=1, le=30)
    budget: int = Field(0, ge=0, description="Most tokens; 0 is no limit.")
    packs: list[str] = Field(default_factory=list)
    gm: bool = False


@router.get("")
async def listed(room: At) -> dict[str, Any]:
    """What was researched, newest first."""
    async with opened_research(room.settings) as store:
        return {"research": [row.model_dump() for row in await store.rows()]}


@router.get("/{research_id}")
async def read(room: At, research_id: str) -> dict[str, Any]:
    """All of one piece of research, as far as it is."""
    async with opened_research(room.settings) as store:
        return (await store.load(research_id)).model_dump(mode="json")


@router.post("", status_code=200)
async def begin(room: At, wish: ResearchWish) -> dict[str, Any]:
    """Does it to its end; `research` events on the stream tell how far it is."""
    async with research_ports(
        room.settings, packs=wish.packs, viewer="gm" if wish.gm else "player"
    ) as ports:
        tell = _teller(room)
        state = await part.research(
            wish.question, ports, max_steps=wish.max_steps, budget=wish.budget, tell=tell
        )
        return state.model_dump(mode="json")


@router.post("/{research_id}/resume")
async def go_on(room: At, research_id: str) -> dict[str, Any]:
    """Goes on where it stopped."""
    async with research_ports(room.settings) as ports:
        return (await part.resume(research_id, ports, tell=_teller(room))).model_dump(mode="json")


def _teller(room: Room) -> Any:
    research_id = ""

    def tell(kind: str, told: dict[str, object]) -> None:
        nonlocal research_id
        research_id = str(told.get("researchId", research_id))
        room.hub.tell("research", research=research_id, stage=kind, told=told)

    return tell
