"""Names the mark of tests that take minutes rather than seconds."""

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "slow: takes minutes, or needs model weights")
