"""The suite `ingest` on a small book made here: a good reading scores, a bad one does not."""

from pathlib import Path

import pytest

from freeform.adapters.pdf.here import HereReader
from freeform.core.errors import NotFound
from freeform.evals.suites.ingest import FIGURES, compare_monsters, run_ingest
from freeform.evals.suites.ingest_twin import (
    compare_headings,
    gram_share,
    headings,
    read_twin,
    reading_order,
    similarity,
    table_share,
    words,
)
from freeform.ingest.things.statblocks import StatBlock
from tests.ingest.paper import LEFT, RIGHT, Ink, column, prose, save

TWIN = "# The Weir\n\n" + "\n\n".join(" ".join(prose(8, at * 60)) for at in range(6))


def test_a_perfect_copy_scores_one_and_a_shuffled_one_does_not() -> None:
    assert gram_share(TWIN, TWIN) == 1 and reading_order(TWIN, TWIN) == (1, 5)
    parts = TWIN.split("\n\n")
    back = "\n\n".join([parts[0], *reversed(parts[1:])])
    assert reading_order(back, TWIN)[0] == 0 and gram_share(back, TWIN) < 1
    assert similarity(words(TWIN), words(TWIN)) == 1 > similarity(words(back), words(TWIN))


def test_headings_are_compared_by_title_and_by_step() -> None:
    twin = headings("# A\n\n## B one\n\n## C two\n\n# D\n")
    assert compare_headings(twin, twin)["heading_recall"] == 1
    fewer = compare_headings(headings("# A\n\n## B one\n\n# D\n\n# X\n"), twin)
    assert (fewer["heading_recall"], fewer["heading_precision"]) == (0.75, 0.75)
    flat = compare_headings(headings("# A\n\n# B one\n\n# C two\n\n# D\n"), twin)
    assert flat["heading_levels"] == pytest.approx(1 / 3, abs=0.01)


def test_rows_of_tables_are_compared_cell_by_cell() -> None:
    twin = "| a | b |\n|---|---|\n| 1 | 2 |\n"
    assert table_share(twin, twin) == (1, 2)
    assert table_share("| a | b |\n| --- | --- |\n| 12 | |\n", twin)[0] == 0.5
    assert table_share("a b 1 2", "no tables") == (None, 0)


def test_a_converters_leftovers_are_no_part_of_the_twin(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(
        "Title\n=====\n\n[Old\nwall]{.c6\n.c7}\n\n+---+---+\n| L | E |\n+---+---+\n\nend\n"
    )
    text = read_twin(tmp_path)
    assert "# Title" in text and words(text) == ["title", "old", "wall", "end"]


def test_monsters_are_right_only_with_armour_and_hit_points() -> None:
    gold = [
        {"name": "Toad", "armor_class": [{"value": 11}], "hit_points": 4, **dict.fromkeys(
            ("strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"), 10)},
        {"name": "Wolf, Hybrid Form", "armor_class": [{"value": 12}], "hit_points": 9},
    ]  # fmt: skip
    blocks = [
        StatBlock(name="Toad", armor_class=11, hit_points=4),
        StatBlock(name="Wolf", armor_class=12, hit_points=8),
    ]
    gold[1] |= {k: 1 for k in gold[0] if k not in gold[1]}
    found = compare_monsters(blocks, gold)
    assert (found["monsters_found"], found["monsters_right"], found["monsters_missed"]) == (
        1.0,
        0.5,
        [],
    )


async def test_the_suite_reads_a_book_and_its_hard_copy(tmp_path: Path) -> None:
    folder = tmp_path / "pdf" / "wall"
    (folder / "twin").mkdir(parents=True)
    pages, twin = [], []
    for at in range(6):
        left, right = prose(34, at * 900), prose(40, at * 900 + 400)
        pages.append(
            [
                Ink(f"Part {at + 1} of It", LEFT, 60, 18, True),
                *column(left, LEFT),
                *column(right, RIGHT),
            ]
        )
        twin.append(f"# Part {at + 1} of It\n\n{' '.join(left)}\n\n{' '.join(right)}")
    save(pages, folder / "book.pdf")
    (folder / "twin" / "all.md").write_text("\n\n".join(twin))
    report = await run_ingest(tmp_path, [HereReader("pdf_oxide")], None)
    assert report.n == 1 and set(FIGURES) <= set(report.metrics)
    for name in ("reading_order", "heading_recall", "heading_precision", "five_grams"):
        assert report.metrics[name] > 0.97, name
    assert report.metrics["row_by_row_similarity"] > 0.97 and report.metrics["pages_per_s"] > 1
    assert "OCR was not measured" in report.notes[0]


async def test_no_books_says_where_to_put_them(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match=r"book\.pdf"):
        await run_ingest(tmp_path, [HereReader("pdf_oxide")], None)
    with pytest.raises(NotFound, match="FREEFORM_DATA"):
        await run_ingest(None, [HereReader("pdf_oxide")], None)
