"""The page that says where each part of the design is names only what exists, and leaves nothing out."""

import re
from collections.abc import Iterator

from tests.house import ROOT, none_of

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
SAYS_WHEN = r"issues? \d+|no issue yet|stay empty"
UNREAD = ("risk_flags", "perception_flags", "visibility_conditions", "noise_level",
          "retrieve_for_session", "get_summary")  # fmt: skip
"""Defined or written, and read by nothing in the product."""


def chapter_of(seed: str) -> str:
    return PAGE.partition(f"(`{seed}`)\n")[2].partition("\n## ")[0]


def rows(seed: str) -> list[list[str]]:
    """The lines of one design: section, where, shown by, note."""
    lines = [line for line in chapter_of(seed).splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_what_is_cited_exists() -> None:
    def broken() -> Iterator[str]:
        for cited in CITED:
            path, _, name = cited.partition("::")
            if not (ROOT / path).exists():
                yield f"{cited}: no such file"
            elif name and not re.search(rf"def {name}\(", (ROOT / path).read_text("utf-8")):
                yield f"{cited}: no such test"

    assert CITED
    none_of(broken())


def test_every_section_of_a_design_has_a_line_that_says_something() -> None:
    def broken() -> Iterator[str]:
        for seed, count in SECTIONS.items():
            listed = rows(seed)
            if len(listed) != count:
                yield f"{seed}: {len(listed)} sections, not {count}"
            for section, where, shown, note in listed:
                yield from (
                    f"{seed}: {section}: {why}" for why in amiss(section, where, shown, note)
                )

    none_of(broken())


def amiss(section: str, where: str, shown: str, note: str) -> Iterator[str]:
    """What is wrong with one line."""
    if not section:
        yield "has no name"
    if where.startswith("not yet"):
        if not re.fullmatch(r"not yet: issue [2-9]", where):
            yield "says no issue that will bring it"
        return
    if not any(place in where for place in ("`src/", "`docs/", "`pyproject", ".md`")):
        yield "says not where it is"
    if note.startswith("partial:") and not re.search(SAYS_WHEN, note):
        yield "says no issue that will bring the rest"
    if "`tests/" not in shown and "not yet: issue" not in shown + note:
        yield "says not what shows it"


def test_the_count_of_what_is_there_is_true() -> None:
    def broken() -> Iterator[str]:
        for seed in SECTIONS:
            listed = rows(seed)
            missing = sum(where.startswith("not yet") for _, where, _, _ in listed)
            partial = sum(note.startswith("partial:") for _, _, _, note in listed)
            there = len(listed) - missing - partial
            told = f"{len(listed)} sections, {there} there, {partial} partial, {missing} not yet."
            if told not in chapter_of(seed):
                yield f"{seed}: should say {told!r}"

    none_of(broken())


def test_what_nothing_uses_is_not_called_there() -> None:
    """Names that are defined and have no reader in the product stand in a partial row, and in no other."""
    told = "\n".join(row[3] for seed in SECTIONS for row in rows(seed) if "partial:" in row[3])
    unread = [name for name in UNREAD if not reads_of(name)]
    assert [name for name in unread if f"`{name}`" not in told] == []
    assert [name for name in UNREAD if name not in unread] == [], "it is read now: take it out"


def reads_of(name: str) -> list[str]:
    """Where the product takes an attribute of that name, or calls it; writing it by keyword is no reading."""
    return [
        str(file.relative_to(ROOT))
        for file in (ROOT / "src").rglob("*.py")
        if re.search(rf"\.{name}\b", file.read_text(encoding="utf-8"))
    ]
