"""A model on this machine: a window of our own choosing, answers held to the record, mistakes shown
and mended."""

from abc import abstractmethod
from typing import Any

from freeform.adapters.models.answer import Unread
from freeform.adapters.models.asking_model import (
    AskingModel,
    Message,
    Written,
    shorter,
    shown_mistake,
)
from freeform.core.llm.gateway import Question

WINDOW, ANSWER = 16_384, 2048
"""Tokens that a model sees at once, and how many of them its answer may take. A turn asks with
several thousand."""


class LocalModel(AskingModel):
    """A question cut to the window, and complaints that leave room for the answer."""

    def __init__(self, window: int, answer: int, repairs: int) -> None:
        super().__init__(repairs)
        self._window, self._answer = window, answer

    @property
    def window(self) -> int:
        """The tokens it sees at once."""
        return self._window

    @abstractmethod
    async def _window_of_model(self) -> int:
        """The tokens it was made to see at once; 0 when nobody knows."""

    async def _complaint(self, written: Written, wrong: str) -> list[Message]:
        """What is said to a model about its answer; about a third of what a prompt may take."""
        if written.cut:
            return shorter()
        window, answer = await self._room()
        return shown_mistake(written.text, wrong, (window - answer) // 2)

    def _in_short(self, unread: Unread, written: Written) -> str:
        if written.cut:
            tokens = written.usage.output_tokens
            return f"it was cut off after {tokens} tokens; a larger `local_window` leaves more room"
        return super()._in_short(unread, written)

    async def _room(self) -> tuple[int, int]:
        """The window, and how much of it the answer may take. No model sees more than it was made
        to."""
        window = min(self._window, await self._window_of_model() or self._window)
        return window, min(self._answer, window * 3 // 4)

    async def _messages(
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


def _without_middle(text: str, most: int) -> str:
    """At most so many tokens, with a mark where the middle was."""
    if _tokens(text) <= most:
        return text
    mark = "\n[… left out: too long for this model …]\n"
    keep = max(most - _tokens(mark), 8) * len(text) // _tokens(text)
    return text[: keep // 2] + mark + text[len(text) - keep // 2 :]
