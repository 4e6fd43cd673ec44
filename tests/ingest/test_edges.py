"""What runs along the edges of a book's pages, and what of a page is drawn."""

import pytest

from freeform.ingest.model import Line, Span
from freeform.ingest.page.lines import clean_spans, geometric_lines, stream_lines
from freeform.ingest.page.running_heads import (
    RunningHeads,
    at_edge,
    learn_running_heads,
    plain,
    sample_pages,
)
from tests.ingest.test_tables import line

HEIGHT = 800.0
BODY = [line("The keeper walks the wall at dusk", 60, 400), line("Nine", 60, 420)]


def learnt(heads: dict[int, Line]) -> RunningHeads:
    """From twelve pages with these lines beside their own."""
    return learn_running_heads(
        (number, HEIGHT, [*BODY, *([heads[number]] if number in heads else [])])
        for number in range(1, 13)
    )


def taken(heads: RunningHeads, *lines: Line) -> list[str]:
    kept, stripped = heads.strip([*BODY, *lines], HEIGHT)
    assert kept[: len(BODY)] == BODY, "what stands in the middle is the page's own"
    return stripped


def head(text: str, y: float = 40, size: float = 10.0) -> Line:
    return line(text, 60, y, size=size)


def test_what_repeats_at_the_edge_is_taken_off_and_numbers_count_as_one() -> None:
    book = learnt({number: head(f"The Long Wall {number}") for number in range(1, 4)})
    assert taken(book, head("The Long Wall 99")) == ["The Long Wall 99"]
    assert taken(book, head("The Long Wall 99", y=44)) == ["The Long Wall 99"], "a hair lower"
    assert taken(book, head("The Long Wall 99", y=60)) == []
    assert taken(book, head("The Long Wall 99", y=400)) == []
    twice = learnt({number: head("The Long Wall") for number in (1, 2)})
    assert taken(twice, head("The Long Wall")) == []


def test_a_bare_number_must_be_on_more_pages_than_a_title() -> None:
    def with_heads(text: str, pages: int) -> RunningHeads:
        return learn_running_heads(
            (number, HEIGHT, [*BODY, *([head(text, 780)] if number <= pages else [])])
            for number in range(1, 21)
        )

    assert taken(with_heads("12", 4), head("77", 780)) == []
    assert taken(with_heads("12", 5), head("77", 780)) == ["77"]
    assert taken(with_heads("The Wall", 3), head("The Wall", 780)) == ["The Wall"]


def test_a_title_in_large_letters_stays_however_often_it_stands_there() -> None:
    book = learnt({number: head("Names", size=14.0) for number in range(1, 13)})
    assert taken(book, head("Names", size=14.0)) == []
    assert taken(book, head("Names", size=13.0)) == ["Names"]


def test_a_look_of_its_own_that_changes_with_the_chapter_runs_too() -> None:
    chapters = {n: head("The Wall" if n < 7 else "The Sea", size=8.0) for n in range(1, 13)}
    assert taken(learnt(chapters), head("The Woods", size=8.0)) == ["The Woods"]
    assert taken(learnt(chapters), head("The Woods", size=9.0)) == []
    assert taken(learnt(chapters), head("w" * 80, size=8.0)) == []
    each = {n: head(f"Place {'abcdefghijklm'[n]}", size=8.0) for n in range(1, 13)}
    assert taken(learnt(each), head("The Woods", size=8.0)) == [], "titles change with each page"


def test_two_pages_are_too_few_to_learn_from() -> None:
    assert learn_running_heads([(n, HEIGHT, [head("A")]) for n in (1, 2)]) == RunningHeads()


@pytest.mark.parametrize(("y", "edge"), [(70, True), (90, False), (400, False), (735, True)])
def test_the_edge_is_a_tenth_of_the_page(y: float, edge: bool) -> None:
    assert at_edge(head("A", y), HEIGHT) is edge
    assert plain(" Page 12 of 30 ") == "page # of #"


def test_a_sample_has_runs_of_neighbours_from_all_over_the_book() -> None:
    assert sample_pages(range(1, 25)) == list(range(1, 25))
    for count, wanted in ((25, 24), (300, 30), (5000, 240)):
        chosen = sample_pages(range(1, count + 1))
        assert chosen == sorted(set(chosen))
        assert wanted - 4 <= len(chosen) <= wanted
        assert chosen[:4] == [1, 2, 3, 4] and chosen[-1] > 0.8 * count


def span(text: str, x: float, y: float = 100.0, width: float | None = None) -> Span:
    right = x + (5.0 * len(text) if width is None else width)
    return Span(text=text, bbox=(x, y - 8, right, y + 2), font="Serif", size=10)


def test_a_shadow_is_no_second_word_and_what_is_off_the_page_none_at_all() -> None:
    drawn = [span("Wall", 60), span("Wall", 61), span("Wall", 63), span("Sea", 60)]
    off = [span("Out", -40), span("Out", 702), span("Out", 60, -20), span("Out", 60, 1000)]
    shown = clean_spans([*drawn, *off, span("Edge", 700)], 700, 800)
    assert [(each.text, each.bbox[0]) for each in shown] == [
        ("Wall", 60),
        ("Wall", 63),
        ("Sea", 60),
        ("Edge", 700),
    ]


def test_runs_make_a_line_until_a_wide_gap_or_another_height() -> None:
    row = [span("The", 60), span("wall", 78), span("far", 160)]
    below = [span("falls", 60, 112)]
    assert [each.text for each in stream_lines([*row, *below])] == ["The wall", "far", "falls"]
    mixed = [below[0], row[2], row[0], row[1]]
    assert [each.text for each in geometric_lines(mixed)] == ["The wall", "far", "falls"]
