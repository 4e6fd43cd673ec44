"""READ THIS FIRST. What kind of thing a clause asks for (a name, an age, a number, words that
somebody said), and whether lines tell one: who asks what the sister is called is not answered by
what the sister does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from freeform.assistant.model import Piece
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.quotes import sentences_of
from freeform.language.forms import is_going_on, is_participle
from freeform.language.inflection import irregular_verb, lemma
from freeform.language.words import stop_words, unowned, word_class, words

Kind = Literal["name", "age", "time", "distance", "dice", "number", "words", "person", "any"]
_IS = r"(?:['’]?s| is| was| are| were)?"
_NAMED = (
    re.compile(r"\bnames? of (?P<of>.+)", re.I),
    re.compile(rf"\bwhat{_IS} (?P<of>.+?) (?:called|named)\b", re.I),
    re.compile(rf"\bwhat{_IS} (?P<of>.+?)(?:['’]s|s['’]) name\b", re.I),
    re.compile(r"\bwhat name (?:do|does|did|has|have|had)\b(?P<of>.+)", re.I),
)
_AGE = re.compile(r"\bhow old\b|\bwhat age\b", re.I)
_LONG = re.compile(r"\b(?:how long|how much time)\b(?! ago)", re.I)
_FAR = re.compile(
    r"\bhow (?:far(?! (?:below|above|along|from|off|short))|large|big|wide|tall|high|deep)\b"
    r"|\bwhat (?:area|radius)\b",
    re.I,
)
_DICE = re.compile(r"\bhow much damage\b|\bhow many dice\b|\bwhat damage\b", re.I)
_NUMBER = re.compile(r"\bhow (?:much|many)\b|\bwhat (?:do|does|would) \w+ add\b", re.I)
_WORDS = re.compile(
    r"\bwhat (?:do|does|did) .+ (?:say|tell|shout|yell|whisper|write|read)\b"
    r"|\bwhat(?:['’]?s| is| was) written\b",
    re.I,
)
_PERSON = re.compile(r"^\W*(?:so |and |but )?(?:who|whom|whose)\b", re.I)
_ENDS = re.compile(
    r"\b(?:that|which|who|in|on|at|of|from|over|we|i|you|again|with|for)\b|[,.?!:;]", re.I
)
"""Where what is named ends and what is told of it begins."""
_OWNED = re.compile(r"\b(?:my|our|his|her|their|your)\b|['’]s\b|s['’]\s", re.I)
SPELLED = (
    r"one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen"
    r"|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
    r"|hundred|thousand|dozen|half|none|no|both|all|every|once|twice"
)
_ANY_NUMBER = re.compile(rf"\d|\b(?:{SPELLED})\b", re.I)
_YEARS = re.compile(
    rf"(?:\d|\b(?:{SPELLED}))[\w -]{{0,12}}\b(?:years?|winters?|summers?)\b"
    rf"|\bage[ds]?\b\W{{0,6}}(?:of |about )?(?:\d|\b(?:{SPELLED}))",
    re.I,
)
_COUNT = rf"(?:\d|\b(?:{SPELLED}|an?|number of)\b)[\w, -]{{0,12}}?"
_FILLERS: dict[Kind, re.Pattern[str]] = {
    "time": re.compile(
        rf"{_COUNT}\b(?:rounds?|turns?|seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b"
        r"|\b(?:until|instant\w*|permanent\w*|since|session|at once|forever)\b",
        re.I,
    ),
    "distance": re.compile(
        rf"{_COUNT}\b(?:f(?:ee|oo)?t|miles?|yards?|inch(?:es)?|steps?|metres?|meters?|squares?)\b"
        r"|\b(?:touch|self|sight|tiny|small|medium|large|huge|gargantuan)\b",
        re.I,
    ),
    "dice": re.compile(r"\d*d\d|\d", re.I),
    "number": _ANY_NUMBER,
    "age": _YEARS,
}
"""What something of a kind looks like."""
_SPOKEN = re.compile(
    r"[\"“”„«»]|\b(?:sa(?:y|ys|id)|t(?:ell|ells|old)|shout|yell|whisper|writ|wrote|reads|answer"
    r"|offer|promis|swor|asks|asked|warn|admit|call)",
    re.I,
)
_NAME = r"[A-Z][\w'’-]+"
_AFTER = re.compile(rf"^[,:(]?(?: (?!(?:which|who|that|where)\b)[a-z]\w*){{0,3}},? ({_NAME})")
_AFTER_TITLE = re.compile(rf"^ ({_NAME})")
_BEFORE = re.compile(
    rf"({_NAME})(?:,|:| \(| is| was)(?: (?!(?:which|who|that|where)\b)[a-z]\w*){{0,3}} $"
)
"""A name beside what bears it: `her sister Hild`, `Captain Brill`, `Venn, an old overseer`."""
_LEAD = re.compile(r"^(?:[-\s]*)\*\*(.+?)\*\*")
_CITED = re.compile(r"\*+|\[\d+\]")
_PAST = frozenset("did was were had didn't wasn't weren't hadn't".split())


@dataclass(frozen=True)
class WantedKind:
    """The kind, and for a name the word for what bears it."""

    kind: Kind
    subject: str = ""
    owned: bool = False
    """Somebody's mother, not any."""


