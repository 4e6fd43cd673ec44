"""The small book, read once for the tests that only look."""

from pathlib import Path

import pytest

from freeform.ingest.config import IngestReport
from tests.ingest.book import make_book
from tests.ingest.reading import Reading


@pytest.fixture(scope="session")
def small_book(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book as a PDF."""
    return make_book(tmp_path_factory.mktemp("book") / "coast.pdf")


@pytest.fixture(scope="session")
def read_once(
    small_book: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Reading, IngestReport]:
    """The book, ingested."""
    reading = Reading(small_book, tmp_path_factory.mktemp("out"))
    return reading, reading.again()
