"""A failing test is reported and the run goes on, also when Python stumbles over the syntax tree of its source."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONFTEST = """
import pytest
from tests.safe_reports import told_safely

@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    return (yield from told_safely(item, call))
"""
GARBAGE = """
import ast, gc

class Loud:
    def __init__(self):
        self.me = self

def test_that_fails_beside_much_garbage():
    parse = ast.parse

    def parse_beside_garbage(*given, **more):
        collecting = gc.isenabled()
        gc.disable()
        for _ in range(100):
            Loud()
        if collecting:
            gc.enable()
        return parse(*given, **more)

    gc.set_threshold(50)
    ast.parse = parse_beside_garbage
    Loud.__del__ = lambda self: parse("x = [1, (2, 3)]")
    assert "this" == "that"
"""
STUMBLES = """
import ast

def test_that_fails_while_nothing_can_be_parsed(monkeypatch):
    def parse(*_, **__):
        raise SystemError("AST constructor recursion depth mismatch (before=78, after=133)")
    ast.parse = parse
    assert "this" == "that"
"""
FINE = """
def test_that_passes():
    pass
"""


def run(folder: Path, **files: str) -> str:
    for name, text in files.items():
        # Long enough that garbage is collected while it is parsed.
        padding = "\n".join(f"def f{n}(a):\n    return [a, (a, {{1: [a]}})]" for n in range(300))
        (folder / f"{name}.py").write_text(f"{text}\n{padding if name != 'conftest' else ''}\n")
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-q"]
    ended = subprocess.run(
        [*command, "--rootdir", str(folder), str(folder)],
        cwd=folder, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return ended.stdout


@pytest.mark.parametrize("failing", [GARBAGE, STUMBLES])
def test_a_failure_is_told_and_the_next_test_runs(tmp_path: Path, failing: str) -> None:
    said = run(tmp_path, conftest=CONFTEST, test_a=failing, test_b=FINE)
    assert "INTERNALERROR" not in said
    assert "AssertionError" in said and "1 failed, 1 passed" in said
