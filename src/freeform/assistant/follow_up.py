"""A question that follows another, `And Perception?`, `What does she pay?`, becomes a whole one
again; and one that asks several things falls into its parts."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from freeform.assistant.entities.spot import NameSpot, spot
from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import Tool
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.schema import phrase, schema
from freeform.language.ear import WordNearness, nothing_near
from freeform.language.inflection import lemma
from freeform.language.words import word_class, words

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
_ASKS = (
    r"(?:what(?:'s)?|who(?:'s|m)?|whose|which|when|where(?:'s)?|why|how|can|could|does|do|did"
    r"|is|are|was|were|will|would|"
    r"should|has|have|am)"
)
SURE = 0.6
"""How sure a name must be to stand for `it` later."""


def whole_question(
    question: str,
    before: Sequence[str],
    tables: Mapping[Tool, NameTable],
    near: WordNearness = nothing_near,
) -> str:
    """The question as it would be asked alone. One that leans on nothing stays as it is."""
    if not before or not _leans(question, tables):
        return question
    last = before[-1]
    rest = _LEAD.sub("", question).strip()
    if _is_whole(rest, tables):
        return rest
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
    return _other_one(rest, last) or _exchanged(rest, last, tables, near)


def with_what_it_leans_on(
    question: str, before: Sequence[str], tables: Mapping[Tool, NameTable]
) -> str:
    """The question after the one that it goes on from, both as they were typed: for a reader, who
    hears whom `she` means. '' where it leans on nothing."""
    if not before or not _leans(question, tables):
        return ""
    last = with_what_it_leans_on(before[-1], before[:-1], tables) or before[-1]
    return f"{last.rstrip('? ')}? {_LEAD.sub('', question).strip()}"


_ONE = re.compile(r"^(?:a|an|the)?\s*(\w+)\s+ones?\W*$", re.I)


def _other_one(rest: str, last: str) -> str:
    """`A long one` after `how long is a short rest` asks how long a long rest is; '' where there is
    nothing in whose place it could stand."""
    said = _ONE.search(rest)
    telling = [token for token in AskedClause(last).tokens if token.telling]
    if said is None or len(telling) < 2:
        return ""
    old, noun = telling[-2:]
    if last[old.end : noun.start].strip():
        return ""
    return f"{last[: old.start]}{said[1]}{last[old.end :]}"


def _leans(question: str, tables: Mapping[Tool, NameTable]) -> bool:
    """Whether it goes on from another: by its first word, or by a pronoun for a name it has not."""
    if _LEAD.match(question):
        return True
    names = [hit for hit in spot(question, tables) if hit.confidence >= SURE]
    if _PERSON.search(question) and not any(hit.text[:1].isupper() for hit in names):
        return True  # `he` is somebody who was spoken of; things that are named beside are not him.
    return bool(_PRONOUN.search(question)) and not names


def _is_whole(rest: str, tables: Mapping[Tool, NameTable]) -> bool:
    """Whether what follows `and` asks for itself, of something it names: `oil, how many flasks`."""
    asks = _ASKING.search(rest) or re.search(rf",\s*{_ASKS}\b", rest, re.I)
    if not asks or _PRONOUN.search(rest) or _LEVEL.search(rest):
        return False
    return any(hit.confidence >= SURE for hit in spot(rest, tables))


def _named(question: str, tables: Mapping[Tool, NameTable]) -> str:
    """What a question speaks of: the ghost whose armor class is asked for."""
    hits = [hit for hit in spot(question, tables) if hit.confidence >= SURE]
    names = [hit.text for hit in hits if _is_whole_name(hit)]
    things = [name for name in names if phrase(name) not in schema().fields]
    return max(things or names, key=len, default="")


def _exchanged(rest: str, last: str, tables: Mapping[Tool, NameTable], near: WordNearness) -> str:
    """The last question with the new name in the place of the one of its kind, or the new word in
    the place of one near to it in meaning; with the rest added, where there is none."""
    new = [hit for hit in spot(rest, tables) if _is_whole_name(hit)]
    for old in spot(last, tables):
        for hit in new:
            if _kinds(old, tables) & _kinds(hit, tables):
                return f"{last[: old.start]}{rest[hit.start : hit.end]}{last[old.end :]}"
    asked = [token for token in AskedClause(rest).tokens if token.telling]
    if asked and all((token.key,) in schema().fields for token in asked):
        name = _named(last, tables)
        return f"{rest.rstrip('? ')} of {name}?" if name else rest
    return _in_place(rest, last, near) or f"{last.rstrip('?. ')} {rest}"


_ADDING = re.compile(rf"^\W*(?:if|with|without|when|unless|{_ASKS})\b", re.I)
"""How what adds to the last question begins, and takes no other's place."""
LIKE = 0.3
"""How near a word must be to the one in whose place it stands: `and during the day`."""
FEW = 2
"""Telling words of a follow-up that only exchanges one."""


def _in_place(rest: str, last: str, near: WordNearness) -> str:
    """The last question with a short rest in the place of the word that is nearest to it in
    meaning; '' where none is near."""
    said = [token for token in AskedClause(rest).tokens if token.telling]
    olds = [token for token in AskedClause(last).tokens if token.telling]
    if not said or len(said) > FEW or not olds or _ADDING.search(rest):
        return ""
    words_there = [token.text for token in olds]
    likeness = [0.0] * len(olds)
    for token in said:
        likeness = list(map(max, likeness, near(token.text, words_there)))
    best = max(range(len(olds)), key=lambda at: likeness[at])
    if likeness[best] < LIKE:
        return ""
    new = rest[said[0].start : said[-1].end]
    return f"{last[: olds[best].start]}{new}{last[olds[best].end :]}"


