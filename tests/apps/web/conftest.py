"""A running server for each test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.apps.web.serving import Served, serving


@pytest.fixture
async def served(tmp_path: Path) -> AsyncIterator[Served]:
    """With one small campaign, `a`."""
    async with serving(tmp_path / "home") as running:
        await running.begin()
        yield running
