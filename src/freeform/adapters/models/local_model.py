"""A model on this machine: a window of our own choosing, answers held to the record, mistakes shown and mended."""

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
"""Tokens that a model sees at once, and how many of them its answer may take. A turn asks with several thousand."""


@dataclass
class Written:
    """What a model wrote in one try."""

    text: str = ""
    usage: Usage = field(default_factory=lambda: Usage(calls=1))


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
        system, text, note = await self._fit(question)
        messages = [{"role": "system", "content": system}, {"role": "user", "content": text}]
        wrong = ""
        for tries in range(1, self._repairs + 2):
            if growing:
                growing.again()
            written = await self._write(question, messages, tries, growing)
            usage += written.usage
            try:
                output = pass_.gives.model_validate_json(written.text)
            except ValidationError as failed:
                wrong = "; ".join(
                    f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in failed.errors()[:3]
                )
                messages = [*messages[:2], *_mistake(written.text, wrong)]
                continue
            if growing:
                growing.end(pass_.streamed(output))
            return ModelSaid(output, usage, tries, note)
        tries = self._repairs + 1
        raise BadReply(
            f"its answers did not fit the record: {shorten(wrong, 200)}", usage=usage, tries=tries
        )

    async def _room(self) -> tuple[int, int]:
        """The window, and how much of it the answer may take. No model sees more than it was made to."""
        window = min(self._window, await self._window_of_model() or self._window)
        return window, min(self._answer, window * 3 // 4)

    async def _fit(self, question: Question[Any]) -> tuple[str, str, str]:
        """System and text cut to the window, and a note if so. Ends are kept: the player speaks there."""
        system, text = question.prompt.system, question.text
        window, answer = await self._room()
        room = window - answer
        asked = _tokens(system) + _tokens(text)
        if asked <= room:
            return system, text, ""
        system = _without_middle(system, room // 3)
        text = _without_middle(text, room - _tokens(system))
        left = _tokens(system) + _tokens(text)
        return (
            system,
            text,
            f"prompt cut from about {asked} to {left} tokens to fit {self.name}'s window",
        )


def _tokens(text: str) -> int:
    """Rather too many than too few: small vocabularies take JSON apart into short pieces, and what is too long is refused,
    or cut where nobody sees it."""
    return len(text) // 3 + 1


def _mistake(answer: str, wrong: str) -> list[Message]:
    """The model's own answer and what is wrong with it."""
    again = f"That does not fit: {shorten(wrong, 300)}. Answer once more, shorter, and mend it."
    return [
        {"role": "assistant", "content": shorten(answer, 600)},
        {"role": "user", "content": again},
    ]


def _without_middle(text: str, most: int) -> str:
    """At most so many tokens, with a mark where the middle was."""
    if _tokens(text) <= most:
        return text
    mark = "\n[… left out: too long for this model …]\n"
    keep = max(most - _tokens(mark), 8) * len(text) // _tokens(text)
    return text[: keep // 2] + mark + text[len(text) - keep // 2 :]
