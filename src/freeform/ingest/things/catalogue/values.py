"""What a field's values are: numbers, dice, ranges, lists or text. Pure."""

import re
from collections import Counter
from collections.abc import Sequence
from typing import Literal

ValueType = Literal["number", "signed", "dice", "range", "list", "text"]

_MINUS = str.maketrans("−–", "--")
_NUMBER = re.compile(r"\d[\d,]*")
_SIGNED = re.compile(r"[+-]\d+")
_DICE = re.compile(r"(?:[bw]\[)?\d*[dD]\d*\]?(?:[+-]\d+)?\b.*")
_RANGE = re.compile(r"\d+\s?[-/]\s?\d+(?:/\d+)*")
#: Share of values that a type must fit.
MOST = 0.7


def typed(value: str) -> int | str:
    """A whole number as one; anything else as it stands."""
    plain = value.strip()
    return int(plain.replace(",", "")) if _NUMBER.fullmatch(plain) else plain


def type_of(values: Sequence[str]) -> ValueType:
    """The type most values have."""
    counted = Counter(_type(value.strip().translate(_MINUS)) for value in values)
    best, number = counted.most_common(1)[0]
    return best if number >= MOST * len(values) else "text"


def _type(value: str) -> ValueType:
    if _NUMBER.match(value) and not _RANGE.match(value) and not _DICE.match(value):
        return "number"
    if _SIGNED.match(value):
        return "signed"
    if _DICE.match(value):
        return "dice"
    if _RANGE.match(value):
        return "range"
    parts = re.split(r"[,;]\s", value)
    return "list" if len(parts) > 1 and all(len(part.split()) <= 4 for part in parts) else "text"
