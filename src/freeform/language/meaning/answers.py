"""Whether a sentence answers a question, by meaning."""

from collections.abc import Sequence
from typing import Protocol

_MOST_REMEMBERED = 20_000


class AnswerFinder(Protocol):
    """Knows what answers a question without the question's words being in it."""

    def answers(self, question: str, sentences: Sequence[str]) -> list[float]:
        """How likely each of the sentences answers it; nothing where that cannot be said."""
        ...


class RememberedAnswers:
    """The same, asked once for each question and sentence: one asks again in the same place."""

    def __init__(self, answers: AnswerFinder, most: int = _MOST_REMEMBERED) -> None:
        self._answers, self._most = answers, most
        self._known: dict[tuple[str, str], float] = {}

    def answers(self, question: str, sentences: Sequence[str]) -> list[float]:
        """How likely each of the sentences answers it."""
        if len(self._known) > self._most:
            self._known.clear()
        unknown = [one for one in dict.fromkeys(sentences) if (question, one) not in self._known]
        chances = self._answers.answers(question, unknown) if unknown else []
        if len(chances) < len(unknown):
            return []
        for sentence, chance in zip(unknown, chances, strict=True):
            self._known[question, sentence] = chance
        return [self._known[question, sentence] for sentence in sentences]
