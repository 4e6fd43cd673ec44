"""Changes the code a little, many times, and counts what the tests notice: `make mutants`.

    python scripts/mutants.py --map ~/map --map-only --jobs 2             which test reaches which line; once, half an hour
    python scripts/mutants.py --map ~/map --count 200 --seed 1            as many of each room
    python scripts/mutants.py --map ~/map --rooms engine,ingest --count 40 --out mutants.json

It works in a copy of the repository that is thrown away. Tests run once to see which test reaches which line, in whatever
folder the test lies; then lines that are reached are chosen by chance, each is changed in one place, and the tests that reach
it run (`chosen_tests`: as many as take `--test-seconds`). With `--map` a file of tests runs again only when it, or a file of
the product that it reached, has changed since. What runs only while modules are imported (a table, a default) no test in
particular reaches, and it is not drawn.

Not made are changes that no program can show, as far as the text tells (`idle`): annotations and what only types read, lines
of the log, `__repr__`, what a dataclass or `zip` only watches over, the size of a cache, the looks of a JSON file, the patience
of a wait, how many letters of a bad word an error quotes. Which error comes, and when, is drawn like all else.
"""

import argparse
import ast
import json
import random
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path

from reach_map import ReachMap
from workshop import NOT_TRIED, ROOT, SRC, Measuring, Workshop

MOST_TESTS = 120
"""Run for one mutant at most, of each kind (`chosen_tests`)."""
NOTICED, SURVIVED, UNCHANGED = 1, 0, 3
"""As scripts/mutating.py says."""
ROOMS = (
    "language",
    "core",
    "packs",
    "retrieval",
    "engine",
    "ingest",
    "lore",
    "forge",
    "players",
    "assistant",
    "offline",
    "services",
)  # fmt: skip - a list to read across
"""The domain, its offline readers and the use cases. Adapters and apps are tested through programs and servers of their own."""
WHOLE = "tests/snapshots/"
"""Whole runs of the real thing: cheap, and they see most, so they are tried first."""
FOLDERS = (*ROOMS, "snapshots", "content", "evals", "contracts", "wiring")
"""Folders of tests that run in one process and may notice a change in any of these rooms."""
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
    "ConfigDict": {"frozen"},
    "field": {"repr"},
    "zip": {"strict"},
    "lru_cache": {"maxsize"},
    "dumps": {"indent", "ensure_ascii"},
    "model_dump_json": {"indent"},
    "safe_dump": {"allow_unicode", "width"},
    "Thread": {"daemon"},
}
"""By call the arguments that only watch over what is right anyway, over memory, or over the looks of a file that is read the
same: no result shows them."""
PATIENCE = {"timeout", "timeout_s", "timeout_graceful_shutdown"}
"""Of any call: nothing may depend on being quick, so no test may see them."""
LOGS = {"_LOG", "logging", "logger"}


def idle(tree: ast.AST) -> set[ast.AST]:
    """Nodes whose change no program can show: annotations, what only types read, lines of the log, `__repr__`, and arguments
    that only watch."""
    found: set[ast.AST] = set()
    for node in ast.walk(tree):
        for part in _unseen(node):
            found |= set(ast.walk(part))
    return found


def _unseen(node: ast.AST) -> Iterator[ast.AST]:
    match node:
        case ast.FunctionDef(name="__repr__") | ast.If(test=ast.Name(id="TYPE_CHECKING")):
            yield node
        case ast.Expr(value=ast.Call(func=func)) if ast.unparse(func).partition(".")[0] in LOGS:
            yield node
        case ast.Raise(exc=ast.expr() as refusal):
            yield from _quoted(refusal)
        case ast.Call():
            unseen = IDLE.get(ast.unparse(node.func).rpartition(".")[2], set()) | PATIENCE
            yield from (keyword.value for keyword in node.keywords if keyword.arg in unseen)
    for name in ("annotation", "returns"):
        hint = getattr(node, name, None)
        if hint is not None:
            yield hint


def _quoted(refusal: ast.expr) -> Iterator[ast.AST]:
    """How much of what was given stands in the sentence of an error: the bounds of slices, and how
    wide a value is written."""
    for node in ast.walk(refusal):
        if not isinstance(node, ast.FormattedValue):
            continue
        cuts = [part for part in ast.walk(node.value) if isinstance(part, ast.Slice)]
        for part in [*cuts, *([node.format_spec] if node.format_spec else [])]:
            yield from (bound for bound in ast.walk(part) if isinstance(bound, ast.Constant))


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


def test_files(folders: Iterable[str]) -> list[str]:
    """Those in these folders of tests."""
    names: list[str] = []
    for name in folders:
        path = ROOT / "tests" / name
        files = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
        names += [file.relative_to(ROOT).as_posix() for file in files if file.exists()]
    return list(dict.fromkeys(names))


