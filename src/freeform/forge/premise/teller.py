"""Whose story a premise is: `I'm a failed wizard, and my boss …` tells of the player's own hero.

Such a premise is said back to the player as theirs (`You're a failed wizard, and your boss …`), and
what it says they are is whom they play, not somebody they meet.
"""

import re
from dataclasses import dataclass

from freeform.forge.premise.nouns import PremiseNoun

_QUOTED = re.compile(r'("[^"]*"|“[^”]*”)')
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_YOURS = {
    "i": "you",
    "i'm": "you're",
    "i've": "you've",
    "i'd": "you'd",
    "i'll": "you'll",
    "me": "you",
    "my": "your",
    "myself": "yourself",
    "we": "you",
    "we're": "you're",
    "we've": "you've",
    "we'd": "you'd",
    "we'll": "you'll",
    "us": "you",
    "our": "your",
    "ourselves": "yourselves",
}
_BESIDE_I = {"am": "are", "was": "were"}
_NAMED = re.compile(
    r"\b(?:I am|I['’]?m|we are|we['’]re|you are|you['’]re|(?:I|you) (?:play|work as))"
    r"\s+((?:an?|the|one of the|two|three|four)\s+[^.,;:!?—–\"“]+)",
    re.IGNORECASE,
)
_WISHES = re.compile(
    r"\bI (?:want|would like|wanna|['’]d like)(?: to)? (?:be|play(?: as)?)(?= (?:an?|the)\b)",
    re.IGNORECASE,
)
_DOES = re.compile(r"^(?:I|we)\s+[^.,;:!?—–\"“]+", re.IGNORECASE)
_GOES_ON = re.compile(
    r"\s+(?:and|but|so|when|while|because|until)\s+(?=(?:I|we|my|our|now|today|tonight|the|a|an)\b).*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PremiseTeller:
    """Who tells it."""

    is_own: bool = False
    """Told as the player's own: with `I`, `my`, `we`."""
    concept: str = ""
    """What it says they are, as a sentence; '' where it does not say."""
    hero: str = ""
    """The noun that is the hero, by its text."""


def teller_of(text: str, nouns: list[PremiseNoun]) -> PremiseTeller:
    """Who tells this premise, and as what."""
    named = _NAMED.search(_as_granted(text))
    said = _GOES_ON.sub("", named[1]).strip() if named else ""
    is_own = _is_own(text)
    if said:
        return PremiseTeller(is_own, _sentence(in_second_person(said)), _hero_noun(said, nouns))
    doing = _DOES.search(text)
    if is_own and doing:
        return PremiseTeller(is_own, _sentence(in_second_person(_GOES_ON.sub("", doing[0]))))
    return PremiseTeller(is_own)


def in_second_person(text: str) -> str:
    """The text said to whoever said it; what stands in quotes stays."""
    parts = _QUOTED.split(_as_granted(text))
    return "".join(
        part if number % 2 else _turned(part, "".join(parts[:number]))
        for number, part in enumerate(parts)
    )


def _as_granted(text: str) -> str:
    """`I want to be a dragon` is `I am a dragon`."""
    return _WISHES.sub("I am", text)


def _is_own(text: str) -> bool:
    outside = "".join(_QUOTED.split(text)[::2])
    return any(_plain(word[0]) in _YOURS for word in _WORD.finditer(outside))


def _turned(text: str, before: str) -> str:
    words = list(_WORD.finditer(text))
    plain = [_plain(word[0]) for word in words]
    told, done = [], 0
    for at, word in enumerate(words):
        told.append(text[done : word.start()])
        opens = _opens(before + text[: word.start()])
        is_number = word[0] == "I" and not opens and _is_name_before(words, at, text)
        told.append(word[0] if is_number else _said_back(plain, at, word[0], opens))
        done = word.end()
    return "".join(told) + text[done:]


def _said_back(plain: list[str], at: int, word: str, opens: bool) -> str:
    beside = plain[max(0, at - 1) : at] + plain[at + 1 : at + 2]
    turned = _YOURS.get(plain[at], "")
    if plain[at] in _BESIDE_I and "i" in beside:
        turned = _BESIDE_I[plain[at]]
    if not turned or (word.isupper() and len(word) > 1 and plain[at] == "us"):
        return word
    return turned.capitalize() if opens else turned


def _is_name_before(words: list[re.Match[str]], at: int, text: str) -> bool:
    """`Elizabeth I`: right behind a name, and no verb comes."""
    behind = text[words[at].end() :].lstrip()
    named = (
        at > 0
        and words[at - 1][0][0].isupper()
        and text[words[at - 1].end() : words[at].start()] == " "
    )
    return named and not behind[:1].isalpha()


def _opens(before: str) -> bool:
    """Whether a sentence begins after these words."""
    return not before.strip() or before.rstrip()[-1] in ".!?"


def _plain(word: str) -> str:
    plain = word.lower().replace("’", "'")
    return "i'm" if plain == "im" else plain


def _sentence(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:].rstrip() + "."


def _hero_noun(said: str, nouns: list[PremiseNoun]) -> str:
    """The first noun of what somebody says they are that owns none of the others."""
    within = [noun for noun in nouns if noun.text.lower() in said.lower() and noun.kind != "place"]
    owners = {noun.owner for noun in within}
    return next((noun.text for noun in within if noun.text not in owners), "")
