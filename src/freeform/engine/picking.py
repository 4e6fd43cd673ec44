"""Suggestions picked by their numbers: `2`, `number 2, please`, `1 then 3`, `2 but quietly`."""

import re
from collections.abc import Sequence

_LEAD = (
    r"(?:(?:ok|okay|well|so|i|i'll|i'd|lets|let's|think|take|pick|choose|do|try|go|like|with|for|the|a|"
    r"to|would|will|number|no|nr|option|choice|suggestion|both|first)[\s.,:#]+)*"
)
_NUMBER = r"#?\d(?:st|nd|rd|th)?"
_AND = r"(?:\s*(?:,|&|\+|\band\b|\bthen\b|\bplus\b))+\s*"
_PICKED = re.compile(
    rf"\s*{_LEAD}(?P<numbers>{_NUMBER}(?:{_AND}{_NUMBER})*+)(?P<rest>[\s.)!]*|[\s.,:;!]+(?:please|thanks|but|and|then|while|at)\b.*)",
    re.IGNORECASE | re.DOTALL,
)
_POLITE = re.compile(r"^[\s.,!;:)]*(?:please|thanks|thank you)?[\s.,!)]*$", re.IGNORECASE)


def picked(text: str, shown: Sequence[str]) -> str:
    """What was typed with the suggestions' own words; as it is where no number was picked."""
    found = _PICKED.fullmatch(text)
    if not found:
        return text
    numbers = [int(number) for number in re.findall(r"\d", found["numbers"])]
    if not all(0 < number <= len(shown) for number in numbers):
        return text
    chosen = ", then ".join(shown[number - 1].strip(" .") for number in numbers)
    rest = found["rest"]
    return chosen if _POLITE.match(rest) else f"{chosen}{rest}"
