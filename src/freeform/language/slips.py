"""Slips of the pen: the known word from which a typed one is a single slip away, as `sheild`."""

from collections.abc import Iterable

SHORTEST = 4
"""Letters of a word that can be told from another by one slip."""


LONG = 8
"""Letters of a word that two slips leave to be known."""


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


def is_near_slip(word: str, other: str) -> bool:
    """Whether a word is one slip from another, or a long one two: `constition`."""
    if is_slip(word, other):
        return True
    if min(len(word), len(other)) < LONG or word[:2] != other[:2]:
        return False
    return any(is_slip(word[:at] + word[at + 1 :], other) for at in range(1, len(word))) or any(
        is_slip(other[:at] + other[at + 1 :], word) for at in range(1, len(other))
    )
