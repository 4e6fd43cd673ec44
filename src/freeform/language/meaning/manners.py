"""Which manner a word gives to somebody: nervous, grumpy, polite; by the words it is nearest to."""

import re
from collections.abc import Iterable
from functools import cache

from freeform.language.ear import TextNearness
from freeform.language.meaning.premise import PEOPLE, PremiseSpan

MANNERS = {
    "dry": "dry sarcastic blunt strict",
    "motherly": "motherly caring generous loving",
    "nervous": "nervous shy timid frightened",
    "grand": "proud arrogant vain haughty",
    "merry": "cheerful jolly funny joking",
    "grim": "grim silent brutal ruthless",
    "bookish": "bookish learned pedantic clever",
    "sly": "sly cunning crooked greedy",
    "gentle": "gentle polite kind sad",
    "brisk": "busy efficient bossy capable",
    "sour": "grumpy bitter angry rude",
    "dreamy": "dreamy absent-minded drunk mad",
}
"""Words that each manner is known by; any other is of the manner it is plainly near to."""
IS_SO = re.compile(
    r",? (?:who |that )?(?:is|are|was) (?:very |so |quite |rather |a )?([\w-]+)", re.IGNORECASE
)
"""Right after somebody: what they are."""
_NEAR = 0.7
"""Of 29 words that premises have for people, tried before any was used, ten are as near as this to
a manner, and nine of them are of it; `deaf`, `old`, `former` and `first` are not."""


def manners_of(words: Iterable[str], near: TextNearness) -> dict[str, str]:
    """The manners that words give; none for a word that gives none."""
    return {word: manner for word in words if (manner := _manner_of(word.lower(), near))}


def said_of_it(text: str, span: PremiseSpan) -> str:
    """What a text says of somebody: before the noun, and right after it (`is very deaf`)."""
    if span.label not in PEOPLE:
        return ""
    after = IS_SO.match(text, span.end)
    before = text[span.start : span.end].rpartition(" ")[0]
    return f"{before} {after[1] if after else ''}"


def _manner_of(word: str, near: TextNearness) -> str:
    scores = near(_said(word), tuple(_said(known) for _, known in _known()))
    best = max(zip(scores, _known(), strict=False), default=(0.0, ("", "")))
    return best[1][0] if best[0] >= _NEAR else ""


@cache
def _known() -> tuple[tuple[str, str], ...]:
    return tuple((manner, word) for manner, words in MANNERS.items() for word in words.split())


def _said(word: str) -> str:
    return f"They are {word}."
