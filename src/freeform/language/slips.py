"""Slips of the pen: the known word from which a typed one is a single slip away, as `sheild`."""

from collections.abc import Iterable

SHORTEST = 4
"""Letters of a word that can be told from another by one slip."""


def mended(word: str, known: Iterable[str]) -> str:
    """The one known word that a slip makes this of; '' where there is none, or several."""
    if len(word) < SHORTEST or not word.isalpha():
        return ""
    found = {other for other in known if is_slip(word, other)}
    return found.pop() if len(found) == 1 else ""


def is_slip(word: str, other: str) -> bool:
    """Whether one letter was left out, put in, exchanged with the next or typed for another; the
    first one is as it should be."""
    if word == other or word[:1] != other[:1] or abs(len(word) - len(other)) > 1:
        return False
    at = next(
        (at for at, pair in enumerate(zip(word, other, strict=False)) if pair[0] != pair[1]), -1
    )
    if at < 0:
        return True  # One ends a letter sooner.
    if len(word) != len(other):
        longer, shorter = (word, other) if len(word) > len(other) else (other, word)
        return longer[at + 1 :] == shorter[at:]
    swapped = word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :]
    return swapped == other or word[at + 1 :] == other[at + 1 :]
