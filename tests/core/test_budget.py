"""Budgets: laws of the arithmetic."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freeform.core.errors import BudgetSpent
from freeform.core.llm.budget import BudgetLimits, check_budget
from freeform.core.llm.gateway import Usage

AMOUNT = st.integers(0, 10_000)


def passes(limits: BudgetLimits, coming: int, turn: Usage, day: Usage) -> bool:
    try:
        check_budget(limits, coming, turn=turn, day=day)
    except BudgetSpent:
        return False
    return True


@given(AMOUNT, AMOUNT, st.integers(1, 10_000))
def test_a_token_limit_is_never_passed_by_the_estimate(used: int, coming: int, most: int) -> None:
    use = Usage(input_tokens=used // 2, output_tokens=used - used // 2)
    assert passes(BudgetLimits(turn_tokens=most), coming, use, Usage()) == (used + coming <= most)
    assert passes(BudgetLimits(day_tokens=most), coming, Usage(), use) == (used + coming <= most)


@given(AMOUNT, AMOUNT)
def test_no_limit_is_no_limit(used: int, coming: int) -> None:
    use = Usage(input_tokens=used, cost_usd=float(used))
    assert passes(BudgetLimits(), coming, use, use)


def test_the_next_call_is_priced_at_the_going_rate() -> None:
    use = Usage(input_tokens=1000, cost_usd=0.10)
    assert passes(BudgetLimits(day_cost_usd=0.20), 1000, Usage(), use)
    assert not passes(BudgetLimits(day_cost_usd=0.19), 1000, Usage(), use)


def test_the_message_names_limit_use_and_setting() -> None:
    with pytest.raises(BudgetSpent) as spent:
        check_budget(BudgetLimits(day_tokens=100), 60, turn=Usage(), day=Usage(output_tokens=50))
    assert str(spent.value) == (
        "the limit of 100 tokens per day is reached: 50 are used and the next call needs about 60; "
        "raise the setting `budget_day_tokens` to go on"
    )
