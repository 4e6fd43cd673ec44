"""Which of several phrases a text holds, in any form of their words."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from freeform.language.inflection import akin, as_meant, beginning, lemma
from freeform.language.words import stop_words, words

_MOST_PASSED_OVER = 20_000
_SENTENCES = 512


class _Phrase(NamedTuple):
    """A phrase's words; `in_order`: they must stand side by side, else anywhere in the text."""

    words: tuple[str, ...]
    in_order: bool


class Phrases:
    """Phrases made ready once, to be held against many texts."""

    def __init__(self, phrases: Iterable[str]) -> None:
        self._by_first: dict[str, list[_Phrase]] = {}
        self._beginnings: set[str] = set()
        self._passed_over: set[str] = set()
        """Words seen before that no phrase's word begins like: most words of most sentences."""
        self.found_in = lru_cache(maxsize=_SENTENCES)(self._found_in)
        """Whether a text, a sentence as a rule, holds one of them. What authors wrote of a place
        and its people is held against the same phrases turn after turn."""
        for text in phrases:
            phrase = _phrase(text)
            if phrase.words:
                self._beginnings.update(map(beginning, phrase.words))
                self._by_first.setdefault(lemma(phrase.words[0]), []).append(phrase)

    def _found_in(self, text: str) -> bool:
        if not self._by_first:
            return False
        said = self._said(text)
        for word in said.by_lemma.keys() & self._by_first.keys():
            for phrase in self._by_first[word]:
                if _holds(said, phrase):
                    return True
        return False

    def _said(self, text: str) -> "_Said":
        """Words that no phrase's word begins like are passed over: most are, and a lemma costs."""
        said = _words(text)
        by_lemma: dict[str, list[tuple[int, str]]] = {}
        for place, word in enumerate(said):
            if word in self._passed_over:
                continue
            meant = as_meant(word, said[place - 1] if place else "")
            for form in {word, meant}:  # a word with two faces counts as both
                if beginning(form) in self._beginnings:
                    by_lemma.setdefault(lemma(form), []).append((place, form))
            if not {beginning(word), beginning(as_meant(word, ""))} & self._beginnings:
                self._pass_over(word)
        return _Said(said, by_lemma)

    def _pass_over(self, word: str) -> None:
        if len(self._passed_over) >= _MOST_PASSED_OVER:
            self._passed_over.clear()
        self._passed_over.add(word)


class _Said(NamedTuple):
    """A text's words in order, and where each lemma stands, with the form it has there."""

    words: tuple[str, ...]
    by_lemma: dict[str, list[tuple[int, str]]]


@lru_cache(maxsize=256)
def _words(text: str) -> tuple[str, ...]:
    """A sentence is held against lines, then against veils."""
    return tuple(words(text))


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


def _goes_on(said: Sequence[str], rest: list[str]) -> bool:
    return len(said) >= len(rest) and all(map(akin, said, rest))
