"""The researcher's day: hears answers, picks a zone, works it, pauses at a budget's end, sleeps
until tomorrow.

`advance` does the next thing there is to do and says what it was; `run` repeats it. Nothing is kept
in memory.
"""

from datetime import timedelta
from typing import Literal

from freeform.core.errors import BudgetSpent, Conflict, UserError
from freeform.core.record import Record
from freeform.core.text import slug
from freeform.lore.budget import CycleSpent, next_day
from freeform.lore.daemon.checkpoint import advanced, known_zones, next_zone
from freeform.lore.daemon.decisions import response_id
from freeform.lore.daemon.outbox import send_all, timestamp_of
from freeform.lore.daemon.requests import look_again, with_request
from freeform.lore.daemon.steps import start_of
from freeform.lore.daemon.work_zone import do_step
from freeform.lore.errand import LorePorts, OutOfReach, effect_id
from freeform.lore.messages import (
    MessageEnvelope,
    PersonRequest,
    UserDecisionResponse,
    ValidationResult,
)
from freeform.lore.model import FailedZone, ResearchCheckpoint
from freeform.lore.ports import StepCommit

_WARN_AT = 0.8
OUTAGES = "outages"
MOST_OUTAGES = 4
"""After so many, pages that were to be looked at again stay as they are."""
FIRST_WAIT, LONGEST_WAIT = timedelta(minutes=1), timedelta(hours=1)
What = Literal[
    "worked",
    "heard",
    "waits for validation",
    "waits for a decision",
    "sleeps",
    "paused",
    "idle",
    "stopped",
]


class CycleOutcome(Record):
    """What `advance` did. `until`: when to come back, where it sleeps."""

    what: What
    zone_name: str = ""
    until: str = ""
    why: str = ""
    """What it waits for, where that is not tokens."""


async def forget_stops(game: str, ports: LorePorts) -> None:
    """A wish to stop that came while nobody worked stops nobody later."""
    for envelope in await ports.store.waiting(ports.agent):
        if envelope.message_type == "person_request" and envelope.payload.get("wish") == "stop":
            point = await ports.store.load_checkpoint(game)
            if point and envelope.payload.get("game") == game:
                id = envelope.message_id
                await _save(advanced(point), ports, "late stop", id, consumed=id)


async def begin(game: str, zones: list[str], ports: LorePorts) -> ResearchCheckpoint:
    """Loads the checkpoint, or makes the first one; new starting zones go into the queue."""
    point = await ports.store.load_checkpoint(game)
    if point is None:
        first = ResearchCheckpoint(game=game, last_reset_date=ports.today())
        point = advanced(first, progression_queue=list(dict.fromkeys(zones)))
        await _save(point, ports, "begin", zones)
        return point
    ports.log(
        "checkpoint_loaded", zone=point.zone_name, step=point.current_step,
        queue_size=len(point.progression_queue) + len(point.priority_queue),
    )  # fmt: skip
    known = known_zones(point)
    new = [zone for zone in dict.fromkeys(zones) if slug(zone) not in known]
    if new:
        point = advanced(point, progression_queue=[*point.progression_queue, *new])
        await _save(point, ports, "queue", point.sequence)
    return point


async def advance(game: str, ports: LorePorts) -> CycleOutcome:
    """The next thing: an answer that came, else a step of the zone at work, else a new zone."""
    point = await ports.store.load_checkpoint(game) or await begin(game, [], ports)
    # What a broker that was away did not take yet; waiting for an answer to it would be waiting for
    # ever.
    await send_all(ports, ports.agent)
    heard = await _hear(point, ports)
    if heard:
        return CycleOutcome(what=heard, zone_name=point.zone_name)
    await _take_defaults(game, ports)
    now = ports.clock.now()
    if point.sleeping_until:
        if now < timestamp_of(point.sleeping_until):
            return CycleOutcome(what="sleeps", until=point.sleeping_until)
        point = advanced(
            point, sleeping_until="", daily_tokens_used=0, last_reset_date=ports.today()
        )
        await _save(point, ports, "wake", point.sequence)
    if point.awaiting:
        return CycleOutcome(what="waits for validation", zone_name=point.zone_name)
    if not point.zone_name and point.refresh_zones:
        return await _look_again(point, ports)
    if not point.zone_name:
        zone, queues = next_zone(point)
        if not zone:
            return CycleOutcome(what="waits for a decision" if point.held_zones else "idle")
        point = advanced(
            queues, zone_name=zone, current_step=0, step_data={}, iteration=1, cycle=point.cycle + 1,
            cycle_tokens_used=0,
        )  # fmt: skip
        await _save(point, ports, "pick", point.sequence)
        ports.log("research_cycle_started", zone_name=zone)
    try:
        point = await do_step(point, ports)
    except BudgetSpent as spent:
        return await _out_of_tokens(point, ports, spent)
    except OutOfReach as wrong:
        return await _out_of_reach(point, ports, wrong)
    _warn(point, ports)
    await send_all(ports, ports.agent)
    return CycleOutcome(what="worked", zone_name=point.zone_name)


