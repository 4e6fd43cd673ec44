"""A running server for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from freeform.apps.web.serve import alone
from tests.apps.web.serving import Served, serving


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """With one small campaign, `a`, and no other door: to make the tools of MCP takes longer than most tests."""
    async with serving(tmp_path / "home", beside=alone) as running:
        await running.begin()
        yield running


@pytest.fixture
async def served_whole(tmp_path: Path) -> AsyncIterator[Served]:
    """The same with the doors of MCP and Discord beside it, as `freeform-rpg serve` has them."""
    async with serving(tmp_path / "home") as running:
        await running.begin()
        yield running
