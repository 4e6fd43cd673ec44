"""What a player typed, before anyone listens: made clean, with the suggestions its numbers pick."""

import re
from collections.abc import Sequence

from freeform.core.errors import UserError
from freeform.core.text import MAX_INPUT, visible
from freeform.engine.log import Narrated
from freeform.engine.table import Table

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


def hear(text: str) -> str:
    """What was typed, without control characters; UserError when nothing is left, or far too
    much."""
    clean = visible(text)
    if not clean:
        raise UserError("say what your character does; an empty line does nothing")
    if len(clean) > MAX_INPUT:
        raise UserError(
            f"that is {len(clean):,} characters; a turn takes up to {MAX_INPUT:,}: "
            "say the first thing you do"
        )
    return clean


async def by_number(text: str, campaign: str, table: Table) -> str:
    """A number is the suggestion that stands under it; anything else is as it was typed."""
    if not any(letter.isdecimal() for letter in text):
        return text
    shown = (await table.store.begun(campaign)).suggested_actions
    for logged in await table.store.tail(campaign, 1):
        if isinstance(logged.entry, Narrated):
            shown = logged.entry.narrator.suggested_actions
    return picked(text, shown)


def picked(text: str, shown: Sequence[str]) -> str:
    """What was typed with the words of the suggestions that its numbers pick: `1 then 3`, `number
    2, please`, `2 but quietly`; as it is where no number picks one."""
    found = _PICKED.fullmatch(text)
    if not found:
        return text
    numbers = [int(number) for number in re.findall(r"\d", found["numbers"])]
    if not all(0 < number <= len(shown) for number in numbers):
        return text
    chosen = ", then ".join(shown[number - 1].strip(" .") for number in numbers)
    rest = found["rest"]
    return chosen if _POLITE.match(rest) else f"{chosen}{rest}"
