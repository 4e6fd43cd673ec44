"""The stemmer that the assistant's names and its offline selector were tuned with; not for others.

With `lemma` in its place the selector chose one tool in 143 worse: see
docs/decisions/0026-one-room-for-language.md.
"""

import re
from functools import lru_cache

_ENDINGS = ("ings", "ing", "ions", "ion", "ied", "ies", "ed", "es", "e", "s")
_VOWEL = re.compile("[aeiouy]")


@lru_cache(maxsize=65536)
def rough_stem(word: str) -> str:
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
