"""What a premise says in so many words: what its hero has to do, by when, and what is lost else.

Read by the small words that say so (`has to`, `must`, `before`, `by`, `if we lose`), never by what
the deed is. What cannot be said back in one short phrase is left alone.
"""

import re
from dataclasses import dataclass

from freeform.forge.premise.kinds import word_tables
from freeform.forge.premise.teller import PremiseTeller, in_second_person
from freeform.language.inflection import lemma

_MUST = (
    r"(?:(?:has|have|had|got|needs?|trying|wants?|determined|forced|supposed|about|hoping) to|must"
    r"|gotta)(?: now| only| somehow)?"
)
_ENDS = (
    r"(?=\s*(?:[.,;:!?—–()\"“]|$)|\s+(?:and|but|while|before|until|because|although|since|so"
    r"|when|unless|or)\b)"
)
_AIM = rf"{_MUST} ((?!be\b|have\b|not\b)[a-z][\w'’ -]{{2,70}}?){_ENDS}"
_YOURS = re.compile(
    rf"\byou(?:['’]re|['’]ve| are| have)?(?: the| an?)?(?: [\w'’-]+){{0,6}}? {_AIM}", re.IGNORECASE
)
_WHO = re.compile(rf"\byou are [^.;:!?]{{2,80}}?,? who {_AIM}", re.IGNORECASE)
"""`You are a knight, but old one, with bad knee, who must bring back the sword`."""
_OTHERS = re.compile(r"\b(?:he|him|his|she|her|they|them|their|it|its)\b", re.IGNORECASE)
_OWN = re.compile(r"\b(?:his|her|its|their) own\b", re.IGNORECASE)
_LONGEST = 12
"""Words of an aim."""
_DAYS = r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)"
_HOURS = (
    r"(?:noon|midnight|dawn|dusk|daybreak|sunrise|sunup|sunset|sundown|nightfall|morning|tomorrow)"
)
_CLOCK = r"(?:\d{1,2}:[0-5]\d|\d{1,2}(?: o'clock)?(?! ?\w))"
_RIDE = re.compile(
    r"\b(?:before|by|until|at|on|for|with) (the \d{1,2}(?::[0-5]\d| o'clock)? [a-z]{3,})\b",
    re.IGNORECASE,
)
"""`leaves on the 4 o'clock train`."""
_LEFT = re.compile(
    r"\b(?:minutes?|hours?|days?|weeks?) (?:left )?(?:'?til|till|until|before) "
    r"(?:the )?([a-z]{4,})(?=\s*(?:[.,;:!?—–]|$))",
    re.IGNORECASE,
)
"""`6 hours til docking`."""
_POINT = re.compile(
    rf"\b(?:before|by|until|at|on|for) ((?:the )?(?:{_HOURS}|{_DAYS}|{_CLOCK}))\b(?!['’]s)"
    rf"|\b({_HOURS}|{_DAYS})\b(?=[.,;!?]|$)",
    re.IGNORECASE,
)
_TIME = re.compile(rf"\b(?:1\d{{3}}s?|20\d{{2}}|{_DAYS}|{_HOURS})\b", re.IGNORECASE)
_UNTIL = re.compile(
    r"\b(?:before|by the time) ((?:the|my|your|our|his|her|a) [\w'’ -]{3,40}?)(?=[.,;:!?—–]|$)",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\b(?:in|within) (?:just |about )?(half )?an hour\b", re.IGNORECASE)
_PARTICLES = frozenset("out in up off back down away on over".split())
_LOSS = re.compile(
    r"\b(if (?:I|we|you|they) (?:lose|fail|miss|don['’]?t|do not|can['’]?t|cannot)\b[^.;!?]{8,90})",
    re.IGNORECASE,
)
_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven")


@dataclass(frozen=True)
class PremiseClauses:
    """The premise's own words; '' for what it does not say."""

    aim: str = ""
    """What the hero has to do: `tell her`, `deliver the refund`."""
    deadline: str = ""
    """When it is over: `Thursday`, `the hour when the army arrives`."""
    loss: str = ""
    """What is lost else, as a sentence."""


def clauses_of(text: str, teller: PremiseTeller) -> PremiseClauses:
    """What the premise says of itself."""
    told = in_second_person(text)
    return PremiseClauses(_aim(told, teller), _deadline(told), _loss(told))


def times_of(text: str) -> list[str]:
    """The years, days and hours that a premise names, as it names them, in their order."""
    said = (found[0].lower() for found in _TIME.finditer(text))
    return list(dict.fromkeys(said))


def _aim(told: str, teller: PremiseTeller) -> str:
    """Said of the player, or of whom they play."""
    yours = _YOURS.search(told) or _WHO.search(told)
    if yours:
        return _plain(yours[1])
    if not teller.hero or teller.is_own:
        return ""
    of_hero = re.search(
        rf"\b{re.escape(teller.hero)}\b[^.;:,!?]{{0,40}}? {_AIM}", told, re.IGNORECASE
    )
    return _plain(of_hero[1]) if of_hero and not _OTHERS.search(of_hero[1]) else ""


def _plain(aim: str) -> str:
    words = _OWN.sub("your own", aim.strip()).split()
    return " ".join(words) if 1 < len(words) <= _LONGEST else ""


def _deadline(told: str) -> str:
    """A point in time as a noun: `By Thursday` and `before the hour when the army arrives`."""
    until = _UNTIL.search(told)
    if until and _happens(until[1].lower().split()):
        return f"the hour when {until[1]}"
    left, ride = _LEFT.search(told), _RIDE.search(told)
    if left:
        return f"the {left[1].lower()}"
    if ride:
        return ride[1].lower()
    within = _WITHIN.search(told)
    if within:
        return "the end of the half hour" if within[1] else "the end of the hour"
    point = _POINT.search(told)
    if not point:
        return ""
    said = (point[1] or point[2]).lower()
    if re.fullmatch(_DAYS, said):
        return said.capitalize()
    if ":" in said:
        return said
    number = int(re.match(r"\d+", said)[0]) if said[0].isdigit() else 0  # type: ignore[index]
    if number:
        return f"{_SMALL[number - 1]} o'clock" if number <= len(_SMALL) else ""
    return "the morning" if said == "morning" else said


def _happens(words: list[str]) -> bool:
    """Whether the words end in a verb: `the army arrives`, `the lodger moves out`."""
    verb = words[-2] if words[-1] in _PARTICLES else words[-1]
    return len(words) > 2 and lemma(verb) in word_tables().verbs


def _loss(told: str) -> str:
    found = _LOSS.search(told)
    if not found:
        return ""
    said = found[1].strip()
    return f"{said[:1].upper()}{said[1:]}."
