"""What a text means, as far as a small model can tell: how near two texts are, and what a question
to someone is after."""

from collections.abc import Sequence
from itertools import pairwise
from math import fsum
from operator import mul
from typing import Protocol, runtime_checkable

from freeform.language.inflection import lemma
from freeform.language.likeness import in_full
from freeform.language.words import words

Vector = tuple[float, ...]
_MOST_REMEMBERED = 20_000
_PLACES = 3
"""Nearness is told to so many places: beyond them processors differ."""

ASKED_KINDS = tuple(
    "self past want view trust_me lying feel company price favour where doing advice know".split()
)
"""What someone can be asked for; `training/asked/questions.yaml` has what is meant by each."""


TOLD_KINDS = tuple(
    "news accuse offer request sorry thanks threat mine small ask insult deal first due".split()
)
"""What one can do by telling someone something; `training/asked/sayings.yaml` has what is meant by
each."""
SAID = 0.35
"""What a word of a question counts, beside its vector of length 1."""


def asking_words(question: str) -> frozenset[str]:
    """The words of a question and its pairs of words, by which its kind is told beside its
    meaning."""
    forms = ["^", *(lemma(word) for word in words(in_full(question)))]
    pairs = [f"{one} {two}" for one, two in pairwise(forms)]
    return frozenset([*forms[1:], *pairs])


@runtime_checkable
class Sense(Protocol):
    """Knows what texts mean."""

    def vectors(self, texts: Sequence[str]) -> list[Vector]:
        """Each text as a vector of length 1; none at all where no model is at hand."""
        ...

    def asked_for(self, question: str, vector: Vector) -> dict[str, float]:
        """How likely a question is of each kind; they add up to 1."""
        ...

    def told_as(self, saying: str, vector: Vector) -> dict[str, float]:
        """How likely what is told to someone is of each kind; they add up to 1."""
        ...


@runtime_checkable
class SayingReader(Protocol):
    """Knows what a saying comes to in a situation that it was taught."""

    def said_as(self, part: str, saying: str, vector: Vector) -> dict[str, float]:
        """How likely it comes to each thing of that part (`training/asked/PART.yaml`); they add up
        to 1."""
        ...


class RememberedSense:
    """The same, asked once for each text: what authors wrote comes back turn after turn."""

    def __init__(self, sense: Sense, most: int = _MOST_REMEMBERED) -> None:
        self._sense, self._most = sense, most
        self._known: dict[str, Vector] = {}
        self._near: dict[tuple[str, str], float] = {}
        self._kinds: dict[str, dict[str, float]] = {}
        self._told: dict[str, dict[str, float]] = {}
        self._said: dict[tuple[str, str], dict[str, float]] = {}

    def near(self, text: str, others: Sequence[str]) -> list[float]:
        """How near each of the others is to a text, from -1 to 1; [] where nothing can tell."""
        known = self._all([text, *others])
        if not known:
            return []
        own = known[text]
        if len(self._near) + len(others) > self._most:
            self._near.clear()
        for other in others:
            if (text, other) not in self._near:
                nearness = round(fsum(map(mul, own, known[other])), _PLACES)
                self._near[text, other] = nearness
        return [self._near[text, other] for other in others]

    def asked_for(self, question: str) -> dict[str, float]:
        """How likely a question is of each kind; {} where nothing can tell."""
        if question not in self._kinds:
            known = self._all([question])
            if not known:
                return {}
            self._kinds[question] = self._sense.asked_for(question, known[question])
        return self._kinds[question]

    def told_as(self, saying: str) -> dict[str, float]:
        """How likely what is told to someone is of each kind; {} where nothing can tell."""
        if saying not in self._told:
            known = self._all([saying])
            if not known:
                return {}
            self._told[saying] = self._sense.told_as(saying, known[saying])
        return self._told[saying]

    def said_as(self, part: str, saying: str) -> dict[str, float]:
        """How likely a saying comes to each thing of a part; {} where nothing can tell."""
        if (part, saying) not in self._said:
            known = self._all([saying])
            if not known or not isinstance(self._sense, SayingReader):
                return {}
            self._said[part, saying] = self._sense.said_as(part, saying, known[saying])
        return self._said[part, saying]

    def _all(self, texts: Sequence[str]) -> dict[str, Vector]:
        if len(self._known) > self._most:
            self._known.clear()
            self._kinds.clear()
            self._told.clear()
            self._said.clear()
        missing = [text for text in dict.fromkeys(texts) if text not in self._known]
        if missing:
            found = self._sense.vectors(missing)
            if not found:
                return {}
            self._known.update(zip(missing, found, strict=True))
        return self._known
