"""A question that follows another, `And Perception?`, `What does she pay?`, becomes a whole one
again."""

import re
from collections.abc import Mapping, Sequence

from freeform.assistant.entities.spot import NameSpot, spot
from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import Tool
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.schema import schema

_LEAD = re.compile(r"^\W*(?:and|but|what about|how about|and what about|also|then)\b[\s,]*", re.I)
_PRONOUN = re.compile(r"\b(?:its|their|his|hers?|it|they|them|he|she|him)\b", re.I)
_PERSON = re.compile(r"\b(?:he|she|him|his|hers)\b", re.I)
_SESSION = re.compile(
    r"\b(?:session|episode|game)\s*#?\s*\d+\b"
    r"|\b(?:the )?(?:last|latest|first|most recent) session\b",
    re.I,
)
_BEFORE = re.compile(r"\b(?:one before|before that|previous one)\b", re.I)
_AFTER = re.compile(r"\b(?:one after|after that|next one)\b", re.I)
_LEVEL = re.compile(
    r"\b(?:level \d+|\d+(?:st|nd|rd|th)[- ]level|(?:first|second|third|fourth|fifth)[- ]level)\b",
    re.I,
)
_SAID_LEVEL = re.compile(rf"{_LEVEL.pattern}|\b\d+(?:st|nd|rd|th)\b", re.I)
SURE = 0.6


def whole_question(question: str, before: Sequence[str], tables: Mapping[Tool, NameTable]) -> str:
    """The question as it would be asked alone. One that leans on nothing stays as it is."""
    if not before or not _leans(question, tables):
        return question
    last = before[-1]
    rest = _LEAD.sub("", question).strip()
    if session := _SESSION.search(last):
        if _BEFORE.search(rest):
            return _SESSION.sub(f"the session before {session[0]}", last, count=1)
        if _AFTER.search(rest):
            return _SESSION.sub(f"the session after {session[0]}", last, count=1)
    if _PRONOUN.search(rest) and (name := _named(last, tables)):
        return _PRONOUN.sub(name, rest, count=1)
    if (level := _SAID_LEVEL.search(rest)) and _LEVEL.search(last):
        return _LEVEL.sub(
            level[0] if "level" in level[0].lower() else f"{level[0]} level", last, count=1
        )
    return _exchanged(rest, last, tables)


def _leans(question: str, tables: Mapping[Tool, NameTable]) -> bool:
    """Whether it goes on from another: by its first word, or by a pronoun for a name it has not."""
    if _LEAD.match(question):
        return True
    names = [hit for hit in spot(question, tables) if hit.confidence >= SURE]
    if _PERSON.search(question) and not any(hit.text[:1].isupper() for hit in names):
        return True  # `he` is somebody who was spoken of; things that are named beside are not him.
    return bool(_PRONOUN.search(question)) and not names


def _named(question: str, tables: Mapping[Tool, NameTable]) -> str:
    """What a question speaks of."""
    names = [hit.text for hit in spot(question, tables) if hit.confidence >= SURE]
    return max(names, key=len, default="")


def _exchanged(rest: str, last: str, tables: Mapping[Tool, NameTable]) -> str:
    """The last question with the new name in the place of the one of its kind; with the rest added,
    where there is none."""
    new = spot(rest, tables)
    for old in spot(last, tables):
        for hit in new:
            if _kinds(old, tables) & _kinds(hit, tables):
                return f"{last[: old.start]}{rest[hit.start : hit.end]}{last[old.end :]}"
    asked = [token for token in AskedClause(rest).tokens if token.telling]
    if asked and all((token.key,) in schema().fields for token in asked):
        name = _named(last, tables)
        return f"{rest.rstrip('? ')} of {name}?" if name else rest
    return f"{last.rstrip('?. ')} {rest}"


def _kinds(hit: NameSpot, tables: Mapping[Tool, NameTable]) -> set[tuple[Tool, str]]:
    return {
        (tool, tables[tool].names[row].kind)
        for tool, match in hit.found.items()
        for row in match.rows
    }
