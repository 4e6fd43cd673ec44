"""The shape of the code, checked. Lists here may only shrink."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "freeform"
FILES = sorted(SRC.rglob("*.py"))
LONGER_THAN_400 = frozenset(
    {
        "adapters/sqlite/memory/memories.py",
        "adapters/sqlite/campaign/store.py",
        "apps/web/routes/players.py",
        "engine/rules/validate.py",
        "offline/interpreter/build.py",
        "offline/interpreter/deeds.py",
        "settings.py",
    }
)
UNWANTED = re.compile(r"Manager|Helper|Util|Handler|Processor|Wrapper|Misc")
PINNED = ("base", "parts", "dev", "node", "uv", "weights")
DOMAIN = (
    "core",
    "language",
    "packs",
    "retrieval",
    "engine",
    "ingest",
    "lore",
    "players",
    "assistant",
)


@cache
def parsed(file: Path) -> ast.Module:
    """What is written in a file; each is read once."""
    return ast.parse(file.read_text(encoding="utf-8"))


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SRC)))
def test_a_file_is_short_and_says_what_it_is_for(file: Path) -> None:
    name, text = file.relative_to(SRC).as_posix(), file.read_text(encoding="utf-8")
    tree = parsed(file)
    assert ast.get_docstring(tree), "say in one line what this file is for"
    assert text.count("\n") <= 400 or name in LONGER_THAN_400, "split it"
    classes = [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    assert [name for name in classes if UNWANTED.search(name)] == [], (
        "name it after what it is at the table"
    )
    assert not UNWANTED.search(file.stem.title()), "name the file after what is in it"


def test_the_list_of_long_files_holds_nothing_that_is_short_by_now() -> None:
    assert [name for name in LONGER_THAN_400 if (SRC / name).read_text().count("\n") <= 400] == []


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SRC)))
def test_only_the_outermost_loop_of_an_app_catches_everything(file: Path) -> None:
    caught = [
        node.lineno
        for node in ast.walk(parsed(file))
        if isinstance(node, ast.ExceptHandler)
        and (node.type is None or (isinstance(node.type, ast.Name) and node.type.id == "Exception"))
    ]
    outermost = file.relative_to(SRC).as_posix() == "apps/cli/main.py"
    assert outermost or not caught, f"lines {caught}: catch what you can name"


def named(file: Path) -> str:
    """A file as Python imports it."""
    return ".".join(file.relative_to(SRC.parent).with_suffix("").parts).removesuffix(".__init__")


def imported(node: ast.AST) -> Iterator[str]:
    """What is imported anywhere below, but for types alone: files, and names in files."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.ImportFrom):
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)
        elif isinstance(child, ast.If) and getattr(child.test, "id", "") == "TYPE_CHECKING":
            continue
        elif isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case):
            yield from imported(child)


def test_no_file_needs_one_that_needs_it_not_even_within_a_function() -> None:
    files = {named(file): file for file in FILES}
    needs = {
        name: {
            found if found in files else found.rpartition(".")[0]
            for found in imported(parsed(file))
        }
        for name, file in files.items()
    }
    TopologicalSorter({name: found & files.keys() for name, found in needs.items()}).prepare()


def test_every_domain_package_is_kept_from_networks_and_databases() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    contract = next(c for c in config["contracts"] if c["id"] == "domain")
    there = {f"freeform.{name}" for name in DOMAIN if (SRC / name).is_dir()}
    assert there <= set(contract["source_modules"])


COMMITTED = [
    file
    for pattern in ("*.md", "*.toml", "*.txt", "Makefile", "docs/**/*.md", "requirements/*", "scripts/*",
                    ".ci/*", "src/**/*.py", "src/**/*.md", "src/**/*.yaml", "tests/**/*.py", "benchmarks/*")
    for file in ROOT.glob(pattern)
    if file.is_file() and file != Path(__file__)
]  # fmt: skip


