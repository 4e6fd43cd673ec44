"""Which of several phrases a text holds, in any form of their words."""

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from freeform.language.inflection import akin, as_meant, lemma
from freeform.language.words import stop_words, words


class _Phrase(NamedTuple):
    """A phrase's words; `in_order`: they must stand side by side, else anywhere in the text."""

    words: tuple[str, ...]
    in_order: bool


class Phrases:
    """Phrases made ready once, to be held against many texts."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_first: dict[str, list[_Phrase]] = {}
        for text in phrases:
            phrase = _phrase(text)
            if phrase.words:
                self._by_first.setdefault(lemma(phrase.words[0]), []).append(phrase)

    def found_in(self, text: str) -> bool:
        """Whether the text, a sentence as a rule, holds one of them."""
        if not self._by_first:
            return False
        said = _said(text)
        for word in said.by_lemma.keys() & self._by_first.keys():
            for phrase in self._by_first[word]:
                if _holds(said, phrase):
                    return True
        return False


class _Said(NamedTuple):
    """A text's words in order, and where each lemma stands, with the form it has there."""

    words: list[str]
    by_lemma: dict[str, list[tuple[int, str]]]


@lru_cache(maxsize=256)
def _said(text: str) -> _Said:
    said = words(text)
    by_lemma: dict[str, list[tuple[int, str]]] = {}
    before = ""
    for place, word in enumerate(said):
        for form in {word, as_meant(word, before)}:  # a word with two faces counts as both
            by_lemma.setdefault(lemma(form), []).append((place, form))
        before = word
    return _Said(said, by_lemma)


def _phrase(text: str) -> _Phrase:
    """Two telling words may stand anywhere; else every word counts, and so does their order."""
    every = tuple(words(text))
    telling = tuple(word for word in every if word not in stop_words())
    return _Phrase(telling, False) if len(telling) > 1 else _Phrase(every, True)


def _holds(said: _Said, phrase: _Phrase) -> bool:
    if not phrase.in_order:
        return all(_places(said, word) for word in phrase.words)
    first, *rest = phrase.words
    return any(_goes_on(said.words[place + 1 :], rest) for place in _places(said, first))


def _places(said: _Said, word: str) -> list[int]:
    return [place for place, form in said.by_lemma.get(lemma(word), ()) if akin(form, word)]


def _goes_on(said: list[str], rest: list[str]) -> bool:
    return len(said) >= len(rest) and all(map(akin, said, rest))
