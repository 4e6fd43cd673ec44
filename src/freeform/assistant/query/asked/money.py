"""Sums of money as people write them: `60 gp`, `1,200 gold`, `a hundred and twenty silver`."""

import re
from dataclasses import dataclass

_UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen"
).split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_WORDS = {
    **{word: number for number, word in enumerate(_UNITS)},
    **{word: 10 * number for number, word in enumerate(_TENS, start=2)},
}
_TIMES = {"hundred": 100, "thousand": 1000}
_ONE = "|".join([*_WORDS, *_TIMES])
_SPELLED = rf"(?:an? )?(?:{_ONE})(?:(?:[\s-]+|\s+and\s+)(?:{_ONE}))*"
_FIGURES = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
_NUMBER = re.compile(rf"(?<![\w.,+/-])(?P<number>{_FIGURES}|{_SPELLED})(?![\w/]|[-–.,]\d)", re.I)
_SUM = re.compile(
    rf"(?<![\w.,+/–-])(?P<number>{_FIGURES}|{_SPELLED})\s*"
    r"(?P<coin>gp|sp|cp|pp|gold|silver|copper|platinum)\b",
    re.I,
)
_UP_TO = re.compile(rf"(?:\d|\b(?:{_ONE}))\s*(?:to|or|[-–])\s*$", re.I)
"""What stands before the end of a range, which is no sum."""
_JOINED = re.compile(r"\s*(?:,|\+|&)?\s*(?:and\s)?\s*$")
_COPPER = {"g": 100, "s": 10, "c": 1, "p": 1000}


@dataclass(frozen=True)
class MoneySum:
    """A sum in copper, and where it stands."""

    copper: int
    start: int
    end: int


def sums_in(text: str) -> list[MoneySum]:
    """The sums of a text, in their order; `5 gp and 8 sp` is one."""
    found = list[MoneySum]()
    last = 0
    for hit in _SUM.finditer(text):
        number, coin = _counted(hit["number"]), _COPPER[hit["coin"][0].lower()]
        if number is None or _UP_TO.search(text[: hit.start()]):
            continue
        copper, start = round(number * coin), hit.start()
        if found and coin < last and _JOINED.match(text[found[-1].end : start]):
            before = found.pop()
            copper, start = before.copper + copper, before.start
        found.append(MoneySum(copper, start, hit.end()))
        last = coin
    return found


def number_in(text: str) -> float | None:
    """The one number of a text; None where there is none or another."""
    found = [hit["number"] for hit in _NUMBER.finditer(text)]
    return _counted(found[0]) if len(found) == 1 else None


def has_number(text: str) -> bool:
    """Whether a text counts anything."""
    return bool(_NUMBER.search(text))


def _counted(said: str) -> float | None:
    """`120`, `1,200`, `12.50`, `a hundred and twenty`; None for words that make no number."""
    if said[0].isdigit():
        return float(said.replace(",", ""))
    whole, part = 0, 0
    for word in re.findall(r"[a-z]+", said.lower()):
        if word in _TIMES:
            part = max(1, part) * _TIMES[word]
            if _TIMES[word] > 100:
                whole, part = whole + part, 0
        elif word in _WORDS:
            if part % 100 and not (part % 100 >= 20 and not part % 10 and _WORDS[word] < 10):
                return None
            part += _WORDS[word]
    return whole + part
