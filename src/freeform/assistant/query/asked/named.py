"""What is told of something that a question names: the sentences that speak of it; and that a list
which only has its name says nothing of it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from freeform.assistant.model import Piece
from freeform.assistant.query.clause import AskedClause, AskedWord
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.query.passage import WHO_IS, plain_line
from freeform.assistant.quotes import sentences_of
from freeform.language.words import stop_words, word_class, words

FEW = 3
"""A text of fewer sentences is told whole."""
_DOES = re.compile(
    r"^\W*(?:so |and )?(?:what (?:does|do|did) (?:my |the |an? )?(?P<a>.+?) do\b"
    r"|how (?:does|do) (?:my |the |an? )?(?P<b>.+?) work\b)",
    re.I,
)
_LISTED = re.compile(r"[,;:()\[\]|\n•·]|\s[-–—]\s")
LIST_WORDS = 1
"""Words beside a name that still say nothing of it: `prepared`."""


def cut_to_named(clause: AskedClause, findings: Sequence[QueryFinding]) -> list[QueryFinding]:
    """For a question who somebody is: of what was noted, the sentences that name them and those
    that go on from these."""
    names = re.findall(r"(?<!^)\b[A-Z][\w'’-]+", clause.text)
    more = [token for token in clause.tokens if token.telling and not _is_name(token, clause)]
    if not names or more or not WHO_IS.search(clause.text):
        return list(findings)
    made = list[QueryFinding]()
    for finding in findings:
        made.append(replace(finding, lines=[_cut(line, names) for line in finding.lines]))
    return made


def _is_name(token: AskedWord, clause: AskedClause) -> bool:
    return clause.text[token.start : token.end][:1].isupper()


def _cut(line: FoundLine, names: Sequence[str]) -> FoundLine:
    if len(line.cites) != 1 or line.cites[0].piece.tool == "rulebook":
        return line
    piece, quote = line.cites[0].piece, line.cites[0].quote
    text = quote or piece.text
    parts, shown = sentences_of(text), plain_line([text])
    named = re.compile("|".join(map(re.escape, names)))
    hit = [at for at, part in enumerate(parts) if named.search(part)]
    if len(parts) < FEW or not hit or shown not in line.text:
        return line
    last = hit[-1]
    while last + 1 < len(parts) and _goes_on(parts[last + 1]):
        last += 1
    start = text.find(parts[hit[0]])
    kept = text[start : text.find(parts[last], start) + len(parts[last])]
    return FoundLine(line.text.replace(shown, plain_line([kept])), (Cite(piece, kept),))


def _goes_on(sentence: str) -> bool:
    """Whether a sentence speaks of whoever the one before does."""
    return next(iter(words(sentence)), "") in word_class("pointing_back")


def only_listed(clause: AskedClause, desk: QueryDesk) -> QueryFinding | None:
    """That the sheet has something and no book tells what it does; None where that is not asked, or
    something is told of it."""
    asked = _DOES.match(clause.text)
    if asked is None or desk.sheet is None:
        return None
    name = (asked["a"] or asked["b"]).strip()
    places = list(_naming(name, [*desk.sheet.lines, *desk.sheet.pieces]))
    noted = _naming(name, desk.notes.pieces if desk.notes else [])
    if not places or not all(_lists(name, text) for _, text in [*places, *noted]):
        return None
    piece, text = places[0]
    said = (
        f"Not said: your sheet lists {name}, and no rulebook here tells what it does. "
        "Add one with `freeform-rpg import` (it takes the SRD)."
    )
    return QueryFinding("character_data", [FoundLine(said, (Cite(piece, text),))], known=False)


def _naming(name: str, pieces: Sequence[Piece]) -> Iterator[tuple[Piece, str]]:
    """The sentences that have a name, each with its piece."""
    wanted = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)", re.I)
    for piece in pieces:
        for sentence in sentences_of(piece.text) if wanted.search(piece.text) else ():
            if wanted.search(sentence):
                yield piece, sentence


def _lists(name: str, text: str) -> bool:
    """Whether a text only has a name among others."""
    for part in _LISTED.split(text):
        at = part.lower().find(name.lower())
        if at >= 0:
            beside = words(f"{part[:at]} {part[at + len(name) :]}")
            telling = [word for word in beside if word not in stop_words() and word.isalpha()]
            if len(telling) > LIST_WORDS:
                return False
    return True
