"""The scripts that measure the tests: floors that only rise, and small changes made as they say."""

import ast
import gc
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import coverage
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
    return False
"""


def test_what_only_watches_is_not_changed(script: Load) -> None:
    mutants = script("mutants")
    made = list(mutants.mutants_of("src/freeform/a.py", WATCHING, set(range(1, 11))))
    assert [(m.before, m.after) for m in made] == [("3", "4"), ("False", "True"), ("2", "3")]


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


def test_which_test_reaches_a_line_is_measured_again_only_where_something_changed(
    script: Load, tmp_path: Path
) -> None:
    reach_map, measured = script("reach_map"), list[list[str]]()
    for name in ("tests/test_a.py", "tests/test_b.py", "src/one.py", "src/two.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name, encoding="utf-8")
    reached = {"tests/test_a.py": ("src/one.py", [1, 9]), "tests/test_b.py": ("src/two.py", [9])}

    def measure(tests: list[str], database: Path) -> None:
        measured.append(tests)
        kept = coverage.CoverageData(str(database))
        for name in tests:
            kept.set_context(f"{name}::test")
            kept.add_lines(dict([reached[name]]))
        kept.write()

    def loaded() -> Any:
        reach = reach_map.ReachMap(tmp_path / "map", tmp_path, measure)
        reach.load(sorted(reached))
        return reach

    loaded()
    reach = loaded()
    assert measured == [sorted(reached)]
    assert (reach.files(), reach.lines("src/one.py")) == (["src/one.py", "src/two.py"], {1, 9})
    assert reach.tests("src/one.py", 9) == ["tests/test_a.py::test"]
    assert reach.tests("src/one.py", 2) == []
    (tmp_path / "src/two.py").write_text("changed", encoding="utf-8")
    reach = loaded()
    assert measured[1:] == [["tests/test_b.py"]], "the other did not reach it"
    assert reach.tests("src/one.py", 1) == ["tests/test_a.py::test"]
