"""Figures of density that may only shrink: counts what is left, and lowers the lists to it.

    python scripts/ratchets.py            lowers the lists in pyproject.toml and tests/ratchets.toml; never raises them

Functions that are too complex or take too many parameters are excused by file in pyproject.toml, so that ruff holds all
others to it. Long lines, nested comprehensions and unexplained `# fmt: skip` are counted by room in tests/ratchets.toml; a
room without long lines loses its row in pyproject.toml, and ruff holds it to a hundred letters from then on.
"""

import ast
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "freeform"
PROJECT, COUNTS = ROOT / "pyproject.toml", ROOT / "tests" / "ratchets.toml"
RULES = ("C901", "PLR0913")
OPTIONS = ("lint.mccabe.max-complexity=10", "lint.pylint.max-args=6")
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
UNEXPLAINED = re.compile(r"# fmt: skip\s*$", re.M)


def room_of(file: Path) -> str:
    """The first folder under src/freeform, or the file itself."""
    return file.relative_to(SRC).parts[0]


def offences() -> tuple[dict[str, set[str]], Counter[str]]:
    """By file the rules it breaks, and by room how many lines are too long."""
    command = [sys.executable, "-m", "ruff", "check", "--isolated", "--line-length", "100"]
    command += ["--select", ",".join((*RULES, "E501")), "--output-format", "json"]
    for option in OPTIONS:
        command += ["--config", option]
    ended = subprocess.run([*command, "src"], cwd=ROOT, capture_output=True, text=True, check=False)
    broken: dict[str, set[str]] = defaultdict(set)
    long_lines: Counter[str] = Counter()
    for found in json.loads(ended.stdout):
        file = Path(found["filename"])
        if found["code"] == "E501":
            long_lines[room_of(file)] += 1
        else:
            broken[file.relative_to(ROOT).as_posix()].add(found["code"])
    return broken, long_lines


def nested_comprehensions(tree: ast.AST) -> int:
    """Comprehensions that stand within another one, or loop over one."""
    nested: set[ast.AST] = set()
    for outer in ast.walk(tree):
        if isinstance(outer, COMPREHENSIONS):
            inner = (node for node in ast.walk(outer) if node is not outer)
            nested |= {node for node in inner if isinstance(node, COMPREHENSIONS)}
    return len(nested)


def counts() -> dict[str, dict[str, int]]:
    """What there is now, by kind and room; rooms that have none are left out."""
    _, long_lines = offences()
    nested: Counter[str] = Counter()
    unexplained: Counter[str] = Counter()
    for file in sorted(SRC.rglob("*.py")):
        text = file.read_text(encoding="utf-8")
        nested[room_of(file)] += nested_comprehensions(ast.parse(text))
        unexplained[room_of(file)] += len(UNEXPLAINED.findall(text))
    kinds = {
        "long_lines": long_lines,
        "nested_comprehensions": nested,
        "fmt_skip_without_reason": unexplained,
    }
    return {kind: dict(sorted((+rooms).items())) for kind, rooms in kinds.items()}


def excused() -> dict[str, list[str]]:
    """The rows of pyproject.toml that excuse files and rooms."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))
    rows: dict[str, list[str]] = project["tool"]["ruff"]["lint"]["extend-per-file-ignores"]
    return rows


def glob_of(room: str) -> str:
    """A room as ruff names all its files."""
    return f"src/freeform/{room}" if room.endswith(".py") else f"src/freeform/{room}/**"


def needed() -> dict[str, list[str]]:
    """The rows that today's code needs."""
    broken, long_lines = offences()
    rows = {glob_of(room): {"E501"} for room in long_lines}
    for file, rules in broken.items():
        rows.setdefault(file, set()).update(rules)
    return {name: sorted(rules) for name, rules in sorted(rows.items())}


def stale() -> Iterator[str]:
    """Rows of pyproject.toml that excuse nothing."""
    real = needed()
    for name, rules in excused().items():
        for rule in rules:
            if rule not in real.get(name, ()):
                yield f'pyproject.toml: "{name}" needs no {rule} any more'


def kept_counts() -> dict[str, dict[str, int]]:
    """The figures that may only shrink."""
    return tomllib.loads(COUNTS.read_text(encoding="utf-8"))


def lower(raise_too: bool = False) -> None:
    """Writes both lists anew, nowhere higher than they were."""
    rows, had = needed(), excused()
    if not raise_too:
        rows = {name: [r for r in rules if r in had.get(name, ())] for name, rules in rows.items()}
    written = [f'"{name}" = {json.dumps(rules)}' for name, rules in rows.items() if rules]
    head = "[tool.ruff.lint.extend-per-file-ignores]\n"
    text = PROJECT.read_text(encoding="utf-8")
    before, _, after = text.partition(head)
    note, _, rest = after.partition("\n\n")
    rest = rest.lstrip("\n")
    notes = [line for line in note.splitlines() if line.startswith("#")]
    PROJECT.write_text(before + head + "\n".join([*notes, *written]) + "\n\n" + rest, "utf-8")
    now, then = counts(), kept_counts() if COUNTS.exists() else {}
    lines = ["# Written by scripts/ratchets.py: what is left, by room. It may only shrink."]
    for kind, rooms in now.items():
        lines += ["", f"[{kind}]"]
        for room, count in rooms.items():
            most = count if raise_too else min(count, then.get(kind, {}).get(room, 0))
            lines.append(f"{json.dumps(room)} = {most}")
    COUNTS.write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    lower()
