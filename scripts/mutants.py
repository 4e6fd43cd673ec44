"""Changes the code a little, many times, and counts what the tests notice: `make mutants`.

    python scripts/mutants.py --count 200 --seed 1                        all rooms; takes hours
    python scripts/mutants.py --rooms engine,ingest --count 30            a sample, with the tests of these rooms
    python scripts/mutants.py --rooms engine --out mutants.json           and as JSON
    python scripts/mutants.py --rooms engine --per-room 20 --map ~/map    keeps which test reaches which line

It works in a copy of the repository that is thrown away. Tests run once to see which test reaches which line; then
lines that are reached are chosen by chance, each is changed in one place, and the tests that reach it run. With
`--map` a file of tests runs again only when it, or a file of the product that it reached, has changed since.

Not made are changes that no program can show: annotations, what a dataclass or `zip` only watches over, the size of
a cache, the patience of a wait.
"""

import argparse
import ast
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from reach_map import ReachMap

ROOT = Path(__file__).parents[1]
SRC = "src/freeform"
MOST_TESTS = 60
"""Run for one mutant at most; chosen evenly from those that reach its line."""
FOLDERS = {
    "adapters": ["adapters", "contracts"],
    "apps": ["apps"],
    "engine": ["engine", "content/test_golden.py"],
    "services": ["services"],
    "settings": ["test_settings.py"],
    "wiring": ["wiring", "apps"],
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
        return room_of(self.file)


def room_of(file: str) -> str:
    """The room of a file of the product."""
    return Path(file).relative_to(SRC).parts[0].removesuffix(".py")


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
            case ast.Return(value=ast.expr() as value) if not _says_no(value):
                yield node, "return", "return None"
            case ast.Expr(value=ast.Call() | ast.Await()):
                yield node, "removed", "pass"
            case ast.AugAssign(op=op) if type(op) in SWAPPED:
                new = ast.AugAssign(node.target, SWAPPED[type(op)](), node.value)
                yield node, "operator", ast.unparse(new)


def _says_no(value: ast.expr) -> bool:
    """None, or False, for which None stands as well; that False becomes True is a change of its own."""
    return isinstance(value, ast.Constant) and value.value in (None, False)


def _of_text(node: ast.BinOp) -> bool:
    """Joined texts: minus would only be a type error."""
    sides = (node.left, node.right)
    return any(
        isinstance(s, ast.JoinedStr) or isinstance(getattr(s, "value", 0), str) for s in sides
    )


IDLE = {
    "dataclass": {"frozen", "slots", "kw_only", "repr"},
    "field": {"repr"},
    "zip": {"strict"},
    "lru_cache": {"maxsize"},
}
"""By call the arguments that only watch over what is right anyway, or over memory: no result shows them."""
PATIENCE = {"timeout", "timeout_s", "timeout_graceful_shutdown"}
"""Of any call: nothing may depend on being quick, so no test may see them."""


def idle(tree: ast.AST) -> set[ast.AST]:
    """Nodes whose change no program can show: annotations, and arguments that only watch."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        for name in ("annotation", "returns"):
            hint = getattr(node, name, None)
            if hint is not None:
                found |= set(ast.walk(hint))
        if isinstance(node, ast.Call):
            unseen = IDLE.get(ast.unparse(node.func).rpartition(".")[2], set()) | PATIENCE
            for keyword in node.keywords:
                if keyword.arg in unseen:
                    found |= set(ast.walk(keyword.value))
    return found


def mutants_of(file: str, text: str, reached: set[int]) -> Iterator[Mutant]:
    """Every change of a file on lines that tests reach."""
    tree = ast.parse(text)
    unseen = idle(tree)
    lines = text.encode().splitlines(keepends=True)
    for node, kind, after in changes(tree):
        if node.lineno not in reached or node in unseen or node.end_lineno is None:
            continue
        span = (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset or 0)
        before = segment(lines, span)
        yield Mutant(file, node.lineno, kind, before, after, span)


def segment(lines: list[bytes], span: tuple[int, int, int, int]) -> str:
    """The text of a node; the function of `ast` for it cuts the whole file up each time."""
    first, start, last, end = span
    if first == last:
        return lines[first - 1][start:end].decode()
    whole = [lines[first - 1][start:], *lines[first : last - 1], lines[last - 1][:end]]
    return b"".join(whole).decode()


def changed(text: str, mutant: Mutant) -> str:
    """The file with its change. Columns count bytes."""
    first, start, last, end = mutant.span
    lines = text.encode().splitlines(keepends=True)
    new = lines[first - 1][:start] + mutant.after.encode() + lines[last - 1][end:]
    return b"".join([*lines[: first - 1], new, *lines[last:]]).decode()


def limit(seconds: int) -> None:
    """For a process that begins: processor time, since the clock tells little on a busy machine."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


class Workshop:
    """A copy of the repository in which tests run."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        listed = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
        names = subprocess.run(listed, cwd=ROOT, capture_output=True, check=True).stdout
        for name in filter(None, names.decode().split("\0")):
            self._copy(ROOT / name)
        # What Python compiled counts as long as the times of the sources stay: each mutant begins seconds sooner.
        for compiled in (*(ROOT / "src").rglob("*.pyc"), *(ROOT / "tests").rglob("*.pyc")):
            self._copy(compiled)
        (folder / "reached_by.py").write_text(PLUGIN)
        data = os.environ.get("FREEFORM_DATA") or str(ROOT.parent / "shared" / "data")
        self._environ = {
            **os.environ,
            "PYTHONPATH": f"{folder / 'src'}:{folder}:{folder / 'scripts'}",
            "FREEFORM_DATA": data,
            "PYTHONDONTWRITEBYTECODE": "1",
        }  # fmt: skip - pairs to read across

    def _copy(self, path: Path) -> None:
        if path.is_file():
            there = self.folder / path.relative_to(ROOT)
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, there)

    def run(self, *command: str, seconds: float = 0) -> int:
        """A Python module in the copy; its exit code. `seconds`: of processor time, at most."""
        return subprocess.run(
            [sys.executable, "-m", *command],
            cwd=self.folder,
            env=self._environ,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            preexec_fn=partial(limit, int(seconds)) if seconds else None,
            check=False,
        ).returncode  # fmt: skip - pairs to read across

    def measure(self, tests: list[str], database: Path) -> None:
        """Runs tests and writes down which lines each of them reaches."""
        config = self.folder / "reached.ini"
        config.write_text(f"[run]\nsource = {SRC}\nrelative_files = true\ndata_file = {database}\n")
        pytest = ["pytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "reached_by", "-q"]
        code = self.run("coverage", "run", f"--rcfile={config}", "-m", *pytest, *tests)
        if code != 0:
            raise SystemExit(f"the tests fail as they are (exit code {code}); mend them first")

    def notices(self, mutant: Mutant, seconds: float) -> bool:
        """Whether a test fails with the change; the file is as it was afterwards, to its time."""
        file = self.folder / mutant.file
        text, times = file.read_text(encoding="utf-8"), file.stat()
        file.write_text(changed(text, mutant), encoding="utf-8")
        pytest = ["pytest", "-x", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "--tb=no"]
        try:
            return self.run(*pytest, *mutant.tests, seconds=seconds) != 0
        finally:
            file.write_text(text, encoding="utf-8")
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def noticed(self, sample: list[Mutant], seconds: float) -> list[bool]:
        """By mutant whether it was noticed in one process for all; what was not may still be (scripts/mutating.py)."""
        job, out = self.folder / "mutants.json", self.folder / "noticed.jsonl"
        listed = []
        for mutant in sample:
            text = (self.folder / mutant.file).read_text(encoding="utf-8")
            new = changed(text, mutant)
            listed.append({"file": mutant.file, "tests": mutant.tests, "text": new})
        told = {"mutants": listed, "out": str(out), "seconds": seconds}
        job.write_text(json.dumps(told), encoding="utf-8")
        self._environ["MUTANTS"] = str(job)
        files = sorted({test.partition("::")[0] for mutant in sample for test in mutant.tests})
        pytest = ["pytest", "-q", "-p", "no:xdist", "-p", "no:cacheprovider", "-p", "mutating"]
        self.run(*pytest, *files)
        lines = out.read_text(encoding="utf-8").splitlines() if out.exists() else []
        answers = [line == "true" for line in lines]
        return answers + [False] * (len(sample) - len(answers))


def test_files(rooms: list[str]) -> list[str]:
    """Where the tests of these rooms lie."""
    names: list[str] = []
    for room in rooms:
        for name in FOLDERS.get(room, [room]):
            path = ROOT / "tests" / name
            files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
            names += [file.relative_to(ROOT).as_posix() for file in files if file.exists()]
    return list(dict.fromkeys(names))


def possible(shop: Workshop, reach: ReachMap, rooms: list[str]) -> list[Mutant]:
    """Every change in these rooms on a line that tests reach."""
    every: list[Mutant] = []
    for file in reach.files():
        text = (shop.folder / file).read_text(encoding="utf-8")
        if room_of(file) in rooms:
            every += mutants_of(file, text, reach.lines(file))
    return every


def sampled(
    every: list[Mutant], reach: ReachMap, count: int, chance: random.Random
) -> list[Mutant]:
    """Some of them by chance, each with as many tests as are run for one."""
    sample = chance.sample(every, min(count, len(every)))
    for mutant in sample:
        tests = reach.tests(mutant.file, mutant.line)
        mutant.tests = tests[:: max(1, -(-len(tests) // MOST_TESTS))]
    return sample


def tried(shop: Workshop, sample: list[Mutant], seconds: float) -> None:
    """Runs the tests of each and says what came of it."""
    quickly = shop.noticed(sample, seconds) if sample else []
    for number, mutant in enumerate(sample, start=1):
        mutant.noticed = quickly[number - 1] or shop.notices(mutant, seconds)
        mark = "noticed " if mutant.noticed else "SURVIVED"
        change = f"{mutant.before!r} → {mutant.after!r}"
        print(f"{number:3} {mark} {mutant.file}:{mutant.line} {mutant.kind} {change}", flush=True)


def main() -> None:
    """Chooses, tries, tells."""
    every = sorted(p.stem for p in (ROOT / SRC).iterdir() if (p / "__init__.py").exists())
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--per-room", type=int, help="so many of each room, with its own tests")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(every), help="separated by commas")
    parser.add_argument("--tests", nargs="*", help="these files of tests, not all of the rooms'")
    parser.add_argument(
        "--seconds", type=float, default=300, help="of processor time for one mutant"
    )
    parser.add_argument("--map", type=Path, help="a folder that keeps which test reaches what")
    parser.add_argument("--out", type=Path, help="a file for the JSON")
    given = parser.parse_args()
    rooms, sample = given.rooms.split(","), list[Mutant]()
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        shop = Workshop(Path(scratch) / "copy")
        folder = given.map.absolute() if given.map else Path(scratch) / "map"
        reach = ReachMap(folder, shop.folder, shop.measure)
        groups = [[room] for room in rooms] if given.per_room else [rooms]
        for group in groups:
            chance = random.Random(given.seed)
            reach.load(given.tests or test_files(group))
            most = given.per_room or given.count
            some = sampled(possible(shop, reach, group), reach, most, chance)
            tried(shop, some, given.seconds)
            sample += some
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
