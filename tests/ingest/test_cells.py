"""Rows read cell by cell, paragraphs parted by the look and the place of their lines, cells taken apart."""

from typing import Any

import pytest

from freeform.ingest.page.blocks import page_blocks
from freeform.ingest.page.cells import read_rows
from freeform.ingest.page.merged_cells import mended
from tests.ingest.test_tables import line


def row(y: float, *pieces: tuple[float, str]) -> list[Any]:
    return [line(text, x, y) for x, text in pieces]


def read(*rows: list[Any]) -> str:
    return " ".join(each.text for each in read_rows(rows))


def test_cells_of_several_lines_are_read_whole_before_the_next_row() -> None:
    rows = (
        row(100, (60, "Ash"), (120, "burns"), (220, "dry")),
        row(112, (120, "slowly"), (220, "wood")),
        row(126, (60, "Elm"), (120, "bends"), (220, "wet")),
        row(138, (220, "land")),
    )
    assert read(*rows) == "Ash burns slowly dry wood Elm bends wet land"


def test_a_line_that_stands_above_its_row_belongs_to_the_nearer_one() -> None:
    rows = (
        row(100, (60, "Ash"), (120, "burns")),
        row(118, (120, "bends")),
        row(124, (60, "Elm"), (120, "low")),
    )
    assert read(*rows) == "Ash burns Elm bends low"
    high = (
        row(100, (60, "Ash"), (120, "burns")),
        row(112, (120, "slowly")),
        row(124, (60, "Elm"), (120, "low")),
    )
    assert read(*high) == "Ash burns slowly Elm low"


@pytest.mark.parametrize(
    "below",
    [
        row(170, (60, "Yew"), (120, "tall")),
        row(124, (61, "A line of its own")),
        row(150, (130, "alone")),
    ],
    ids=["a gap", "back at the edge", "far below"],
)
def test_a_table_ends_where_a_gap_or_the_edge_says_so(below: list[Any]) -> None:
    top = row(100, (60, "Ash"), (120, "burns")), row(112, (60, "Elm"), (120, "low"))
    assert read(*top, below) == "Ash burns Elm low " + " ".join(each.text for each in below)
    hanging = row(123, (120, "down"))
    told = read(row(100, (60, "Ash"), (120, "burns")), row(112, (60, "Elm"), (120, "low")), hanging)
    assert told == "Ash burns Elm low down"


def test_one_row_of_several_pieces_is_no_table() -> None:
    assert read(row(100, (60, "a"), (120, "b")), row(112, (60, "c"))) == "a b c"
    lone = (row(100, (60, "Head")), row(112, (60, "a"), (120, "b")), row(124, (60, "c")))
    assert read(*lone) == "Head a b c"
    assert read() == ""


LONG = "The keeper walks the wall and counts"


def paragraphs(*lines: Any) -> list[str]:
    return [block.text for block in page_blocks(list(lines))]


def parted(first: str, second: str, **other: Any) -> bool:
    """Whether the second of two lines opens a paragraph, on a page with lines of full width."""
    at = {"x": 60.0, "y": 112.0} | other
    lines = [line(LONG, 60, 88), line(first, 60, 100), line(second, **at)]
    more = [line(LONG, 60, 300 + 12 * number) for number in range(6)]
    (*_, last) = [
        text for text in paragraphs(*lines, *more) if second in text or text.startswith("- ")
    ][:1]
    return first not in last


@pytest.mark.parametrize(
    ("first", "second", "other", "opens"),
    [
        ("the boats that come home from sea", "and sleeps by day.", {}, False),
        ("the boats that come home.", "He sleeps by day.", {}, True),
        ("the boats that come home.", "and sleeps by day.", {}, False),
        ("the boats that come home from sea", "He sleeps by day.", {"size": 10.5}, False),
        ("the boats that come home from sea", "He sleeps by day.", {"size": 10.6}, True),
        ("the boats that come home from sea", "He sleeps by day.", {"bold": True}, True),
        ("the boats that come home from sea", "he sleeps by day.", {"y": 114.0}, False),
        ("the boats that come home from sea", "he sleeps by day.", {"y": 118.0}, True),
        ("the boats that come home at last.", "He sleeps by day.", {"x": 66.0}, False),
        ("the boats that come home at last.", "He sleeps by day.", {"x": 70.0}, True),
        ("the boats that come home from sea", "he sleeps by day.", {"x": 70.0}, False),
        ("the boats that come home from sea", "• a lamp", {}, True),
    ],
)
def test_a_paragraph_begins_where_place_look_or_mark_says_so(
    first: str, second: str, other: dict[str, Any], opens: bool
) -> None:
    assert parted(first, second, **other) is opens


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        # Columns that ran together under one head, and numbers with their units.
        (
            (("Ware", "Cost Weight"), ("Rope", "5 2 lb"), ("Lamp", "9 1 lb"), ("Saw", "8 3 lb")),
            (("Ware", "Cost", "Weight"), ("Rope", "5", "2 lb"), ("Lamp", "9", "1 lb"), ("Saw", "8", "3 lb")),
        ),
        # Two rows of values are too few to tell.
        (
            (("Ware", "Cost Weight"), ("Rope", "5 2"), ("Lamp", "9 1")),
            (("Ware", "Cost Weight"), ("Rope", "5 2"), ("Lamp", "9 1")),
        ),
        # A number with a word is one value.
        (
            (("Ware", "Base Price"), ("Rope", "5 gold"), ("Lamp", "9 gold"), ("Saw", "8 gold")),
            (("Ware", "Base Price"), ("Rope", "5 gold"), ("Lamp", "9 gold"), ("Saw", "8 gold")),
        ),
        # A number at the end of the name before it, or at the start of the cell behind.
        (
            (("Ware", "Cost", "Note"), ("Rope 5", "", "thin"), ("Lamp", "9", "hot"), ("Saw", "", "8 old")),
            (("Ware", "Cost", "Note"), ("Rope 5", "", "thin"), ("Lamp", "9", "hot"), ("Saw", "", "8 old")),
        ),
        (
            (("Ware", "Cost", "Note"), ("Rope 5", "", "thin"), ("Lamp", "9", "hot"), ("Saw", "8", "old")),
            (("Ware", "Cost", "Note"), ("Rope", "5", "thin"), ("Lamp", "9", "hot"), ("Saw", "8", "old")),
        ),
        # Rows of different lengths are left as they are.
        ((("A", "B"), ("x", "1"), ("y",)), (("A", "B"), ("x", "1"), ("y",))),
        # An empty column whose numbers stand at the end of the cells before it.
        (
            (("Ware", "", "Note"), ("Rope 5", "", "thin"), ("Lamp 9", "", "hot")),
            (("Ware", "", "Note"), ("Rope", "5", "thin"), ("Lamp", "9", "hot")),
        ),
    ],
)  # fmt: skip
def test_cells_are_taken_apart_where_numbers_say_so(rows: Any, told: Any) -> None:
    assert mended(rows) == told
