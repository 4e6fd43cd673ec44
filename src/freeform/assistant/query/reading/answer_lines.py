"""How what was read is told: the words that answer, then what stands around them."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from freeform.assistant.model import Piece
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.query.passage import plain_line
from freeform.assistant.quotes import sentences_of
from freeform.language.meaning.reading import PassageRead
from freeform.language.words import word_class, words

MOST_TOLD, MOST_IN_ALL = 6, 112
"""Passages that are told; words of a whole answer that is no list."""
ROOM, NEXT_ROOM = 30, 15
"""Words of a passage around its answer: of the first, and of any other."""
LEAD, TITLE = 4, 6
"""Words of an answer that is told before its passage, and of what a passage is called."""
SAME = 0.8
"""Two passages that share so much of the shorter one's words say the same."""


class ToldRead(Protocol):
    """A passage and what the reader says of it."""

    @property
    def piece(self) -> Piece: ...
    @property
    def read(self) -> PassageRead: ...


def told_lines(found: Sequence[ToldRead]) -> list[FoundLine]:
    """The first few as lines, each thing once."""
    lines = list[FoundLine]()
    for each in _distinct(found):
        lines.append(_line(each, NEXT_ROOM if lines else ROOM))
    return lines


def within(lines: Sequence[FoundLine], most: int) -> list[FoundLine]:
    """The first of some lines, and whichever of the others still fit into so many words."""
    kept, size = list[FoundLine](), 0
    for line in lines:
        count = len(line.text.split())
        if not kept or size + count <= most:
            kept.append(line)
            size += count
    return kept


def in_few_words(findings: Sequence[QueryFinding]) -> list[QueryFinding]:
    """What was found in as many words as an answer has. A list stays whole; of several parts one
    that says nothing is left out where another is known."""
    known = [each for each in findings if each.known]
    kept, room = list[QueryFinding](), MOST_IN_ALL
    for each in known or findings:
        is_list = any(line.text.startswith("- ") for line in each.lines)
        lines = list(each.lines) if is_list else within(each.lines, room)
        size = sum(len(line.text.split()) for line in lines)
        if kept and size > room and not is_list:
            continue
        room -= 0 if is_list else size
        kept.append(replace(each, lines=lines))
    return kept


def said_by(each: ToldRead) -> str:
    """The words that answer."""
    said = (each.piece.text[start:end] for start, end in each.read.spans)
    return ", ".join(dict.fromkeys(" ".join(one.split()) for one in said))


def _distinct(found: Sequence[ToldRead]) -> list[ToldRead]:
    """The first few, without what says the same: a sheet tells a thing as it is written and as it
    was understood."""
    kept, seen = list[ToldRead](), list[set[str]]()
    for each in found:
        own = set(words(each.piece.text))
        if any(len(own & other) > SAME * min(len(own), len(other)) for other in seen):
            continue
        kept.append(each)
        seen.append(own)
        if len(kept) == MOST_TOLD:
            break
    return kept


def _line(each: ToldRead, room: int) -> FoundLine:
    around = _around(each, room)
    shown = plain_line([_shortened(around, each, room)])
    lead, title = plain_line([said_by(each)]), _titled(each.piece, shown)
    cites = (Cite(each.piece, around),)
    if lead and len(lead.split()) <= LEAD and 2 * len(lead.split()) < len(shown.split()):
        return FoundLine(
            f"**{lead}** ({title}: {shown})" if title else f"**{lead}** ({shown})", cites
        )
    return FoundLine(f"**{title}**: {shown}" if title else shown, cites)


def _titled(piece: Piece, shown: str) -> str:
    """What a piece is called, shortly; '' where what is shown of it begins so, and for notes, whose
    session stands with their source."""
    if piece.tool == "session_notes" or shown.lower().startswith(piece.title.lower()):
        return ""
    parts = piece.title.split()
    return piece.title if len(parts) <= TITLE else f"{' '.join(parts[:TITLE]).rstrip('.,:;')} …"


def _around(each: ToldRead, room: int) -> str:
    """The sentences that hold the answer, literally, and as many beside them as there is room for;
    a short text whole."""
    text, spans = each.piece.text, each.read.spans
    if not spans or len(text.split()) <= room:
        return text.strip()
    places, at = list[tuple[int, int]](), 0
    for part in sentences_of(text):
        begin = text.find(part, at)
        at = begin + len(part)
        places.append((begin, at))
    start, end = spans[0][0], spans[-1][1]
    hit = [n for n, (begin, stop) in enumerate(places) if stop > start and begin < end]
    if not hit:
        return text[start:end]
    begin, stop = places[hit[0]]
    spoken_of = text[begin:stop].split()[0].lower() in word_class("pronouns")
    # Whom `he` means is said before.
    held = (hit[0] - 1 if spoken_of and hit[0] else hit[0], hit[-1])
    first, last = _widened(text, places, held, room)
    return text[places[first][0] : places[last][1]]


def _widened(
    text: str, places: Sequence[tuple[int, int]], held: tuple[int, int], room: int
) -> tuple[int, int]:
    """The first and last sentence when those after, then those before are taken in while they
    fit."""

    def fits(first: int, last: int) -> bool:
        inside = first >= 0 and last < len(places)
        return inside and len(text[places[first][0] : places[last][1]].split()) <= room

    first, last = held
    while True:
        if fits(first, last + 1):
            last += 1
        elif fits(first - 1, last):
            first -= 1
        else:
            return first, last


def _shortened(around: str, each: ToldRead, room: int) -> str:
    """The same in so many words: those next to the answer."""
    parts = around.split()
    if len(parts) <= room:
        return around
    start, end = each.read.spans[0] if each.read.spans else (0, 0)
    answer = each.piece.text[start:end].split()
    before = len(around[: max(0, around.find(each.piece.text[start:end]))].split())
    side = max(NEXT_ROOM // 3, (room - len(answer)) // 2)
    # Whom `he` means is said before.
    more = side // 2 if answer and answer[0].lower() in word_class("pronouns") else 0
    first, last = max(0, before - side - more), before + len(answer) + side - more
    shown = " ".join(parts[first:last])
    return f"{'… ' if first else ''}{shown}{' …' if last < len(parts) else ''}"
