"""The plans that questions of common shapes get without a model."""

import pytest

from freeform.assistant.research.passes import ResearchPlannerInput, ToolDescription
from freeform.core.chance import Chance
from freeform.offline.research.planner import respond


def queries(question: str) -> list[str]:
    tools = [ToolDescription(name="rag_query", describes="the books")]
    plan = respond(
        ResearchPlannerInput(question=question, tools=tools, max_steps=8), Chance("1")
    ).plan
    return [step.parameters["query"] for step in plan]


@pytest.mark.parametrize(
    ("question", "planned"),
    [
        (
            "List every bar in Ashmoor with its owner",
            ["list of all bar in Ashmoor", "owner of {item}"],
        ),
        (
            "Which factions are there and who leads each of them?",
            ["list of all factions", "leader of {item}"],
        ),
        (
            "What spells are there in the Red Book?",
            ["list of all spells in the Red Book", "{item}"],
        ),
        (
            "Who is Agent Chen, who employs her, and why is she on Kettle Row?",
            ["Who is Agent Chen", "who employs Agent Chen", "why is Agent Chen on Kettle Row"],
        ),
        ("Who is Mara?", ["Who is Mara?"]),
    ],
)
def test_a_question_is_cut_into_what_can_be_looked_up(question: str, planned: list[str]) -> None:
    assert queries(question) == planned
