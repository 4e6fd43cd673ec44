"""Tables and paragraphs from lines that only say where they stand."""

from freeform.ingest.model import Line, Span
from freeform.ingest.page.blocks import page_blocks
from freeform.ingest.page.tables import find_tables, pipe_table


def line(
    text: str, x: float, y: float, *, bold: bool = False, size: float = 10.0, column: int = 0
) -> Line:
    return Line(
        text=text,
        bbox=(x, y - 0.8 * size, x + 0.5 * size * len(text), y + 0.2 * size),
        font="Serif-Bold" if bold else "Serif",
        size=size,
        bold=bold,
        column=column,
    )


def grid(rows: list[list[str]], top: float = 100.0) -> list[Line]:
    return [
        line(text, 60 + 70 * at, top + 12 * number, bold=number == 0)
        for number, row in enumerate(rows)
        for at, text in enumerate(row)
        if text
    ]


ROWS = [
    ["Level", "Bonus", "Gift"],
    ["1st", "+2", "Song"],
    ["2nd", "+2", "Dance"],
    ["3rd", "+3", "Fire"],
]


def test_cells_that_step_right_and_rows_that_return_are_a_table() -> None:
    (table,) = find_tables(grid(ROWS))
    assert table.rows == tuple(map(tuple, ROWS)) and (table.start, table.end) == (0, 12)
    assert table.markdown().splitlines()[:2] == ["| Level | Bonus | Gift |", "| --- | --- | --- |"]


def test_a_cell_of_two_lines_read_whole_is_one_cell() -> None:
    lines = grid(ROWS)
    lines.insert(6, line("of Rest", 60 + 140, 100 + 12 + 11))
    lines[7:] = [
        each.model_copy(
            update={"bbox": (each.bbox[0], each.bbox[1] + 12, each.bbox[2], each.bbox[3] + 12)}
        )
        for each in lines[7:]
    ]
    (table,) = find_tables(lines)
    assert table.rows[1] == ("1st", "+2", "Song of Rest") and len(table.rows) == 4


def test_an_empty_cell_keeps_its_column() -> None:
    rows = [*ROWS[:2], ["2nd", "", "Dance"], ROWS[3]]
    (table,) = find_tables(grid(rows))
    assert table.rows[2] == ("2nd", "", "Dance")


def test_figures_set_close_are_dealt_out_under_their_labels() -> None:
    labels = [
        line(text, 60 + 45 * at, 100, bold=True)
        for at, text in enumerate(["STR", "DEX", "CON", "WIS"])
    ]
    scores = line("14 (+2)  9 (-1) 13 (+1) 1 (-5)", 60, 112).model_copy(
        update={"bbox": (55, 104, 218, 114)}
    )
    (table,) = find_tables([*labels, scores])
    assert table.rows[1] == ("14 (+2)", "9 (-1)", "13 (+1)", "1 (-5)")


def test_running_text_is_no_table() -> None:
    lines = [line("the keeper walks the wall at dusk", 60, 100 + 12 * at) for at in range(6)]
    assert find_tables(lines) == []
    (block,) = page_blocks([*lines[:5], line("and sleeps.", 60, 160)])
    assert block.kind == "text" and block.lines == 6


def test_paragraphs_part_at_gaps_marks_and_bold_openings() -> None:
    opening = Line(
        text="Mud Walk. The hag walks.",
        bbox=(60, 140, 180, 150),
        font="Serif",
        size=10,
        spans=(
            Span(text="Mud Walk.", bbox=(60, 140, 105, 150), font="Serif-Bold", size=10, bold=True),
            Span(text=" The hag walks.", bbox=(105, 140, 180, 150), font="Serif", size=10),
        ),
    )
    lines = [
        line("The keeper walks the wall and counts", 60, 100),
        line("the boats that come home.", 60, 112),
        line("• a lamp", 60, 124),
        line("• a rope", 60, 136),
        opening,
        line("It is old.", 60, 190),
    ]
    assert [(block.kind, block.text) for block in page_blocks(lines)] == [
        ("text", "The keeper walks the wall and counts the boats that come home."),
        ("item", "- a lamp"),
        ("item", "- a rope"),
        ("text", "**Mud Walk.** The hag walks."),
        ("text", "It is old."),
    ]


def test_a_bar_in_a_cell_does_not_break_the_table() -> None:
    assert pipe_table([("a", "b"), ("c",)]).splitlines() == [
        "| a | b |",
        "| --- | --- |",
        "| c |  |",
    ]


def test_the_letters_of_an_opening_are_those_behind_its_mark() -> None:
    opening = Line(
        text="• Mud Walk. The hag walks.",
        bbox=(60, 140, 180, 150),
        font="Serif",
        size=10,
        spans=(
            Span(text="• ", bbox=(60, 140, 65, 150), font="Wingdings", size=7),
            Span(text="Mud Walk.", bbox=(65, 140, 105, 150), font="Serif-Bold", size=10, bold=True),
            Span(text=" The hag walks.", bbox=(105, 140, 180, 150), font="Serif", size=10),
        ),
    )
    (block,) = page_blocks([opening])
    assert (block.run_in, block.run_in_font, block.run_in_size) == ("Mud Walk.", "Serif-Bold", 10)
