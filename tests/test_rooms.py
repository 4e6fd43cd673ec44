"""Each folder has a page that says what it is for, and names only what is there."""

import re
from collections.abc import Iterator

from tests.house import ROOT, SRC, none_of

ROOMS = (
    "core",
    "language",
    "engine",
    "offline",
    "packs",
    "retrieval",
    "adapters/sqlite",
    "adapters/models",
    "adapters/embeddings",
    "apps/cli",
    "services",
    "content",
    "prompts",
)  # fmt: skip - a list to read across
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|yaml|json|md|sql)|(?:[\w-]+/)+)`")


def page_of(room: str) -> str:
    return (SRC / room / "README.md").read_text(encoding="utf-8")


def test_a_room_has_a_short_page_with_a_drawing() -> None:
    def broken() -> Iterator[str]:
        for room in ROOMS:
            page = page_of(room)
            if not page.startswith("# "):
                yield f"{room}: no title"
            if page.count("\n") > 60:
                yield f"{room}: {page.count(chr(10))} lines"
            if page.count("\n```\n") < 2:
                yield f"{room}: no drawing"
            if not re.search(r"(?i)start with|read this first", page):
                yield f"{room}: does not say where to start"

    none_of(broken())


def test_a_room_names_only_what_is_there() -> None:
    def broken() -> Iterator[str]:
        for room in ROOMS:
            folders = [SRC / room, SRC, ROOT]
            folders += [folder for folder in (SRC / room).iterdir() if folder.is_dir()]
            named = NAMED.findall(page_of(room))
            if not named:
                yield f"{room}: names nothing"
            for name in named:
                if not any((folder / name).exists() for folder in folders):
                    yield f"{room}: {name} is not there"

    none_of(broken())
