"""A sentence as simple clauses, each with its own subject in front: asides, what is said of whom
(`who`, `where`, `whose`), and what one subject does one thing after the other are told apart."""

import re
from collections.abc import Iterator

from freeform.language.forms import ends_done, is_adverb, is_over, may_be_finite
from freeform.language.words import word_class

_SLOT = r"\[\d+[a-zA-Z]\]"
_PIECES = re.compile(r"\s*;\s*|:\s+|\s+[—–-]{1,2}\s+|\s*[()]\s*")
_ASIDE = re.compile(
    rf"(?P<who>{_SLOT})(?:,\s+(?P<aside>(?!{_SLOT})[^,\s][^,]*)(?:,\s+|(?=[.!?…\"”]*$))"
    r"|\s+(?P<tight>(?:who|which|where|whose|whom)\s[^,]+)(?:,\s+|(?=[.!?…\"”]*$)))"
)
_TITLED = re.compile(
    rf"(?P<what>(?:\b(?:the|its|their|his|her)|{_SLOT}'s)\s+(?!\S+\s+(?:is|are)\b)"
    r"(?:(?!(?:is|are|was|were|has|have)\b)[a-z][a-z'-]*\s+){0,5}"
    rf"(?:[a-z][a-z'-]*|(?:of|at|in)\s+(?:the\s+)?{_SLOT})),"
    rf"\s+(?P<who>{_SLOT})(?P<closed>,?)\s*",
    re.I,
)
_POSSESSED = re.compile(
    rf"(?P<what>{_SLOT}'s\s+(?:(?!(?:the|an?|is|are|of|in|at|on|to)\b)[a-z-]+\s+){{1,3}})"
    r"(?P<who>\[\d+[nuk]\])(?!['’]s)"
)
_LIST = (
    rf"{_SLOT}(?:\s*,\s*(?:and\s+)?(?:the\s+)?{_SLOT}|\s+(?:and|or)\s+(?:the\s+)?{_SLOT})*(?!['’]s)"
)
_LISTED = re.compile(_LIST, re.I)
_SUBJECT = re.compile(rf"^(?:(?:both|the|an?|old|young|only|even)\s+)*{_LIST}", re.I)
_NEXT_DEED = re.compile(r",?\s+(?:and|but|then|yet)\s+(?P<sure>(?:then|now|also|still)\s+)?|,\s+")
_NEXT_CLAUSE = re.compile(
    r"(?:,\s+|\s+)(?P<joint>and|but|while|whereas|though|although|because|since|so|yet|when|where|"
    r"until|before|after|if|unless)"
    r"\s+(?=(?:the\s+|an?\s+|its\s+|their\s+|his\s+|her\s+)?(?:[a-z-]+\s+)?"
    rf"{_SLOT}(?:['’]s)?\s+[a-z])"
    r"|,\s+(?:(?:and|but|so|yet)\s+)?(?=(?:he|she|it|they|\[\d+n\])\s+(?:is|was|has|[a-z]+s)\s)"
    r"|,\s+(?:and|but|so|yet)\s+(?=(?:he|she|it|they|there|you|we|one|nobody|the|its|his|her|their|"
    r"an?|some|no|in|at|on|from|under|near)\s)",
    re.I,
)
_OPEN = frozenset("if unless until before whether lest for".split())
_DETERMINERS = frozenset("the a an its their his her one first last".split())
_STANDS = frozenset(
    "in at on inside within beneath under near above behind outside beside between".split()
)
_LOOSE = re.compile(
    rf"^(?!(?:if|unless|had|should|were|when)\b)[\w' -]{{2,40}},\s+(?=(?:the\s+)?{_SLOT}\s+[a-z])",
    re.I,
)
_CONTRAST = re.compile(r",\s+not\s+(?:[\w'-]+\s*){1,3}(?=[,.;]|$)")
"""`Level 4, not 2` denies the two."""


def simple_clauses(slotted: str) -> list[str]:
    """The clauses of a sentence whose names stand in slots."""
    found: list[str] = []
    for piece in _PIECES.split(_CONTRAST.sub("", slotted.strip())):
        if piece.strip():
            found += _of_piece(_LOOSE.sub("", piece.strip()))
    return list(dict.fromkeys(found))


def is_past(clause: str) -> bool:
    """Whether a clause tells what is over: by its verb, the first word behind its subject."""
    names = _LISTED.search(clause)
    told = clause[names.end() :] if names else clause
    for word in re.findall(r"[a-z'’]+", told):
        if not is_adverb(word) and word not in word_class("before_a_verb"):
            return is_over(word)
    return False


