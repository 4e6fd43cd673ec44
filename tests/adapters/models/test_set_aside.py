"""A call never costs more than was set aside for it: its answer is kept short, its repairs are left out."""

from typing import Any

import pytest

from freeform.adapters.models.asking_model import AskingModel, Message, Written
from freeform.core.errors import BadReply
from freeform.core.llm.budget import answer_room, said_tokens
from freeform.core.llm.gateway import Call, Question, Usage
from freeform.core.llm.prompts import bundled
from freeform.lore.read.passes import EXTRACT, ReadInput

READ = ReadInput(
    zone="Mere", game="G", page_title="Mere", known_names="", text="Mere is wet. " * 90
)


def asked(most_tokens: int) -> Question[Any]:
    pass_ = EXTRACT["zone"]
    return Question(pass_, READ, bundled().get(pass_.id), Call(most_tokens=most_tokens))


class Babbling(AskingModel):
    """A model that never answers in JSON, and is paid for each try."""

    name = "babbling"

    def __init__(self) -> None:
        super().__init__(repairs=9)
        self.tries = 0

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Any
    ) -> Written:
        self.tries = tries
        return Written("well, well", Usage(calls=1, input_tokens=900, output_tokens=100))


@pytest.mark.parametrize(("most", "tries"), [(0, 10), (1_000, 1), (3_500, 3)])
async def test_no_try_is_begun_that_was_not_paid_for(most: int, tries: int) -> None:
    model = Babbling()
    with pytest.raises(BadReply) as failed:
        await model.reply(asked(most))
    assert model.tries == tries
    assert failed.value.usage is not None and failed.value.usage.input_tokens == tries * 900


def test_an_answer_has_the_room_that_is_left() -> None:
    shown = said_tokens(asked(0))
    assert answer_room(asked(0), 8192) == 8192
    assert answer_room(asked(shown + 800), 8192) == 800
    assert answer_room(asked(shown + 20_000), 8192) == 8192
