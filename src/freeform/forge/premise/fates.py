"""What a premise says has become of its people and things: who is dead, missing, asleep or away is
not there to be met, and what was stolen is not there to be handed over."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from freeform.forge.premise.nouns import PremiseNoun
from freeform.language.tables import cues

MISSING, DEAD = "missing", "dead"
_OF_A_LINE = re.compile(r"[.;!?]")
_SET_OFF = r"(?: of (?:the|a|an|my|our|his|her|their)(?: [\w'’-]+){1,2}?)?(?:,[^,.;]{1,40},)?"
"""`, who was the hunter,`; ` of the ring`"""
_BY_OTHERS = "been|was|were|is|are|got|gets|being|be|found|lies|lying"
_PRONOUN = r"\b(?:he|she|they|it)(?:'s| is)?\b"
_THEM = (
    r"(?:(?:him|them)\b|her(?=\s*(?:[.,;:!?]|$)|\s+(?:and|but|last|this|from|in|at|on|for|to|by|before"
    r"|after|when|while|yesterday|tonight|today)\b))"
)
"""`and somebody has kidnapped her`; not `her brother`."""
_BACK = re.compile(
    r"\b(?:(?:c[ao]me|comes|coming|walk(?:s|ed)|steps?|stepped)\b[^.;,]*"
    r"\b(?:back|home|into|in|again|alive)|returned|"
    r"(?:is|are|turns up) (?:back|home|again|alive))\b",
    re.IGNORECASE,
)
"""Whoever has come back is there, whatever was said of them before."""

_OUR_DOING = re.compile(
    r"\b(?:I|we)(?:['’]ve| have| had| just| once| only)* (?:stole|stolen|took|taken|swiped|nicked|"
    r"pinched|snatched|robbed)\b[^.;]*$",
    re.IGNORECASE,
)
_HEARSAY = re.compile(
    r"\b(?:says?|said|swears?|thinks?|thought|believes?|believed|claims?|they say|supposedly|"
    r"rumou?r has it)(?: that)?(?: the| my| our| his| her| their)?(?: \w+['’]s)?\s*$",
    re.IGNORECASE,
)
"""Of whom it is only said that they are dead, nobody knows."""


def with_fates(nouns: Sequence[PremiseNoun], text: str) -> list[PremiseNoun]:
    """The nouns, with what has become of them."""
    told = [_with_fate(noun, nouns, text) for noun in nouns]
    said = " ".join(_matched(noun, nouns, text) for noun in told if noun.kind == "person")
    return [noun for noun in told if noun.kind == "person" or not _is_in(noun, said)]


def _is_in(noun: PremiseNoun, said: str) -> bool:
    """Whether a noun only says what has become of somebody: a coma, a wedding."""
    return re.search(rf"\b{re.escape(noun.text)}\b", said, re.IGNORECASE) is not None


def _matched(noun: PremiseNoun, nouns: Sequence[PremiseNoun], text: str) -> str:
    """The words behind somebody that say what has become of them."""
    if not noun.fate:
        return ""
    _, behind = _around(noun, nouns, text)
    follows = _patterns("fates", noun.fate)[1].match(behind)
    return follows[0] if follows else ""


def said_of(noun: PremiseNoun, text: str) -> str:
    """The sentence of a premise that says what has become of somebody; '' where none does."""
    for sentence in re.split(r"(?<=[.;!?])\s+", text):
        if re.search(rf"\b{re.escape(noun.text)}\b", sentence, re.IGNORECASE):
            return sentence
    return ""


def _with_fate(noun: PremiseNoun, nouns: Sequence[PremiseNoun], text: str) -> PremiseNoun:
    if noun.kind == "person":
        fate = DEAD if _leaves(noun, nouns) else _fate(noun, nouns, text)
        fate = fate or (DEAD if noun.is_gone else "")
        return replace(noun, fate=fate, is_gone=noun.is_gone or fate == DEAD)
    if noun.kind in ("thing", "place") and noun.is_one | noun.is_name | bool(noun.owner):
        before, behind = _around(noun, nouns, text)
        is_lost = noun.kind == "thing" and _says("lost", "", before, behind)
        if is_lost and _OUR_DOING.search(before):
            return replace(noun, fate="away")  # who took it knows where it went
        away = noun.kind == "place" and any(
            _says("fates", fate, before, behind) for fate in (MISSING, "away")
        )
        if away:
            return replace(noun, kind="matter", sort="", part="matter", fate="away")
        return replace(noun, fate=MISSING if is_lost else "")
    return noun


def tells_a_loss(subject: str, behind: str) -> bool:
    """Whether a clause says of its subject that it is dead, missing, lost or struck down."""
    if not subject or _BACK.match(behind.lstrip()):
        return False
    rows = [("fates", DEAD), ("fates", MISSING), ("fates", "asleep"), ("lost", "")]
    return any(_patterns(table, fate)[1].match(f" {behind.lstrip()}") for table, fate in rows)


def _leaves(noun: PremiseNoun, nouns: Sequence[PremiseNoun]) -> bool:
    """Whether the premise has what is left of them: `grandma's ashes`."""
    remains = cues("fates")["remains"].split()
    return any(one.owner == noun.text and one.head in remains for one in nouns)


def _fate(noun: PremiseNoun, nouns: Sequence[PremiseNoun], text: str) -> str:
    before, behind = _around(noun, nouns, text)
    if _BACK.match(behind.lstrip(" ,")):
        return ""
    said = next((f for f in cues("fates")["fates"] if _says("fates", f, before, behind)), "")
    return "" if said == DEAD and _HEARSAY.search(before) else said


def _around(noun: PremiseNoun, nouns: Sequence[PremiseNoun], text: str) -> tuple[str, str]:
    """What stands before and behind a noun in its sentence, up to the next of its kind."""
    longer = [one.text for one in nouns if noun.text in one.text.lower() and one.text != noun.text]
    alone = text
    for other in longer:
        alone = alone.replace(other, "_" * len(other))
    found = re.search(rf"\b{re.escape(noun.text)}\b", alone, re.IGNORECASE)
    if found is None or any(one.owner == noun.text for one in nouns):
        return "", ""
    before = _OF_A_LINE.split(text[: found.start()])[-1]
    own = noun.text.rpartition(" ")[0]
    before = f"{own} " if _is_of_it(own) else before  # `her missing squire`
    behind = _OF_A_LINE.split(text[found.end() :])[0]
    others = [one.text for one in nouns if one.kind == noun.kind and one.text != noun.text]
    for other in others:
        behind = re.split(rf"\b{re.escape(other)}\b", behind, maxsplit=1, flags=re.IGNORECASE)[0]
    return before, behind


def _is_of_it(own: str) -> bool:
    """Whether the noun's own words say what has become of it."""
    rows = [cues("fates")["lost"], *cues("fates")["fates"].values()]
    return any(re.fullmatch(row["before"], own, re.IGNORECASE) for row in rows)


