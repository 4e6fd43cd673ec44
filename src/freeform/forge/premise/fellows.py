"""Whom the hero is one of: two brothers, three nuns. The player is one of them; the others are
there, each with a name of their own."""

import re
from collections.abc import Sequence

from freeform.forge.premise.kinds import word_tables
from freeform.forge.premise.nouns import YOU, PremiseNoun
from freeform.language.inflection import singular

_COUNTED = ("two", "three", "four", "five", "six")
_MOST = 2
"""How many fellows one meets."""
_KIN, _OTHERS = ("elder", "younger"), ("second", "third")


def fellows_of(hero: PremiseNoun | None, text: str) -> list[PremiseNoun]:
    """The others; nobody where the hero is alone, or one of a crowd that is not counted."""
    if hero is None or not hero.is_many or hero.is_name or hero.head in word_tables().groups:
        return []
    said = rf"\b({'|'.join(_COUNTED)}|both|a pair of)\s+{re.escape(hero.text)}\b"
    counted = re.search(said, text, re.IGNORECASE)
    if counted is None:
        return []
    number = counted[1].lower()
    count = _COUNTED.index(number) + 1 if number in _COUNTED else 1
    words = hero.text.split()
    one = " ".join([*words[:-1], singular(words[-1].lower())])
    return [_fellow(hero, one, at, count) for at in range(min(count, _MOST))]


def is_pair(nouns: Sequence[PremiseNoun]) -> bool:
    """Whether the hero is one of two."""
    return sum(noun.is_fellow for noun in nouns) == 1


def _fellow(hero: PremiseNoun, one: str, at: int, count: int) -> PremiseNoun:
    is_kin = hero.head in word_tables().kin or hero.head.startswith("ex")
    which = ("" if is_kin else "other") if count == 1 else (_KIN if is_kin else _OTHERS)[at]
    return PremiseNoun(
        text=f"{which} {one}".strip(),
        head=hero.head,
        kind="person",
        owner=YOU if is_kin else "",
        is_one=True,
        part="friend",
        sure=hero.sure,
        order=hero.order,
        is_fellow=True,
    )
