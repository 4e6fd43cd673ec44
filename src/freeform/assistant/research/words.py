"""Words of questions and of entries, in the one form in which they are compared here."""

import re

from freeform.core.text import plain_form

_WORD = re.compile(r"[a-z0-9']+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_EMPTY = frozenset(
    "a an the of to at in on by for with from and or but is are was were be been do does did has have had i me my you"
    " your its it their his her they them this that these those there here what which who whom whose where when why how"
    " all every each any some list lists find give get tell show name details detail info information about game world"
    " please can could would should will shall including include includes also me us our specific comprehensive full"
    " complete whole known existing available let look up research".split()
)
_SAME = (
    ("effect", "effects", "buff", "bonus", "benefit", "does", "grants", "boost"),
    (
        "location",
        "place",
        "where",
        "found",
        "spot",
        "whereabouts",
        "area",
        "lives",
        "live",
        "stands",
    ),
    ("coordinate", "coordinates", "coords", "coord", "position"),
    ("cost", "price", "value", "worth", "gold"),
    (
        "owner",
        "owns",
        "own",
        "ownership",
        "proprietor",
        "leader",
        "lead",
        "leads",
        "ruler",
        "rules",
        "head",
        "heads",
        "boss",
        "runs",
    ),
    ("duration", "lasts", "long"),
    ("origin", "source", "from", "drop", "drops"),
    ("ingredient", "ingredients", "components", "materials", "recipe"),
    ("damage", "harm"),
    ("hp", "hit", "health"),
    ("ac", "armor", "armour"),
    ("cr", "challenge"),
)
_MEANING = {word: group[0] for group in _SAME for word in group}


def stem(word: str) -> str:
    """A word without its plural or possessive; `3rd` is 3."""
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1]
    word = word.removesuffix("'s").strip("'")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("ches", "shes", "xes", "sses")):
        return word[:-2]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def telling(text: str) -> list[str]:
    """The telling words of a text, stemmed, in order, each once."""
    found = (
        stem(word) for word in _WORD.findall(plain_form(text.replace("_", " ").replace("-", " ")))
    )
    return list(dict.fromkeys(word for word in found if word and word not in _EMPTY))


def meaning(word: str) -> str:
    """Words that ask for the same thing, as one of them."""
    return _MEANING.get(word, word)


def meanings(text: str) -> set[str]:
    """What a heading, key or wish asks for."""
    raw = _WORD.findall(plain_form(text.replace("_", " ").replace("-", " ")))
    kept = (stem(word) for word in raw if word not in _EMPTY or word in _MEANING)
    return {meaning(word) for word in kept if word}
