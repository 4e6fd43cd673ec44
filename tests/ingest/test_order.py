"""Reading order: the stream where it can be trusted, the places on the page where it hops."""

from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from freeform.adapters.pdf.here import HereReader
from freeform.ingest.model import RawPage, Span
from freeform.ingest.page.columns import column_of, find_gutters
from freeform.ingest.page.order import Ordered, common_gutters, order_page
from tests.ingest.paper import HEIGHT, LEFT, PITCH, RIGHT, WIDTH, Ink, column, prose

ONE, TWO = prose(30), prose(30, 300)


def raw(inks: list[Ink]) -> RawPage:
    spans = tuple(
        Span(
            text=ink.text,
            bbox=(
                ink.x,
                ink.y - 0.8 * ink.size,
                ink.x + 0.48 * ink.size * len(ink.text),
                ink.y + 0.2 * ink.size,
            ),
            font="Courier-Bold" if ink.bold else "Courier",
            size=ink.size,
            bold=ink.bold,
        )
        for ink in inks
    )
    return RawPage(number=1, width=WIDTH, height=HEIGHT, spans=spans)


def texts(found: Ordered) -> list[str]:
    return [line.text for line in found.lines]


LEFT_INK, RIGHT_INK = column(ONE, LEFT), column(TWO, RIGHT)
ROWS = [ink for pair in zip(LEFT_INK, RIGHT_INK, strict=True) for ink in pair]


def test_a_stream_in_columns_is_kept() -> None:
    found = order_page(raw(LEFT_INK + RIGHT_INK))
    assert found.order == "stream" and found.confidence > 0.95 and found.columns == 2
    assert texts(found) == ONE + TWO


def test_a_stream_row_by_row_is_put_in_columns() -> None:
    found = order_page(raw(ROWS))
    assert found.order == "geometry" and found.confidence > 0.8
    assert texts(found) == ONE + TWO


@settings(deadline=None, max_examples=25)
@given(st.permutations(LEFT_INK + RIGHT_INK))
def test_however_the_runs_are_shuffled_the_words_come_out_in_order(inks: list[Ink]) -> None:
    found = order_page(raw(inks))
    assume(
        found.order == "geometry"
    )  # a line or two astray is a box drawn late, and the stream is kept
    assert texts(found) == ONE + TWO


@settings(deadline=None, max_examples=25)
@given(st.permutations(LEFT_INK + RIGHT_INK))
def test_no_order_loses_or_doubles_a_line(inks: list[Ink]) -> None:
    assert sorted(texts(order_page(raw(inks)))) == sorted(ONE + TWO)


def test_a_title_across_the_page_comes_before_both_columns_and_one_below_parts_them() -> None:
    title = Ink("A Title That Runs Across Both Columns Of This Page", LEFT, 70, 16, True)
    middle = Ink(
        "Another Title That Runs Across Both Columns Here", LEFT, 100 + 15 * PITCH + 8, 16, True
    )
    upper = column(ONE[:14], LEFT) + column(TWO[:14], RIGHT)
    lower = column(ONE[14:], LEFT, top=330) + column(TWO[14:], RIGHT, top=330)
    rows = sorted([title, middle, *upper, *lower], key=lambda ink: (ink.y, ink.x))
    assert texts(order_page(raw(rows))) == [
        title.text, *ONE[:14], *TWO[:14], middle.text, *ONE[14:], *TWO[14:],
    ]  # fmt: skip


def test_words_set_one_by_one_make_the_same_lines() -> None:
    words = []
    for ink in ROWS:
        x = ink.x
        for word in ink.text.split():
            words.append(Ink(word, x, ink.y))
            x += 4.8 * (len(word) + 1)
    assert texts(order_page(raw(words))) == ONE + TWO


def test_a_page_of_tables_takes_the_gutter_of_the_other_pages() -> None:
    usual = common_gutters([order_page(raw(LEFT_INK + RIGHT_INK)).gutters] * 4)
    cells = [
        Ink(text, RIGHT + step, 100 + at * PITCH)
        for at in range(20)
        for step, text in ((0, f"{at + 1}th"), (60, f"+{at}"), (120, "Rage"))
    ]
    rows = sorted([*LEFT_INK[:20], *cells], key=lambda ink: (ink.y, ink.x))
    assert order_page(raw(rows)).columns == 1
    found = order_page(raw(rows), usual)
    assert found.columns == 2 and found.order == "geometry"
    assert texts(found) == [*ONE[:20], *(ink.text for ink in cells)]