async def _hear(point: ResearchCheckpoint, ports: LorePorts) -> What | None:
    """The first answer that waits, taken in."""
    for envelope in await ports.store.waiting(ports.agent):
        if envelope.message_type == "validation_result":
            result = ValidationResult.model_validate(envelope.payload)
            if result.game == point.game:
                await _hear_verdict(point, envelope, result, ports)
                return "heard"
        elif envelope.message_type == "user_decision_response":
            answer = UserDecisionResponse.model_validate(envelope.payload)
            if await _hear_choice(point, envelope, answer, ports):
                return "heard"
        elif envelope.message_type == "person_request":
            request = PersonRequest.model_validate(envelope.payload)
            if request.game == point.game:
                after = with_request(point, request)
                await _save(
                    after, ports, "request", envelope.message_id, consumed=envelope.message_id
                )
                return "stopped" if request.wish == "stop" else "heard"
    return None


async def _look_again(point: ResearchCheckpoint, ports: LorePorts) -> CycleOutcome:
    try:
        commit = await look_again(point, ports)
    except OutOfReach as wrong:
        if int(point.step_data.get(OUTAGES, 0)) < MOST_OUTAGES:
            return await _out_of_reach(point, ports, wrong)
        # Whoever asked may ask again; all other zones would wait for a site that may be gone.
        zone, *others = point.refresh_zones
        message = f"{wrong}: {zone} stays as it was read"
        ports.log("error", "error", error_type="refresh_dropped", message=message, retry_count=0)
        await _save(advanced(point, refresh_zones=others), ports, "not refreshed", point.sequence)
        return CycleOutcome(what="worked", zone_name=zone)
    await ports.store.commit_step(commit)
    return CycleOutcome(what="worked", zone_name=commit.zone_name)


async def _hear_verdict(
    point: ResearchCheckpoint, envelope: MessageEnvelope, result: ValidationResult, ports: LorePorts
) -> None:
    after = advanced(point)
    if envelope.correlation_id == point.awaiting:
        ports.log(
            "validation_received", zone_name=result.zone_name, accepted=result.accepted, iteration=result.iteration
        )  # fmt: skip
        after = after.model_copy(update={"awaiting": ""})
        if not result.accepted:
            summary = "; ".join(each.message for each in result.feedback if each.blocking)[:500]
            ports.log(
                "validation_rejected", "warn", zone_name=result.zone_name, feedback_summary=summary,
                iteration=result.iteration,
            )  # fmt: skip
        again = not result.accepted and point.iteration < ports.limits.max_iterations
        if again:
            searches = list(
                dict.fromkeys(query for each in result.feedback for query in each.searches)
            )
            after = after.model_copy(
                update={
                    "iteration": point.iteration + 1,
                    "current_step": 0,
                    "step_data": start_of(point, searches[:10]),
                }
            )
        else:
            after = after.model_copy(
                update={"zone_name": "", "current_step": 0, "step_data": {}, "iteration": 1}
            )
            if result.accepted:
                after = after.model_copy(
                    update={"completed_zones": [*point.completed_zones, point.zone_name]}
                )
            else:
                lost = FailedZone(
                    zone_name=point.zone_name, reason=_reason(result), iterations=point.iteration, failed_at=ports.now()
                )  # fmt: skip
                after = after.model_copy(update={"failed_zones": [*point.failed_zones, lost]})
    await _save(after, ports, "verdict", envelope.message_id, consumed=envelope.message_id)


async def _hear_choice(
    point: ResearchCheckpoint,
    envelope: MessageEnvelope,
    answer: UserDecisionResponse,
    ports: LorePorts,
) -> bool:
    """The chosen zone goes first; the others of the fork go to the end of the queue."""
    asked = {each.decision_id: each for each in await ports.store.decisions()}
    decision = asked.get(answer.decision_id)
    if decision is None or (decision.game != point.game):
        if decision is None:
            ports.log(
                "error", "error", error_type="unknown_decision", retry_count=0,
                message=f"an answer to the unknown decision {answer.decision_id[:40]} was set aside",
            )  # fmt: skip
            await _save(
                advanced(point), ports, "stray", envelope.message_id, consumed=envelope.message_id
            )
        return decision is None
    if envelope.message_id != response_id(decision.decision_id):
        await _take_answer(point, envelope, answer, ports)
        return True
    ports.log("user_decision_received", decision_id=answer.decision_id, choice=answer.choice)
    held = [zone for zone in point.held_zones if zone not in decision.options]
    known = known_zones(point.model_copy(update={"held_zones": held}))
    free = [zone for zone in decision.options if slug(zone) not in known]
    after = advanced(
        point,
        held_zones=held,
        priority_queue=[*point.priority_queue, *(zone for zone in free if zone == answer.choice)],
        progression_queue=[
            *point.progression_queue,
            *(zone for zone in free if zone != answer.choice),
        ],
    )
    await _save(after, ports, "choice", envelope.message_id, consumed=envelope.message_id)
    return True


