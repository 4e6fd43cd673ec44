"""The offline model as the gateway sees it."""

import pytest

from freeform.core.errors import Unavailable
from freeform.core.llm.gateway import (
    Call,
    Pass,
    PassInput,
    Question,
    Usage,
)
from freeform.core.llm.prompts import bundled
from freeform.engine.passes import NARRATOR, PASSES, NarratorInput
from freeform.engine.world.model import (
    ContextPacket,
    EngineEvent,
    NarratorOutput,
    PlannerOutput,
)
from freeform.offline.model import RESPONDERS, OfflineModel


def question(seed: str = "1", waits: int = 1) -> Question[NarratorOutput]:
    input = NarratorInput(
        context_packet=ContextPacket(),
        player_input="wait",
        engine_events=[EngineEvent(type="waited", details={"minutes": 30})] * waits,
        planner_output=PlannerOutput(next_suggestions=["Look around"]),
    )
    prompt = bundled().get(NARRATOR.id)
    return Question(NARRATOR, input, prompt, Call(seed=seed))


async def test_the_streamed_field_arrives_whole_since_it_is_there_at_once() -> None:
    pieces: list[str] = []
    said = await OfflineModel().reply(question(waits=3), pieces.append)
    assert pieces == [said.output.final_text]
    assert said.output.suggested_actions == ["Look around", "Think over what I know"]


async def test_an_answer_costs_nothing_and_repeats_for_its_seed() -> None:
    one, two = await OfflineModel().reply(question("a")), await OfflineModel().reply(question("a"))
    assert one == two
    assert one.usage == Usage(calls=1)


async def test_a_pass_nobody_answers_offline_is_unavailable_in_plain_words() -> None:
    asked = question()
    stranger = Pass("engine/unheard_of", PassInput, NarratorOutput)
    with pytest.raises(Unavailable, match="nothing answers 'engine/unheard_of' offline"):
        await OfflineModel().reply(Question(stranger, asked.input, asked.prompt, asked.call))


def test_every_pass_of_the_engine_has_a_responder() -> None:
    assert {pass_.id for pass_ in PASSES} <= set(RESPONDERS)


RETIRED = {"players/stance"}
"""Shipped, and so kept, but asked by no pass any more."""


def test_every_prompt_has_an_answer_without_a_model() -> None:
    assert set(bundled().ids()) - RETIRED == set(RESPONDERS)
    assert all(callable(RESPONDERS[id]) for id in RESPONDERS)
