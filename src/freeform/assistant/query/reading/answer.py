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

READ, SAID, OWN, NEAR = 0.36, 2.34, -0.53, 0.74
"""What the reader's score, the words of a passage with and without what it stands under, and its
meaning count."""
CHOSEN, MINE, NONE = 0.79, 1.25, 1.3
"""And that its source was chosen, that it is of the asker's own sheet, that no passage answers.
Fitted on 488 questions of twelve tables; left out one at a time the right passage is first in .54
of them and among three in .71 (by the reader's own tables, without the last two: .49, .71)."""
SURE = 0.5
"""From that chance on an answer is told as one: .76 of such were right, left out one table at a
time."""
NEXT = 0.1
"""Another passage is told beside one that is sure when it is that likely against it."""
MOST_TOLD = 4
ROOM, NEXT_ROOM = 40, 15
"""Words of a passage around its answer: of the first that is sure, and of any other."""
MOST_WORDS, MOST_UNSURE = 110, 54
"""Of all that is told, and of what is not sure."""
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
    source = CHOSEN * each.is_chosen + MINE * each.is_own
    return READ * read.score + SAID * each.said + OWN * each.own + NEAR * each.near + source


def place_of(piece: Piece) -> str:
    """What a piece stands under."""
    parts = [piece.where.section, piece.title]
    return " > ".join(dict.fromkeys(part for part in parts if part))


def finding_of(found: Sequence[ReadPiece]) -> QueryFinding | None:
    """The likeliest as lines, the best first; None where nothing was read."""
    if not found:
        return None
    best = found[0]
    if best.chance < SURE:
        lines = within([_line(each, NEXT_ROOM) for each in _distinct(found)], MOST_UNSURE)
        return QueryFinding(best.piece.tool, [FoundLine(UNSURE), *lines], best.chance, known=False)
    others = [each for each in _distinct(found)[1:] if each.chance >= NEXT * best.chance]
    lines = [_line(best, ROOM), *(_line(each, NEXT_ROOM) for each in others)]
    return QueryFinding(best.piece.tool, within(lines, MOST_WORDS), best.chance)


def within(lines: Sequence[FoundLine], most: int) -> list[FoundLine]:
    """The first of some lines, and whichever of the others still fit into so many words."""
    kept, size = list[FoundLine](), 0
    for line in lines:
        words = len(line.text.split())
        if not kept or size + words <= most:
            kept.append(line)
            size += words
    return kept


def said_by(best: ReadPiece) -> str:
    """The words that answer."""
    said = (best.piece.text[start:end] for start, end in best.read.spans)
    return ", ".join(dict.fromkeys(" ".join(one.split()) for one in said))


def _distinct(found: Sequence[ReadPiece]) -> list[ReadPiece]:
    """The first few, without what says the same."""
    kept: dict[tuple[str, str], ReadPiece] = {}
    for each in found:
        kept.setdefault((each.piece.title, said_by(each)), each)
    return list(kept.values())[:MOST_TOLD]


def _line(each: ReadPiece, room: int) -> FoundLine:
    """The words that answer, then what stands around them."""
    around = _around(each.piece.text, each.read.spans)
    shown = plain_line([_shortened(around, each, room)])
    lead, title = plain_line([said_by(each)]), each.piece.title
    cites = (Cite(each.piece, around),)
    if lead and len(lead.split()) < len(shown.split()):
        return FoundLine(f"**{lead}** ({title}: {shown})", cites)
    return FoundLine(f"**{title}**: {shown}", cites)


def _around(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The sentences that hold the answer, literally; a short text whole."""
    if not spans or len(text.split()) <= NEXT_ROOM:
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


def _shortened(around: str, each: ReadPiece, room: int) -> str:
    """The same in so many words: those next to the answer."""
    words = around.split()
    if len(words) <= room:
        return around
    start, end = each.read.spans[0] if each.read.spans else (0, 0)
    answer = each.piece.text[start:end].split()
    before = len(around[: max(0, around.find(each.piece.text[start:end]))].split())
    side = max(NEXT_ROOM // 3, (room - len(answer)) // 2)
    first, last = max(0, before - side), before + len(answer) + side
    shown = " ".join(words[first:last])
    return f"{'… ' if first else ''}{shown}{' …' if last < len(words) else ''}"
