"""Bisect: the turn and the pass where something broke, found by halving."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.core.errors import UserError
from freeform.engine.log import Changed
from freeform.engine.table import Table
from freeform.engine.world.model import (
    ClockDelta,
    FactUpdate,
    InventoryChange,
    StateDiff,
)
from freeform.engine.world.state import Fact
from freeform.evals.bisect import bisect
from freeform.evals.checks import FORMS, read_check
from tests.evals.played import memory_table
from tests.story import begun, narrated, resolved

DARK = FactUpdate(id="lamp#lit", object={"value": True})


async def log_of(
    turns: int,
    facts: dict[int, StateDiff],
    told: dict[int, StateDiff],
    by_hand: dict[int, StateDiff],
) -> Table:
    """A campaign in which nothing happens but what is planted."""
    table = memory_table()
    at = await table.store.create("c", begun())
    for number in range(1, turns + 1):
        entries = [
            resolved(number, facts.get(number, StateDiff())),
            narrated(number, told.get(number)),
        ]
        at = await table.store.append("c", entries, after=at)
        if number in by_hand:
            at = await table.store.append(
                "c", [Changed(why="correction", state_diff=by_hand[number])], after=at
            )
    return table


@pytest.mark.parametrize("by", ["rules", "narrator", "person"])
async def test_a_planted_contradiction_is_found_at_its_turn_and_pass(by: str) -> None:
    wrong = {37: StateDiff(facts_update=[DARK])}
    table = await log_of(
        60, *[wrong if by == name else {} for name in ("rules", "narrator", "person")]
    )
    found = await bisect("c", read_check("fact lamp#lit still holds"), table)
    expected = 37
    assert (found.broken, found.turn_no, found.by, found.good_turn) == (
        True,
        expected,
        by,
        expected - 1,
    )
    assert found.change == StateDiff(facts_update=[DARK])


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 120), st.integers(1, 120), st.sampled_from(["rules", "narrator", "person"]))
async def test_wherever_it_is_planted_it_is_found_in_few_looks(
    turns: int, at: int, by: str
) -> None:
    at = min(at, turns)
    wrong = {at: StateDiff(facts_update=[DARK])}
    table = await log_of(
        turns, *[wrong if by == name else {} for name in ("rules", "narrator", "person")]
    )
    found = await bisect("c", read_check("fact lamp#lit = false"), table)
    assert (found.turn_no, found.by) == (at, by)
    assert found.looks <= 3 + math.ceil(math.log2(turns + 1))


async def test_something_planted_in_play_is_followed_from_there() -> None:
    debt = Fact(id="lamp#debt", subject_id="lamp", predicate="debt", object={"value": 5})
    facts = {
        10: StateDiff(facts_add=[debt]),
        25: StateDiff(facts_update=[FactUpdate(id=debt.id, object={"value": 0})]),
    }
    table = await log_of(30, facts, {}, {})
    found = await bisect("c", read_check("fact lamp#debt still holds"), table)
    assert (found.turn_no, found.by, found.good_turn) == (25, "rules", 24)
    assert found.notes == ["it first held after turn 10"]


async def test_a_clock_that_went_too_far_is_found() -> None:
    ticks = {
        number: StateDiff(clocks=[ClockDelta(id="heat", delta=1)]) for number in (3, 9, 14, 20)
    }
    found = await bisect("c", read_check("clock heat <= 2"), await log_of(30, ticks, {}, {}))
    assert found.turn_no == 14


async def test_what_still_holds_is_said_to_hold() -> None:
    found = await bisect("c", read_check("clock heat <= 6"), await log_of(8, {}, {}, {}))
    assert (found.broken, found.turn_no, found.good_turn) == (False, None, 8)


async def test_what_never_held_is_an_error_that_says_so() -> None:
    table = await log_of(5, {}, {}, {})
    with pytest.raises(UserError, match="never holds in 'c'"):
        await bisect("c", read_check("fact nobody#status = dead"), table)
    with pytest.raises(UserError, match="no clock 'tide'; there are: heat"):
        await bisect("c", read_check("clock tide <= 3"), table)
    with pytest.raises(UserError, match="turns 0 to 5"):
        await bisect("c", read_check("clock heat <= 3"), table, bad=9)


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("player has coin", 4),
        ("{holds: [player, coin]}", 4),
        ("[{holds: [player, coin]}, {at: cellar}]", 4),
        ("has coin", 4),
    ],
)
async def test_a_check_reads_in_plain_words_or_as_conditions(text: str, turn: int) -> None:
    gone = StateDiff(
        inventory_changes=[InventoryChange(owner_id="player", item_id="coin", delta=-3)]
    )
    found = await bisect("c", read_check(text), await log_of(6, {turn: gone}, {}, {}))
    assert found.turn_no == turn


@pytest.mark.parametrize(
    "text",
    ["", "make it so", "{clock: 3}", "{nonsense: true}", "[{has: a, lacks: b}]", "clock x <= y"],
)
def test_what_is_no_check_lists_the_forms(text: str) -> None:
    with pytest.raises(UserError, match="is no check; write one like|is no condition"):
        read_check(text)


@pytest.mark.parametrize("form", FORMS)
def test_every_form_the_help_names_reads(form: str) -> None:
    read_check(
        form.replace("ID", "x").replace("VALUE", "1").replace("WHO", "y").replace("OWNER", "o")
    )
