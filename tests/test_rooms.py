"""Each folder has a page that says what it is for, and names only what is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SRC = ROOT / "src" / "freeform"
ROOMS = (
    "core", "engine", "offline", "packs", "retrieval", "adapters/sqlite", "adapters/models",
    "adapters/embeddings", "apps/cli", "services", "content", "prompts",
)  # fmt: skip
NAMED = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|yaml|json|md|sql)|(?:[\w-]+/)+)`")


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_has_a_short_page_with_a_drawing(room: str) -> None:
    page = (SRC / room / "README.md").read_text(encoding="utf-8")
    assert page.startswith("# ")
    assert page.count("\n") <= 60
    assert page.count("\n```\n") >= 2
    assert re.search(r"(?i)start with|read this first", page)


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_names_only_what_is_there(room: str) -> None:
    page = (SRC / room / "README.md").read_text(encoding="utf-8")
    folders = [SRC / room, SRC, ROOT, *(f for f in (SRC / room).iterdir() if f.is_dir())]
    named = NAMED.findall(page)
    assert named
    assert [name for name in named if not any((folder / name).exists() for folder in folders)] == []
