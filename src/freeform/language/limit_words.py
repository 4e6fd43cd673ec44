"""The words of lines and veils: every way to speak of what a table named, and what it is about."""

import re
from functools import lru_cache
from itertools import islice, product

from freeform.core.text import plain_form
from freeform.language.families import family
from freeform.language.phrases import Phrases
from freeform.language.tables import cues
from freeform.language.words import telling_words, words

_APART = re.compile(r"[,;/|()]|\b(?:and|or)\b|&")
"""What stands between two things on one line: `spiders and snakes`."""
_MOST_WAYS = 800
_MOST_TOGETHER = 2
"""So many things of one line are asked about as one; of a longer list, each by itself."""


@lru_cache(maxsize=256)
def limit_phrases(terms: tuple[str, ...]) -> Phrases:
    """Every way to speak of the terms: in any form of their words, and in the words of a topic they
    name."""
    ways: list[str] = []
    for term in terms:
        parts = [_telling_part(part) for part in _APART.split(plain_form(term))]
        named = [part for part in parts if part]
        if not named:
            ways.append(term)  # `them`: as the table wrote it
        for part in named:
            ways += _ways(part)
    return Phrases(ways)


@lru_cache(maxsize=256)
def topics_in(term: str) -> tuple[str, ...]:
    """What a sentence is asked about for a line: the line itself, or each thing of a long list."""
    parts = [part.strip() for part in _APART.split(term)]
    named = tuple(part for part in parts if words(part))
    return named if len(named) > _MOST_TOGETHER else (term.strip(),)[: len(named)]


@lru_cache(maxsize=1024)
def topic_words(term: str) -> str:
    """What a line is about, without how that is put: `no torture please` is about torture."""
    return " ".join(_telling_part(plain_form(term))) or term


def _telling_part(part: str) -> list[str]:
    """The words of a line that say what it is: in `any graphic mention of rats`, the rats."""
    framing = cues("limits")["framing"].split()
    return [word for word in telling_words(part) if word not in framing]


def _ways(part: list[str]) -> list[str]:
    """A line of one word is met by any word of its topic. Of several, all must be met in one
    sentence: `harm to children` is not about every child."""
    choices = [_choices(word) for word in part]
    ways = [" ".join(chosen) for chosen in islice(product(*choices), _MOST_WAYS)]
    meant_words = " ".join(other for word in part for other in family(word))
    for topic in cues("limits")["topics"]:
        whole = [name for name in topic["names"] if len(telling_words(name)) == len(part)]
        if Phrases(whole).found_in(meant_words):
            ways += topic["words"]
    return ways


def _choices(word: str) -> list[str]:
    """A word's family, and the words of a topic that it names alone."""
    chosen = list(family(word))
    for topic in cues("limits")["topics"]:
        if Phrases(topic["names"]).found_in(" ".join(family(word))):
            chosen += topic["words"]
    return list(dict.fromkeys(chosen))