@dataclass(frozen=True)
class KindOf:
    """A clause, asked what it asks for."""

    clause: AskedClause

    @cached_property
    def asked(self) -> WantedKind:
        text = self.clause.text
        for pattern in _NAMED:
            hit = pattern.search(text)
            if hit and (subject := _head_of(hit["of"])):
                return WantedKind("name", subject, bool(_OWNED.search(hit["of"])))
        kinds: tuple[tuple[Kind, re.Pattern[str]], ...] = (
            ("age", _AGE),
            ("time", _LONG),
            ("distance", _FAR),
            ("dice", _DICE),
            ("number", _NUMBER),
            ("words", _WORDS),
            ("person", _PERSON),
        )
        for kind, pattern in kinds:
            if pattern.search(text):
                return WantedKind(kind)
        return WantedKind("any")


def _head_of(said: str) -> str:
    """The last word of what is named: `Sora's old mother` is a mother."""
    first = _ENDS.split(said.strip(), maxsplit=1)[0]
    small = stop_words()
    found = [word for word in words(first) if unowned(word) not in small]
    return unowned(found[-1]) if found else ""


def tells_it(clause: AskedClause, finding: QueryFinding) -> bool:
    """Whether what was found has something of the kind that is asked for. What cannot be told of a
    kind passes."""
    asked = KindOf(clause).asked
    text = "\n".join(line.text for line in finding.lines)
    if asked.kind == "name":
        return _has_name(asked, clause, text)
    if asked.kind in _FILLERS:
        return bool(_FILLERS[asked.kind].search(_without_leads(text)))
    if asked.kind == "words":
        return finding.tool != "rulebook" and bool(_SPOKEN.search(_without_leads(text)))
    if asked.kind == "person":
        return not (finding.numbers and finding.tool == "character_data")
    return True


def filler_of(clause: AskedClause) -> re.Pattern[str] | None:
    """What something of the kind that is asked for looks like; None where that cannot be told."""
    return _FILLERS.get(KindOf(clause).asked.kind)


def _without_leads(text: str) -> str:
    """Lines without what they are headed by, where that only says which session it was."""
    lines = [re.sub(r"^\*\*(?:Session|Your notes)[^*]*\*\*", "", line) for line in text.split("\n")]
    return _CITED.sub("", "\n".join(lines))


def _has_name(asked: WantedKind, clause: AskedClause, text: str) -> bool:
    """Whether a name stands right beside the word for what bears it, in one sentence."""
    bare = _without_leads(text)
    said = {token.text for token in clause.tokens} | clause.skip
    for hit in re.finditer(r"[\w'’-]+", bare):
        if lemma(unowned(hit[0].lower())) != lemma(asked.subject):
            continue
        titled = hit[0][:1].isupper()
        if hit[0].lower() != unowned(hit[0].lower()) or (titled and asked.owned):
            continue  # What belongs to it has the name, or it is a part of another's name.
        if _names_new(re.findall(_AFTER_TITLE if titled else _AFTER, bare[hit.end() :]), said):
            return True
        if not titled and _names_new(re.findall(_BEFORE, bare[: hit.start()]), said):
            return True
    return False


def name_told(clause: AskedClause, pieces: Sequence[Piece]) -> QueryFinding | None:
    """The sentence that says the name which is asked for: of what is the asker's own in what tells
    of them, of anything else where its other words stand too."""
    asked = KindOf(clause).asked
    if asked.kind != "name":
        return None
    others = {token.key for token in clause.tokens if token.telling} - {lemma(asked.subject)}
    for piece in pieces:
        for sentence in sentences_of(piece.text):
            there = {lemma(unowned(word)) for word in words(f"{piece.title} {sentence}")}
            if others <= there and _has_name(asked, clause, sentence):
                line = FoundLine(f"**{piece.title}**: {' '.join(sentence.split())}")
                return QueryFinding(piece.tool, [replace(line, cites=(Cite(piece, sentence),))])
    return None


def _names_new(names: Sequence[str], said: set[str]) -> bool:
    small = stop_words()
    return any(name.lower() not in said and name.lower() not in small for name in names)


def is_told(clause: AskedClause) -> bool:
    """Whether a clause asks for what happened: rules are written in the present, so none of them
    answers it."""
    said = [token.text for token in clause.tokens]
    if _PAST & set(said):
        return True
    asking = [at for at, word in enumerate(said[:3]) if word in ("who", "what", "which")]
    following = said[asking[0] + 1] if asking and asking[0] + 1 < len(said) else ""
    return is_past_form(following)


def is_past_form(word: str) -> bool:
    """`took`, `burned`."""
    if word in word_class("auxiliaries"):
        return False
    base = irregular_verb(word)
    return (bool(base) and base != word) or (is_participle(word) and not is_going_on(word))
