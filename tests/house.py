"""The house as the law tests see it: its files, read once, and how a list of broken laws is told."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "freeform"
FILES = sorted(SRC.rglob("*.py"))


@cache
def parsed(file: Path) -> ast.Module:
    """What is written in a file; each is read once."""
    return ast.parse(file.read_text(encoding="utf-8"))


def short(file: Path) -> str:
    """A file as laws name it."""
    return file.relative_to(SRC).as_posix()


def none_of(broken: Iterator[str] | list[str]) -> None:
    """Fails with everything that is wrong, a line each."""
    lines = list(broken)
    assert not lines, f"{len(lines)} broken:\n" + "\n".join(lines)
