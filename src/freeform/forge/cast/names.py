"""Names: drawn from a genre's bag, none twice; and what a trade says of who has it."""

import re
from functools import cache

from freeform.core.chance import Chance
from freeform.forge.cast.genre_shelf import ForgeGenre
from freeform.forge.cast.voices import voice_shelf
from freeform.forge.premise.kinds import ends_as_nobody, known_kind, word_tables
from freeform.language.words import word_class

_LONG_NAME = 2
"""Words of a heading in a book that may still be somebody's name."""


def collective(head: str) -> bool:
    """Whether a noun of people names many as one."""
    return head.lower() in word_tables().groups


@cache
def _gendered() -> tuple[frozenset[str], frozenset[str]]:
    shelf = voice_shelf()
    return frozenset(shelf.feminine.split()), frozenset(shelf.masculine.split())


def is_she(trade: str, chance: Chance, told: bool | None = None) -> bool:
    """Whether somebody of that trade is a she: by its words, else as is told, else by chance."""
    feminine, masculine = _gendered()
    words = set(trade.lower().replace("-", " ").split()) | set(trade.lower().split())
    if words & feminine or any(word.endswith(("woman", "mistress")) for word in words):
        return True
    if words & masculine or any(word.endswith("man") for word in words):
        return False
    return chance.die(2) == 1 if told is None else told


def gendered(head: str) -> bool:
    """Whether a noun says itself whether it is a he or a she."""
    feminine, masculine = _gendered()
    return head.lower() in feminine | masculine or head.lower().endswith(("man", "woman"))


class NameBag:
    """The names of a genre, each given once."""

    def __init__(self, genre: ForgeGenre, chance: Chance) -> None:
        self._genre = genre
        self._she = chance.at("she").shuffled(genre.given_f)
        self._he = chance.at("he").shuffled(genre.given_m)
        self._family = chance.at("family").shuffled(genre.family)

    def person(self, she: bool, family: str = "") -> str:
        """A whole name; with `family`, of that family."""
        given = (self._she if she else self._he).pop(0)
        last = family or self._family.pop(0)
        return f"{last} {given}" if self._genre.family_first else f"{given} {last}"

    def family_of(self, name: str) -> str:
        """The family's part of a name we gave."""
        first, _, rest = name.partition(" ")
        return first if self._genre.family_first else rest

    def short(self, name: str) -> str:
        """What people call them: the given name, or the whole where there is a title or an
        article."""
        words = name.split()
        if len(words) < 2 or words[0].lower() in word_class("titles"):
            return name
        if self._genre.family_first and words[0] in self._genre.family:
            return name
        return words[0]


def goes_by_person(name: str) -> bool:
    """Whether a name may be somebody's: it ends in a word for people, or is a name of one or two
    words. `Animals in Combat` and `Universal Animal Format` are headings of a book."""
    words = name.split()
    last = re.sub(r"\W+$", "", words[-1]) if words else ""
    if not last.isalpha() or re.search(r"[\d:()]", name):
        return False
    known = known_kind(last)
    if known is not None:
        return known[0] == "person"
    is_name = len(words) <= _LONG_NAME and all(word[0].isupper() for word in words)
    return is_name and not ends_as_nobody(last)
