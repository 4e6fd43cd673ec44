"""Asks a model, reads what it wrote, and asks again where that cannot be used, with what was wrong:
what models of every kind have in common."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field, replace
from typing import Any

from freeform.adapters.models.answer import Unread, read_answer
from freeform.adapters.models.json_stream import Growing
from freeform.core.errors import BadReply, Unavailable
from freeform.core.llm.budget import LEAST_ANSWER, said_tokens
from freeform.core.llm.gateway import Listen, ModelSaid, Out, Question, Usage
from freeform.core.text import count_tokens, shorten

Message = dict[str, str]
_QUOTED, _TOLD = 600, 300
"""Letters of an answer and of what is wrong with it, as a model is shown them."""


@dataclass
class Written:
    """What a model wrote in one try."""

    text: str = ""
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    cut: bool = False
    """It ran out of tokens before it had come to its end."""


class AskingModel(ABC):
    """The loop of tries. How words get to the weights is the business of those below."""

    def __init__(self, repairs: int) -> None:
        self._repairs = repairs

    @property
    @abstractmethod
    def name(self) -> str:
        """As a person writes it."""

    @abstractmethod
    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> Written:
        """One try. `growing` hears the JSON while it is written."""

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """A typed answer; BadReply when it never fits."""
        pass_, usage = question.pass_, Usage()
        growing = Growing(pass_.streams, listen) if listen and pass_.streams else None
        mistake, wrong, left = list[Message](), "", question
        last = self._repairs + 1
        for tries in range(1, last + 1):
            if growing:
                growing.again()
            messages, note = await self._messages(question, mistake)
            try:
                written = await self._write(left, messages, tries, growing)
            except Unavailable as failed:
                failed.usage = usage + (failed.usage or Usage())
                raise
            usage += written.usage
            try:
                output = read_answer(written.text, pass_)
            except Unread as unread:
                wrong = self._in_short(unread, written)
                mistake = await self._complaint(written, str(unread))
                again = _with_what_is_left(question, usage, tries, mistake)
                if again is None:
                    last = tries  # Another try would cost more than was set aside.
                    break
                left = again
                continue
            if growing:
                growing.end(pass_.streamed(output))
            return ModelSaid(output, usage, tries, note)
        raise BadReply(
            f"its answers did not fit the record: {shorten(wrong, 200)}", usage=usage, tries=last
        )

    async def _messages(
        self, question: Question[Any], mistake: list[Message]
    ) -> tuple[list[Message], str]:
        """The conversation, and a note if it is less than the whole question."""
        prompt = [
            {"role": "system", "content": question.prompt.system},
            {"role": "user", "content": question.text, "stable": question.stable_text},
        ]
        return [*prompt, *mistake], ""

    async def _complaint(self, written: Written, wrong: str) -> list[Message]:
        """What is said to a model about its answer."""
        return shorter() if written.cut else shown_mistake(written.text, wrong, _QUOTED)

    def _in_short(self, unread: Unread, written: Written) -> str:
        """What a person is told of it."""
        return unread.short


def _with_what_is_left(
    question: Question[Out], usage: Usage, tries: int, complaint: list[Message]
) -> Question[Out] | None:
    """The question with what is left for its next try; None where not even a short answer fits.
    What is shown counts as the provider has counted it so far, where that is more."""
    aside = question.call.most_tokens
    if not aside:
        return question
    ours = said_tokens(question)
    shown = max(ours, usage.input_tokens // tries)
    shown += sum(count_tokens(message["content"]) for message in complaint)
    left = aside - usage.input_tokens - usage.output_tokens
    if shown + LEAST_ANSWER > left:
        return None
    call = question.call.model_copy(update={"most_tokens": left - shown + ours})
    return replace(question, call=call)


def shown_mistake(answer: str, wrong: str, most: int) -> list[Message]:
    """The model's own answer and what is wrong with it, each of at most so many letters."""
    told = shorten(wrong, min(_TOLD, most))
    again = f"That does not fit: {told}. Answer once more, shorter, and mend it."
    quoted = shorten(answer.strip(), min(_QUOTED, most)) or "(nothing)"
    return [{"role": "assistant", "content": quoted}, {"role": "user", "content": again}]


def shorter() -> list[Message]:
    """An answer that ran out of room is not quoted: it would take the room of the next one."""
    return [
        {"role": "assistant", "content": "{"},
        {"role": "user", "content": "That was too long. Answer once more, much shorter."},
    ]
