"""READ THIS FIRST. What the reader finds in the nearest passages of all sources, as a finding: the
words that answer, then the sentence they stand in; said to be unsure where it is."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from freeform.assistant.model import Piece
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.query.passage import plain_line
from freeform.assistant.query.reading.candidates import Candidate
from freeform.assistant.quotes import sentences_of
from freeform.language.meaning.reading import PassageRead, PlacedText

READ, SAID, OWN, NEAR, NONE = 0.30, 3.46, -2.18, 1.78, 1.03
"""What the reader's score, the words and the meaning of a passage count, and that none of them
answers: fitted on questions to tables the reader had not seen (`training/reading/fit.py`)."""
SURE, HARDLY = 0.5, 0.12
"""From that chance on an answer is told as one (.76 of such were right, left out one table at a
time), and below that not at all."""
NEXT = 0.7
"""Another passage is told beside the best when it is that likely against it."""
MOST_TOLD = 3
ROOM, UNSURE_ROOM = 45, 25
"""Words around an answer, and around one that is not sure."""
UNSURE = "Not said outright. The nearest:"


@dataclass(frozen=True)
class ReadPiece:
    """A passage, what the reader says of it, and how likely it answers."""

    piece: Piece
    read: PassageRead
    chance: float


def read_all(clause: AskedClause, desk: QueryDesk, found: Sequence[Candidate]) -> list[ReadPiece]:
    """The passages by how likely they answer, best first; none where nothing can read."""
    passages = [PlacedText(each.piece.text, place_of(each.piece)) for each in found]
    told = desk.reader.read(clause.text, passages)
    if not told:
        return []
    worth = [math.exp(_worth(each, read)) for each, read in zip(found, told, strict=True)]
    total = sum(worth) + math.exp(NONE)
    made = []
    for each, read, one in zip(found, told, worth, strict=True):
        made.append(ReadPiece(each.piece, read, one / total))
    return sorted(made, key=lambda each: -each.chance)


def _worth(each: Candidate, read: PassageRead) -> float:
    return READ * read.score + SAID * each.said + OWN * each.own + NEAR * each.near


def place_of(piece: Piece) -> str:
    """What a piece stands under."""
    parts = [piece.where.section, piece.title]
    return " > ".join(dict.fromkeys(part for part in parts if part))


def finding_of(found: Sequence[ReadPiece]) -> QueryFinding | None:
    """The best as lines, with those that are nearly as likely; None where none is likely."""
    if not found or found[0].chance < HARDLY:
        return None
    best, sure = found[0].chance, found[0].chance >= SURE
    kept: dict[str, ReadPiece] = {}
    for each in found[:MOST_TOLD]:
        if each.chance >= NEXT * best:
            kept.setdefault(each.piece.id, each)
    room = ROOM if sure else UNSURE_ROOM
    lines = [_line(each, room) for each in kept.values()]
    if not sure:
        lines = [FoundLine(UNSURE), *lines[:2]]
    return QueryFinding(found[0].piece.tool, lines, best, known=sure)


def _line(each: ReadPiece, room: int) -> FoundLine:
    """The words that answer, then the sentences around them."""
    text = each.piece.text
    said = [" ".join(text[start:end].split()) for start, end in each.read.spans]
    around = _around(text, each.read.spans, room)
    shown, lead = plain_line([around]), plain_line([", ".join(dict.fromkeys(said))])
    title = each.piece.title
    if lead and len(lead.split()) < len(shown.split()):
        return FoundLine(f"**{lead}** ({title}: {shown})", (Cite(each.piece, around),))
    return FoundLine(f"**{title}**: {shown}", (Cite(each.piece, around),))


def _around(text: str, spans: Sequence[tuple[int, int]], room: int) -> str:
    """The sentences that hold the answer, literally; a short text whole."""
    if not spans or len(text.split()) <= room:
        return text.strip()
    start, end = spans[0][0], spans[-1][1]
    at, first, last = 0, -1, 0
    for part in sentences_of(text):
        begin = text.find(part, at)
        at = begin + len(part)
        if at > start and begin < end:
            first = begin if first < 0 else first
            last = at
    return text[first:last] if first >= 0 else text[start:end]
