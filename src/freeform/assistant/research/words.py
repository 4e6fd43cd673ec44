"""Words of questions and of entries, in the one form in which they are compared here."""

import re
from functools import cache

from freeform.language.inflection import singular
from freeform.language.tables import cues
from freeform.language.words import stop_words, words

_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")


@cache
def _meaning() -> dict[str, str]:
    """Words that ask for the same thing, each with the first of its row."""
    meant: dict[str, str] = {}
    for row in cues("same_wish"):
        for word in row:
            meant[word] = row[0]
    return meant


def stem(word: str) -> str:
    """A word without its plural or possessive; `3rd` is 3."""
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1]
    return singular(word)


def telling(text: str) -> list[str]:
    """The telling words of a text, stemmed, in order, each once."""
    found = (stem(word) for word in words(text))
    return list(dict.fromkeys(word for word in found if word not in stop_words("research")))


def meaning(word: str) -> str:
    """Words that ask for the same thing, as one of them."""
    return _meaning().get(word, word)


def meanings(text: str) -> set[str]:
    """What a heading, key or wish asks for."""
    small, known = stop_words("research"), _meaning()
    kept = (stem(word) for word in words(text) if word not in small or word in known)
    return {meaning(word) for word in kept}
