"""The words of a text in the one form in which they are compared, and which of them say nothing."""

import re
from functools import cache

from freeform.core.text import plain_form
from freeform.language.inflection import lemma
from freeform.language.tables import cues

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


def words(text: str) -> list[str]:
    """Every word in order: small letters, no accents, no possessives; a hyphen parts two words."""
    return [unowned(word) for word in _WORD.findall(plain_form(text))]


def unowned(word: str) -> str:
    """A word without the possessive: `Orla's` is Orla."""
    return word[:-2] if word.endswith(("'s", "’s")) else word


@cache
def stop_words(*groups: str) -> frozenset[str]:
    """Words that say nothing of what a text is about; more groups of the table where asked for."""
    table = cues("stop_words")
    return frozenset(word for group in ("function", *groups) for word in table[group].split())


@cache
def word_class(name: str) -> frozenset[str]:
    """The words of a class in `grammar.yaml`."""
    return frozenset(cues("grammar")[name].split())


def telling_words(text: str, *groups: str) -> list[str]:
    """The words that say what a text is about, in order."""
    small = stop_words(*groups)
    return [word for word in words(text) if word not in small]


def lemmas(text: str, *groups: str) -> list[str]:
    """The telling words, each as what all its forms share."""
    return [lemma(word) for word in telling_words(text, *groups)]
