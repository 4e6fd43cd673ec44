"""What a player remembers: right, wrong and how sure; and one memory over the coming days."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.players.memory.ask_memory import MemoryQuestion
from freeform.players.memory.model import Mind, SlotAudit
from freeform.players.memory.recall import believe
from freeform.players.memory.retelling import root_of
from freeform.players.model import Party, Seat
from freeform.players.party.party import seat_of
from freeform.players.party.trail import (
    ChangedDecision,
    MemoryTrail,
    changed_decisions,
    trail_of,
)
from freeform.players.round.minds import groups_of, mind_of
from freeform.players.round.stated_facts import in_own_words
from freeform.services.house import House

STEPS = 40
"""A curve has a point at each step, and one where it begins."""


class CurvePoint(Record):
    """How much of a memory is held on a day."""

    day: float
    held: float
    believed: str
    correct: bool


class DetailCurve(Record):
    """One detail over the same days: it is lost once `held` falls below `threshold`."""

    field: str
    kind: str
    truth: str
    believed: str
    threshold: float
    since: float | None = Field(None, description="The day it was lost, if it was.")
    held: list[float]


class Curve(Record):
    """A memory over days: the forgetting curve, what is believed when, and each detail."""

    party: str
    agent: str
    fact_id: str
    truth: str
    points: list[CurvePoint]
    details: list[DetailCurve]


class ChangedDecisions(Record):
    """Decisions of a party that a wrong memory changed."""

    party: str
    decisions: list[ChangedDecision]


async def ask_player(
    house: House,
    party: str,
    agent: str,
    question: MemoryQuestion,
    *,
    strength: float | None = None,
    own_words: bool = False,
) -> dict[str, Any]:
    """What a player believes; with `explain` in the question, the truth beside it and why."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    seat = seat_of(who, agent)
    mind = _mind(who, seat, strength)
    rounds = await parlour.store.rounds(who.id, await parlour.store.count(who.id))
    today = rounds[-1].day if rounds else 1.0
    tell = partial(in_own_words, who, seat, crew=parlour.crew) if own_words else None
    document = await parlour.minds(who.id).ask(who, seat, question, mind, today, tell)
    return {"party": who.id, **document}


async def memory_curve(
    house: House,
    party: str,
    agent: str,
    fact_id: str,
    *,
    days: int = 120,
    strength: float | None = None,
) -> Curve:
    """One memory over the coming days: how much is held, and what is believed."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    seat = seat_of(who, agent)
    memories = parlour.minds(who.id).store
    facts = await memories.get([fact_id])
    if not facts:
        raise NotFound(f"no memory '{fact_id}' of '{agent}'; `party memory` lists them")
    mind = _mind(who, seat, strength)
    points: list[CurvePoint] = []
    details: dict[str, DetailCurve] = {}
    for step in range(STEPS + 1):
        day = facts[0].created_at + days * step / STEPS
        (belief,) = await believe(mind, facts, day, groups_of(seat), memories)
        for audit in belief.audit:
            _add_detail(details, audit)
        points.append(
            CurvePoint(
                day=round(day, 3),
                held=_held(belief.audit),
                believed=belief.believed,
                correct=belief.correct,
            )
        )
    return Curve(
        party=party,
        agent=seat.agent,
        fact_id=fact_id,
        truth=facts[0].text,
        points=points,
        details=list(details.values()),
    )


async def memory_trail(house: House, party: str, fact_id: str) -> MemoryTrail:
    """A memory from mouth to mouth, and what was decided because of it."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    minds = parlour.minds(who.id)
    found = await minds.store.get([fact_id])
    if not found:
        raise NotFound(f"no memory '{fact_id[:80]}'; `party memory` lists them")
    root = await root_of(found[0], minds.store)
    rounds = await parlour.store.rounds(who.id)
    today = rounds[-1].day if rounds else 1.0
    chain, held = await minds.trail(who, root, today, who.session)
    return trail_of(who, rounds, chain, held)


async def changed_by_memory(house: House, party: str) -> ChangedDecisions:
    """The decisions that a wrong memory changed."""
    parlour = await house.parlour()
    who = await parlour.store.get(party)
    rounds = await parlour.store.rounds(who.id)
    ids = [row["fact_id"] for record in rounds for row in record.swayed if row["fact_id"]]
    store = parlour.minds(who.id).store
    facts = await store.get(list(dict.fromkeys(ids)))
    truths = {fact.id: (await root_of(fact, store)).text for fact in facts}
    return ChangedDecisions(party=who.id, decisions=changed_decisions(who, rounds, truths))


def _mind(party: Party, seat: Seat, strength: float | None) -> Mind:
    mind = mind_of(party, seat)
    if strength is None:
        return mind
    return mind.model_copy(update={"strength": strength})


def _held(audits: Sequence[SlotAudit]) -> float:
    if not audits:
        return 1.0
    return round(sum(audit.retrievability for audit in audits) / len(audits), 4)


def _add_detail(details: dict[str, DetailCurve], audit: SlotAudit) -> None:
    """The detail as it stands now, with how firmly it was held on each day so far."""
    so_far: list[float] = []
    if audit.field in details:
        so_far = details[audit.field].held
    details[audit.field] = DetailCurve(
        field=audit.field,
        kind=audit.kind,
        truth=audit.truth,
        believed=audit.believed,
        threshold=audit.threshold,
        since=audit.since,
        held=[*so_far, audit.retrievability],
    )