async def _take_answer(
    point: ResearchCheckpoint,
    envelope: MessageEnvelope,
    answer: UserDecisionResponse,
    ports: LorePorts,
) -> None:
    """An answer that came by the bus is given to the store like any other: there the first one
    counts."""
    try:
        await ports.store.answer(
            answer.decision_id, answer.choice, by=envelope.source_agent, at=ports.now()
        )
    except (Conflict, UserError) as wrong:
        ports.log("error", "error", error_type="refused_answer", message=str(wrong), retry_count=0)
    await _save(advanced(point), ports, "answer", envelope.message_id, consumed=envelope.message_id)


async def _take_defaults(game: str, ports: LorePorts) -> None:
    """Forks whose time has run out take their default."""
    now = ports.clock.now()
    for decision in await ports.store.decisions(game, open_only=True):
        if decision.deadline and decision.default and timestamp_of(decision.deadline) <= now:
            await ports.store.answer(
                decision.decision_id, decision.default, by="deadline", at=ports.now()
            )


async def _out_of_tokens(
    point: ResearchCheckpoint, ports: LorePorts, spent: BudgetSpent
) -> CycleOutcome:
    """As the seed's table says: the cycle's end pauses and goes on in the next; the day's end
    sleeps."""
    if isinstance(spent, CycleSpent):
        ports.log("budget_exhausted", "warn", budget_type="per_cycle", action="pause")
        after = advanced(point, cycle=point.cycle + 1, cycle_tokens_used=0)
        await _save(after, ports, "pause", after.sequence)
        return CycleOutcome(what="paused", zone_name=point.zone_name)
    until = next_day(ports.clock.now()).isoformat(timespec="seconds")
    ports.log("budget_exhausted", "warn", budget_type="daily", action="sleep", until=until)
    used = await ports.store.spent(point.game, day=ports.today())
    after = advanced(point, sleeping_until=until, daily_tokens_used=used)
    await _save(after, ports, "sleep", after.sequence)
    return CycleOutcome(what="sleeps", zone_name=point.zone_name, until=until)


async def _out_of_reach(
    point: ResearchCheckpoint, ports: LorePorts, wrong: OutOfReach
) -> CycleOutcome:
    """An outage is no failure: the zone begins anew after a wait that doubles each time."""
    before = int(point.step_data.get(OUTAGES, 0))
    wait = min(LONGEST_WAIT, FIRST_WAIT * 2**before)
    until = (ports.clock.now() + wait).isoformat(timespec="seconds")
    message = str(wrong)
    ports.log("error", "error", error_type="outage", message=message, retry_count=before + 1)
    after = advanced(
        point,
        sleeping_until=until,
        current_step=0,
        cycle=point.cycle + 1,
        step_data={OUTAGES: before + 1},
    )
    await _save(after, ports, "outage", after.sequence)
    return CycleOutcome(what="sleeps", zone_name=point.zone_name, until=until, why=message)


def _warn(point: ResearchCheckpoint, ports: LorePorts) -> None:
    limits = ports.limits
    for name, used, most in (
        ("daily", point.daily_tokens_used, limits.daily_tokens),
        ("per_cycle", point.cycle_tokens_used, limits.per_cycle_tokens),
    ):
        if most and used > most * _WARN_AT:
            ports.log("budget_warning", "warn", budget_type=name, used=used, remaining=most - used)


def _reason(result: ValidationResult) -> str:
    return "; ".join(each.message for each in result.feedback if each.blocking)[:500] or "rejected"


async def _save(
    point: ResearchCheckpoint, ports: LorePorts, why: str, *cause: object, consumed: str = ""
) -> None:
    """A change that is no step: named by its cause, so that the same cause has one effect."""
    await ports.store.commit_step(
        StepCommit(
            key=effect_id(why, point.game, *cause), agent=ports.agent, game=point.game, zone_name=point.zone_name,
            name=why, consumed=consumed, checkpoint=point, at=ports.now(),
        )
    )  # fmt: skip
