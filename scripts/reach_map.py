"""Which test reaches which line, kept in a folder as far as nothing has changed: for scripts/mutants.py."""

import hashlib
import json
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

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
        self._rows: dict[str, list[tuple[str, bytes]]] = {}

    def load(self, tests: list[str]) -> None:
        """What these files of tests reach, measured as far as it is not known."""
        stale = [name for name in tests if not self._holds(name)]
        if stale:
            self._measure(stale)
        self._rows = defaultdict(list)
        for database in sorted({self._index[name]["database"] for name in tests}):
            mine = {name for name in tests if self._index[name]["database"] == database}
            for file, test, bits in rows(self._folder / database):
                if test.partition("::")[0] in mine:
                    self._rows[file].append((test, bits))

    def files(self) -> list[str]:
        """The files of the product that are reached."""
        return sorted(self._rows)

    def lines(self, file: str) -> set[int]:
        """Those that a test reaches."""
        every = 0
        for _test, bits in self._rows[file]:
            every |= int.from_bytes(bits, "little")
        return {number for number in range(every.bit_length()) if every >> number & 1}

    def tests(self, file: str, line: int) -> list[str]:
        """Those that reach a line."""
        byte, bit = divmod(line, 8)
        return sorted(
            test for test, bits in self._rows[file] if byte < len(bits) and bits[byte] >> bit & 1
        )

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
        for file, test, _bits in rows(self._folder / database):
            files[test.partition("::")[0]].add(file)
        for name, reached in files.items():
            digests = {file: self._digest(file) for file in sorted(reached)}
            self._index[name] = {"database": database, "digests": digests}
        self._file.write_text(json.dumps(self._index), encoding="utf-8")


def rows(database: Path) -> Iterator[tuple[str, str, bytes]]:
    """File of the product, test, and the lines it reaches there as bits, as coverage.py keeps them."""
    query = (
        "select file.path, context.context, line_bits.numbits from line_bits "
        "join file on file.id = line_bits.file_id join context on context.id = line_bits.context_id "
        "where context.context != ''"
    )
    with closing(sqlite3.connect(database)) as kept:
        yield from kept.execute(query)