def test_no_file_names_a_package_index_or_a_folder_of_the_machine_it_was_made_on() -> None:
    index = re.compile(r"pypi\.org|pythonhosted|/simple\b|--(extra-)?index-url|--find-links", re.I)
    machine = re.compile(r"(?<![\w.~])/(root|home/\w+|Users/\w+|work|opt|mnt)/")
    wrong = {
        f"{file.relative_to(ROOT)}: {found[0]}"
        for file in COMMITTED
        for pattern in (index, machine)
        if (found := pattern.search(file.read_text(encoding="utf-8", errors="replace")))
    }
    assert wrong == set()


@pytest.mark.parametrize("name", PINNED)
def test_every_requirement_is_pinned_with_hashes(name: str) -> None:
    text = (ROOT / "requirements" / f"{name}.txt").read_text()
    entries = re.split(r"\n(?=\S)", text.replace("\\\n", " "))
    pins = [entry for entry in entries if entry.strip() and not entry.startswith("#")]
    assert pins
    assert [
        entry[:40] for entry in pins if "==" not in entry or "--hash=sha256:" not in entry
    ] == []


def test_the_installer_is_the_one_that_made_the_pins() -> None:
    first, second = ((ROOT / "requirements" / f"{name}.txt").read_text() for name in ("uv", "dev"))
    (mine,) = re.findall(r"^uv==.*(?:\n +--hash.*)+", first, re.M)
    assert mine in second


def test_the_pins_cover_what_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    base = (ROOT / "requirements" / "base.txt").read_text()
    dev = (ROOT / "requirements" / "dev.txt").read_text()

    def missing(wanted: list[str], pins: str) -> list[str]:
        names = [
            re.match(r"[\w.-]+", line)[0].lower().replace("_", "-").replace(".", "-")
            for line in wanted
        ]  # type: ignore[index]
        return [name for name in names if not re.search(rf"(?m)^{re.escape(name)}==", pins)]

    assert (
        missing(project["project"]["dependencies"] + project["dependency-groups"]["build"], base)
        == []
    )
    parts = (ROOT / "requirements" / "parts.txt").read_text()
    for extra in ("web", "ingest", "players", "lore", "discord"):
        assert missing(project["project"]["optional-dependencies"][extra], parts) == []
    assert missing(project["dependency-groups"]["dev"], dev) == []


SMALL_WORDS = frozenset(
    "a an the of to in on at by for from with and or but not no if then than so as is are was were be been do does did"
    " have has had i me my we us our you your he him his she her it its they them their this that these those there"
    " here what which who whom whose when where why how all any some can could will would should into about".split()
)
ENDINGS = frozenset(("s", "es", "ies", "ed", "ing", "ings", "ly", "'s", "’s"))
CUTS = frozenset(("removesuffix", "rstrip", "endswith"))


def cuts_an_ending(node: ast.AST) -> bool:
    """`word.removesuffix("s")`, `word.endswith(("ing", "ed"))`: inflection made at home."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return False
    if node.func.attr not in CUTS or len(node.args) != 1:
        return False
    given = node.args[0]
    pieces = given.elts if isinstance(given, ast.Tuple) else [given]
    return any(isinstance(piece, ast.Constant) and piece.value in ENDINGS for piece in pieces)


def listed_words(node: ast.AST) -> set[str]:
    """The words of a list in code: `{"a", "the"}`, `"a the".split()`."""
    if isinstance(node, ast.Set | ast.Tuple | ast.List):
        values = [piece.value for piece in node.elts if isinstance(piece, ast.Constant)]
        return {value.lower() for value in values if isinstance(value, str)}
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        text = node.func.value
        if node.func.attr == "split" and isinstance(text, ast.Constant):
            return set(str(text.value).lower().split())
    return set()


@pytest.mark.parametrize("file", FILES, ids=lambda f: str(f.relative_to(SRC)))
def test_what_is_known_of_language_is_in_its_room(file: Path) -> None:
    if file.relative_to(SRC).parts[0] == "language":
        return
    nodes = list(ast.walk(parsed(file)))
    cut = [node.lineno for node in nodes if cuts_an_ending(node)]
    assert not cut, f"lines {cut}: ask `language.inflection` or `language.forms`"
    lists = [node.lineno for node in nodes if len(listed_words(node) & SMALL_WORDS) >= 8]
    assert not lists, f"lines {lists}: take `stop_words` or a `word_class` of `language.words`"
