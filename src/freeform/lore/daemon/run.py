"""The daemon in the foreground: repeats `advance` until it is told to stop, and says why it
waits."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from freeform.core.errors import Unavailable
from freeform.lore.daemon.daemon import CycleOutcome, advance, begin, forget_stops
from freeform.lore.daemon.outbox import send_all, taker, timestamp_of
from freeform.lore.daemon.validator import advance_validator
from freeform.lore.errand import LorePorts
from freeform.lore.messages import QUEUES, RESEARCHER, VALIDATOR
from freeform.lore.model import ResearchCheckpoint

POLL_S = 0.5
NAP_S = 60.0
"""A sleeper looks up at least this often: answers may have come, or the clock been set."""


async def run_researcher(
    game: str,
    zones: list[str],
    ports: LorePorts,
    *,
    max_cycles: int = 0,
    own_validator: bool = True,
    stop: asyncio.Event | None = None,
    say: Callable[[str], None] = lambda text: None,
) -> ResearchCheckpoint:
    """Works until `max_cycles` zones are finished (0: no end), or there is nothing left, or `stop`
    is set."""
    stop = stop or asyncio.Event()
    reason = "done"
    ports.log("daemon_started", game=game, zones=zones, **ports.limits.model_dump())
    async with _listening(ports, RESEARCHER):
        await forget_stops(game, ports)
        point = await begin(game, zones, ports)
        before, done = _finished(point), 0
        told = ""
        while not stop.is_set():
            outcome = await _patient_advance(game, ports)
            worked = await _patient_validator(ports) if own_validator else False
            point = await _patient_load(game, ports) or point
            # A zone that is tried or read again leaves the finished ones first.
            done += max(0, _finished(point) - before)
            before = _finished(point)
            if max_cycles and done >= max_cycles:
                reason = f"{max_cycles} cycles are done"
                break
            if outcome.what == "stopped":
                reason = "asked to stop"
                break
            if outcome.what in ("worked", "heard") or worked:
                continue
            if outcome.what == "idle":
                reason = "no zone is left"
                break
            if outcome.what == "waits for a decision" and max_cycles:
                reason = "every way on waits for a decision"
                break
            told = _tell(outcome, told, say)
            await _wait(outcome, ports, stop)
        else:
            reason = "asked to stop"
    ports.log("daemon_shutdown", reason=reason)
    say(f"Stopped: {reason}.")
    return point


async def run_validator(
    ports: LorePorts, *, stop: asyncio.Event | None = None, once: bool = False
) -> int:
    """Checks packages as they come; with `once` those that wait now. How many there were."""
    stop, checked = stop or asyncio.Event(), 0
    async with _listening(ports, VALIDATOR):
        while not stop.is_set():
            # Who waits for the answer of one round is told of trouble; the daemon waits it out.
            if await (_check(ports) if once else _patient_validator(ports)):
                checked += 1
            elif once:
                break
            else:
                await _nap(POLL_S, stop)
    return checked


def _finished(point: ResearchCheckpoint) -> int:
    return len(point.completed_zones) + len(point.failed_zones)


async def _patient_advance(game: str, ports: LorePorts) -> CycleOutcome:
    """A broker that is down costs a wait, never a step: what was committed is sent later."""
    try:
        return await advance(game, ports)
    except Unavailable as wrong:
        ports.log("error", "error", error_type="unavailable", message=str(wrong), retry_count=0)
        await ports.sleep(POLL_S)
        return CycleOutcome(what="heard")


async def _patient_load(game: str, ports: LorePorts) -> ResearchCheckpoint | None:
    """Where the game stands; None while the store is away."""
    try:
        return await ports.store.load_checkpoint(game)
    except Unavailable:
        return None


async def _patient_validator(ports: LorePorts) -> bool:
    """The same for the validator: a store or a broker that is away costs a wait."""
    try:
        return await _check(ports)
    except Unavailable as wrong:
        ports.log("error", "error", error_type="unavailable", message=str(wrong), retry_count=0)
        return False


async def _check(ports: LorePorts) -> bool:
    if ports.bus is None:
        await send_all(ports, RESEARCHER)
    return await advance_validator(ports)


async def _wait(outcome: CycleOutcome, ports: LorePorts, stop: asyncio.Event) -> None:
    if outcome.what == "paused":
        await _nap(ports.limits.cycle_delay_s, stop)
    elif outcome.what == "sleeps":
        left = (timestamp_of(outcome.until) - ports.clock.now()).total_seconds()
        await _nap(min(NAP_S, max(0.0, left)), stop)
    else:
        await _nap(POLL_S, stop)


async def _nap(seconds: float, stop: asyncio.Event) -> None:
    try:
        async with asyncio.timeout(seconds):
            await stop.wait()
    except TimeoutError:
        return


def _tell(outcome: CycleOutcome, told: str, say: Callable[[str], None]) -> str:
    text = {
        "waits for a decision": "Every way on waits for your decision: freeform-rpg lore inbox",
        "waits for validation": "Waits for the validator: freeform-rpg lore validator",
        "sleeps": f"{outcome.why or 'The tokens of the day are spent'}; sleeps until {outcome.until}.",
        "paused": "The cycle's tokens are spent; goes on in the next cycle.",
    }.get(outcome.what, "")
    if text and text != told:
        say(text)
    return text


@asynccontextmanager
async def _listening(ports: LorePorts, agent: str) -> AsyncIterator[None]:
    """Takes what the bus delivers to an agent, for as long as it works."""
    if ports.bus is None:
        yield
        return
    task = asyncio.create_task(ports.bus.consume([QUEUES[agent]], taker(ports, agent)))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
