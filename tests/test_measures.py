"""The scripts that measure the tests: floors that only rise, and small changes made as they say."""

import ast
import base64
import gc
import importlib
import json
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from inline_snapshot import snapshot

from tests.house import ROOT

Load = Callable[[str], ModuleType]


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Load:
    monkeypatch.syspath_prepend(ROOT / "scripts")
    return importlib.import_module


def test_a_room_below_its_floor_without_one_or_unmeasured_fails(script: Load) -> None:
    floors = script("coverage_floors")
    rooms = {"engine": (779, 1000), "core": (95, 100), "lore": (78, 100), "new": (1, 2)}
    table, wrong = floors.judge(rooms, {"engine": 80, "core": 90, "lore": 80, "gone": 50})
    assert "may rise" in table
    assert wrong == snapshot(
        [
            "engine is covered to 77.9 %, below its floor of 80 - 2 %",
            "new has no floor; run: python scripts/coverage_floors.py --raise",
            "gone has a floor and was not measured",
        ]
    )


def test_floors_rise_and_never_fall(script: Load) -> None:
    floors = script("coverage_floors")
    assert floors.raised(
        {"core": (955, 1000), "engine": (70, 100)}, {"core": 80, "engine": 80}
    ) == {
        "core": 94,
        "engine": 80,
    }


