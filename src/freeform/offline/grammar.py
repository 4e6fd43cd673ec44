"""Small grammar for telling and suggesting: lists, spans of time, names inside sentences."""

from collections.abc import Sequence
from functools import lru_cache

from freeform.engine.rules.known import inside
from freeform.language.forms import SECOND_PERSON, is_adverb, is_going_on, is_participle, is_plural
from freeform.language.inflection import irregular_participle, irregular_verb
from freeform.language.words import word_class

TITLES = word_class("titles")
_LONGEST_TOLD, _SHORTEST_TOLD = 24, 4
_PARTED = frozenset({"so", "and", "because", "until", "while", "then"})
"""Words before which a long deed may end when it is told back."""
_I_AM = frozenset({"i'm", "im", "i’m"})
_NO_DEED = (
    word_class("pronouns")
    | word_class("determiners")
    | word_class("question_words")
    | word_class("copulas")
    | word_class("sentence_openers")
)
"""What a told deed does not begin with."""
_PLACES = word_class("deed_places")
_TURNED = {**SECOND_PERSON, "mine": "yours", "am": "are"}
_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def listed(names: Sequence[str]) -> str:
    """Names as one reads them aloud: `Viktor, Mara and the guard`."""
    kept = list(dict.fromkeys(name.strip() for name in names if name and name.strip()))
    if len(kept) < 2:
        return "".join(kept)
    return f"{', '.join(kept[:-1])} and {kept[-1]}"


def turned(text: str) -> str:
    """Words about oneself as one hears them told: my is your, me is you."""
    return " ".join(_TURNED.get(word.lower(), word) for word in text.split())


def as_told(deed: str, begins_with_deed: bool = False) -> str:
    """What a player says they do, told back to them; '' where the words are no such telling.

    `dance on my table` and `I dance on my table` are `You dance on your table.` Where it is known
    that they begin with the deed, so is `bet Orla I can dance`.
    """
    words = _whole(_in_short(deed.split(";")[0].strip(" .!?").split()))
    if words[:1] in (["I"], ["i"]):
        words = words[1:]
    elif words and words[0].lower() in _I_AM:
        words[0] = "am"
    if len(words) > 1 and words[0].lower() == "am" and is_going_on(words[1].lower()):
        return f"You are {' '.join(turned(word) for word in words[1:])}."
    first, *rest = words or [""]
    plain = first.lower()
    bare = plain.rstrip(",")
    if plain in _PLACES and {"I", "i"} & set(rest):
        return f"{first.capitalize()} {turned(' '.join(rest))}."  # `from the window I wave`
    participle = is_participle(bare) and not irregular_participle(bare)  # to sing is no `-ing`
    if not bare.isalpha() or bare in _NO_DEED or participle or is_adverb(bare):
        return ""
    if not begins_with_deed and ("I" in rest or "i" in rest):
        return ""  # `lowkey I look`, `may I pick it up`: it does not begin with the deed
    done = plain.replace(bare, irregular_verb(bare) or bare, 1)
    return f"You {' '.join([done, *(turned(word) for word in rest)])}."


def _whole(words: list[str]) -> list[str]:
    """The words without what is left open at their end: `hold it up so the`."""
    while words and words[-1].lower() in word_class("open_ends"):
        words = words[:-1]
    return words


def _in_short(words: list[str]) -> list[str]:
    """As many words as one tells back: of a long deed, those before a mark, a reason or another."""
    if len(words) <= _LONGEST_TOLD:
        return words
    for at in range(_LONGEST_TOLD, _SHORTEST_TOLD - 1, -1):
        if words[at - 1][-1] in ",.:!?":
            return [*words[: at - 1], words[at - 1].rstrip(",.:!?")]
        if words[at].lower() in _PARTED:
            return words[:at]
    return []


def number(count: int) -> str:
    """A number in words while it is small."""
    return _WORDS[count] if 0 <= count < len(_WORDS) else str(count)


def span(minutes: int) -> str:
    """A stretch of time as people say it."""
    if minutes <= 2:
        return "a moment"
    if minutes <= 7:
        return "a few minutes"
    if minutes < 25:
        return f"{number(round(minutes / 5) * 5) if minutes >= 13 else 'ten'} minutes"
    if minutes < 40:
        return "half an hour"
    if minutes < 55:
        return "the better part of an hour"
    if minutes < 80:
        return "an hour"
    if minutes < 110:
        return "an hour and a half"
    hours = round(minutes / 60)
    if hours < 24:
        return f"{number(hours)} hours"
    days = round(minutes / 1440)
    return "a day" if days <= 1 else f"{number(days)} days"


def names_one(names: Sequence[str]) -> bool:
    """Whether a list holds a single thing, so that the verb is `is`."""
    return len([name for name in names if name]) == 1


def some(name: str) -> str:
    """A thing seen for the first time: `keycard` becomes `a keycard`."""
    named = with_article(name)
    if not named.startswith("the ") or name.lower().startswith("the "):
        return named
    head = name.split(" of ")[0]
    if is_plural(head):
        return name
    return f"{'an' if name[:1].lower() in 'aeiou' else 'a'} {name}"


@lru_cache(maxsize=4096)
def with_article(name: str) -> str:
    """A thing's name with an article, if it is a plain noun: `keycard` becomes `the keycard`."""
    first, _, rest = name.partition(" ")
    if first.lower() in word_class("determiners") | frozenset(_WORDS) and rest[:1].islower():
        return name[:1].lower() + name[1:]  # `One of your leeks` is no proper name
    if not name or name[:1].isupper() or first.lower() in word_class("determiners"):
        return inside(name)
    if name[:1].isdigit():
        return name
    return f"the {name}"