def _of_piece(piece: str) -> Iterator[str]:
    """Asides first, the last of them before those it stands in; then the rest, deed by deed."""
    for _ in range(12):
        titled = _titled(piece) or _POSSESSED.search(piece)
        aside = _last_aside(piece)
        if titled and (aside is None or titled.start() < aside.start()):
            yield f"{titled['who']} is {titled['what'].strip()}"
            piece = _joined(piece[: titled.start()] + titled["who"], piece[titled.end() :])
            continue
        if aside is None:
            break
        told = _unfolded(aside)
        for clause in told:
            yield from _of_rest(clause)
        piece = _joined(piece[: aside.end("who")], piece[aside.end() :])
    yield from _of_rest(piece)


def _titled(piece: str) -> re.Match[str] | None:
    """`The priest of Eddis, Nell, …`: a title is where a clause begins, or it is closed."""
    found = _TITLED.search(piece)
    return found if found and (found["closed"] or found.start() == 0) else None


def _joined(before: str, behind: str) -> str:
    behind = behind.strip()
    return f"{before}{behind}" if behind[:1] in (",", ".") else f"{before} {behind}".strip()


def _last_aside(piece: str) -> re.Match[str] | None:
    found = None
    for start in (match.start() for match in re.finditer(_SLOT, piece)):
        match = _ASIDE.match(piece, start)
        if match is None:
            continue
        closed = match.end() < len(piece.rstrip('.!?…"” '))
        if match["tight"] or _is_aside(match["aside"], closed):
            found = match
    return found


def _is_aside(text: str, closed: bool) -> bool:
    first = text.split()[0].lower()
    if (ends_done(first) or first in _STANDS) and not closed:
        return False
    if first in ("who", "which", "where", "whose", "whom", "whence"):
        return True
    if first in word_class("no_apposition") or is_adverb(first) or not first[0].isalpha():
        return False
    return not may_be_finite(first)


def _unfolded(aside: re.Match[str]) -> list[str]:
    """What an aside says of the name it stands behind, as clauses of their own."""
    who, text = aside["who"], (aside["tight"] or aside["aside"]).strip()
    first, _, rest = text.partition(" ")
    first, person = first.lower(), who.lower().endswith("n]")
    if first in ("who", "which"):
        # "Bogdan, which unlocks a way": it is not he who does.
        return [] if person == (first == "which") and first == "which" else [f"{who} {rest}"]
    if first == "whose":
        return [f"{who}'s {rest}"]
    if first == "where":
        deed = re.match(rf"(?:the\s+)?{_SLOT}\s+(?:still\s+|now\s+)?[a-z]+", rest)
        short = [f"{deed[0]} in {who}"] if deed and not is_over(deed[0].split()[-1]) else []
        return [f"{rest.rstrip('.')} in {who}", *short]
    if first in ("whom", "whence"):
        return []
    text, _, more = text.partition(" who ")
    if more:
        return [*_called(who, first, text, person), f"{who} {more}"]
    return _called(who, first, text, person)


def _called(who: str, first: str, text: str, person: bool) -> list[str]:
    """`Nell, midwife of Eddis`: what somebody is called behind the name."""
    over = person and (is_over(first) or first == "born")
    if over:
        return [f"{who} was {text}"]
    return [f"{who} {'is' if first in _DETERMINERS or first in _STANDS else 'being'} {text}"]


def _of_rest(piece: str) -> Iterator[str]:
    """One clause for each subject, and for each thing that a subject does."""
    start = 0
    joint = ""
    for match in _NEXT_CLAUSE.finditer(piece):
        before = piece[start : match.start()]
        if not re.search(
            r"\b(?!the\b|an?\b|and\b|or\b|of\b|both\b|is\b|in\b|at\b)[a-z]{2,}",
            _without_subject(before),
        ):
            continue
        if joint not in _OPEN:
            yield from _deeds(before)
        start, joint = match.end(), (match["joint"] or "").lower()
    if joint not in _OPEN:
        yield from _deeds(piece[start:])


def _without_subject(text: str) -> str:
    begun = _SUBJECT.match(text.strip())
    return text.strip()[begun.end() :] if begun else text


def _deeds(clause: str) -> Iterator[str]:
    clause = clause.strip(" ,.")
    begun = _SUBJECT.match(clause)
    if begun is None:
        yield clause
        return
    subject, told = begun[0], clause[begun.end() :]
    start = 0
    for match in _NEXT_DEED.finditer(told):
        behind = re.match(r"[a-z'’]+", told[match.end() :])
        if (
            behind
            and start < match.start()
            and (may_be_finite(behind[0]) or match["sure"])
            and told[: match.start()].strip()
        ):
            yield (subject + " " + told[start : match.start()].strip()).strip()
            start = match.end()
    yield (subject + " " + told[start:].strip()).strip()