def _is_whole_name(hit: NameSpot) -> bool:
    """Whether a name is said outright, and not by a word of it that anybody may use."""
    strategies = {match.strategy for match in hit.found.values()}
    return bool(strategies - {"part", "ngram"}) or hit.text[:1].isupper()


def _kinds(hit: NameSpot, tables: Mapping[Tool, NameTable]) -> set[tuple[Tool, str]]:
    return {
        (tool, tables[tool].names[row].kind)
        for tool, match in hit.found.items()
        for row in match.rows
    }


_NO_TITLE = r"(?-i:(?<!\b[A-Z][a-z])(?<!\b[A-Z][a-z]{2}))"
"""What stands before is not cut short as `Mr` and `Mrs` are."""
_CUT = re.compile(
    rf"[?!;]+\s+|\.\s+(?={_ASKS}\b)|{_NO_TITLE}\.\s+(?=[A-Z])"
    rf"|(?:,\s*|\s+)(?:and|but|also)\s+(?={_ASKS}\b)|,\s+(?={_ASKS}\b)",
    re.I,
)
MOST_CLAUSES = 4


@dataclass(frozen=True)
class QuestionPart:
    """What is asked, and what is said to be so before it."""

    asks: str
    so: str = ""
    apart: bool = False
    """What is so is a sentence of its own: it may say nothing of what is asked."""

    @property
    def whole(self) -> str:
        """Both together: `somebody knocked me over, how do I get up`."""
        return f"{self.so}, {self.asks}" if self.so else self.asks

    @property
    def alone(self) -> str:
        """What is asked without what is so; '' where there is no more, or it leans on it."""
        return self.asks if self.apart and not _LEANING.search(self.asks) else ""


_ASKING = re.compile(
    rf"^\W*(?:(?:and|but|so|ok|okay|hey|then)\W+)?(?:at |in |by |for )?{_ASKS}\b", re.I
)
_STOP = re.compile(rf"(?<=[a-z\d])(?:\.\s+(?=(?i:{_ASKS})\b)|{_NO_TITLE}\.\s+)")
_LEANING = re.compile(r"\b(?:that|this|those|it|its|they|them|their|him|her|one)\b", re.I)


def leans_on_another(part: str) -> bool:
    """Whether a part speaks of something by a word that stands for it."""
    return bool(_LEANING.search(part) or _PRONOUN.search(part))


def split_clauses(question: str) -> list[QuestionPart]:
    """The parts, at most four; a question that asks once is one."""
    sentences = _STOP.split(question)
    found, so = list[QuestionPart](), ""
    for at, sentence in enumerate(sentences):
        parts = [part.strip() for part in _CUT.split(sentence) if part and part.strip(" ?!.,;")]
        follows = at + 1 < len(sentences) and bool(_ASKING.search(sentences[at + 1]))
        if follows and not any(map(_asks, parts)):
            so = _both(so, sentence)
            continue
        made = _with_what_is_so(parts)
        if made:
            first = QuestionPart(made[0].asks, _both(so, made[0].so), bool(so))
            found += [first, *made[1:]]
            so = ""
    return found[:MOST_CLAUSES] or [QuestionPart(question)]


def _asks(part: str) -> bool:
    """Whether a part asks, or tells to list something."""
    said = words(part)
    told_to = lemma(next(iter(said), "")) in schema().asking
    stated = set(said) & word_class("auxiliaries") or said[0] in word_class("pronouns")
    return bool(_ASKING.search(part)) or (told_to and not stated)


def _both(first: str, second: str) -> str:
    return ", ".join(each.strip(" .,") for each in (first, second) if each)


def _with_what_is_so(parts: Sequence[str]) -> list[QuestionPart]:
    """The parts, each that only says how things stand (`somebody knocked me over`) together with
    the one that asks after it."""
    made, so = list[QuestionPart](), ""
    for part in parts:
        if _ASKING.search(part) or not _only_says(part):
            made.append(QuestionPart(part, so))
            so = ""
        else:
            so = _both(so, part)
    return [*made, QuestionPart(so)] if so else made


def _only_says(part: str) -> bool:
    """Whether a part begins as what is so does: with someone, a place or a time."""
    first = next(iter(words(part)), "")
    return any(first in word_class(name) for name in ("pronouns", "deed_places", "before_a_doer"))


_STANDS_FOR = re.compile(
    r"\b(?:its|their|his|hers?|it|they|them|he|she|him|one)\b(?!\s+(?:of|more)\b)", re.I
)


def carried(parts: Sequence[QuestionPart], tables: Mapping[Tool, NameTable]) -> list[QuestionPart]:
    """The parts with what was named before in the place of `it`; to one that asks for nothing of
    its own, `how many do I have left`, that name is added."""
    made: list[QuestionPart] = []
    last = ""
    for part in parts:
        names = [hit.text for hit in spot(part.whole, tables) if hit.confidence >= SURE]
        asks = standing_for(part.asks, last, bool(names)) if last and made else part.asks
        last = max(names, key=len, default=last)
        made.append(replace(part, asks=asks))
    return made


def standing_for(clause: str, name: str, names_some: bool) -> str:
    """A clause in which a pronoun stands for that name."""
    if _STANDS_FOR.search(clause):
        return _STANDS_FOR.sub(name, clause, count=1)
    telling = [token for token in AskedClause(clause).tokens if token.telling]
    asked = [token for token in telling if (token.key,) in schema().fields]
    if not names_some and len(asked) == len(telling):
        return f"{clause.rstrip('?. ')} {name}?"
    return clause
