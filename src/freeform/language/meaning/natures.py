"""What sort of thing a noun names, by the words it is nearest to in meaning; and whether it names a
place, a person or a body of people, by a table made of WordNet (`models/noun_kinds.json`)."""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from freeform.language.ear import WordNearness
from freeform.language.inflection import singular

NATURES = {
    "written": "letter book note diary map manuscript newspaper contract will scroll page message "
    "poem logbook ledger recipe confession photograph postcard notebook treaty deed telegram "
    "sentence receipt draft warrant label",
    "sealed": "box chest trunk safe vault coffin suitcase drawer lock crate parcel cupboard "
    "briefcase locker casket envelope cargo",
    "door": "door gate",
    "works": "machine clock radio lamp bell engine telephone computer camera piano light generator "
    "elevator violin robot phone oven printer signal alarm lighthouse",
    "creature": "dog horse cat bird wolf bee cow fish sheep goat pig parrot bear whale "
    "elephant pony raven spider snake owl crow",
    "being": "dragon mermaid fairy troll demon angel goblin vampire sphinx elf ogre unicorn giant",
    "likeness": "puppet doll mask statue portrait toy mannequin scarecrow painting figurine mirror",
    "weather": "ice snow storm fog rain wind fire flood tide river cloud frost shadow smoke sea",
    "growing": "fruit tree flower orchard harvest garden rose crop seed grain bread cake pumpkin "
    "cheese wine soup tomato apple vine leek potato mushroom hive nest",
    "valuable": "gold crown ring necklace money jewel cup sword coin prize treasure diamond key",
    "person": "man woman doctor teacher king captain neighbour sister soldier priest child "
    "merchant stranger husband ghost god driver sailor clerk",
    "place": "house church forest town castle mine station island school theatre hotel street "
    "library motel tunnel farm city desert village",
    "time": "day week hour morning noon january saturday night year month tonight winter summer",
    "event": "war wedding murder race divorce funeral debt election trial festival strike feud",
}
"""Words that each sort is known by; any other is of the sort whose words it is near."""
_PROTOTYPES = tuple((sort, word) for sort, words in NATURES.items() for word in words.split())
_WORDS = tuple(word for _, word in _PROTOTYPES)
_NEAREST, _NEAR = 3, 0.2
"""How many of a sort's words are looked at, and how near they must be together."""


def nature_of(word: str, near: WordNearness) -> str:
    """The sort of thing a noun names; '' for none that is near."""
    plain = word.lower()
    for form in (plain, singular(plain)):
        for sort, known in _PROTOTYPES:
            if known == form:
                return sort
    for form in (plain, singular(plain)):
        best, sort = _nearest(near(form, _WORDS))
        if best >= _NEAR:
            return sort
    return ""


def _nearest(scores: Sequence[float]) -> tuple[float, str]:
    by_sort: dict[str, list[float]] = {}
    for (sort, _), score in zip(_PROTOTYPES, scores, strict=True):
        by_sort.setdefault(sort, []).append(score)
    means = ((sum(sorted(rows)[-_NEAREST:]) / _NEAREST, sort) for sort, rows in by_sort.items())
    return max(means)


NOUN_KINDS = ("place", "person", "faction")
SHARE = 0.5
"""So much of what a noun means is of its kind; chosen on the words of `vocabulary.yaml`."""


@cache
def _kinds() -> dict[str, str]:
    raw = (files("freeform") / "models" / "noun_kinds.json").read_text(encoding="utf-8")
    told: dict[str, str] = json.loads(raw)
    return {word: kind for kind, words in told.items() for word in words.split()}


def noun_kind(word: str) -> str:
    """`place`, `person`, `faction`, or '' where it may be anything."""
    small = word.lower().rpartition("-")[2]  # An arch-mage is a mage.
    return _kinds().get(small) or _kinds().get(singular(small), "")
