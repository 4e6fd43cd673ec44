"""Routes that look at a party: its rounds, what each may hear, what each remembers, its figures."""

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Response

from freeform.apps.web.room import At
from freeform.players.memory.ask_memory import MemoryQuestion
from freeform.players.memory.views import word_diff
from freeform.players.party.trail import MemoryTrail
from freeform.services.party import memory as memories
from freeform.services.party import views
from freeform.services.party.memory import ChangedDecisions, Curve
from freeform.services.party.views import HeardMessages, RoundLanes, Rounds

router = APIRouter(prefix="/api/parties", tags=["players"])
Strength = Annotated[float | None, Query(ge=0, le=1)]
Day = Annotated[float | None, Query(ge=0, le=100_000)]
_KINDS = {"jsonl": "application/x-ndjson", "parquet": "application/vnd.apache.parquet"}


@router.get("/{party}/rounds")
async def rounds(
    room: At,
    party: str,
    first: Annotated[int, Query(ge=1)] = 1,
    last: Annotated[int | None, Query(ge=1)] = None,
) -> Rounds:
    """Whole rounds, `first` to `last`; at most fifty at once."""
    return await views.rounds_of(room.house, party, first, last)


@router.get("/{party}/rounds/{number}/lanes")
async def lane_rows(room: At, party: str, number: int) -> RoundLanes:
    """One round as rows for the lanes: directive, action and ruling follow each other."""
    return await views.lanes_of(room.house, party, number)


@router.get("/{party}/channels")
async def channels(
    room: At, party: str, viewer: str, most: Annotated[int, Query(ge=1, le=1000)] = 50
) -> HeardMessages:
    """The messages that `viewer` (a player, a character, or dm) may hear, and no others."""
    return await views.heard_by(room.house, party, viewer, most)


@dataclass(frozen=True)
class MemoryAsked:
    """What is asked of a player's memory."""

    query: Annotated[str, Query(max_length=400)] = ""
    at: Day = None
    session: Annotated[int | None, Query(ge=1, le=100_000)] = None
    explain: bool = False
    strength: Strength = None
    most: Annotated[int, Query(ge=1, le=500)] = 30


@router.get("/{party}/memory/{agent}")
async def memory(
    room: At, party: str, agent: str, asked: Annotated[MemoryAsked, Depends()]
) -> dict[str, Any]:
    """What a player believes on a day; with `explain`, the truth beside it and why."""
    question = MemoryQuestion(
        query=asked.query,
        at=asked.at,
        session=asked.session,
        explain=asked.explain,
        most=asked.most,
    )
    told = await memories.ask_player(room.house, party, agent, question, strength=asked.strength)
    if asked.explain:
        for row in told["memories"]:
            row["diff"] = word_diff(row["truth"], row["believed"])
    return told


@router.get("/{party}/memory/{agent}/curve")
async def curve(
    room: At,
    party: str,
    agent: str,
    fact: Annotated[str, Query(max_length=200)],
    days: Annotated[int, Query(ge=1, le=3650)] = 120,
    strength: Strength = None,
) -> Curve:
    """One memory over the coming days: how much is held, and what is believed, at forty points."""
    return await memories.memory_curve(room.house, party, agent, fact, days=days, strength=strength)


@router.get("/{party}/trails")
async def trails(room: At, party: str) -> ChangedDecisions:
    """The decisions that a wrong memory changed."""
    return await memories.changed_by_memory(room.house, party)


@router.get("/{party}/trail")
async def trail(room: At, party: str, fact: Annotated[str, Query(max_length=200)]) -> MemoryTrail:
    """A memory from mouth to mouth, and what was decided because of it."""
    return await memories.memory_trail(room.house, party, fact)


@router.get("/{party}/stats")
async def stats(room: At, party: str) -> dict[str, Any]:
    """Figures over all rounds, and what each recalled."""
    return await views.stats_of(room.house, party)


@router.get("/{party}/compare/{other}")
async def side_by_side(room: At, party: str, other: str) -> dict[str, Any]:
    """Two runs round by round, and where they part."""
    return await views.compare_parties(room.house, party, other)


@router.get("/{party}/export", response_class=Response)
async def export(
    room: At,
    party: str,
    format: Literal["jsonl", "parquet"] = "jsonl",
    beliefs: bool = False,
    at: Day = None,
) -> Response:
    """Everything that was said and done, or with `beliefs` is believed, one flat row each."""
    rows = await views.rows_of(room.house, party, beliefs=beliefs, day=at)
    named = {"Content-Disposition": f'attachment; filename="{party}.{format}"'}
    body = views.packed_rows(rows, format)
    return Response(body, media_type=_KINDS[format], headers=named)
