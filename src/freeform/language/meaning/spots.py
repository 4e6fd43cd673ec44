"""Whether a noun names a spot where one is, a window or a corner, or a place of its own: by the
words it is nearest to in meaning."""

from freeform.language.ear import WordNearness
from freeform.language.inflection import singular
from freeform.language.meaning.natures import nature_of

_SPOTS = (
    "window corner wall table chair door bed shelf ladder bench stove fireplace desk railing "
    "curtain ceiling floor counter mirror lamp edge end side middle doorway pillar rail fence"
).split()
_PLACES = (
    "church tavern market forest village harbour street office house garden station tower shop "
    "hospital school castle cave road bridge pier kitchen cellar hallway bathroom lobby basement "
    "attic room river island field"
).split()
"""Words that spots and places are known by; any other is of those it is nearer to."""
_NEAR, _APART = 0.2, 0.04
"""How near it must be, and how much nearer than to the others."""
_THINGS = frozenset({"written", "sealed", "works", "likeness", "valuable", "growing"})
"""Natures of things that one steps up to."""


def is_spot(noun: str, near: WordNearness) -> bool:
    """Whether it is surely a spot; a word that is not known is none."""
    plain = noun.lower()
    for form in (plain, singular(plain)):
        if form in _SPOTS:
            return True
        if form in _PLACES:
            return False
        spot, place = max(near(form, _SPOTS)), max(near(form, _PLACES))
        if spot >= _NEAR and spot - place >= _APART:
            return True
    return nature_of(plain, near) in _THINGS
