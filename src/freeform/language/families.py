"""Words of one notion that no ending joins: who says `death` means `dies` and `dead`, too."""

from functools import cache

from freeform.language.inflection import lemma
from freeform.language.tables import cues


def family(word: str) -> tuple[str, ...]:
    """The word, and those of its family."""
    others = _families().get(lemma(word), ())
    return (word, *(other for other in others if lemma(other) != lemma(word)))


@cache
def _families() -> dict[str, tuple[str, ...]]:
    by_lemma: dict[str, tuple[str, ...]] = {}
    for row in cues("families"):
        for word in row:
            by_lemma[lemma(word)] = tuple(row)
    return by_lemma
