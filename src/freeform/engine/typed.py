"""What a player typed, before anyone listens: made clean, with the suggestions its numbers pick."""

import re
from collections.abc import Sequence

from pydantic import Field

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.core.text import MAX_INPUT, visible
from freeform.engine.campaign.apart import TableHero
from freeform.engine.campaign.spotlight import Actor
from freeform.engine.log import Narrated
from freeform.engine.table import Table

_WORDS = ("one", "two", "three", "four", "five", "six")
_LEAD = (
    r"(?:(?:ok|okay|well|so|i|i'll|i'd|i'm|am|going|lets|let's|think|take|pick|choose|do|try|go|like|want|with|for|"
    r"the|a|to|would|will|number|no|nr|option|choice|suggestion|both|first|please)[\s.,:#]+)*"
)
_DIGIT = r"#?[1-9](?:st|nd|rd|th)?"
_SPELLED = rf"(?:number|option|choice|suggestion)\s+(?:{'|'.join(_WORDS)})\b"
_NUMBER = rf"(?:{_DIGIT}|{_SPELLED})"
_AND = r"(?:\s*(?:,|&|\+|\band\b|\bthen\b|\bplus\b))+\s*(?:number|option)?\s*"
_POLITE = r"(?:please|pls|plz|thanks|thank you|i think|if i may|if you please)"
_GOES_ON = r"[\s.,:;!]+(?:but|and|then|while|at)\b.*|[.,:;!)]+\s+(?!no\b|wait\b|.*\b\d[.):]).*"
"""What follows a number: a word that goes on from it, or a mark and no second number of a list."""
_PICKED = re.compile(
    rf"\s*{_LEAD}(?P<numbers>{_NUMBER}(?:{_AND}{_NUMBER})*+)"
    rf"(?P<rest>[\s.,!)]*(?:{_POLITE}[\s.,!)]*)?|[\s.,!]+{_POLITE}[\s.,!]+.*|{_GOES_ON})",
    re.IGNORECASE | re.DOTALL,
)


class TurnPart(Record):
    """What one of several characters does in a turn that all take together."""

    actor: Actor
    text: str
    turn_id: str = ""
    """Under which it was handed in."""
    goes_on: bool = False
    """Whether this one does nothing, and waits for what comes."""


class Say(Record):
    """What a player types at a table. The same `turn_id` again is the same turn."""

    campaign: str
    text: str
    turn_id: str = ""
    take: int = 1
    alone: bool = True
    """Whether the turn before was the same player's, who may take it back."""
    goes_on: bool = False
    """Nothing is done: the game master goes on, and what is due comes."""
    actor: Actor | None = None
    """Who acts, where several characters share the story; else whoever acted last."""
    parts: list[TurnPart] = Field(default_factory=list)
    """What each does, where several act at once; `text` says all of it."""
    part: int = 0
    """Which of them this is: each has dice of its own."""
    heroes: list[TableHero] = Field(default_factory=list)
    """Everyone who is played at the table; none where one plays alone."""


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
    numbers = [
        _number(each) for each in re.findall(rf"\d|{'|'.join(_WORDS)}", found["numbers"].lower())
    ]
    if not all(0 < number <= len(shown) for number in numbers):
        return text
    chosen = ", then ".join(shown[number - 1].strip(" .") for number in numbers)
    polite = re.match(rf"[\s.,!]*{_POLITE}\b", found["rest"], re.I)
    goes_on = not polite and re.fullmatch(_GOES_ON, found["rest"], re.I | re.S)
    return f"{chosen}{found['rest']}" if goes_on else chosen


def _number(written: str) -> int:
    return _WORDS.index(written) + 1 if written in _WORDS else int(written)
