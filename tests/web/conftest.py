"""One server for all browser tests (a file that needs an empty home has its own), one browser for each file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.served import Eyes, Server, browsing, looking, missing, serving


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Shared: each test has campaigns of its own."""
    if reason := missing():
        pytest.skip(reason)
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with its file: while it is open, its event loop owns the thread."""
    if reason := missing():
        pytest.skip(reason)
    with browsing() as running:
        yield running


@pytest.fixture
def eyes(browser: Browser, server: Server) -> Iterator[Eyes]:
    """A person at a wide screen; nothing may go wrong on any of their pages."""
    with looking(browser, server) as person:
        yield person
    assert person.wrong == []
