"""The daemon in the foreground: two agents in two processes' stores, stopping, and why it stops."""

import asyncio
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from freeform.lore.daemon.run import run_researcher, run_validator
from freeform.lore.errand import ResearchLimits
from freeform.services.lore.person import ask_again
from freeform.settings import Settings
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


async def test_a_letter_that_asks_to_stop_stops_it_after_the_step(tmp_path: Path) -> None:
    said: list[str] = []
    steps = 0
    ports = ports_on(tmp_path / "lore.db")

    async def asked() -> None:
        await ask_again(Settings(home=tmp_path), GAME, "stop", [])

    def log(event: str, level: str = "info", **fields: Any) -> None:
        nonlocal steps
        if event == "pipeline_step_completed":
            steps += 1
            if steps == 2:
                thread = threading.Thread(target=lambda: asyncio.run(asked()))
                thread.start()
                thread.join()

    point = await run_researcher(GAME, ["Ashmoor"], replace(ports, log=log), say=said.append)
    assert (said[-1], steps) == ("Stopped: asked to stop.", 2)
    assert (point.zone_name, point.current_step) == ("Ashmoor", 2)


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
