"""A model on this machine that is cut off or mistaken: what it is told, and how much room is left for its answer."""

import json
from typing import Any

import pytest

from freeform.adapters.models.grammar import Caps, grammar_of
from freeform.adapters.models.json_stream import Growing
from freeform.adapters.models.local_model import LocalModel, Message, Written
from freeform.core.errors import BadReply
from freeform.core.llm.gateway import Call, Question, Usage
from freeform.core.llm.prompts import bundled
from tests.adapters.models.plays import ANSWERS, INPUTS

WINDOW, ANSWER = 900, 300
GOOD = Written(json.dumps(ANSWERS["narrator"]))
CUT = Written('{"final_text":"' + "on and on " * 80, Usage(calls=1, output_tokens=ANSWER), cut=True)
WRONG = Written(json.dumps({"final_text": "", "suggested_actions": ["She waits. "] * 100}))


class Dictated(LocalModel):
    """Writes what it is given, and keeps the conversations it was shown."""

    def __init__(self, *texts: Written) -> None:
        super().__init__(WINDOW, ANSWER, repairs=2)
        self._texts, self.shown = list(texts), list[list[Message]]()

    @property
    def name(self) -> str:
        return "dictated"

    async def _window_of_model(self) -> int:
        return 0

    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> Written:
        self.shown.append(messages)
        return self._texts.pop(0)


def question() -> Question[Any]:
    asked, input = INPUTS["narrator"]
    return Question(asked, input, bundled().get(asked.id), Call())


def letters(messages: list[Message]) -> int:
    return sum(len(message["content"]) for message in messages)


@pytest.mark.parametrize("first", [CUT, WRONG])
async def test_what_is_said_about_a_mistake_leaves_the_answer_its_room(first: Written) -> None:
    model = Dictated(first, first, GOOD)
    said = await model.reply(question())
    assert (said.tries, said.output.final_text) == (3, ANSWERS["narrator"]["final_text"])
    assert [letters(shown) <= (WINDOW - ANSWER) * 3 for shown in model.shown] == [True] * 3
    assert all("viktor" in shown[1]["content"].lower() for shown in model.shown), "still asked"


async def test_an_answer_that_was_cut_is_asked_for_shorter_and_not_quoted() -> None:
    model = Dictated(CUT, GOOD)
    await model.reply(question())
    assert "on and on" not in str(model.shown[1])
    assert model.shown[1][-1]["content"] == "That was too long. Answer once more, much shorter."


async def test_a_mistake_is_quoted_with_what_is_wrong() -> None:
    model = Dictated(WRONG, GOOD)
    await model.reply(question())
    assert "She waits." in model.shown[1][2]["content"]
    assert "`final_text`" in model.shown[1][3]["content"]


async def test_a_model_that_is_always_cut_is_given_up_with_the_way_out() -> None:
    with pytest.raises(
        BadReply, match="cut off after 300 tokens; a larger `local_window`"
    ) as given:
        await Dictated(CUT, CUT, CUT).reply(question())
    assert (given.value.tries, given.value.usage.output_tokens) == (3, 3 * ANSWER)


def test_a_list_of_no_items_is_empty_and_one_that_must_hold_some_holds_them() -> None:
    none = Caps(text=9, streamed=9, items=0)
    strings = {"type": "array", "items": {"type": "string"}}
    schema = {"properties": {"free": strings, "held": {**strings, "minItems": 1}}}
    made = dict(line.split(" ::= ", 1) for line in grammar_of(schema, none).splitlines() if line)
    assert made["root-free"] == '"[]"'
    assert made["root-held"] == '"[" root-held-item ("," root-held-item){0,0} "]"'
