"""The forms in which names are compared: folded words, and their stems."""

import re
from functools import lru_cache

from freeform.core.text import plain_form

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")
_SMALL = frozenset("the a an of and 's to in for my our your his her their".split())
_ENDINGS = ("ings", "ing", "ions", "ion", "ied", "ies", "ed", "es", "e", "s")
_VOWEL = re.compile("[aeiouy]")


def tokens(text: str) -> list[str]:
    """The words of a text, folded: lower case, no accents, no possessives."""
    return [word.removesuffix("'s").replace("'", "") for word in _WORD.findall(plain_form(text))]


def folded(text: str) -> str:
    """A name in the form in which two spellings are the same: folded words, no article in front."""
    return " ".join(_bare(tokens(text)))


def _bare(words: list[str]) -> list[str]:
    """Without the article in front, unless nothing else is there."""
    return words[1:] if len(words) > 1 and words[0] in ("the", "a", "an") else words


def content(words: list[str]) -> list[str]:
    """The words that carry a name: no articles, no `of`."""
    return [word for word in words if word not in _SMALL] or words


def stemmed(text: str) -> str:
    """Folded, each word cut to its stem: `grappling`, `grapple` and `grappled` are one."""
    return " ".join(stem(word) for word in _bare(tokens(text)))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its ending: rough, but the same for all forms of most words."""
    if len(word) <= 3 or not word.isalpha() or word.endswith(("ss", "us", "is")):
        return word
    for ending in _ENDINGS:
        cut = word.removesuffix(ending)
        if len(cut) < len(word) and len(cut) >= 3 and _VOWEL.search(cut):
            cut = cut + "y" if ending in ("ies", "ied") else cut
            break
    else:
        return word
    if len(cut) > 4 and cut[-1] == cut[-2] and cut[-1] not in "lsz":
        cut = cut[:-1]
    return cut


def grams(text: str) -> set[str]:
    """The character trigrams of a folded name, its ends marked."""
    padded = f"  {text} "
    return {padded[i : i + 3] for i in range(len(padded) - 2)}