def test_one_column_has_no_gutter_and_a_table_makes_none() -> None:
    wide = [Ink(line, LEFT, 100 + at * PITCH) for at, line in enumerate(prose(20, width=95))]
    table = [
        Ink(text, x, 400 + at * PITCH)
        for at in range(12)
        for x, text in ((60, f"{at}"), (200, "Sword"), (400, "2 gp"))
    ]
    found = order_page(raw(wide + table))
    assert found.order == "stream" and found.columns == 1


def test_a_drop_capital_joins_its_word_and_a_shadow_is_read_once() -> None:
    inks = [
        Ink("T", LEFT, 130, 36, True),
        Ink("he lantern keeper walks", 82, 113),
        Ink("the wall at dusk", 82, 126),
    ]
    shadow = [Ink("Old Town", LEFT, 200, 14), Ink("Old Town", LEFT + 0.4, 200.3, 14)]
    assert texts(order_page(raw(inks + shadow)))[0] == "The lantern keeper walks"
    assert texts(order_page(raw(inks + shadow))).count("Old Town") == 1


@pytest.mark.parametrize("name", ["srd51", "a5e"])
async def test_real_two_column_books_keep_their_stream(data: Path, name: str) -> None:
    async with HereReader("pdf_oxide").open(data / "pdf" / name / "book.pdf") as book:
        pages = await book.read(range(60, 100, 4))
    found = [order_page(page) for page in pages]
    assert sum(page.order == "stream" for page in found) == len(found)
    assert sum(page.columns == 2 for page in found) >= len(found) - 3
    for page in found:
        gutters = find_gutters(page.lines)
        assert all(column_of(line, gutters) in (-1, 0, 1) for line in page.lines)


def card(number: int) -> list[Ink]:
    """A card of a deck, three in a row: a title, a line, and numbers at its foot."""
    x, y = 60 + 170 * (number % 3), 80 + 220 * (number // 3)
    return [
        Ink(f"Card {number}", x, y, 14, bold=True),
        Ink(f"It is drawn {number} times", x, y + 20, 8),
        Ink(f"Grit {number}", x, y + 160, 8),
        Ink(f"Pace {number}", x + 60, y + 160, 8),
    ]


def test_cards_side_by_side_are_read_one_after_the_other() -> None:
    inks = [ink for number in range(6) for ink in card(number)]
    found = order_page(raw(inks))
    assert texts(found) == [ink.text for ink in inks]
    assert [line.column for line in found.lines] == [at for at in (0, 1, 2) * 2 for _ in range(4)]


def test_what_hops_about_and_has_no_titles_is_no_row_of_cards() -> None:
    inks = [ink._replace(size=8.0) for number in range(6) for ink in card(number)]
    found = order_page(raw(inks))
    assert found.order == "geometry" and texts(found)[:3] == ["Card 0", "Card 1", "Card 2"]


def test_a_box_beside_the_text_is_read_where_it_stands() -> None:
    text = column(prose(30), LEFT)
    box = [Ink("Ash Valley", 360, 100 + 10 * PITCH, 9, bold=True), Ink("People 40", 360, 250, 9)]
    found = texts(order_page(raw([*box, *text])))
    assert found.index("Ash Valley") + 1 == found.index("People 40")
    assert found.index(text[8].text) < found.index("Ash Valley") < found.index(text[12].text)


def test_a_row_stretched_to_its_column_is_one_line_and_a_row_of_a_table_is_not() -> None:
    wide = Ink("x" * 50, LEFT, 100)
    words = [Ink(letter * 5, LEFT + 43.2 * at, 113) for at, letter in enumerate("abcdef")]
    whole = " ".join(ink.text for ink in words)
    assert texts(order_page(raw([wide, *words]))) == [wide.text, whole]
    cells = [ink._replace(x=ink.x - 6 * (at == 1)) for at, ink in enumerate(words)]
    assert len(order_page(raw([wide, *cells])).lines) == 7
    narrow = wide._replace(text="x" * 40)
    assert len(order_page(raw([narrow, *words])).lines) == 7
