"""A plan that would not run is refused with the reason."""

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freeform.assistant.research.check import cycle, problems
from freeform.assistant.research.model import PlannedStep

TOOLS = ("rag_query", "web_search")


def step(id: int, **more: Any) -> PlannedStep:
    return PlannedStep.model_validate(
        {
            "stepId": id,
            "description": "x",
            "tool": "rag_query",
            "parameters": {"query": "q"},
            "output_key": f"k{id}",
            **more,
        }
    )


def test_the_seeds_own_plan_holds_with_a_single_number_to_wait_for() -> None:
    plan = [
        step(1),
        step(2, parameters={"query": "effects of {item}"}, depends_on=1, iterate_over="k1"),
    ]
    assert problems(plan, TOOLS, 8) == []
    assert plan[1].depends_on == [1]


@pytest.mark.parametrize(
    ("plan", "said"),
    [
        ([], "no step"),
        ([step(1, tool="magic")], "no tool 'magic'; there are rag_query, web_search"),
        ([step(1), step(1, output_key="other")], "step id 1 is used twice"),
        ([step(1), step(2, output_key="k1")], "output_key 'k1' is used twice"),
        ([step(1, depends_on=[2]), step(2, depends_on=[1])], "1 -> 2 -> 1 wait for each other"),
        ([step(1, depends_on=[9])], "step 9, which is not in the plan"),
        (
            [step(1, iterate_over="nothing", parameters={"query": "{item}"})],
            "is not the list of another step",
        ),
        (
            [step(1), step(2, iterate_over="k1", parameters={"query": "{item}"})],
            "depends_on must name step 1",
        ),
        ([step(1), step(2, iterate_over="k1", depends_on=[1])], "a parameter must hold {item}"),
        ([step(1, parameters={"query": "of {item}"})], "needs iterate_over"),
        ([step(1, parameters={"query": "of {name}"})], "{name} means nothing"),
        ([step(1, parameters={"query": "  "})], "no parameters"),
        ([step(id) for id in range(1, 5)], "has 4 steps and may have 3"),
    ],
)
def test_a_plan_that_cannot_run_is_told_why(plan: list[PlannedStep], said: str) -> None:
    assert any(said in problem for problem in problems(plan, TOOLS, 3)), problems(plan, TOOLS, 3)


@settings(deadline=None)
@given(st.lists(st.lists(st.integers(1, 8), max_size=3), min_size=1, max_size=8))
def test_a_ring_is_found_exactly_when_the_steps_cannot_be_put_in_order(
    waits: list[list[int]],
) -> None:
    count = len(waits)
    plan = [
        step(at, depends_on=[w for w in wait if w <= count])
        for at, wait in enumerate(waits, start=1)
    ]
    done: set[int] = set()
    for _ in plan:
        done |= {s.stepId for s in plan if set(s.depends_on) <= done}
    ring = cycle(plan)
    assert bool(ring) == (len(done) < count)
    by_id = {s.stepId: s for s in plan}
    assert all(after in by_id[before].depends_on for before, after in pairwise(ring))
