"""Routes with which a person judges a researched world, and begins and stops research."""

import asyncio
from collections.abc import Coroutine
from typing import Annotated, Any, Literal, TypeVar

from fastapi import APIRouter, Query
from pydantic import Field

from freeform.apps.web.room import At
from freeform.core.record import Record
from freeform.lore.messages import PersonRequest
from freeform.lore.person.shown import FactShown
from freeform.services.lore import person
from freeform.services.lore.agents import StartRequest
from freeform.services.lore.person import FactSaid, MergeSaid, Said, ToJudge
from freeform.services.lore.running import RunningView

T = TypeVar("T")
router = APIRouter(prefix="/api/lore", tags=["lore"])
Game = Annotated[str, Query(max_length=200, description="The game; else the one last worked on.")]


async def _apart(work: Coroutine[Any, Any, T]) -> T:
    """In a thread with a loop of its own: a word makes packages anew, and others play meanwhile."""
    return await asyncio.to_thread(asyncio.run, work)


class FactsShown(Record):
    """Every fact with a quote and its source."""

    facts: list[FactShown]


class ConflictChoice(Record):
    """`a`, `b`, `neither`, or the right value in words."""

    choice: str = Field(min_length=1, max_length=2_000)
    note: str = Field("", max_length=2_000)


class LabelSaid(Record):
    """What a label means: a predicate, or `nothing`."""

    label: str = Field(max_length=400)
    means: str = Field(max_length=100)


class ZonesAsked(Record):
    """Which zones; all where none is named."""

    zones: list[str] = Field(default_factory=list, max_length=1_000)


class ResearchBegun(Record):
    """Which world to research, where to begin, and after how many zones to stop (0: no end)."""

    game: str = Field(max_length=200)
    zones: list[str] = Field(min_length=1, max_length=100)
    max_cycles: int = Field(0, ge=0)


class RunningShown(Record):
    """The researchers that this server runs or has run."""

    running: list[RunningView]


@router.get("/facts")
async def facts(
    room: At, game: Game = "", about: Annotated[str, Query(max_length=200)] = ""
) -> FactsShown:
    """All facts of a world, or of one thing in it."""
    return FactsShown(facts=await person.list_facts(room.settings, game, about))


@router.get("/judge")
async def judge(room: At, game: Game = "", all: bool = False) -> ToJudge:
    """Conflicts, gaps, labels, doubles, and what was said so far."""
    return await person.to_judge(room.settings, game, every=all)


@router.post("/conflicts/{conflict_id}")
async def resolve(room: At, conflict_id: str, answer: ConflictChoice, game: Game = "") -> Said:
    """Settles a conflict."""
    settled = person.ConflictSettled(conflict_id=conflict_id, **answer.model_dump())
    return await _apart(
        person.resolve(room.settings, game, settled, by="web", clock=room.table.clock)
    )


@router.post("/corrections")
async def correct(room: At, fact: FactSaid, game: Game = "") -> Said:
    """Says what is so."""
    return await _apart(person.correct(room.settings, game, fact, by="web", clock=room.table.clock))


@router.post("/rejections")
async def reject(room: At, fact: FactSaid, game: Game = "") -> Said:
    """Says what is not so."""
    return await _apart(person.reject(room.settings, game, fact, by="web", clock=room.table.clock))


@router.post("/merges")
async def merge(room: At, both: MergeSaid, game: Game = "") -> Said:
    """Makes two of one kind one."""
    return await _apart(person.merge(room.settings, game, both, by="web", clock=room.table.clock))


@router.post("/labels")
async def label(room: At, said: LabelSaid, game: Game = "") -> Said:
    """Says what a label of a wiki means."""
    return await _apart(
        person.say_label(
            room.settings, game, said.label, said.means, by="web", clock=room.table.clock
        )
    )


@router.delete("/said/{act_id}")
async def withdraw(room: At, act_id: str, game: Game = "") -> Said:
    """Takes back what was said."""
    return await _apart(
        person.withdraw(room.settings, game, act_id, by="web", clock=room.table.clock)
    )


@router.post("/ask/{wish}")
async def ask(
    room: At, wish: Literal["retry", "refresh"], which: ZonesAsked, game: Game = ""
) -> PersonRequest:
    """Asks for failed zones to be tried again, or completed ones to be looked at again."""
    return await person.ask_again(room.settings, game, wish, which.zones, clock=room.table.clock)


@router.get("/running")
async def running(room: At) -> RunningShown:
    """Which researchers this server runs."""
    return RunningShown(running=room.researchers.views())


@router.post("/start")
async def start(room: At, begun: ResearchBegun) -> RunningView:
    """Begins research on a world, or goes on with it, in this server."""
    request = StartRequest(game=begun.game, zones=begun.zones, max_cycles=begun.max_cycles)
    settings = room.settings.model_copy(update={"model": room.model})
    return await room.researchers.start(settings, request)


@router.post("/stop")
async def stop(room: At, game: Game = "") -> RunningShown:
    """Stops research on a world after the step at work, wherever it runs."""
    if not room.researchers.stop(game):
        await person.ask_again(room.settings, game, "stop", [], clock=room.table.clock)
    return RunningShown(running=room.researchers.views())
