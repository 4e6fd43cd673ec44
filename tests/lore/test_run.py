"""The daemon in the foreground: two agents in two processes' stores, stopping, and why it stops."""

import asyncio
from pathlib import Path

from freeform.lore.daemon.run import run_researcher, run_validator
from freeform.lore.errand import ResearchLimits
from tests.lore.emberfall import GAME, ports_on


async def test_a_validator_of_its_own_checks_what_the_researcher_sends(tmp_path: Path) -> None:
    researcher, validator = (ports_on(tmp_path / "l.db") for _ in range(2))
    stop = asyncio.Event()
    checking = asyncio.create_task(run_validator(validator, stop=stop))
    point = await run_researcher(GAME, ["Ashmoor"], researcher, max_cycles=1, own_validator=False)
    stop.set()
    assert await checking == 1
    assert point.completed_zones == ["Ashmoor"]


async def test_it_says_why_it_stops_and_what_it_waits_for(tmp_path: Path) -> None:
    said: list[str] = []
    ports = ports_on(tmp_path / "l.db", limits=ResearchLimits())
    await run_researcher(GAME, ["Ashmoor"], ports, max_cycles=1, say=said.append)
    assert said == ["Stopped: 1 cycles are done."]
    await run_researcher(GAME, [], ports, max_cycles=1, say=said.append)
    assert said[-1] == "Stopped: every way on waits for a decision."


async def test_asked_to_stop_it_keeps_the_finished_steps(tmp_path: Path) -> None:
    said: list[str] = []
    stop = asyncio.Event()
    ports = ports_on(tmp_path / "l.db", limits=ResearchLimits())

    async def soon() -> None:
        while True:
            await asyncio.sleep(0)
            point = await ports.store.load_checkpoint(GAME)
            if point and point.held_zones:
                stop.set()
                return

    waiting = asyncio.create_task(soon())
    point = await run_researcher(GAME, ["Ashmoor"], ports, stop=stop, say=said.append)
    await waiting
    assert said[-1] == "Stopped: asked to stop."
    assert point.held_zones
