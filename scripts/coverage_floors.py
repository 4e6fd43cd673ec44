"""Holds each room to its share of covered lines and branches, which only rises.

    python scripts/coverage_floors.py             adds up what tests/measured.py left, shows the rooms, fails below a floor
    python scripts/coverage_floors.py core,packs  the same for these rooms alone, where only they were measured
    python scripts/coverage_floors.py --raise     writes today's shares down as the new floors, where they are higher

Floors lie in tests/coverage_floors.toml, in whole per cent. Run by `make test COVERAGE=1`. A line counts when a statement
begins on it; a file that no test imports counts with all its lines.
"""

import ast
import io
import json
import sys
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from slipcover import Slipcover
from slipcover.branch import preinstrument

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "freeform"
FIGURES = ROOT / ".coverage"
FLOORS = ROOT / "tests" / "coverage_floors.toml"
SLACK = 2
"""Per cent a room may lie above its floor before the floor is to be raised."""
LUCK = 2
"""Per cent a room may lie below its floor. The floors were measured with coverage.py, which counts up to 1.7 otherwise
(engine, core, language, adapters, packs, retrieval); half a per cent is enough once a whole run has raised them."""

Branch = tuple[int, int]


@dataclass
class Reached:
    """What tests reached of one file, and what there is."""

    lines: set[int] = field(default_factory=set)
    branches: set[Branch] = field(default_factory=set)
    every_line: set[int] = field(default_factory=set)
    every_branch: set[Branch] = field(default_factory=set)

    def add(self, figures: dict[str, list[int] | list[list[int]]]) -> None:
        """What one process of pytest saw of it."""
        lines, branches = figures["executed_lines"], figures["executed_branches"]
        self.lines |= set(lines)
        self.branches |= pairs(branches)
        self.every_line |= {*lines, *figures["missing_lines"]}
        self.every_branch |= pairs(branches) | pairs(figures["missing_branches"])

    def count(self, statements: set[int]) -> tuple[int, int]:
        """Covered lines and branches, and all."""
        covered = len(self.lines & statements) + len(self.branches)
        return covered, len(self.every_line & statements) + len(self.every_branch)


def pairs(branches: list[list[int]]) -> set[Branch]:
    """As JSON keeps them: lists of two."""
    return {(start, end) for start, end in branches}


def reached(folder: Path) -> dict[Path, Reached]:
    """By file, from all processes of pytest."""
    files: dict[Path, Reached] = defaultdict(Reached)
    for figures in sorted(folder.glob("*.json")):
        measured_files = json.loads(figures.read_text(encoding="utf-8"))["files"]
        for name, seen in measured_files.items():
            files[(ROOT / name).resolve()].add(seen)
    return files


def never_imported(tree: ast.Module, name: str) -> Reached:
    """A file of which nothing was reached. Works on the tree it is given."""
    code = compile(preinstrument(tree), name, "exec")
    lines, branches = Slipcover.lines_from_code(code), Slipcover.branches_from_code(code)
    return Reached(every_line=set(lines), every_branch=set(branches))


def statements(tree: ast.Module) -> set[int]:
    """The lines on which a statement begins; a text alone (a docstring) is none."""
    every = (node for node in ast.walk(tree) if isinstance(node, ast.stmt))
    return {node.lineno for node in every if not is_text(node)}


def is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def counted(files: dict[Path, Reached]) -> Iterator[tuple[str, int, int]]:
    """By file of the source: its room, what is covered, and all."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_bytes())
        starts = statements(tree)
        seen = files[path] if path in files else never_imported(tree, str(path))
        room = path.relative_to(SOURCE).parts[0].removesuffix(".py")
        yield room, *seen.count(starts)


def measured(wanted: frozenset[str] = frozenset()) -> dict[str, tuple[int, int]]:
    """By room: covered and all lines and branches. Without any room that is wanted, all rooms."""
    rooms: dict[str, tuple[int, int]] = {}
    for room, covered, every in counted(reached(FIGURES)):
        if wanted and room not in wanted:
            continue
        before = rooms.get(room, (0, 0))
        rooms[room] = (before[0] + covered, before[1] + every)
    return {room: counts for room, counts in sorted(rooms.items()) if counts[1]}


def per_cent(covered: int, every: int) -> float:
    """A share as people read it."""
    return 100 * covered / every


def judge(rooms: dict[str, tuple[int, int]], floors: dict[str, int]) -> tuple[str, list[str]]:
    """The table, and what is wrong: a room below its floor, or without one."""
    table, wrong = io.StringIO(), list[str]()
    for room, (covered, every) in rooms.items():
        share = per_cent(covered, every)
        floor = floors.get(room)
        table.write(f"{room:12} {share:6.1f} %   floor {'none' if floor is None else floor}\n")
        if floor is None:
            wrong.append(f"{room} has no floor; run: python scripts/coverage_floors.py --raise")
        elif share < floor - LUCK:
            wrong.append(
                f"{room} is covered to {share:.1f} %, below its floor of {floor} - {LUCK} %"
            )
        elif share >= floor + SLACK + 1:
            table.write(f"{'':12} may rise: python scripts/coverage_floors.py --raise\n")
    gone = [room for room in floors if room not in rooms]
    wrong += [f"{room} has a floor and was not measured" for room in gone]
    return table.getvalue(), wrong


def raised(rooms: dict[str, tuple[int, int]], floors: dict[str, int]) -> dict[str, int]:
    """Each floor at least one per cent below what was measured, and never lower than it was.

    The room between holds what differs by luck: which process of a test was measured, which branch a race took.
    """
    found = {room: max(0, int(per_cent(*counts)) - 1) for room, counts in rooms.items()}
    return {room: max(found[room], floors.get(room, 0)) for room in found}


def main(arguments: list[str]) -> int:
    """The exit code."""
    floors = tomllib.loads(FLOORS.read_text(encoding="utf-8")) if FLOORS.exists() else {}
    named = ",".join(told for told in arguments if not told.startswith("--"))
    wanted = frozenset(filter(None, named.split(",")))
    rooms = measured(wanted)
    if "--raise" in arguments:
        kept = {room: floor for room, floor in floors.items() if wanted and room not in wanted}
        rows = sorted((kept | raised(rooms, floors)).items())
        lines = [f"{room} = {floor}" for room, floor in rows]
        head = "# Lines and branches covered, in per cent: floors that only rise (scripts/coverage_floors.py)."
        FLOORS.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        return 0
    if wanted:
        floors = {room: floor for room, floor in floors.items() if room in wanted}
    table, wrong = judge(rooms, floors)
    print(table, end="")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
