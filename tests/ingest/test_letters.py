"""Letters and numbers: what a text layer garbles is mended, and what cannot be is told."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.ingest.page.glyphs import (
    UNKNOWN,
    give_up,
    join_hyphenated,
    mend,
)
from freeform.ingest.page.number_check import (
    DICE,
    DIE_SIDES,
    doubts,
    learn_digits,
    solve_unknown,
    table_doubts,
)

dice = st.builds(
    lambda count, sides, bonus: (count, sides, bonus),
    st.integers(1, 40),
    st.sampled_from(sorted(DIE_SIDES - {2, 3, 100})),
    st.integers(0, 120),
)


def printed(count: int, sides: int, bonus: int) -> str:
    return f"{count * (sides + 1) // 2 + bonus} ({count}d{sides}{f' + {bonus}' if bonus else ''})"


@pytest.mark.parametrize(
    ("raw", "mended"),
    [
        ("The\t\r \xa0oﬃce of ﬁre", "The office of fire"),
        ("4th-\xad‐‑level", "4th-level"),
        ("half\u2010elf", "half-elf"),
        ("zero\u200bwidth", "zerowidth"),
        ("\uf731\uf736 gp", "16 gp"),
        ("\uf0b7 item", "• item"),
        ("\uf041\uf062", "Ab"),
        ("cafe\u0301", "café"),
        (" \u0336 ", "—"),
    ],
)
def test_letters_are_mended(raw: str, mended: str) -> None:
    assert mend(raw) == mended


@given(st.text())
def test_mending_twice_changes_nothing_more(text: str) -> None:
    assert mend(mend(text)) == mend(text)


@pytest.mark.parametrize(
    ("first", "second", "whole"),
    [
        ("the adven-", "turers rest", "the adventurers rest"),
        ("a half-", "elf rests", "a half-elf rests"),
        ("a well-", "known inn", "a well-known inn"),
        ("pages 12-", "14 tell", "pages 12- 14 tell"),
        ("the old", "wall", "the old wall"),
        ("and/", "or", "and/or"),
    ],
)
def test_a_word_broken_at_a_line_end_is_whole_again(first: str, second: str, whole: str) -> None:
    assert join_hyphenated(first, second) == whole


def test_the_books_own_words_decide_about_a_hyphen() -> None:
    assert join_hyphenated("a moon-", "light dance", {"moonlight"}) == "a moonlight dance"
    assert join_hyphenated("a moon-", "light dance", {"moon-light"}) == "a moon-light dance"


@given(dice)
def test_an_average_that_belongs_to_its_dice_is_never_doubted(roll: tuple[int, int, int]) -> None:
    assert doubts(f"The thing takes {printed(*roll)} damage.") == []


@given(dice, st.integers(1, 9))
def test_an_average_that_is_off_is_told(roll: tuple[int, int, int], off: int) -> None:
    right = printed(*roll)
    wrong = f"{int(right.split()[0]) + off}{right[len(right.split()[0]) :]}"
    (told,) = doubts(f"It has {wrong} hit points.")
    assert wrong in told and right.split()[0] in told


@given(st.lists(dice, min_size=12, max_size=30), st.integers(0xE000, 0xF000))
def test_digits_hidden_as_private_glyphs_are_worked_out_or_left_alone(
    rolls: list[tuple[int, int, int]], start: int
) -> None:
    table = {str(digit): chr(start + digit) for digit in range(10)}
    plain = [printed(*roll) for roll in rolls]
    hidden = ["".join(table.get(letter, letter) for letter in text) for text in plain]
    learnt = learn_digits(hidden)
    if len({letter for text in plain for letter in text if letter.isdigit()}) == 10:
        assert [give_up(text, learnt)[0] for text in hidden] == plain
    for text in hidden:
        shown, left = give_up(text, learnt)
        assert left == shown.count(UNKNOWN)


def test_one_unknown_digit_is_solved_when_only_one_reading_agrees() -> None:
    assert solve_unknown(f"13{UNKNOWN} (16d8 + 64)") == "136 (16d8 + 64)"
    assert solve_unknown(f"136 (16d{UNKNOWN} + 64)") == "136 (16d8 + 64)"
    unsolved = f"{UNKNOWN}{UNKNOWN}6 (16d8 + 64)"
    assert solve_unknown(unsolved) == unsolved
    assert doubts(unsolved) and "cannot be read" in doubts(unsolved)[0]


def test_a_level_table_that_skips_and_a_total_that_is_wrong_are_told() -> None:
    levels = [
        ("Level", "Bonus"),
        ("1st", "+2"),
        ("2nd", "+2"),
        ("3rd", "+2"),
        ("5th", "+3"),
        ("6th", "+3"),
    ]
    (told,) = table_doubts(levels)
    assert "from 3 to 5" in told
    assert table_doubts([row for row in levels if row[0] not in ("5th", "6th")]) == []
    (told,) = table_doubts(
        [("Ware", "Price"), ("Rope", "3"), ("Lamp", "1,000"), ("Oil", "2"), ("Total", "1,006")]
    )
    assert "1005" in told


@given(st.text(max_size=300))
def test_no_text_breaks_the_checks(text: str) -> None:
    for found in DICE.finditer(text):
        assert re.search(r"d", found[0])
    assert isinstance(doubts(text), list) and isinstance(solve_unknown(text), str)
