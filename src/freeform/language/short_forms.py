"""Words as people cut them short when they type: `prep`, `pots`, `lvl`, `dmg`; `grandma`, `doc`."""

from collections.abc import Iterable
from functools import cache

from freeform.language.tables import cues

_VOWELS = frozenset("aeiouy")
SHORTEST, LONGEST = 3, 5
"""Letters of a short form."""


def words_meant(short: str, known: Iterable[str]) -> list[str]:
    """The known words that a short form may stand for: those it begins, or whose consonants it is.

    A plural is cut short like its singular: `pots` begins `potion` as `pot` does.
    """
    if not SHORTEST <= len(short) <= LONGEST or not short.isalpha():
        return []
    bare = short[:-1] if short.endswith("s") and len(short) > SHORTEST else short
    return [word for word in known if _is_short_of(short, word) or _is_short_of(bare, word)]


def _is_short_of(short: str, word: str) -> bool:
    if len(word) < len(short) + 2:
        return False
    return word.startswith(short) or skeleton(word) == short


def skeleton(word: str) -> str:
    """The first letter and the consonants after it, none twice in a row: `level` is `lvl`."""
    kept = word[:1]
    for letter in word[1:]:
        if letter not in _VOWELS and letter != kept[-1:]:
            kept += letter
    return kept


def familiar_forms(word: str) -> frozenset[str]:
    """What else somebody is called who is called that, by those who know them: `grandma`."""
    return _familiar().get(word.lower(), frozenset())


@cache
def _familiar() -> dict[str, frozenset[str]]:
    alike: dict[str, set[str]] = {}
    for row in cues("familiar")["people"]:
        for word in row.split():
            alike.setdefault(word, set()).update(row.split())
    return {word: frozenset(others - {word}) for word, others in alike.items()}
