"""Looking at a party: its rounds, who may hear what, its figures, two runs, its rows."""

from typing import Any

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.players.memory.views import jsonl
from freeform.players.model import Message, RoundRecord
from freeform.players.party.party import listener_of
from freeform.players.party.views import compare, figures, lanes, tidy
from freeform.services.house import House
from freeform.wiring.players import rows_as_parquet

MOST_ROUNDS = 50
"""Rounds that are given at once."""
_LANE = ("step", "lane", "channel", "phase", "who", "text")


class Rounds(Record):
    """Rounds in order."""

    party: str
    total: int
    rounds: list[RoundRecord]


class LaneRow(Record):
    """One thing said or done, for a lane of the screen."""

    step: int
    lane: str
    channel: str
    phase: str
    who: str
    text: str
    more: dict[str, Any] = Field(default_factory=dict)


class RoundLanes(Record):
    """A round as rows, in order, with the question it settled."""

    party: str
    round: int
    total: int
    place: str
    day: float
    consensus: dict[str, Any]
    rows: list[LaneRow]


class HeardMessages(Record):
    """What someone may hear."""

    party: str
    viewer: str
    layer: str
    messages: list[Message]


async def rounds_of(house: House, party: str, first: int = 1, last: int | None = None) -> Rounds:
    """Whole rounds, `first` to `last`; at most fifty at once."""
    store = (await house.parlour()).store
    who = await store.get(party)
    end = first + MOST_ROUNDS - 1
    if last is not None:
        end = min(last, end)
    found = await store.rounds(who.id, first, end)
    return Rounds(party=who.id, total=await store.count(who.id), rounds=found)


async def lanes_of(house: House, party: str, number: int) -> RoundLanes:
    """One round as rows for the lanes. NotFound when it was not played."""
    store = (await house.parlour()).store
    who = await store.get(party)
    total = await store.count(who.id)
    if not 1 <= number <= total:
        raise NotFound(f"no round {number} of '{party}'; it has rounds 1 to {total}")
    (record,) = await store.rounds(who.id, number, number)
    return RoundLanes(
        party=party,
        round=number,
        total=total,
        place=record.place,
        day=record.day,
        consensus=record.consensus.model_dump(mode="json"),
        rows=[_lane_row(row) for row in lanes(who, record)],
    )


def _lane_row(row: dict[str, Any]) -> LaneRow:
    more = {key: value for key, value in row.items() if key not in _LANE}
    return LaneRow(**{key: row[key] for key in _LANE}, more=more)


async def heard_by(house: House, party: str, viewer: str, most: int = 50) -> HeardMessages:
    """The messages that a player, a character or the `dm` may hear, and no others."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    listener = listener_of(who, viewer)
    messages = await parlour.router(who.id).heard(listener, most)
    return HeardMessages(
        party=who.id, viewer=listener.id, layer=listener.layer.value, messages=messages
    )


async def stats_of(house: House, party: str) -> dict[str, Any]:
    """What was said, agreed, refused, tried and told, counted; and what each recalled."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    document = figures(who, await parlour.store.rounds(who.id))
    memories = parlour.minds(who.id).store
    recall = {}
    for seat in who.seats:
        recall[seat.agent] = (await memories.figures(seat.agent)).model_dump(mode="json")
    return {**document, "recall": recall}


async def compare_parties(house: House, party: str, other: str) -> dict[str, Any]:
    """Two runs round by round, and where they part."""
    store = (await house.parlour()).store
    left, right = await store.get(party), await store.get(other)
    told = compare(await store.rounds(left.id), await store.rounds(right.id))
    return {"left": left.id, "right": right.id, **told}


async def rows_of(
    house: House, party: str, *, beliefs: bool = False, day: float | None = None
) -> list[dict[str, Any]]:
    """Everything that was said and done, or is believed, one flat row each."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    rounds = await parlour.store.rounds(who.id)
    if not beliefs:
        return tidy(who, rounds)
    today = rounds[-1].day if rounds else 1.0
    return await parlour.minds(who.id).rows(who, today, day)


def packed_rows(rows: list[dict[str, Any]], format: str) -> bytes:
    """Rows as a file: `jsonl`, one JSON object a line, or `parquet`."""
    if format == "parquet":
        return rows_as_parquet(rows)
    return jsonl(rows).encode()
