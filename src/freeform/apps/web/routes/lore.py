"""Routes of the lore researcher: where it stands, what it asks, the world it has found; and its watcher."""

import asyncio
from typing import Annotated

from fastapi import APIRouter, Query

from freeform.apps.web.room import At, Room
from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.lore.daemon.work_zone import STEPS
from freeform.lore.messages import Decision
from freeform.lore.model import Kind, LoreGraph, ResearchCheckpoint
from freeform.lore.ports import LoreStore, Spend
from freeform.lore.publish.facts import (
    NodeFacts,
    OptionEvidence,
    evidence_for,
    facts_of,
)
from freeform.lore.publish.graph_view import shown_graph
from freeform.wiring.lore import begun, opened_store

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


class Work(Record):
    """One game at work: where it stands, what it has spent, and what it may."""

    game: str
    checkpoint: ResearchCheckpoint
    spent: Spend
    per_cycle: int
    per_day: int
    last_at: str = ""
    """When its last step was done."""
    open_decisions: int = 0


class Works(Record):
    """Every game, the one last worked on first; and what the ten steps are called."""

    works: list[Work]
    steps: list[str]


class EvidenceShown(Record):
    """What speaks for each option of a decision."""

    options: list[OptionEvidence]


class DecisionAnswered(Decision):
    """A decision after an answer. `already`: it was answered before, and nothing has changed."""

    already: bool = False


@router.get("/games")
async def games(room: At) -> Games:
    """Which worlds are researched."""
    if not begun(room.settings):
        return Games(games=[])
    async with opened_store(room.settings) as store:
        return Games(games=await store.games())


@router.get("/status")
async def status(room: At, game: Game = "") -> ResearchCheckpoint:
    """Where research stands. The steps' raw data are left out."""
    async with opened_store(room.settings) as store:
        chosen = await _game(store, game)
        point = await store.load_checkpoint(chosen)
        if point is None:
            raise NotFound(f"no research on '{chosen}'")
        return point.model_copy(update={"step_data": {}})


@router.get("/work")
async def work(room: At) -> Works:
    """All games with their checkpoints, without the steps' raw data."""
    names = [name for name, _ in STEPS]
    if not begun(room.settings):
        return Works(works=[], steps=names)
    async with opened_store(room.settings) as store:
        waiting = await store.decisions(open_only=True)
        found = [
            await _work(room, store, game, sum(one.game == game for one in waiting))
            for game in await store.games()
        ]
    return Works(works=[one for one in found if one], steps=names)


@router.get("/inbox")
async def inbox(room: At, game: Game = "", all: bool = False) -> Inbox:
    """The open decisions; with `all` the answered ones too."""
    if not begun(room.settings):
        return Inbox(decisions=[])
    async with opened_store(room.settings) as store:
        return Inbox(decisions=await store.decisions(game, open_only=not all))


@router.post("/decisions/{decision_id}")
async def decide(room: At, decision_id: str, answer: Choice) -> DecisionAnswered:
    """Answers a decision. The same answer again is harmless, another one is a conflict."""
    now = room.table.clock.now().isoformat(timespec="seconds")
    async with opened_store(room.settings) as store:
        before = {one.decision_id: one for one in await store.decisions()}.get(decision_id)
        decision = await store.answer(decision_id, answer.choice, by="web", at=now)
    room.hub.tell(
        "lore_decision",
        game=decision.game,
        decision_id=decision_id,
        choice=decision.choice,
        open=False,
    )
    return DecisionAnswered(**decision.model_dump(), already=before is not None and not before.open)


@router.get("/decisions/{decision_id}/evidence")
async def evidence(room: At, decision_id: str) -> EvidenceShown:
    """What the accepted pages say of each way."""
    async with opened_store(room.settings) as store:
        found = next(
            (one for one in await store.decisions() if one.decision_id == decision_id), None
        )
        if found is None:
            raise NotFound(f"there is no decision '{decision_id}'")
        return EvidenceShown(options=await evidence_for(store, found))


@router.get("/facts/{kind}/{id}")
async def facts(room: At, kind: Kind, id: str, game: Game = "") -> NodeFacts:
    """All that is known of one node, with quotes, conflicts and gaps."""
    async with opened_store(room.settings) as store:
        return await facts_of(store, await _game(store, game), kind, id)


@router.get("/graph")
async def graph(
    room: At, game: Game = "", zone: Annotated[str, Query(max_length=200)] = ""
) -> LoreGraph:
    """The accepted world as nodes and edges; an end that is not researched yet has `data.stub`."""
    async with opened_store(room.settings) as store:
        return await shown_graph(store, await _game(store, game), zone)


async def watch(room: Room) -> None:
    """Tells the event stream of new decisions and of every step, until cancelled. The daemon is another process."""
    told: dict[str, str] = {}
    steps: dict[str, int] = {}
    while True:
        await asyncio.sleep(WATCH_S)
        if not room.hub.listeners or not begun(room.settings):
            continue
        async with opened_store(room.settings) as store:
            for decision in await store.decisions():
                if told.get(decision.decision_id) != decision.choice:
                    told[decision.decision_id] = decision.choice
                    room.hub.tell(
                        "lore_decision", game=decision.game, decision_id=decision.decision_id,
                        question=decision.question, options=decision.options, choice=decision.choice, open=decision.open,
                    )  # fmt: skip
            for game in await store.games():
                point = await store.load_checkpoint(game)
                if point and steps.get(game) != point.sequence:
                    steps[game] = point.sequence
                    room.hub.tell(
                        "lore_step",
                        game=game,
                        zone_name=point.zone_name,
                        current_step=point.current_step,
                    )


async def _work(room: Room, store: LoreStore, game: str, waiting: int) -> Work | None:
    point = await store.load_checkpoint(game)
    if point is None:
        return None
    done = await store.steps_done(game)
    return Work(
        game=game, checkpoint=point.model_copy(update={"step_data": {}}),
        spent=sum((step.spend for step in done), Spend()), last_at=done[-1].at if done else "", open_decisions=waiting,
        per_cycle=room.settings.lore_per_cycle_token_budget, per_day=room.settings.lore_daily_token_budget,
    )  # fmt: skip


async def _game(store: LoreStore, game: str) -> str:
    known = await store.games()
    if not game and not known:
        raise NotFound(
            "nothing is researched yet; begin with: freeform-rpg lore start --zone ZONE --game GAME"
        )
    return game or known[0]