def possible(shop: Workshop, reach: ReachMap, room: str) -> list[Mutant]:
    """Every change in a room on a line that tests reach."""
    every: list[Mutant] = []
    for file in reach.files():
        if room_of(file) == room:
            text = (shop.folder / file).read_text(encoding="utf-8")
            every += mutants_of(file, text, reach.lines(file))
    return every


def chosen_tests(reach: ReachMap, mutant: Mutant, seconds: float) -> list[str]:
    """First whole runs, the quickest first; then those that reach least of the file, for half of the time, and some of the
    others, evenly."""
    every = reach.tests(mutant.file, mutant.line)
    whole = [test for test in every if test.startswith(WHOLE)]
    tests = [test for test in every if not test.startswith(WHOLE)]
    first = affordable(reach, sorted(whole, key=reach.seconds), seconds)
    near, left = list[str](), seconds / 2
    while tests and left > 0 and len(near) < MOST_TESTS:
        near.append(tests.pop(0))
        left -= reach.seconds(near[-1])
    far = affordable(reach, tests[:: max(1, -(-len(tests) // MOST_TESTS))], seconds / 2)
    return first + near + far


def affordable(reach: ReachMap, tests: Iterable[str], seconds: float) -> list[str]:
    """Those for which there is time, in their order."""
    chosen, left = list[str](), seconds
    for test in tests:
        if reach.seconds(test) < left:
            chosen.append(test)
            left -= reach.seconds(test)
    return chosen


def tried(
    shop: Workshop, reach: ReachMap, sample: list[Mutant], given: argparse.Namespace
) -> list[Mutant]:
    """Runs the tests of each and says what came of it; those for which there was time."""
    done: list[Mutant] = []
    listed: list[dict[str, object]] = []
    for mutant in sample:
        mutant.tests = chosen_tests(reach, mutant, given.test_seconds)
        text = changed((shop.folder / mutant.file).read_text(encoding="utf-8"), mutant)
        listed.append({"file": mutant.file, "tests": mutant.tests, "text": text})
    until = time.monotonic() + 60 * given.minutes if given.minutes else float("inf")
    codes = shop.tried(listed, given.seconds, until, given.jobs)
    for number, (mutant, told, code) in enumerate(zip(sample, listed, codes, strict=True), start=1):
        alone = code == UNCHANGED or (
            code == SURVIVED and reach.at_import(mutant.file, mutant.line)
        )
        if code == NOT_TRIED or (alone and time.monotonic() > until):
            continue
        mutant.noticed = code == NOTICED
        if alone:
            mutant.noticed = shop.notices(
                mutant.file, str(told["text"]), mutant.tests, given.seconds
            )
        done.append(mutant)
        mark = "noticed " if mutant.noticed else "SURVIVED"
        change = f"{mutant.before!r} → {mutant.after!r}"
        print(f"{number:3} {mark} {mutant.file}:{mutant.line} {mutant.kind} {change}", flush=True)
    return done


def asked() -> argparse.Namespace:
    """What the command line says."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--count", type=int, default=200, help="over all rooms, as many of each")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(ROOMS), help="separated by commas")
    parser.add_argument("--tests", default=",".join(FOLDERS), help="folders, separated by commas")
    parser.add_argument("--map", type=Path, help="a folder that keeps which test reaches what")
    parser.add_argument("--map-only", action="store_true", help="makes the map and nothing else")
    parser.add_argument("--jobs", type=int, default=1, help="processes side by side")
    parser.add_argument("--test-seconds", type=float, default=45, help="of tests for one mutant")
    parser.add_argument(
        "--seconds", type=float, default=120, help="of processor time: more is noticed"
    )
    parser.add_argument("--minutes", type=float, default=0, help="then it tells of what was tried")
    parser.add_argument("--out", type=Path, help="a file for the JSON")
    return parser.parse_args()


def main() -> None:
    """Chooses, tries, tells."""
    given = asked()
    rooms = given.rooms.split(",")
    with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
        shop = Workshop(Path(scratch) / "copy")
        folder = given.map.absolute() if given.map else Path(scratch) / "map"
        reach = ReachMap(folder, shop.folder, Measuring(Path(scratch) / "marked"), given.jobs)
        reach.load(test_files(given.tests.split(",")), [f"{SRC}/{room}/" for room in rooms])
        if given.map_only:
            return
        sample: list[Mutant] = []
        for number, room in enumerate(rooms):
            share = given.count // len(rooms) + (number < given.count % len(rooms))
            every = possible(shop, reach, room)
            chance = random.Random(f"{given.seed} {room}")
            sample += chance.sample(every, min(share, len(every)))
        random.Random(given.seed).shuffle(sample)  # what there was time for is a sample of all
        done = tried(shop, reach, sample, given)
    tell(done, given.seed, given.out)


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