def _says(table: str, fate: str, before: str, behind: str) -> bool:
    first, follows, told_of = _patterns(table, fate)
    if follows.match(behind) or told_of.search(behind):
        return True
    return first.search(before) is not None


@cache
def _patterns(table: str, fate: str) -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    rows = cues("fates")[table]
    rows = rows[fate] if fate else rows
    links = "|".join(map(re.escape, cues("fates")["links"].split()))
    linked = rf"(?:(?:{links})\s+|(?:[\w-]+ (?:days?|hours?|weeks?|months?|years?)\s+))*"
    is_one = rf"(?!{cues('fates')['unlike']})"
    by = rf"(?:{_BY_OTHERS})\s+(?:\w+ly\s+)?{is_one}"
    done = rf"{by}(?:{rows['passive']})|" if "passive" in rows else ""
    taken = rf"|\b(?!lost)(?:{rows['passive']}) {_THEM}" if "passive" in rows else ""
    said = rf"{linked}(?:{done}{is_one}(?:{rows['behind']}))\b"
    return (
        re.compile(rf"\b(?:{rows['before']})\s+$", re.IGNORECASE),
        re.compile(rf"{_SET_OFF}\s*(?:'s\s+)?{said}", re.IGNORECASE),
        re.compile(rf"{_PRONOUN}\s+{said}{taken}", re.IGNORECASE),
    )
