"""Routes of the lore researcher: where it stands, what it asks, the world it found; its watcher."""

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Query

from freeform.apps.web.room import At, Room
from freeform.core.record import Record
from freeform.lore.messages import Decision
from freeform.lore.model import Kind, LoreGraph, ResearchCheckpoint
from freeform.lore.publish.facts import NodeFacts, OptionEvidence
from freeform.services.lore import desk
from freeform.services.lore.desk import DecisionAnswered, StepNews, Works

router = APIRouter(prefix="/api/lore", tags=["lore"])
WATCH_S = 1.0
Game = Annotated[str, Query(max_length=200, description="The game; else the one last worked on.")]


class Games(Record):
    """The games with research, the one last worked on first."""

    games: list[str]


class Inbox(Record):
    """What waits for a person, oldest first."""

    decisions: list[Decision]


class Choice(Record):
    """An answer: one of the options, by its words or its number."""

    choice: str


class EvidenceShown(Record):
    """What speaks for each option of a decision."""

    options: list[OptionEvidence]


@router.get("/games")
async def games(room: At) -> Games:
    """Which worlds are researched."""
    return Games(games=await desk.list_games(room.settings))


@router.get("/status")
async def status(room: At, game: Game = "") -> ResearchCheckpoint:
    """Where research stands. The steps' raw data are left out."""
    return desk.without_step_data(await desk.show_status(room.settings, game))


@router.get("/work")
async def work(room: At) -> Works:
    """All games with their checkpoints, without the steps' raw data."""
    return await desk.list_work(room.settings)


@router.get("/inbox")
async def inbox(room: At, game: Game = "", all: bool = False) -> Inbox:
    """The open decisions; with `all` the answered ones too."""
    return Inbox(decisions=await desk.list_decisions(room.settings, game, open_only=not all))


@router.post("/decisions/{decision_id}")
async def decide(room: At, decision_id: str, answer: Choice) -> DecisionAnswered:
    """Answers a decision. The same answer again is harmless, another one is a conflict."""
    decision = await desk.decide(
        room.settings, decision_id, answer.choice, by="web", clock=room.table.clock
    )
    room.hub.tell(
        "lore_decision",
        game=decision.game,
        decision_id=decision.decision_id,
        choice=decision.choice,
        open=False,
    )
    return decision


@router.get("/decisions/{decision_id}/evidence")
async def evidence(room: At, decision_id: str) -> EvidenceShown:
    """What the accepted pages say of each way."""
    return EvidenceShown(options=await desk.show_evidence(room.settings, decision_id))


@router.get("/facts/{kind}/{id}")
async def facts(room: At, kind: Kind, id: str, game: Game = "") -> NodeFacts:
    """All that is known of one node, with quotes, conflicts and gaps."""
    return await desk.show_facts(room.settings, kind, id, game)


@router.get("/graph")
async def graph(
    room: At, game: Game = "", zone: Annotated[str, Query(max_length=200)] = ""
) -> LoreGraph:
    """The accepted world as nodes and edges; an end that is not researched yet has `data.stub`."""
    return await desk.show_graph(room.settings, game, zone)


async def watch(room: Room) -> None:
    """Tells the event stream of new decisions and of every step, until cancelled."""
    watch = desk.Watch()
    while True:
        await asyncio.sleep(WATCH_S)
        if room.hub.listeners:
            for news in await watch.news(room.settings):
                _tell(room, news)


def _tell(room: Room, news: Decision | StepNews) -> None:
    told: dict[str, Any]
    match news:
        case Decision():
            kind = "lore_decision"
            told = {
                "game": news.game,
                "decision_id": news.decision_id,
                "question": news.question,
                "options": news.options,
                "choice": news.choice,
                "open": news.open,
            }
        case StepNews():
            kind = "lore_step"
            told = news.model_dump()
    room.hub.tell(kind, **told)
