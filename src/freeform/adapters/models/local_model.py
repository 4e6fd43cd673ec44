"""A model on this machine: a window of our own choosing, answers held to the record, mistakes shown
and mended."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from freeform.adapters.models.json_stream import Growing
from freeform.core.errors import BadReply
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
    Usage,
)
from freeform.core.text import shorten

Message = dict[str, str]
WINDOW, ANSWER = 16_384, 2048
"""Tokens that a model sees at once, and how many of them its answer may take. A turn asks with
several thousand."""


@dataclass
class Written:
    """What a model wrote in one try."""

    text: str = ""
    usage: Usage = field(default_factory=lambda: Usage(calls=1))
    cut: bool = False
    """It ran out of tokens before it had come to its end."""


class LocalModel(ABC):
    """Asks, reads, and asks again. How words get to the weights is the business of those below."""

    def __init__(self, window: int, answer: int, repairs: int) -> None:
        self._window, self._answer, self._repairs = window, answer, repairs

    @property
    @abstractmethod
    def name(self) -> str:
        """As a person writes it."""

    @abstractmethod
    async def _window_of_model(self) -> int:
        """The tokens it was made to see at once; 0 when nobody knows."""

    @abstractmethod
    async def _write(
        self, question: Question[Any], messages: list[Message], tries: int, growing: Growing | None
    ) -> Written:
        """One try. `growing` hears the JSON while it is written."""

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        """A typed answer; BadReply when it never fits."""
        pass_, usage = question.pass_, Usage()
        growing = Growing(pass_.streams, listen) if listen and pass_.streams else None
        mistake, wrong = list[Message](), ""
        last = self._repairs + 1
        for tries in range(1, last + 1):
            if growing:
                growing.again()
            messages, note = await self._fit(question, mistake)
            written = await self._write(question, messages, tries, growing)
            usage += written.usage
            try:
                output = pass_.gives.model_validate_json(written.text)
            except ValidationError as failed:
                wrong = _what_is_wrong(failed, written)
                mistake = await self._complaint(written, wrong)
                continue
            if growing:
                growing.end(pass_.streamed(output))
            return ModelSaid(output, usage, tries, note)
        raise BadReply(
            f"its answers did not fit the record: {shorten(wrong, 200)}", usage=usage, tries=last
        )

    async def _complaint(self, written: Written, wrong: str) -> list[Message]:
        """What is said to a model about its answer; about a third of what a prompt may take."""
        if written.cut:
            return _shorter()
        window, answer = await self._room()
        return _mistake(written.text, wrong, (window - answer) // 2)

    async def _room(self) -> tuple[int, int]:
        """The window, and how much of it the answer may take. No model sees more than it was made
        to."""
        window = min(self._window, await self._window_of_model() or self._window)
        return window, min(self._answer, window * 3 // 4)

    async def _fit(
        self, question: Question[Any], mistake: list[Message]
    ) -> tuple[list[Message], str]:
        """The conversation cut to the window, and a note if so. Ends are kept: the player speaks
        there.

        What is said about a mistake takes its room from the prompt, never from the answer.
        """
        system, text = question.prompt.system, question.text
        window, answer = await self._room()
        room = window - answer - sum(_tokens(message["content"]) for message in mistake)
        asked = _tokens(system) + _tokens(text)
        note = ""
        if asked > room:
            system = _without_middle(system, room // 3)
            text = _without_middle(text, room - _tokens(system))
            left = _tokens(system) + _tokens(text)
            note = f"prompt cut from about {asked} to {left} tokens to fit {self.name}'s window"
        prompt = [{"role": "system", "content": system}, {"role": "user", "content": text}]
        return [*prompt, *mistake], note


def _tokens(text: str) -> int:
    """Rather too many than too few: small vocabularies take JSON apart into short pieces, and what
    is too long is refused, or cut where nobody sees it."""
    return len(text) // 3 + 1


def _what_is_wrong(failed: ValidationError, written: Written) -> str:
    """One sentence about an answer that cannot be read."""
    if written.cut:
        tokens = written.usage.output_tokens
        return f"it was cut off after {tokens} tokens; a larger `local_window` leaves more room"
    complaints = [
        f"{'.'.join(map(str, error['loc']))}: {error['msg']}" for error in failed.errors()[:3]
    ]
    return "; ".join(complaints)


def _mistake(answer: str, wrong: str, most: int) -> list[Message]:
    """The model's own answer and what is wrong with it, each of at most so many letters."""
    told = shorten(wrong, min(300, most))
    again = f"That does not fit: {told}. Answer once more, shorter, and mend it."
    return [
        {"role": "assistant", "content": shorten(answer, min(600, most))},
        {"role": "user", "content": again},
    ]


def _shorter() -> list[Message]:
    """An answer that ran out of room is not quoted: it would take the room of the next one."""
    return [
        {"role": "assistant", "content": "{"},
        {"role": "user", "content": "That was too long. Answer once more, much shorter."},
    ]


def _without_middle(text: str, most: int) -> str:
    """At most so many tokens, with a mark where the middle was."""
    if _tokens(text) <= most:
        return text
    mark = "\n[… left out: too long for this model …]\n"
    keep = max(most - _tokens(mark), 8) * len(text) // _tokens(text)
    return text[: keep // 2] + mark + text[len(text) - keep // 2 :]
