"""Measures which lines and branches tests reach, when COVERAGE_FOLDER names a folder for the figures.

COVERAGE_ROOMS names the rooms to measure, with commas between them; without it all are. To prepare a module takes 22 ms of
each process, so CI measures the rooms that are quickly prepared, and `make test COVERAGE=1` all of them.

Each process of pytest writes one JSON file; scripts/coverage_floors.py adds them up. Programs and servers that tests start are
not measured. coverage.py took half as long again on Python 3.11; slipcover puts a small call before each line instead, and
takes it out again where it was heard. It must not choose the moment by itself: it then looks for the changed functions so
often that a run took twice as long.
"""

import json
import os
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "freeform"
NEVER = 2**31 - 1
EVERY = 400
"""Tests after which the calls that were heard are taken out: each time takes up to a second."""


class Measure:
    """A plugin of pytest, for one process."""

    def __init__(self, folder: Path, sources: list[Path]) -> None:
        import slipcover

        self._file = folder / f"{os.environ.get('PYTEST_XDIST_WORKER', 'main')}.json"
        self._ended = 0
        self._cover = slipcover.Slipcover(branch=True, d_miss_threshold=NEVER)
        matcher = slipcover.FileMatcher(sources=sources)
        slipcover.ImportManager(self._cover, matcher).__enter__()

    def pytest_runtest_logfinish(self) -> None:
        """From Python 3.12 on, a line that was heard is silent by itself."""
        self._ended += 1
        if self._ended % EVERY == 0 and hasattr(self._cover, "deinstrument_seen"):
            self._cover.deinstrument_seen()

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        """The figures of this process."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        self._file.write_text(json.dumps(self._cover.get_coverage()), encoding="utf-8")


def started() -> Measure | None:
    """What measures, where it is wanted; what a worker starts is not to measure as well."""
    folder, rooms = os.environ.get("COVERAGE_FOLDER"), os.environ.get("COVERAGE_ROOMS", "")
    if os.environ.get("PYTEST_XDIST_WORKER"):
        os.environ.pop("COVERAGE_FOLDER", None)
    if not folder:
        return None
    sources = [SOURCE / room for room in rooms.split(",") if room] or [SOURCE]
    return Measure(Path(folder).absolute(), sources)


MEASURE = started()
