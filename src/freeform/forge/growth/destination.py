"""Where somebody goes who leaves the map: the place that the words name, or who is sought there."""

import re
from dataclasses import dataclass

from freeform.engine.ports import Going
from freeform.forge.cast.names import collective
from freeform.forge.grammar import capital, with_the
from freeform.forge.premise.kinds import known_kind, word_tables
from freeform.forge.premise.nouns import YOU, NounReader, PremiseNoun
from freeform.language.words import stop_words

_LEFT = re.compile(
    r"\b(?:leav(?:e|es|ing)|left|out of|away from|behind|quit|depart from|around|round|about)\s+$",
    re.I,
)
"""What stands before that which one goes away from, or about in, or only speaks of."""
_TO = re.compile(
    r"\b(?:to|into|onto|in|at|for|towards?|reach|until|till|find|visit|follow"
    r"|along|across|cross)\s+$",
    re.I,
)
"""What stands before that which one goes to."""
_AWAY = re.compile(r"\b(?:leav(?:e|es|ing)|get out of|out of|away from|depart)\b", re.I)
_SOMEBODY = re.compile(r"\b(?:an?|some|any|another)\s+$", re.I)
"""What stands before somebody who is not one of those one knows."""
_COMPASS = re.compile(
    r"\b((?:north|south)?(?:east|west)|north|south|inland|upriver|downriver|upstream|downstream)"
    r"(?:wards?)?\b",
    re.I,
)
_ARTICLE = re.compile(r"\b(?:the|an?|my|our|some|this|that)\s+$", re.I)
_WAY = re.compile(r"\bthe\s+([a-z]{3,20})\s+$", re.I)
"""What stands before a point of the compass: `the lane west`."""
_LONGEST = 40


@dataclass(frozen=True)
class Destination:
    """A place that is gone to."""

    name: str
    head: str
    sort: str
    wanted: str = ""
    """Who is looked for there: `doctor`."""
    is_name: bool = False


class DestinationReader:
    """Reads one going. `here` are words for the place one is in, `whole` for all of the map."""

    def __init__(self, going: Going, here: frozenset[str], whole: frozenset[str]) -> None:
        self._words, self._typed, self._is_named = going.words, going.typed, going.is_named
        self._homes, self._whole = here | whole, whole | word_tables().wide
        nouns = [noun for noun in NounReader(going.words).read() if len(noun.text) <= _LONGEST]
        within: set[str] = set()
        for noun in nouns:
            within.update(noun.text.split()[:-1])  # the railway of a railway station
        self._nouns = [noun for noun in nouns if noun.text not in within]

    def read(self) -> Destination | None:
        """The place that is gone to; None where no place is named."""
        places = [n for n in self._nouns if self._is_place(n) and not self._is_left(n)]
        along = _COMPASS.search(self._words)
        if places:
            aimed = [noun for noun in places if _TO.search(_before(noun, self._words))]
            roads = [noun for noun in places if noun.sort == "road"]
            meant = aimed or roads or (places if self._is_named else [])
            return self._at(meant[0], along[0].lower() if along else "") if meant else None
        sought = self._sought
        if sought and (self._is_named or _TO.search(self._before_sought)):
            name = f"The {sought} quarters" if collective(sought) else f"The {sought}'s house"
            return Destination(name, sought, "building", sought)
        if along:
            way = _WAY.search(self._words[: along.start()])
            named = way[1].lower() if way else "road"
            kind, sort = known_kind(named) or ("place", "road")
            way_sort = sort if kind == "place" else "road"
            return Destination(f"The {named} {along[0].lower()}", named, way_sort)
        if self._leaves_all():
            return Destination("The road out", "road", "road")
        return None

    def _leaves_all(self) -> bool:
        """Whether one goes away from all of the map, not just from the room one is in."""
        left = [n for n in self._nouns if _LEFT.search(_before(n, self._typed))]
        away = _AWAY.search(self._typed) is not None
        return away and any(noun.head.lower() in self._whole for noun in left)

    def _at(self, noun: PremiseNoun, along: str) -> Destination:
        is_name = noun.is_name or (known_kind(noun.head) is None and not noun.is_one)
        name = capital(with_the(noun.text))
        if is_name:
            name = " ".join(map(capital, noun.text.split()))
        elif along and noun.sort in ("road", "water"):
            name = f"The {noun.text} {along}"
        elif noun.owner == YOU:
            name = f"Your {noun.text}"
        sort = noun.sort or ("settlement" if is_name else "building")
        return Destination(name, noun.head, sort, self._sought, is_name)

    @property
    def _sought(self) -> str:
        """Who is looked for: somebody of a kind, nobody one knows; whoever is gone to."""
        for noun in self._nouns:
            if noun.kind != "person" or noun.is_name:
                continue
            before = self._words[: self._words.lower().find(noun.text.lower())]
            is_all = self._is_named and not _TO.sub("", _ARTICLE.sub("", before)).strip()
            if _SOMEBODY.search(before) or is_all:
                return noun.head
        return ""

    @property
    def _before_sought(self) -> str:
        at = self._words.lower().rfind(self._sought)
        return _ARTICLE.sub("", self._words[:at])

    def _is_place(self, noun: PremiseNoun) -> bool:
        """Whether a noun is a place one could go to: by what it names; a name, or a noun nobody
        knows, where it is nothing but where to."""
        if _COMPASS.fullmatch(noun.head):
            return False
        if noun.kind == "place":
            return noun.head.lower() not in word_tables().vast & word_tables().wide
        to_it = bool(_TO.search(_before(noun, self._typed)))
        if noun.is_name:
            return to_it
        unknown = known_kind(noun.head) is None
        named = self._is_named and unknown and (noun.is_one or to_it)
        return named and self._is_first(noun) and head_in(self._words, noun) == noun.head

    def _is_first(self, noun: PremiseNoun) -> bool:
        """Whether nothing but the way stands before it: `down to the zeppelin`."""
        before = _TO.sub("", _before(noun, self._words))
        return not re.sub(r"\b(?:down|up|out|over|on|across|along|through)\b", "", before).strip()

    def _is_left(self, noun: PremiseNoun) -> bool:
        """Whether one goes away from it: it is said so, or one is there."""
        if _LEFT.search(_before(noun, self._typed)):
            return True
        return noun.head.lower() in self._homes and not noun.is_name


def head_in(words: str, noun: PremiseNoun) -> str:
    """The word that what is named ends with: the far end is nothing called *the far*."""
    at = words.lower().find(noun.text.lower())
    following = re.match(r"\s+([a-z'’-]+)", words[at + len(noun.text) :], re.I)
    if following is None or following[1].lower() in stop_words():
        return noun.head
    return following[1].lower()


def _before(noun: PremiseNoun, words: str) -> str:
    """The words before a noun, without its article."""
    at = words.lower().find(noun.text.lower())
    return _ARTICLE.sub("", words[: max(at, 0)])
