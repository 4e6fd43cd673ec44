"""A home for each test of the program."""

from pathlib import Path

import pytest

from tests.apps.program import Home


@pytest.fixture
def home(tmp_path: Path) -> Home:
    """Empty but for one small scenario."""
    return Home(tmp_path / "home")
