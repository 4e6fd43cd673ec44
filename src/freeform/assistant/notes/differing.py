"""Where notes state another value of the same thing: the purse, a weapon's die, a class of armour.

A value is compared with values of its own kind only: dice with dice, an amount with an amount of
the same unit, a bare number that follows the thing's name with such a number.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from freeform.assistant.notes.model import Note
from freeform.assistant.quotes import sentences_of
from freeform.language.inflection import lemma

_DICE = re.compile(r"(?<![\w+])(\d+d\d+)(?!\w)", re.I)
_AMOUNT = re.compile(r"(?<![\w+.,-])(\d[\d,]*) ?([A-Za-z]{2,12})\b(?!\s*(?:each|per|a)\b)")
_BARE = re.compile(r"\W*(?:[a-z]{2,3}\W+){0,2}(\d+)(?!\w)", re.I)
"""A bare number, at most two small words after the name: `is now 13`."""
BETWEEN = 3
"""Words that may stand between the name of a thing and the value stated of it."""
SHORTEST = 2
"""Letters of a name that is looked for in notes."""


class StatedValue(NamedTuple):
    """A value and what kind it is of: `dice`, a unit, or '' for a bare number."""

    kind: str
    value: str


class NoteDiffering(NamedTuple):
    """The note that states another value, and the sentence in which it does."""

    at: int
    sentence: str
    value: str


def values_in(text: str, names: Iterable[str]) -> list[StatedValue]:
    """What a line states of the thing that it names."""
    found = [StatedValue("dice", hit[1].lower()) for hit in _DICE.finditer(text)]
    for hit in _AMOUNT.finditer(_DICE.sub(" ", text)):
        found.append(StatedValue(lemma(hit[2].lower()), hit[1].replace(",", "")))
    for name in names:
        bare = re.search(rf"\b{re.escape(name)} (\d+)(?!\w)", text, re.I)
        if bare:
            found.append(StatedValue("", bare[1]))
    return found


def stated_otherwise(
    notes: Sequence[Note], names: Sequence[str], told: str, own: frozenset[str] = frozenset()
) -> NoteDiffering | None:
    """The last statement of the notes about the thing of these names, if it is not what was told.
    A sentence that names somebody else speaks of theirs."""
    known = values_in(told, names)
    kinds = {value.kind for value in known}
    last: NoteDiffering | None = None
    for at, note in enumerate(notes):
        for sentence in sentences_of(note.text):
            stated = _stated(sentence, names, kinds)
            if stated is None or _of_another(sentence, note, names, own):
                continue
            last = None if stated in known else NoteDiffering(at, sentence, stated.value)
    return last


def _stated(sentence: str, names: Sequence[str], kinds: set[str]) -> StatedValue | None:
    """The first value of one of these kinds that follows a name of the thing closely."""
    for name in names:
        if len(name) < SHORTEST:
            continue
        for hit in re.finditer(rf"\b{re.escape(name)}s?\b(.*)", sentence, re.I):
            rest = " ".join(hit[1].split()[: BETWEEN + 2])
            if "" in kinds and (bare := _BARE.match(rest)):
                return StatedValue("", bare[1])
            for value in values_in(rest, ()):
                if value.kind in kinds:
                    return value
    return None


def _of_another(sentence: str, note: Note, names: Sequence[str], own: frozenset[str]) -> bool:
    """Whether somebody else is named before the value is stated."""
    lower = sentence.lower()
    ends = [lower.find(name.lower()) for name in names if name.lower() in lower]
    before = sentence[: max(ends, default=0)]
    others = [name for name in note.names if not set(name.lower().split()) & own]
    return any(name in before for name in others)
