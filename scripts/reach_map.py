"""Which test reaches which line, kept in a folder as far as nothing has changed: for scripts/mutants.py.

It is made folder by folder, each kept as soon as it is there. What a test reaches while its fixtures are made, every test of
its file counts as reaching: a fixture may serve them all, and only the first of them makes it. A test that fails as the code is
counts for nothing.
"""

import base64
import hashlib
import json
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from marks import Marker

Measure = Callable[[list[str], Path], None]
"""Runs files of tests and writes what they reached, as PLUGIN does."""
PLUGIN = '''
"""Which marks each test sets, with its fixtures and without; what passed, and its processor time."""
import base64, json, os, time, zlib
from pathlib import Path
import pytest

FILES = json.loads(Path(__file__).with_suffix(".json").read_text())
TOTAL = sum(count for _, count in FILES)
MARKS = bytearray(TOTAL)
FOUND = {"": {"run": b""}}

def taken():
    told = base64.b64encode(zlib.compress(bytes(MARKS))).decode()
    MARKS[:] = bytes(TOTAL)
    return told

def pytest_runtestloop():
    FOUND[""]["run"] = taken()

@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item):
    taken()
    began = time.process_time()
    try:
        return (yield)
    finally:
        FOUND[item.nodeid] = {"setup": taken(), "passed": True, "began": began}

@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    try:
        return (yield)
    finally:
        FOUND[item.nodeid]["run"] = taken()

def pytest_runtest_logreport(report):
    if report.nodeid in FOUND:
        FOUND[report.nodeid]["passed"] &= report.outcome == "passed"
        FOUND[report.nodeid]["seconds"] = time.process_time() - FOUND[report.nodeid]["began"]

def pytest_sessionfinish():
    if "REACHED" in os.environ:
        told = {"files": FILES, "tests": FOUND}
        Path(os.environ["REACHED"]).write_text(json.dumps(told), encoding="utf-8")
'''


class ReachMap:
    """A file of tests runs again when it, or a file of the product that it reached, has changed."""

    def __init__(self, folder: Path, checkout: Path, measure: Measure, jobs: int = 1) -> None:
        self._folder, self._checkout, self._run, self._jobs = folder, checkout, measure, jobs
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / "index.json"
        self._index = self._kept()
        self._rows: dict[str, dict[str, bytes]] = {}
        self._imported: dict[str, bytes] = {}
        self._seconds: dict[str, float] = {}
        self._marks: dict[str, list[set[int]]] = {}

    def load(self, tests: list[str], under: Iterable[str] = ("",)) -> None:
        """What these files of tests reach in files whose name begins so, measured as far as it is not known."""
        self._measure([name for name in tests if not self._holds(name)])
        self._rows, self._imported, self._seconds = defaultdict(dict), {}, {}
        self._marks = {}
        for kept in sorted({self._index[name]["kept"] for name in tests}):
            mine = {name for name in tests if self._index[name]["kept"] == kept}
            self._add(json.loads((self._folder / kept).read_text()), mine, tuple(under))

    def _add(self, told: dict[str, Any], mine: set[str], under: tuple[str, ...]) -> None:
        every = {
            test: found
            for test, found in told["tests"].items()
            if test.partition("::")[0] in mine and found["passed"]
        }
        self._seconds |= {test: found["seconds"] for test, found in every.items()}
        shared: dict[str, bytes] = {}
        for test, found in every.items():
            name = test.partition("::")[0]
            shared[name] = either(shared.get(name, b""), unpacked(found["setup"]))
        reached = {
            test: either(shared[test.partition("::")[0]], unpacked(found.get("run", "")))
            for test, found in every.items()
        }
        imported = unpacked(told["tests"][""]["run"])
        first = 0
        for file, count in told["files"]:
            part = slice(first, first + count)
            first += count
            if file.startswith(under):
                self._imported[file] = either(self._imported.get(file, b""), imported[part])
                parts = {test: marks[part] for test, marks in reached.items()}
                self._rows[file] |= {test: marks for test, marks in parts.items() if any(marks)}

    def files(self) -> list[str]:
        """The files of the product that are reached."""
        return sorted(file for file, rows in self._rows.items() if rows)

    def lines(self, file: str) -> set[int]:
        """Those that a test reaches."""
        every = b""
        for marks in self._rows[file].values():
            every = either(every, marks)
        found: set[int] = set()
        for mark, lines in enumerate(self._lines(file)):
            if every[mark]:
                found |= lines
        return found

    def tests(self, file: str, line: int) -> list[str]:
        """Those that reach a line; first those that reach least of its file, which speak of it most."""
        at = [mark for mark, lines in enumerate(self._lines(file)) if line in lines]
        rows = self._rows[file].items()
        found = [(sum(b), test) for test, b in rows if any(b[mark] for mark in at)]
        return [test for _marks, test in sorted(found)]

    def at_import(self, file: str, line: int) -> bool:
        """Whether it ran while tests were collected: a change then needs a new process."""
        marks = self._imported.get(file, b"")
        return any(marks[n] for n, lines in enumerate(self._lines(file)) if line in lines and marks)

    def seconds(self, test: str) -> float:
        """The processor time it took when it was measured."""
        return self._seconds.get(test, 0.0)

    def _lines(self, file: str) -> list[set[int]]:
        if file not in self._marks:
            text = (self._checkout / file).read_text(encoding="utf-8")
            self._marks[file] = Marker(text).lines
        return self._marks[file]

    def _kept(self) -> dict[str, dict[str, Any]]:
        text = self._file.read_text(encoding="utf-8") if self._file.exists() else "{}"
        kept: dict[str, dict[str, Any]] = json.loads(text)
        return kept

    def _holds(self, name: str) -> bool:
        kept = self._index.get(name)
        if kept is None or not (self._folder / kept["kept"]).exists():
            return False
        return all(self._digest(file) == digest for file, digest in kept["digests"].items())

    def _digest(self, file: str) -> str:
        path = self._checkout / file
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else ""

    def _measure(self, tests: list[str]) -> None:
        folders: dict[str, list[str]] = defaultdict(list)
        for name in tests:
            folders[Path(name).parent.as_posix()].append(name)
        with ThreadPoolExecutor(self._jobs) as pool:
            runs = [
                pool.submit(self._measure_some, names, f"reached-{uuid4().hex[:12]}.json")
                for names in folders.values()
            ]
        for run in runs:
            run.result()

    def _measure_some(self, tests: list[str], kept: str) -> None:
        self._run(tests, self._folder / kept)
        told = json.loads((self._folder / kept).read_text(encoding="utf-8"))
        reached: dict[str, bytes] = dict.fromkeys(tests, b"")
        for test, found in told["tests"].items():
            name = test.partition("::")[0]
            for phase in ("setup", "run"):
                if test and phase in found:
                    reached[name] = either(reached[name], unpacked(found[phase]))
        self._index |= self._kept()  # another run may have added to it
        for name, marks in reached.items():
            files, first = [name], 0
            for file, count in told["files"]:
                if any(marks[first : first + count]):
                    files.append(file)
                first += count
            digests = {file: self._digest(file) for file in files}
            self._index[name] = {"kept": kept, "digests": digests}
        self._file.write_text(json.dumps(dict(self._index)), encoding="utf-8")


def unpacked(told: str) -> bytes:
    """The marks that a test set, a byte each."""
    return zlib.decompress(base64.b64decode(told)) if told else b""


def either(one: bytes, other: bytes) -> bytes:
    """What is set in one of them; an empty one is none."""
    if not one or not other:
        return one or other
    both = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return both.to_bytes(len(one), "little")
