"""Changes the code a little, many times, and counts what the tests notice: `make mutants`.

    python scripts/mutants.py --count 200 --seed 1                        all rooms; takes hours
    python scripts/mutants.py --rooms engine,ingest --count 30            a sample, with the tests of these rooms
    python scripts/mutants.py --rooms engine --out mutants.json           and as JSON

It works in a copy of the repository that is thrown away. Tests run once to see which test reaches which line; then
lines that are reached are chosen by chance, each is changed in one place, and the tests that reach it run.
"""

import argparse
import ast
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

import coverage

ROOT = Path(__file__).parents[1]
SRC = "src/freeform"
MOST_TESTS = 60
"""Run for one mutant at most; chosen evenly from those that reach its line."""
FOLDERS = {
    "adapters": ["adapters", "contracts"],
    "apps": ["apps"],
    "engine": ["engine", "content/test_golden.py"],
    "services": ["apps"],
    "settings": ["test_settings.py"],
    "wiring": ["apps"],
}
"""Where the tests of a room lie, when not in the folder of its name."""
PLUGIN = """
import coverage, pytest

@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item):
    coverage.Coverage.current().switch_context(item.nodeid)
    return (yield)
"""
SWAPPED: dict[type[ast.AST], type[ast.AST]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
}  # fmt: skip - a table to read across


@dataclass
class Mutant:
    """One small change, and what came of it."""

    file: str
    line: int
    kind: str
    before: str
    after: str
    span: tuple[int, int, int, int]
    noticed: bool = False
    tests: list[str] = field(default_factory=list)

    @property
    def room(self) -> str:
        return Path(self.file).relative_to(SRC).parts[0].removesuffix(".py")


def changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """Every node that can be changed, the kind of change, and its new text."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(ops=[op, *rest]) if type(op) in SWAPPED:
                new = ast.Compare(node.left, [SWAPPED[type(op)](), *rest], node.comparators)
                yield node, "comparison", ast.unparse(new)
            case ast.BoolOp(op=op):
                yield (
                    node,
                    "boolean",
                    f"({ast.unparse(ast.BoolOp(SWAPPED[type(op)](), node.values))})",
                )
            case ast.BinOp(op=op) if type(op) in SWAPPED and not _of_text(node):
                new = ast.BinOp(node.left, SWAPPED[type(op)](), node.right)
                yield node, "operator", f"({ast.unparse(new)})"
            case ast.UnaryOp(op=ast.Not()):
                yield node, "boolean", ast.unparse(node.operand)
            case ast.Constant(value=bool() as value):
                yield node, "constant", str(not value)
            case ast.Constant(value=int() | float() as value):
                yield node, "constant", repr(value + 1)
            case ast.Return(value=ast.expr() as value) if not _is_none(value):
                yield node, "return", "return None"
            case ast.Expr(value=ast.Call() | ast.Await()):
                yield node, "removed", "pass"
            case ast.AugAssign(op=op) if type(op) in SWAPPED:
                new = ast.AugAssign(node.target, SWAPPED[type(op)](), node.value)
                yield node, "operator", ast.unparse(new)


def _is_none(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is None


def _of_text(node: ast.BinOp) -> bool:
    """Joined texts: minus would only be a type error."""
    sides = (node.left, node.right)
    return any(
        isinstance(s, ast.JoinedStr) or isinstance(getattr(s, "value", 0), str) for s in sides
    )


def hints(tree: ast.AST) -> set[ast.AST]:
    """Nodes of annotations: they do nothing when the program runs."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            hint = getattr(node, name, None)
            if hint is not None:
                found |= set(ast.walk(hint))
    return found


def mutants_of(file: str, text: str, reached: set[int]) -> Iterator[Mutant]:
    """Every change of a file on lines that tests reach."""
    tree = ast.parse(text)
    idle = hints(tree)
    for node, kind, after in changes(tree):
        if node.lineno not in reached or node in idle or node.end_lineno is None:
            continue
        span = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset or 0)
        before = ast.get_source_segment(text, node) or ""
        yield Mutant(file, node.lineno, kind, before, after, span)


def changed(text: str, mutant: Mutant) -> str:
    """The file with its change. Columns count bytes."""
    first, start, last, end = mutant.span
    lines = text.encode().splitlines(keepends=True)
    new = lines[first - 1][:start] + mutant.after.encode() + lines[last - 1][end:]
    return b"".join([*lines[: first - 1], new, *lines[last:]]).decode()


