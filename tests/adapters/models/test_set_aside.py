"""A call never costs more than was set aside for it: its answer is kept short, its repairs are left out."""

from typing import Any

import pytest

from freeform.adapters.models.asking_model import AskingModel, Message, Written
from freeform.core.errors import BadReply
from freeform.core.llm.budget import answer_room, said_tokens
from freeform.core.llm.gateway import Call, Question, Usage
from freeform.core.llm.prompts import bundled
from freeform.core.text import count_tokens
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


class Verbose(Babbling):
    """Short at first; then it takes all the room it is given."""

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Any
    ) -> Written:
        self.tries = tries
        shown = said_tokens(question) + sum(count_tokens(each["content"]) for each in messages[2:])
        said = 20 if tries == 1 else answer_room(question, 8192)
        return Written("no", Usage(calls=1, input_tokens=shown, output_tokens=said))


@pytest.mark.parametrize("more", [300, 1_500, 4_000, 9_000])
async def test_all_tries_together_stay_within_what_was_set_aside(more: int) -> None:
    aside, model = said_tokens(asked(0)) + more, Verbose()
    with pytest.raises(BadReply) as failed:
        await model.reply(asked(aside))
    used = failed.value.usage
    assert used is not None and used.input_tokens + used.output_tokens <= aside
    assert model.tries == (1 if more == 300 else 2)