def test_two_processes_add_up_and_a_file_nobody_imports_counts(
    script: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    floors = script("coverage_floors")
    source, figures = tmp_path / "src", tmp_path / "figures"
    for name in ("room/seen.py", "room/unseen.py"):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_text(BRANCHING, encoding="utf-8")
    figures.mkdir()
    seen = {"executed_branches": [], "missing_branches": [[3, 4], [3, 5]]}
    first = {**seen, "executed_lines": [2, 3], "missing_lines": [4, 5]}
    second = {**seen, "executed_lines": [3, 4], "executed_branches": [[3, 4]], "missing_lines": [5]}
    for worker, lines in (("gw0", first), ("gw1", second)):
        text = json.dumps({"files": {str(source / "room/seen.py"): lines}})
        (figures / f"{worker}.json").write_text(text, encoding="utf-8")
    monkeypatch.setattr(floors, "SOURCE", source)
    monkeypatch.setattr(floors, "FIGURES", figures)
    # Four statements and two branches in each file; of one of them three and one were reached.
    assert floors.measured() == {"room": (4, 12)}
    assert floors.measured(frozenset({"another"})) == {}


BRANCHING = """\"\"\"A text is no statement.\"\"\"
def f(a):
    if a:
        return 1
    return 2
"""
CODE = """
def f(a: int = 3, b: bool = True) -> int:
    \"\"\"Says ä.\"\"\"
    if a == 1 and not b:
        g("ü" + a)
    a += 2
    return a * 2
"""


def test_every_kind_of_change_is_made_and_the_rest_stays(script: Load) -> None:
    mutants = script("mutants")
    made = list(mutants.mutants_of("src/freeform/core/x.py", CODE, set(range(1, 9))))
    assert [(m.kind, m.before, m.after) for m in made] == snapshot(
        [
            ("operator", "a += 2", "a -= 2"),
            ("return", "return a * 2", "return None"),
            ("constant", "3", "4"),
            ("constant", "True", "False"),
            ("boolean", "a == 1 and not b", "(a == 1 or not b)"),
            ("removed", 'g("ü" + a)', "pass"),
            ("constant", "2", "3"),
            ("operator", "a * 2", "(a // 2)"),
            ("comparison", "a == 1", "a != 1"),
            ("boolean", "not b", "b"),
            ("constant", "2", "3"),
            ("constant", "1", "2"),
        ]
    )
    for mutant in made:
        text = mutants.changed(CODE, mutant)
        ast.parse(text)
        assert text != CODE and len(text.splitlines()) == len(CODE.splitlines())
    assert {mutant.room for mutant in made} == {"core"}


def test_lines_that_no_test_reaches_are_left_alone(script: Load) -> None:
    mutants = script("mutants")
    assert {m.line for m in mutants.mutants_of("src/freeform/a.py", CODE, {6})} == {6}


WATCHING = """
@dataclass(frozen=True)
class A:
    size: int = 3
    rows = zip(a, b, strict=True)
    page = fetch(url, timeout=20, tries=2)

def f():
    _LOG.info("%d", 1 + size)
    raise UserError(f"no '{text[:20]}'; there are {len(all)}") if size > 1 else None
    return False

if TYPE_CHECKING:
    from a import B
    C = 3

class B:
    def __repr__(self):
        return f"B {1 + 1}"
"""


def test_what_only_watches_is_not_changed(script: Load) -> None:
    mutants = script("mutants")
    made = list(mutants.mutants_of("src/freeform/a.py", WATCHING, set(range(1, 20))))
    assert [(m.before, m.after) for m in made] == [
        ("3", "4"),
        ("False", "True"),
        ("size > 1", "size >= 1"),
        ("2", "3"),
        ("1", "2"),
    ]


def test_a_running_function_takes_the_code_of_a_changed_text(
    script: Load, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "LIMIT = 1\n\n\nclass A:\n    def add(self, a):\n        return a + 2\n"
    file = tmp_path / "changed_while_running.py"
    file.write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    thing = script("changed_while_running").A()
    mutating = script("mutating")
    assert mutating.put_in_place(str(file), text.replace("a + 2", "a - 2"))
    assert thing.add(1) == -1
    unchanged = text.replace("a + 2", "a - 2").replace("LIMIT = 1", "LIMIT = 2")
    assert not mutating.put_in_place(str(file), unchanged), "what ran at import stays as it was"
    gc.freeze()


BLOCKS = """
def f(a):
    \"\"\"Says nothing.\"\"\"
    if a:
        return 1
    elif a is None:
        a = (3,
             4)
    b = 2
    match a:
        case 3 if b:
            return 3
    return g(a)
"""


def test_a_mark_stands_for_the_lines_that_run_when_it_is_set(
    script: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    marks = script("marks")
    marker = marks.Marker(BLOCKS, 10)
    lines = [{4}, {5}, {6}, {7, 8}, {9, 10, 11}, {12}, {13}]
    assert marker.lines == lines
    here, text = bytearray(10 + len(lines)), marker.text()
    monkeypatch.setitem(sys.modules, "reached_by", SimpleNamespace(MARKS=here))
    scope: dict[str, Any] = {"g": lambda a: a}
    exec(text, scope)
    assert scope["f"].__doc__ == "Says nothing." and scope["f"](0) == 0
    assert [n - 10 for n, byte in enumerate(here) if byte] == [0, 2, 4, 6]


def test_which_test_reaches_a_line_is_measured_again_only_where_something_changed(
    script: Load, tmp_path: Path
) -> None:
    reach_map, measured = script("reach_map"), list[list[str]]()
    text = "def f(a):\n    if a:\n        return 1\n    return 2\n"
    files = [("src/one.py", 3), ("src/two.py", 3)]
    for name in ("tests/test_a.py", "tests/test_b.py", *dict(files)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")

    def kept(*marks: int) -> str:
        return base64.b64encode(zlib.compress(bytes(n in marks for n in range(6)))).decode()

    ran = {
        "tests/test_a.py::test": {"setup": kept(), "run": kept(0, 2)},
        "tests/test_a.py::test_fails": {"setup": kept(), "run": kept(0, 1), "passed": False},
        "tests/test_b.py::test": {"setup": kept(3), "run": kept(3, 4)},
        "tests/test_b.py::test_too": {"setup": kept(), "run": kept()},
    }

    def measure(tests: list[str], into: Path) -> None:
        measured.append(tests)
        found = {
            test: {"passed": True, "seconds": 0.5} | phases
            for test, phases in ran.items()
            if test.partition("::")[0] in tests
        }
        told = {"files": files, "tests": {"": {"run": kept(5)}} | found}
        into.write_text(json.dumps(told), encoding="utf-8")

    def loaded() -> Any:
        reach = reach_map.ReachMap(tmp_path / "map", tmp_path, measure)
        reach.load(["tests/test_a.py", "tests/test_b.py"])
        return reach

    loaded()
    reach = loaded()
    assert measured == [["tests/test_a.py", "tests/test_b.py"]]
    assert (reach.files(), reach.lines("src/one.py")) == (["src/one.py", "src/two.py"], {2, 4})
    assert reach.tests("src/one.py", 4) == ["tests/test_a.py::test"]
    assert reach.tests("src/one.py", 3) == [], "what fails as it is counts for nothing"
    least_first = ["tests/test_b.py::test_too", "tests/test_b.py::test"]
    assert reach.tests("src/two.py", 2) == least_first, "a fixture serves the file"
    assert [reach.at_import("src/two.py", line) for line in (2, 4)] == [False, True]
    (tmp_path / "src/two.py").write_text(text + "\n", encoding="utf-8")
    reach = loaded()
    assert measured[1:] == [["tests/test_b.py"]], "the other did not reach it"
    assert reach.tests("src/one.py", 2) == ["tests/test_a.py::test"]


def test_whole_runs_are_tried_first_and_as_many_as_there_is_time_for(script: Load) -> None:
    mutants = script("mutants")
    took = {
        "tests/engine/test_a.py::near": 1.0,
        "tests/snapshots/test_s.py::[long]": 5.0,
        "tests/snapshots/test_s.py::[quick]": 2.0,
        "tests/snapshots/test_s.py::[middle]": 3.0,
        "tests/engine/test_b.py::far": 6.0,
    }
    reach = SimpleNamespace(tests=lambda file, line: list(took), seconds=took.__getitem__)
    mutant = mutants.Mutant("src/freeform/engine/a.py", 1, "", "", "", (1, 0, 1, 0))
    names = [test.rpartition("::")[2] for test in mutants.chosen_tests(reach, mutant, 8)]
    assert names == ["[quick]", "[middle]", "near", "far"]
