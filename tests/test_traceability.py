"""The page that says where each part of the design is names only what exists, and leaves nothing out."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "traceability.md").read_text(encoding="utf-8")
CITED = sorted(
    set(
        re.findall(
            r"`((?:src|tests|docs|scripts|benchmarks|\.ci)/[^`]+|[A-Z]\w+\.md|pyproject\.toml)`",
            PAGE,
        )
    )
)
SECTIONS = {
    "freeform-engine": 93,
    "ai-players": 80,
    "rag-orchestration": 41,
    "multi-step-research": 8,
    "world-lore-researcher": 20,
}


def rows(seed: str) -> list[list[str]]:
    """The lines of one design: section, where, shown by, note."""
    chapter = PAGE.partition(f"(`{seed}`)\n")[2].partition("\n## ")[0]
    lines = [line for line in chapter.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


@pytest.mark.parametrize("cited", CITED)
def test_what_is_cited_exists(cited: str) -> None:
    path, _, name = cited.partition("::")
    assert (ROOT / path).exists()
    if name:
        assert re.search(rf"def {name}\(", (ROOT / path).read_text(encoding="utf-8"))


@pytest.mark.parametrize("seed", SECTIONS)
def test_every_section_of_a_design_has_a_line_that_says_something(seed: str) -> None:
    listed = rows(seed)
    assert len(listed) == SECTIONS[seed]
    for section, where, shown, note in listed:
        assert section
        if where.startswith("not yet"):
            assert re.fullmatch(r"not yet: issue [2-9]", where), section
        else:
            assert (
                "`src/" in where or "`docs/" in where or "`pyproject" in where or ".md`" in where
            ), section
            assert "`tests/" in shown or "not yet: issue" in shown + note, section


def test_what_is_partial_says_which_issue_brings_the_rest() -> None:
    notes = [row[3] for seed in SECTIONS for row in rows(seed) if row[3].startswith("partial:")]
    assert notes
    assert [
        note for note in notes if not re.search(r"issues? \d+|no issue yet|stay empty", note)
    ] == []


def test_what_nothing_uses_is_not_called_there() -> None:
    """Names that are defined and have no reader in the product stand in a partial row, and in no other."""
    told = "\n".join(row[3] for seed in SECTIONS for row in rows(seed) if "partial:" in row[3])
    unread = [name for name in UNREAD if not reads_of(name)]
    assert [name for name in unread if f"`{name}`" not in told] == []
    assert [name for name in UNREAD if name not in unread] == [], "it is read now: take it out"


UNREAD = ("risk_flags", "perception_flags", "visibility_conditions", "noise_level", "build_query",
          "retrieve_for_entity", "retrieve_for_session", "get_summary")  # fmt: skip


def reads_of(name: str) -> list[str]:
    """Where the product takes an attribute of that name, or calls it; writing it by keyword is no reading."""
    return [
        str(file.relative_to(ROOT))
        for file in (ROOT / "src").rglob("*.py")
        if re.search(rf"\.{name}\b", file.read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("seed", SECTIONS)
def test_the_count_of_what_is_there_is_true(seed: str) -> None:
    listed = rows(seed)
    missing = sum(where.startswith("not yet") for _, where, _, _ in listed)
    partial = sum(note.startswith("partial:") for _, _, _, note in listed)
    there = len(listed) - missing - partial
    told = f"{len(listed)} sections, {there} there, {partial} partial, {missing} not yet."
    assert told in PAGE.partition(f"(`{seed}`)\n")[2].partition("\n## ")[0]
