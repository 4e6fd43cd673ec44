"""The shape of the code, checked. Lists here may only shrink. A law tells all that breaks it at once."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from tests.house import FILES, ROOT, SRC, none_of, parsed, short

LONGER_THAN_400: frozenset[str] = frozenset()
MOST_MODULES = 14
DEFINED_TWICE: frozenset[str] = frozenset()
"""Public class names with several definitions."""
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
    "forge",
)


def lines_of(file: Path) -> int:
    return file.read_text(encoding="utf-8").count("\n")


def test_a_file_is_short_and_says_what_it_is_for() -> None:
    def broken() -> Iterator[str]:
        for file in FILES:
            name, tree = short(file), parsed(file)
            if not ast.get_docstring(tree):
                yield f"{name}: say in one line what this file is for"
            if lines_of(file) > 400 and name not in LONGER_THAN_400:
                yield f"{name}: {lines_of(file)} lines; split it"
            if UNWANTED.search(file.stem.title()):
                yield f"{name}: name the file after what is in it"
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef) and UNWANTED.search(node.name):
                    yield f"{name}: name {node.name} after what it is at the table"

    none_of(broken())


def test_the_list_of_long_files_holds_nothing_that_is_short_by_now() -> None:
    none_of([name for name in LONGER_THAN_400 if lines_of(SRC / name) <= 400])


OUTERMOST = ("apps/cli/main.py", "players/party/local_agents.py", "services/lore/running.py")
"""The program itself, agents that strangers wrote, and a researcher in a thread of its own, whose end nobody else would see."""


def test_only_the_outermost_loop_of_an_app_catches_everything() -> None:
    def broken() -> Iterator[str]:
        for file in FILES:
            if short(file) in OUTERMOST:
                continue
            for node in ast.walk(parsed(file)):
                if isinstance(node, ast.ExceptHandler) and catches_everything(node):
                    yield f"{short(file)}:{node.lineno}: catch what you can name"

    none_of(broken())


def catches_everything(handler: ast.ExceptHandler) -> bool:
    return handler.type is None or getattr(handler.type, "id", "") == "Exception"


def test_no_folder_holds_more_than_fourteen_modules() -> None:
    modules: dict[str, int] = defaultdict(int)
    for file in FILES:
        if file.name != "__init__.py":
            modules[short(file.parent)] += 1
    none_of([f"{name}: {n} modules" for name, n in modules.items() if n > MOST_MODULES])


def test_a_public_class_name_has_one_definition() -> None:
    places: dict[str, list[str]] = defaultdict(list)
    for file in FILES:
        for node in parsed(file).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append(short(file))
    twice = {name for name, files in places.items() if len(files) > 1}
    none_of([f"{name}: {', '.join(places[name])}" for name in sorted(twice - DEFINED_TWICE)])
    none_of([f"{name} is defined once by now" for name in sorted(DEFINED_TWICE - twice)])


def named(file: Path) -> str:
    """A file as Python imports it."""
    return ".".join(file.relative_to(SRC.parent).with_suffix("").parts).removesuffix(".__init__")


def imported(node: ast.AST) -> Iterator[str]:
    """What is imported anywhere below, for types alone, too: files, and names in files."""
    for child in ast.walk(node):
        if isinstance(child, ast.ImportFrom):
            yield from (f"{child.module}.{alias.name}" for alias in child.names)
        elif isinstance(child, ast.Import):
            yield from (alias.name for alias in child.names)


def test_no_file_needs_one_that_needs_it_not_even_within_a_function_or_for_a_type() -> None:
    files = {named(file): file for file in FILES}
    needs: dict[str, set[str]] = {}
    for name, file in files.items():
        wanted = set(imported(parsed(file)))
        wanted |= {found.rpartition(".")[0] for found in wanted if found not in files}
        needs[name] = wanted & files.keys() - {name}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as circle:
        raise AssertionError("a circle of imports: " + " → ".join(circle.args[1])) from None


def test_every_domain_package_is_kept_from_networks_and_databases() -> None:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    contract = next(c for c in config["contracts"] if c["id"] == "domain")
    there = {f"freeform.{name}" for name in DOMAIN if (SRC / name).is_dir()}
    assert there <= set(contract["source_modules"])


COMMITTED = (
    "*.md",
    "*.toml",
    "*.txt",
    "Makefile",
    "docs/**/*.md",
    "requirements/*",
    "scripts/*",
    ".ci/*",
    "src/**/*.py",
    "src/**/*.md",
    "src/**/*.yaml",
    "tests/**/*.py",
    "benchmarks/*",
)  # fmt: skip - a list to read across


def test_no_file_names_a_package_index_or_a_folder_of_the_machine_it_was_made_on() -> None:
    index = re.compile(r"pypi\.org|pythonhosted|/simple\b|--(extra-)?index-url|--find-links", re.I)
    machine = re.compile(r"(?<![\w.~])/(root|home/\w+|Users/\w+|work|opt|mnt)/")

    def broken() -> Iterator[str]:
        for pattern in COMMITTED:
            for file in ROOT.glob(pattern):
                if not file.is_file() or file == Path(__file__):
                    continue
                text = file.read_text(encoding="utf-8", errors="replace")
                for found in (index.search(text), machine.search(text)):
                    if found:
                        yield f"{file.relative_to(ROOT)}: {found[0]}"

    none_of(broken())


def test_every_requirement_is_pinned_with_hashes() -> None:
    def broken() -> Iterator[str]:
        for name in PINNED:
            text = (ROOT / "requirements" / f"{name}.txt").read_text()
            entries = re.split(r"\n(?=\S)", text.replace("\\\n", " "))
            pins = [entry for entry in entries if entry.strip() and not entry.startswith("#")]
            if not pins:
                yield f"{name}.txt pins nothing"
            for entry in pins:
                if "==" not in entry or "--hash=sha256:" not in entry:
                    yield f"{name}.txt: {entry[:40]}"

    none_of(broken())


def test_the_installer_is_the_one_that_made_the_pins() -> None:
    first, second = ((ROOT / "requirements" / f"{name}.txt").read_text() for name in ("uv", "dev"))
    (mine,) = re.findall(r"^uv==.*(?:\n +--hash.*)+", first, re.M)
    assert mine in second


def missing(wanted: list[str], pins: str) -> list[str]:
    """The declared requirements that a file of pins lacks."""
    lacking = []
    for line in wanted:
        name = re.match(r"[\w.-]+", line)
        assert name
        plain = name[0].lower().replace("_", "-").replace(".", "-")
        if not re.search(rf"(?m)^{re.escape(plain)}==", pins):
            lacking.append(plain)
    return lacking


def test_the_pins_cover_what_the_project_declares() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    pins = {
        name: (ROOT / "requirements" / f"{name}.txt").read_text()
        for name in ("base", "parts", "dev")
    }
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    wanted = [
        ("base", project["project"]["dependencies"] + groups["build"]),
        ("dev", groups["dev"]),
    ]
    wanted += [
        ("parts", extras[extra]) for extra in ("web", "ingest", "players", "lore", "discord")
    ]
    none_of([f"{file}: {lacks}" for file, names in wanted for lacks in missing(names, pins[file])])


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


def test_what_is_known_of_language_is_in_its_room() -> None:
    elsewhere = [file for file in FILES if file.relative_to(SRC).parts[0] != "language"]
    found = []
    for file in elsewhere:
        for node in ast.walk(parsed(file)):
            if cuts_an_ending(node):
                found.append(f"{named(file)}:{node.lineno}: ask language.inflection or .forms")
            if len(listed_words(node) & SMALL_WORDS) >= 8:
                found.append(f"{named(file)}:{node.lineno}: take stop_words or a word_class")
    none_of(found)
