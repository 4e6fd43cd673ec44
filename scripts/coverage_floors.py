"""Holds each room to its share of covered lines and branches, which only rises.

    python scripts/coverage_floors.py             combines what `coverage run` left, shows the rooms, fails below a floor
    python scripts/coverage_floors.py --raise     writes today's shares down as the new floors, where they are higher

Floors lie in tests/coverage_floors.toml, in whole per cent. Run by `make test COVERAGE=1`.
"""

import io
import json
import sys
import tempfile
import tomllib
from collections import defaultdict
from pathlib import Path

import coverage

ROOT = Path(__file__).parents[1]
FLOORS = ROOT / "tests" / "coverage_floors.toml"
SLACK = 2
"""Per cent a room may lie above its floor before the floor is to be raised."""


def measured() -> dict[str, tuple[int, int]]:
    """By room: covered and all lines and branches, from the data files that lie there."""
    data = coverage.Coverage(config_file=str(ROOT / "pyproject.toml"))
    data.combine(keep=True)
    with tempfile.TemporaryDirectory() as scratch:
        report = Path(scratch) / "report.json"
        data.json_report(outfile=str(report))
        files = json.loads(report.read_text(encoding="utf-8"))["files"]
    rooms: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for name, found in files.items():
        inner = Path(name).parts[2:]
        total, share = rooms[inner[0].removesuffix(".py")], found["summary"]
        total[0] += share["covered_lines"] + share["covered_branches"]
        total[1] += share["num_statements"] + share["num_branches"]
    return {room: (covered, every) for room, (covered, every) in sorted(rooms.items()) if every}


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
        elif share < floor:
            wrong.append(f"{room} is covered to {share:.1f} %, below its floor of {floor} %")
        elif share >= floor + SLACK + 1:
            table.write(f"{'':12} may rise: python scripts/coverage_floors.py --raise\n")
    gone = [room for room in floors if room not in rooms]
    wrong += [f"{room} has a floor and was not measured" for room in gone]
    return table.getvalue(), wrong


def raised(rooms: dict[str, tuple[int, int]], floors: dict[str, int]) -> dict[str, int]:
    """Each floor a whole per cent at or below what was measured, and never lower than it was."""
    found = {room: int(per_cent(*counts)) - 1 for room, counts in rooms.items()}
    return {room: max(found[room], floors.get(room, 0)) for room in found}


def main(arguments: list[str]) -> int:
    """The exit code."""
    floors = tomllib.loads(FLOORS.read_text(encoding="utf-8")) if FLOORS.exists() else {}
    rooms = measured()
    if "--raise" in arguments:
        lines = [f"{room} = {floor}" for room, floor in sorted(raised(rooms, floors).items())]
        head = "# Lines and branches covered, in per cent: floors that only rise (scripts/coverage_floors.py)."
        FLOORS.write_text("\n".join([head, *lines]) + "\n", encoding="utf-8")
        return 0
    table, wrong = judge(rooms, floors)
    print(table, end="")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