class Workshop:
    """A copy of the repository in which tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, folder / name)
        (folder / "reached_by.py").write_text(PLUGIN)
        data = os.environ.get("FREEFORM_DATA") or str(ROOT.parent / "shared" / "data")
        self._environ = {
            **os.environ,
            "PYTHONPATH": f"{folder / 'src'}:{folder}",
            "FREEFORM_DATA": data,
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip - pairs to read across

    def run(self, *command: str, seconds: float = 3600) -> int:
        """A Python module in the copy; its exit code, or 124 when it took too long."""
        try:
            ended = subprocess.run(
                [sys.executable, "-m", *command],
                cwd=self.folder,
                env=self._environ,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=seconds,
                check=False,
            )  # fmt: skip - pairs to read across
        except subprocess.TimeoutExpired:
            return 124
        return ended.returncode

    def reached(self, tests: list[str]) -> dict[str, dict[int, list[str]]]:
        """By file and line the tests that reach it."""
        config = self.folder / "reached.ini"
        config.write_text(f"[run]\nsource = {SRC}\ndata_file = {self.folder / 'reached.db'}\n")
        pytest = ["pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "reached_by", "-q"]
        code = self.run("coverage", "run", f"--rcfile={config}", "-m", *pytest, *tests)
        if code != 0:
            raise SystemExit(f"the tests fail as they are (exit code {code}); mend them first")
        data = coverage.CoverageData(str(self.folder / "reached.db"))
        data.read()
        found: dict[str, dict[int, list[str]]] = {}
        for file in data.measured_files():
            lines = data.contexts_by_lineno(file)
            name = Path(file).relative_to(self.folder).as_posix()
            found[name] = {n: [t for t in tests if t] for n, tests in lines.items() if any(tests)}
        return found

    def notices(self, mutant: Mutant, seconds: float) -> bool:
        """Whether a test fails with the change; the file is as it was afterwards."""
        file = self.folder / mutant.file
        text = file.read_text(encoding="utf-8")
        file.write_text(changed(text, mutant), encoding="utf-8")
        pytest = ["pytest", "-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no"]
        try:
            return self.run(*pytest, *mutant.tests, seconds=seconds) != 0
        finally:
            file.write_text(text, encoding="utf-8")


def chosen(shop: Workshop, rooms: list[str], count: int, chance: random.Random) -> list[Mutant]:
    """Mutants by chance, all rooms in proportion to what can be changed there."""
    folders = [folder for room in rooms for folder in FOLDERS.get(room, [room])]
    there = [f"tests/{name}" for name in dict.fromkeys(folders) if (ROOT / "tests" / name).exists()]
    every: list[Mutant] = []
    for file, lines in sorted(shop.reached(there).items()):
        text = (shop.folder / file).read_text(encoding="utf-8")
        mutants = list(mutants_of(file, text, set(lines)))
        for mutant in mutants:
            mutant.tests = sorted(lines[mutant.line])
        every += [mutant for mutant in mutants if mutant.room in rooms]
    sample = chance.sample(every, min(count, len(every)))
    for mutant in sample:
        step = max(1, -(-len(mutant.tests) // MOST_TESTS))
        mutant.tests = mutant.tests[::step]
    return sample


def main() -> None:
    """Chooses, tries, tells."""
    every = sorted(p.stem for p in (ROOT / SRC).iterdir() if (p / "__init__.py").exists())
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(every), help="separated by commas")
    parser.add_argument("--seconds", type=float, default=300, help="for the tests of one mutant")
    parser.add_argument("--out", type=Path, help="a file for the JSON")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        shop = Workshop(Path(scratch))
        sample = chosen(shop, given.rooms.split(","), given.count, random.Random(given.seed))
        for number, mutant in enumerate(sample, start=1):
            mutant.noticed = shop.notices(mutant, given.seconds)
            mark = "noticed " if mutant.noticed else "SURVIVED"
            change = f"{mutant.before!r} → {mutant.after!r}"
            print(
                f"{number:3} {mark} {mutant.file}:{mutant.line} {mutant.kind} {change}", flush=True
            )
    tell(sample, given.seed, given.out)


def tell(sample: list[Mutant], seed: int, out: Path | None) -> None:
    """The table by room, and JSON where it is wanted."""
    rooms: dict[str, list[bool]] = defaultdict(list)
    for mutant in sample:
        rooms[mutant.room].append(mutant.noticed)
    rooms["all"] = [mutant.noticed for mutant in sample]
    print("\nroom          noticed   of     %")
    for room, noticed in rooms.items():
        share = 100 * sum(noticed) / max(1, len(noticed))
        print(f"{room:12} {sum(noticed):8} {len(noticed):4} {share:5.0f}")
    if out:
        counts = {room: {"noticed": sum(n), "of": len(n)} for room, n in rooms.items()}
        mutants = [asdict(mutant) for mutant in sample]
        out.write_text(json.dumps({"seed": seed, "rooms": counts, "mutants": mutants}, indent=1))


if __name__ == "__main__":
    main()
