"""Who goes along with whoever goes elsewhere: all, those whom the words take, or nobody.

The sentence that names where it leads is heard for each hero alone: with that hero under one name
and all others under another, so that no name counts. Who is not surely meant stays.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from freeform.language.sentences import sentences
from freeform.language.words import word_class

AlongEar = Callable[[str], float]
"""How sure it is that Robin, who stands beside the speaker, goes along, by a sentence that leads
elsewhere; 0 where nobody can tell."""
PART = "along"
"""What was learnt for it: `training/asked/along.py`."""
SURE, NAMED_SURE = 0.65, 0.75
"""From where on it is sure; more is asked of what names someone, who may be named for anything."""
MEANT, OTHER = "Robin", "Casey"
_ALOUD = re.compile(r'"[^"]*"|“[^”]*”|«[^»]*»')
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_NO_NAME = "(?!)"
_SHORT = 3
"""A word of so many letters or more names a place."""


class GoesAlong(NamedTuple):
    """Whom a deed takes along, and whom it names and does not take."""

    taken: frozenset[str]
    left: frozenset[str]


def nobody_tells(sentence: str) -> float:
    """Where there is no ear: nobody is surely meant."""
    return 0.0


def who_goes(
    text: str, names: Mapping[str, str], towards: Collection[str], ear: AlongEar
) -> GoesAlong:
    """Whom whoever does this takes along, of some by id and name; `towards` are the names of where
    it leads."""
    known = {id: _name_of(name) for id, name in names.items()}
    way = _leading(text, towards)
    taken: set[str] = set()
    for id in known:
        said = _heard_for(id, way, known)
        if ear(said) >= (NAMED_SURE if MEANT in said else SURE):
            taken.add(id)
    left = {id for id, name in known.items() if re.search(name, text)} - taken
    return GoesAlong(frozenset(taken), frozenset(left))


def speaks_for_all(text: str, names: Collection[str], ear: AlongEar) -> bool:
    """Whether a deed that leads elsewhere is everyone's: somebody who is not named goes along."""
    known = {name: _name_of(name) for name in names}
    return ear(_heard_for("", _leading(text, ()), known)) >= SURE


def _leading(text: str, towards: Collection[str]) -> str:
    """The sentence that says where it goes; all of it where none does. What is said aloud leads
    nowhere."""
    said = _ALOUD.sub(" ", text.replace("’", "'"))
    parts = [part for one in sentences(said) for part in re.split(r"[;\n]+", one) if part.strip()]
    place = {word.lower() for name in towards for word in _WORD.findall(name)}
    place = {word for word in place if len(word) > _SHORT and word not in word_class("articles")}
    named = [part for part in parts if place & set(_WORD.findall(part.lower()))]
    return " ".join(named or parts).strip() or said


def _heard_for(id: str, way: str, known: Mapping[str, str]) -> str:
    """A sentence with one hero under the name that was learnt for whoever is asked about, and with
    nobody else under it, whatever they are called. In one pass: what was put in is no name."""
    asked_about = re.compile(known.get(id, _NO_NAME))
    anybody = "|".join([*known.values(), rf"\b{MEANT}\b"])

    def stand_in(found: re.Match[str]) -> str:
        here = asked_about.match(found.string, found.start())
        return MEANT if here and here.end() == found.end() else OTHER

    return re.sub(anybody, stand_in, way)


def _name_of(name: str) -> str:
    """A pattern for what someone is called: the whole name, or one word of it; not where it is a
    word of another name."""
    parts = [word for word in _WORD.findall(name) if len(word) > 2 and word[0].isupper()]
    parts = [word for word in parts if word.lower() not in word_class("articles")]
    called = "|".join(map(re.escape, [name, *parts])) or _NO_NAME
    return rf"(?<![Tt]he )\b(?:{called})\b(?!\s+(?!I\b)[A-Z])"
