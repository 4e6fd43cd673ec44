"""One server for all browser tests (a file that needs an empty home has its own), one browser for each file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.web.served import Eyes, Server, browsing, looking, missing, serving


@pytest.fixture(scope="session", autouse=True)
def all_is_here() -> None:
    """A browser and the built app; every test of this folder skips without them."""
    if reason := missing():
        pytest.skip(reason)


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Shared: each test has campaigns of its own."""
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def empty_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """For a file that wants a home in which nothing has happened yet; there it is called `server`."""
    with serving(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with its file: while it is open, its event loop owns the thread."""
    with browsing() as running:
        yield running


@pytest.fixture
def eyes(browser: Browser, server: Server) -> Iterator[Eyes]:
    """A person at a wide screen; nothing may go wrong on any of their pages."""
    with looking(browser, server) as person:
        yield person
    assert person.wrong == []
