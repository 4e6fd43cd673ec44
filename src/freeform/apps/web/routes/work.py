"""Routes of long work: one list of all of it, and what can be done about each piece."""

import asyncio

from fastapi import APIRouter

from freeform.apps.web.room import At, Room
from freeform.apps.web.routes.research import teller
from freeform.core.errors import UserError
from freeform.services.operate.work import (
    Deed,
    WorkKind,
    WorkList,
    WorkRow,
    list_long_work,
    try_again,
)

router = APIRouter(prefix="/api/jobs", tags=["server"])


@router.get("")
async def jobs(room: At) -> WorkList:
    """Books, parties, research, lore, and workers' queues: what runs, waits, or failed."""
    return await _listed(room)


@router.post("/{kind}/{id}/{deed}")
async def do(room: At, kind: WorkKind, id: str, deed: Deed) -> WorkList:
    """Pauses a piece of work, takes it up again (what failed, too), or forgets it."""
    match kind, deed:
        case "book", "pause":
            await room.ingests.pause(id)
        case "book", "resume":
            room.ingests.resume(id)
        case "book", "forget":
            await room.ingests.remove(id)
        case "party", "pause":
            await room.parties.stop(id)
        case "research", "resume":
            await room.research.go_on(id, teller(room))
        case "worker", "resume":
            await asyncio.to_thread(try_again, room.settings, id)
        case _:
            raise UserError(f"a {kind} cannot be told to {deed}; the list says what it can")
    return await _listed(room)


async def _listed(room: Room) -> WorkList:
    parties: list[WorkRow] = []
    for party in room.parties.running():
        parties.append(WorkRow(kind="party", id=party, title=party, state="running", can=["pause"]))
    for party, asked in room.parties.waiting.items():
        note = f"{asked.who}: {asked.question}"
        parties.append(WorkRow(kind="party", id=party, title=party, state="asks", note=note))
    for party, problem in room.parties.problems.items():
        parties.append(WorkRow(kind="party", id=party, title=party, state="failed", note=problem))
    return await list_long_work(room.settings, room.ingests.all(), parties, room.research.known())
