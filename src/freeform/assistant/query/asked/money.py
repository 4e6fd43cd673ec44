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
_NUMBER = re.compile(rf"(?<![\w.,+/-])(?P<number>\d[\d,]*|{_SPELLED})(?![\w/])", re.I)
_SUM = re.compile(
    rf"(?<![\w.,+/-])(?P<number>\d[\d,]*|{_SPELLED})\s*"
    r"(?P<coin>(?:gp|sp|cp|pp)\b|gold|silver|copper|platinum)",
    re.I,
)
_COPPER = {"g": 100, "s": 10, "c": 1, "p": 1000}


@dataclass(frozen=True)
class MoneySum:
    """A sum in copper, and where it stands."""

    copper: int
    start: int
    end: int


def sums_in(text: str) -> list[MoneySum]:
    """The sums of a text, in their order."""
    found = list[MoneySum]()
    for hit in _SUM.finditer(text):
        copper = _counted(hit["number"]) * _COPPER[hit["coin"][0].lower()]
        found.append(MoneySum(copper, hit.start(), hit.end()))
    return found


def number_in(text: str) -> int | None:
    """The one number of a text; None where there is none or another."""
    found = [hit["number"] for hit in _NUMBER.finditer(text)]
    return _counted(found[0]) if len(found) == 1 else None


def has_number(text: str) -> bool:
    """Whether a text counts anything."""
    return bool(_NUMBER.search(text))


def _counted(said: str) -> int:
    """`120`, `1,200`, `a hundred and twenty`."""
    if said[0].isdigit():
        return int(said.replace(",", ""))
    whole, part = 0, 0
    for word in re.findall(r"[a-z]+", said.lower()):
        if word in _TIMES:
            part = max(1, part) * _TIMES[word]
            if _TIMES[word] > 100:
                whole, part = whole + part, 0
        else:
            part += _WORDS.get(word, 0)
    return whole + part
