"""Whether a noun names a spot where one is, a window or a corner, or a place of its own: by the
words it is nearest to in meaning."""

import re
from collections.abc import Callable

from freeform.language.ear import WordNearness
from freeform.language.inflection import singular
from freeform.language.meaning.natures import nature_of

_SPOTS = (
    "window corner wall table chair door bed shelf ladder bench stove fireplace desk railing "
    "curtain ceiling floor counter mirror lamp edge end side middle doorway pillar rail fence "
    "wardrobe cupboard sofa sink crate piano"
).split()
_PLACES = (
    "church tavern market forest village harbour street office house garden station tower shop "
    "hospital school castle cave road bridge pier kitchen cellar hallway bathroom lobby basement "
    "attic room river island field garage terrace balcony porch yard stop exit platform elevator "
    "stairs roof shed car bus train boat pantry"
).split()
"""Words that spots and places are known by; any other is of those it is nearer to."""
_NEAR, _APART = 0.2, 0.04
"""How near it must be, and how much nearer than to the others."""
_THINGS = frozenset({"written", "sealed", "works", "likeness", "valuable", "growing"})
"""Natures of things that one steps up to."""


def is_spot(noun: str, near: WordNearness) -> bool:
    """Whether it is surely a spot; a word that is not known is none, nor one that may as well be a
    place."""
    for form in _forms(noun):
        if form in _SPOTS or form in _PLACES:
            return form in _SPOTS
    nearer = max(map(_leaning(near), _forms(noun)))
    return nearer >= _APART or (nearer >= 0 and is_thing(noun, near))


def is_named_spot(noun: str) -> bool:
    """Whether it is one of the words that spots are known by."""
    return any(form in _SPOTS for form in _forms(noun))


def is_place(noun: str, near: WordNearness) -> bool:
    """Whether it is surely a place."""
    for form in _forms(noun):
        if form in _SPOTS or form in _PLACES:
            return form in _PLACES
    return max(map(_leaning(near), _forms(noun))) <= -_APART


def is_thing(noun: str, near: WordNearness) -> bool:
    """Whether it is surely something one steps up to."""
    return nature_of(noun.lower(), near) in _THINGS


def whole_of(part: str, said: str) -> str:
    """What something is a part of: of `the edge of the dark forest`, the forest; '' where words do
    not say."""
    found = re.search(rf"\b{re.escape(part)}\s+of\s+((?:[\w'’-]+\s*)+)", said, re.I)
    return found[1].split()[-1].lower() if found else ""


def _forms(noun: str) -> tuple[str, str]:
    return noun.lower(), singular(noun.lower())


def _leaning(near: WordNearness) -> Callable[[str], float]:
    """How much nearer a word is to spots than to places; 0 where it is near to neither."""

    def leaning(form: str) -> float:
        spot, place = max(near(form, _SPOTS)), max(near(form, _PLACES))
        return spot - place if max(spot, place) >= _NEAR else 0.0

    return leaning
