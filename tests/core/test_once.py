"""A question is put to a model once: what is on tape is not sent again."""

from pathlib import Path

from freeform.core.llm.cached_model import OnceModel
from freeform.core.llm.gateway import Call, Question
from freeform.core.llm.live_gateway import ModelsByRole
from freeform.core.llm.tape import MemoryTapes
from freeform.core.record import canonical
from tests.core.scripted import NOTE, Asked, Scripted
from tests.core.test_asking import Table


async def test_the_same_question_is_answered_from_tape_and_costs_nothing(tmp_path: Path) -> None:
    model = Scripted("dear", "The lamp is lit.", "The lamp is out.")
    table = Table(tmp_path, model)
    once = OnceModel(model, table.tapes)
    table.asking._models = ModelsByRole(once, table.offline)
    call = Call(seed="coast")
    first = await table.asking.ask(NOTE, Asked(text="Is it lit?"), call)
    again = await table.asking.ask(NOTE, Asked(text="Is it lit?"), call)
    assert canonical(first.output) == canonical(again.output)
    assert again.usage.input_tokens == 0 and again.usage.cost_usd == 0
    other = await table.asking.ask(NOTE, Asked(text="Is it out?"), call)
    assert other.output.prose == "The lamp is out.", "another question is asked"


async def test_it_goes_by_the_name_of_the_model_behind_it(tmp_path: Path) -> None:
    model = Scripted("dear", "Yes.")
    table = Table(tmp_path, model)
    once = OnceModel(model, MemoryTapes())
    prompt = table.asking._prompts.get(NOTE.id)
    said = await once.reply(Question(NOTE, Asked(text="?"), prompt, Call()))
    assert once.name == "dear" and said.output.prose == "Yes."
