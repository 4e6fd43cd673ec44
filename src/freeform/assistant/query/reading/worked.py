"""What a rule comes to for the number that a question gives: `1d6 for every 10 feet`, asked of 30
feet, is 3d6; `10 or half the damage, whichever is higher`, asked of 26 damage, is 13."""

import re
from collections.abc import Sequence

from freeform.assistant.model import Piece
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.model import Cite, FoundLine
from freeform.assistant.quotes import sentences_of
from freeform.language.inflection import lemma

_NUMBER = re.compile(
    r"(?P<for>\bfor )?(?<![\w.+-])(?P<number>\d{1,4})(?:\s*-?\s*(?P<unit>[a-z]+))?"
)
_FOR_EVERY = re.compile(
    r"\b(?P<dice>\d*)d(?P<die>\d+)(?: \w+){0,3} (?:for every|for each|per) (?P<step>\d+) "
    r"(?P<unit>[a-z]+)",
    re.I,
)
_MOST = re.compile(r"\bmaximum of (\d+)d\d+", re.I)
_HALF = re.compile(
    r"\b(?P<least>\d+) or half (?:the|of the) (?P<of>[a-z]+).{0,40}?\b(?:higher|greater)", re.I
)
DEALT = "for"
"""What is so much of, where only that is said: `hit for 30`."""
_SHORT = {"ft": "foot", "f": "foot"}


def worked_line(clause: AskedClause, pieces: Sequence[Piece]) -> FoundLine | None:
    """The first of some rules that can be worked out with a number of the clause; None where none
    can."""
    asked = list[tuple[int, str]]()
    for hit in _NUMBER.finditer(clause.text.lower()):
        asked.append((int(hit["number"]), DEALT if hit["for"] else _unit(hit["unit"] or "")))
    for piece in pieces if asked else ():
        for sentence in sentences_of(piece.text):
            said = _dice(sentence, asked) or _half(sentence, asked)
            if said:
                return FoundLine(f"{said} ({piece.title})", (Cite(piece, sentence),))
    return None


def _unit(word: str) -> str:
    return _SHORT.get(word, lemma(word))


def _dice(sentence: str, asked: Sequence[tuple[int, str]]) -> str:
    rule = _FOR_EVERY.search(sentence)
    if rule is None:
        return ""
    step, unit = int(rule["step"]), _unit(rule["unit"].lower())
    given = next((number for number, of in asked if of == unit), 0)
    if given < step:
        return ""
    most = _MOST.search(sentence)
    count = int(rule["dice"] or 1) * (given // step)
    count = min(count, int(most[1])) if most else count
    return f"**{count}d{rule['die']}** for {given} {rule['unit']}: {rule[0]}"


def _half(sentence: str, asked: Sequence[tuple[int, str]]) -> str:
    rule = _HALF.search(sentence)
    if rule is None:
        return ""
    numbers = [number for number, of in asked if of in (lemma(rule["of"].lower()), DEALT)]
    if len(numbers) != 1:
        return ""
    least, given = int(rule["least"]), numbers[0]
    return f"**{max(least, given // 2)}**: half of {given}, and at least {least}"
