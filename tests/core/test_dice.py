"""Dice as people write them."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.core.chance import Chance
from freeform.core.dice import throw
from freeform.core.errors import UserError


def test_a_roll_shows_its_dice_and_its_total() -> None:
    rolled = throw("2d6+1", Chance(7))
    first, second = rolled.dice
    assert rolled.text == f"2d6 ({first},{second}) + 1 = {first + second + 1}"
    assert rolled.total == first + second + 1


def test_dropped_dice_are_shown_and_do_not_count() -> None:
    rolled = throw("4d6kh3", Chance(7))
    assert len(rolled.dice) == 4
    assert sorted(rolled.kept) == sorted(rolled.dice)[1:]
    assert rolled.total == sum(rolled.kept)
    assert rolled.text.count("~") == 2


@given(
    seed=st.integers(), count=st.integers(1, 40), sides=st.integers(1, 100), plus=st.integers(0, 99)
)
def test_the_same_chance_rolls_the_same_and_every_die_is_in_range(
    seed: int, count: int, sides: int, plus: int
) -> None:
    expr = f"{count}d{sides}+{plus}"
    rolled = throw(expr, Chance(seed))
    assert rolled == throw(expr, Chance(seed))
    assert all(1 <= die <= sides for die in rolled.dice)
    assert rolled.total == sum(rolled.dice) + plus


def test_every_face_of_a_die_turns_up() -> None:
    chance = Chance("faces")
    assert {throw("1d6", chance).total for _ in range(200)} == {1, 2, 3, 4, 5, 6}
    assert {throw("1d%", chance).total for _ in range(400)} == set(range(0, 100, 10))


def test_pythons_own_random_is_left_alone() -> None:
    random.seed(3)
    before = random.getstate()
    throw("100d20", Chance(1))
    assert random.getstate() == before


@pytest.mark.parametrize(
    ("expr", "says"),
    [
        ("", "does not read as dice"),
        ("abc", "does not read as dice at 'abc'"),
        ("2d6+", "does not read as dice"),
        ("1000000000d6", "more than 1000 dice"),
        ("1d1e1", "more than 1000 dice"),
        ("1d1000000000", "at most 1000000 sides"),
        ("1d0", "cannot be rolled: cannot roll a 0-sided die"),
        ("1/0", "cannot be rolled"),
        ("1" * 201, "at most 200 characters"),
        ("(" * 99 + "1" + ")" * 99, None),
        ("9" * 198 + "*9", None),
    ],
)
def test_a_bad_expression_is_told_what_is_wrong(expr: str, says: str | None) -> None:
    if says is None:
        throw(expr, Chance(1))
    else:
        with pytest.raises(UserError, match=says):
            throw(expr, Chance(1))


@given(st.text(max_size=40))
def test_no_text_at_all_makes_it_crash(text: str) -> None:
    try:
        throw(text, Chance(1))
    except UserError as told:
        assert str(told)
