"""Checking a scenario: the same through every door."""

import asyncio
from pathlib import Path

from freeform.engine.authored.library import scenario_path
from freeform.engine.proof.check import check_file
from freeform.engine.proof.report import ScenarioReport
from freeform.services.house import House


async def check_scenario(house: House, name: str) -> ScenarioReport:
    """Every mistake in a scenario at once, and what play reaches of it; by its id, or by its file
    where the one who asks may name files."""
    path = scenario_path(name, house.settings.home, files=house.files)
    found = await check_path(house, path)
    return found if house.files else found.model_copy(update={"file": path.name})


async def check_path(house: House, path: Path) -> ScenarioReport:
    """The same for a file at hand."""
    return await asyncio.to_thread(check_file, path, house.settings.home)
