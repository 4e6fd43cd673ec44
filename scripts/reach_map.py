"""Which test reaches which line, kept in a folder as far as nothing has changed: for scripts/mutants.py."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import coverage

Measure = Callable[[list[str], Path], None]
"""Runs files of tests and writes a database of coverage.py with a context for each test."""


class ReachMap:
    """A file of tests runs again when it, or a file of the product that it reached, has changed."""

    def __init__(self, folder: Path, checkout: Path, measure: Measure) -> None:
        self._folder, self._checkout, self._run = folder, checkout, measure
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "index.json"
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else "{}"
        self._index: dict[str, dict[str, Any]] = json.loads(text)

    def lines(self, tests: list[str]) -> dict[str, dict[int, list[str]]]:
        """By file of the product and line the tests, of these files, that reach it."""
        stale = [name for name in tests if not self._holds(name)]
        if stale:
            self._measure(stale)
        found: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
        for database in sorted({self._index[name]["database"] for name in tests}):
            mine = {name for name in tests if self._index[name]["database"] == database}
            for file, line, test in self._reached(self._folder / database):
                if test.partition("::")[0] in mine:
                    found[file][line].append(test)
        return found

    def _holds(self, name: str) -> bool:
        kept = self._index.get(name)
        if kept is None or not (self._folder / kept["database"]).exists():
            return False
        return all(self._digest(file) == digest for file, digest in kept["digests"].items())

    def _digest(self, file: str) -> str:
        path = self._checkout / file
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""

    def _measure(self, tests: list[str]) -> None:
        database = f"{len(list(self._folder.glob('*.db')))}.db"
        self._run(tests, self._folder / database)
        files: dict[str, set[str]] = {name: {name} for name in tests}
        for file, _line, test in self._reached(self._folder / database):
            files[test.partition("::")[0]].add(file)
        for name, reached in files.items():
            digests = {file: self._digest(file) for file in sorted(reached)}
            self._index[name] = {"database": database, "digests": digests}
        self._file.write_text(json.dumps(self._index), encoding="utf-8")

    def _reached(self, database: Path) -> Iterator[tuple[str, int, str]]:
        data = coverage.CoverageData(str(database))
        data.read()
        for file in sorted(data.measured_files()):
            for line, tests in data.contexts_by_lineno(file).items():
                for test in filter(None, tests):
                    yield file, line, test
