"""Research from a question to a cited answer, and everything that may go wrong on the way."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import pytest

from freeform.assistant.research.execute import StepLimits
from freeform.assistant.research.model import ToolFinding
from freeform.assistant.research.research import ResearchPorts, research, resume
from freeform.core.errors import Conflict, NotFound, UserError
from tests.assistant.research.desks import Larder, Planning, ports

LIST = {
    "stepId": 1,
    "description": "List.",
    "tool": "rag_query",
    "parameters": {"query": "list of all dishes"},
    "output_key": "d",
}
EACH = {
    "stepId": 2, "description": "Each.", "tool": "rag_query", "parameters": {"query": "effect of {item}"},
    "depends_on": 1, "iterate_over": "d", "output_key": "effects",
}  # fmt: skip


async def test_every_item_of_a_list_is_looked_up_and_cited(tmp_path: Path) -> None:
    larder = Larder()
    state = await research("every dish with its effect", ports(tmp_path, larder))
    assert state.status == "COMPLETED"
    assert [step.status for step in state.plan] == ["COMPLETED", "COMPLETED"]
    assert sorted(larder.asked) == [
        "effect of Ashcake",
        "effect of Eel",
        "effect of Tea",
        "list of all dish",
    ]
    assert "| Eel | warms [2] |" in state.answer
    assert {source.where for source in state.sources} == {"Ashcake", "Eel", "Tea"}
    told = state.model_dump(mode="json")
    assert set(told["collectedData"]) == {"dish_list", "dish_effect"}
    assert told["plan"][1]["result"]["Eel"][0]["fields"] == {"effect": "warms"}


async def test_one_item_that_fails_does_not_sink_the_step_and_is_named(tmp_path: Path) -> None:
    state = await research("every dish with its effect", ports(tmp_path, Larder(fails="Eel")))
    assert state.status == "COMPLETED"
    assert state.plan[1].items["Eel"].tries == 2
    assert "Eel: effect the larder is locked" in state.missing
    assert "warms" in state.answer


async def test_a_tool_that_hangs_is_given_up_after_its_time(tmp_path: Path) -> None:
    limits = StepLimits(seconds=2.0, tries=1)
    state = await research(
        "every dish with its effect", ports(tmp_path, Larder(hangs="Tea"), limits=limits)
    )
    assert "no answer within 2 s" in state.plan[1].items["Tea"].error
    assert "Ashcake" in state.answer


async def test_when_everything_fails_the_research_says_so(tmp_path: Path) -> None:
    state = await research("every dish with its effect", ports(tmp_path, Larder(fails="")))
    assert state.status == "FAILED"
    assert any("the larder is locked" in line for line in state.missing)


async def test_a_spent_budget_ends_in_a_cited_partial_answer_and_can_go_on(tmp_path: Path) -> None:
    larder = Larder()
    desk = ports(tmp_path, larder, limits=StepLimits(at_once=1))
    state = await research("every dish with its effect", desk, budget=70)
    assert state.partial and state.status == "COMPLETED"
    assert state.sources and "[1]" in state.answer
    assert any("budget was spent" in line for line in state.missing)
    assert state.spent <= 70 + 20  # the last look may run over by what it gave
    asked = len(larder.asked)
    more = await resume(state.researchId, desk, budget=10_000)
    assert not more.partial and not more.missing
    assert len(larder.asked) == len(set(larder.asked)) and len(larder.asked) > asked


async def test_a_plan_that_does_not_hold_is_shown_its_problems_once_and_then_replaced(
    tmp_path: Path,
) -> None:
    ring = [{**LIST, "depends_on": [2]}, {**EACH, "depends_on": [1]}]
    model = Planning(ring, [LIST, EACH])
    state = await research("what do dishes do?", ports(tmp_path, Larder(), model=model))
    assert "wait for each other" in model.asked[1].text
    assert [step.output_key for step in state.plan] == ["d", "effects"]
    stubborn = Planning(ring)
    again = await research(
        "every dish with its effect", ports(tmp_path / "b", Larder(), model=stubborn)
    )
    assert again.plan[0].output_key == "dish_list"
    assert "the model's plans did not hold, so a plain one was made" in again.notes


async def test_a_step_that_comes_back_empty_is_planned_anew_once(tmp_path: Path) -> None:
    other = {**LIST, "parameters": {"query": "list of all meals"}}
    model = Planning([LIST, EACH], [other])
    larder = Larder(empty="dishes")
    state = await research("what do dishes do?", ports(tmp_path, larder, model=model))
    assert state.revised
    assert "effect of Eel" in larder.asked
    assert len([q for q in model.asked if q.pass_.id == "research/planner"]) == 2


async def test_numbers_of_sources_that_there_are_not_are_taken_out(tmp_path: Path) -> None:
    model = Planning([LIST], answer="Ashcake [1], made up [17], both [2, 99].")
    state = await research("dishes", ports(tmp_path, Larder(), model=model))
    assert state.answer == "Ashcake [1], made up, both [2]."


async def _items_done(desk: ResearchPorts) -> int:
    state = await desk.store.load("research_1")
    return len(state.plan[1].items)


async def test_a_finished_item_is_never_looked_up_again_after_a_stop(tmp_path: Path) -> None:
    hanging = Larder(hangs="Tea")
    desk = ports(tmp_path, hanging)
    task = asyncio.create_task(research("every dish with its effect", desk))
    await hanging.hanging.wait()
    while await _items_done(desk) < 2:  # noqa: ASYNC110 - the others are done meanwhile
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    after = Larder()
    state = await resume("research_1", ports(tmp_path, after))
    assert after.asked == ["effect of Tea"]
    assert state.status == "COMPLETED" and not state.missing


async def test_two_programs_cannot_work_on_the_same_research(tmp_path: Path) -> None:
    hanging = Larder(hangs="Tea")
    task = asyncio.create_task(research("every dish with its effect", ports(tmp_path, hanging)))
    await hanging.hanging.wait()
    with pytest.raises(Conflict, match="being worked on"):
        await resume("research_1", ports(tmp_path, Larder()))
    task.cancel()


@pytest.mark.parametrize("question", ["", "  \x00 "])
async def test_no_question_is_refused_with_an_example(tmp_path: Path, question: str) -> None:
    with pytest.raises(UserError, match="every food buff"):
        await research(question, ports(tmp_path, Larder()))


async def test_a_very_long_question_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    state = await research("every dish with its effect " + "x" * 50_000, ports(tmp_path, Larder()))
    assert len(state.originalQuery) <= 4000


async def test_an_unknown_id_names_those_there_are(tmp_path: Path) -> None:
    desk = ports(tmp_path, Larder())
    await research("dishes", desk)
    with pytest.raises(NotFound, match="research_1"):
        await resume("research_9", desk)


class Streets:
    """Knows who owns the bar, and where each one lives."""

    name = "rag_query"
    describes = "streets"

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def run(self, parameters: Mapping[str, str]) -> list[ToolFinding]:
        query = parameters["query"]
        self.asked.append(query)
        if query.startswith("owner of"):
            return [ToolFinding(name="The Heron", text="Vik owns it.", leads=["Vik"])]
        return [ToolFinding(name="Vik", text="Vik lives in the loft.", where="vik.md")]


@pytest.mark.parametrize(
    "question",
    ["Who owns the Heron and where does he live?", "Where does the owner of the Heron live?"],
)
async def test_what_one_step_answers_is_asked_about_by_the_next(
    question: str, tmp_path: Path
) -> None:
    streets = Streets()
    state = await research(question, ports(tmp_path, streets))
    assert streets.asked[0].lower() == "owner of the heron"
    assert streets.asked[1].lower() == "where does vik live"
    assert "loft" in state.answer


async def test_what_a_plan_has_no_room_for_is_said(tmp_path: Path) -> None:
    state = await research(
        "compare Eel and Tea and Ashcake", ports(tmp_path, Larder()), max_steps=2
    )
    assert len(state.plan) == 2
    assert any("at most 2 steps" in note and "Ashcake" in note for note in state.notes)
