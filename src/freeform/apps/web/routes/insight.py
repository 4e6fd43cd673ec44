"""Routes for looking closely: where a fact comes from, what a model was asked, the world, game nights, export."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from fastapi import APIRouter, Response

from freeform import wiring
from freeform.apps.web import responses, views
from freeform.apps.web.archives import zipped
from freeform.apps.web.room import At, Once
from freeform.core.errors import NotFound
from freeform.core.llm.prompts import bundled
from freeform.engine.campaign import sessions, why
from freeform.engine.campaign.archive import export_jsonl, export_vault, export_zip
from freeform.engine.table import Rules

router = APIRouter(prefix="/api/campaigns/{campaign}", tags=["insight"])
ENDINGS = {"zip": "zip", "obsidian": "obsidian.zip", "jsonl": "jsonl"}


@router.get("/why/{fact_id:path}")
async def why_fact(room: At, campaign: str, fact_id: str) -> responses.Why:
    """Where a fact comes from. What the player has not learnt is not there."""
    fact = (await room.table.store.get_state(campaign)).facts.get(fact_id)
    if fact is not None and fact.visibility != "known":
        raise NotFound(f"no fact '{fact_id}' in '{campaign}'")
    return responses.Why(**await why.why(campaign, fact_id, room.table))


@router.get("/prompts/{turn_no}")
async def prompts(room: At, campaign: str, turn_no: int) -> responses.Prompts:
    """Every question a turn put to a model, word for word. It holds what the game master knows."""
    head = await room.table.store.head(campaign)
    if not 1 <= turn_no <= head.turn_no:
        raise NotFound(f"no turn {turn_no} in '{campaign}'; it has turns 1 to {head.turn_no}")
    ids = {
        getattr(row.entry, "turn_id", "")
        for row in await room.table.store.read(campaign, turn_no, turn_no)
    }
    tapes = await room.table.tapes.of_turn(campaign, turn_no)
    return responses.Prompts(
        passes=views.passes([tape for tape in tapes if tape.turn_id in ids], bundled())
    )


@router.get("/world")
async def world(room: At, campaign: str) -> responses.WorldShown:
    """Who and what the player has heard of."""
    store = room.table.store
    rules = Rules.of(await store.begun(campaign))
    return views.world(await store.get_state(campaign), rules, await store.tail(campaign, 200))


@router.get("/sessions")
async def nights(room: At, campaign: str) -> responses.Sessions:
    """All game nights, oldest first."""
    return responses.Sessions(sessions=sessions.history(await room.table.store.get_state(campaign)))


@router.post("/sessions/start")
async def start(room: At, key: Once, campaign: str) -> sessions.Session:
    """Opens a game night."""
    answer: sessions.Session = await room.plays.once(
        campaign, key, lambda: sessions.start_session(campaign, room.table)
    )
    return answer


@router.post("/sessions/end")
async def end(room: At, key: Once, campaign: str) -> sessions.Session:
    """Closes the game night with a summary."""
    answer: sessions.Session = await room.plays.once(
        campaign, key, lambda: sessions.end_session(campaign, room.table)
    )
    return answer


@router.get("/recap")
async def recap(room: At, campaign: str) -> responses.Recap:
    """Previously…"""
    return responses.Recap(recap=await sessions.recap(campaign, room.table))


@router.get(
    "/export",
    response_class=Response,
    responses={200: {"content": {"application/octet-stream": {}}}},
)
async def export(
    room: At, campaign: str, format: Literal["zip", "obsidian", "jsonl"] = "zip"
) -> Response:
    """The whole campaign as a file: everything, notes for Obsidian, or its log."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "out"
        match format:
            case "zip":
                await export_zip(campaign, path, room.table, wiring.campaign_files(room.settings))
            case "obsidian":
                await export_vault(campaign, Path(folder) / "notes", room.table)
                zipped(Path(folder) / "notes", path, campaign)
            case "jsonl":
                await export_jsonl(campaign, path, room.table)
        content = path.read_bytes()
    name = f'attachment; filename="{campaign}.{ENDINGS[format]}"'
    return Response(
        content, media_type="application/octet-stream", headers={"content-disposition": name}
    )
