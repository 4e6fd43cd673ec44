"""The context assembler: pieces of all queries, what the asker may see of them, numbered, within a
token budget."""

from collections.abc import Collection, Iterable, Sequence

from freeform.assistant.entities.fold import stemmed
from freeform.assistant.model import Piece, Tool
from freeform.assistant.passes import Numbered
from freeform.assistant.query.model import Cite, QueryFinding
from freeform.assistant.quotes import key_words, quote_of, sentences_of
from freeform.core.text import count_tokens

ORDER: tuple[Tool, ...] = ("rulebook", "character_data", "session_notes")
"""The order in which an answer tells: the rule, the sheet, the notes."""
MOST_QUOTED = 280
_LONGEST = 0.4
"""No piece takes more of the budget than that."""


def visible(pieces: Iterable[Piece], viewer: str) -> list[Piece]:
    """What the asker may see. Nothing else may come near a prompt."""
    return [piece for piece in pieces if viewer == "gm" or not piece.gm_only]


def assemble(
    fetched: Sequence[Sequence[Piece]],
    question: str,
    names: Sequence[str],
    viewer: str,
    budget: int,
    about: Collection[str] = (),
) -> list[Numbered]:
    """Takes from each query in turn, best first, until the budget is spent; numbers what was taken,
    tool by tool."""
    wanted = key_words(question)
    lists = [both_editions(visible(pieces, viewer)) for pieces in fetched]
    taken: dict[str, Piece] = {}
    left, most = budget, int(budget * _LONGEST)
    for rank in range(max((len(pieces) for pieces in lists), default=0)):
        for pieces in lists:
            if rank >= len(pieces) or pieces[rank].id in taken:
                continue
            piece = shortened(pieces[rank], most)
            cost = count_tokens(piece.text) + count_tokens(piece.title) + 12
            if cost <= left:
                taken[piece.id] = piece
                left -= cost
    ordered = sorted(taken.values(), key=lambda piece: ORDER.index(piece.tool))
    return [
        Numbered(
            n=n, piece=p, quote=p.quote or quote_of(p.text, wanted, names), named=p.id in about
        )
        for n, p in enumerate(ordered, 1)
    ]


def with_findings(
    findings: Sequence[QueryFinding], numbered: Sequence[Numbered]
) -> tuple[list[Numbered], list[str]]:
    """The sources with those that findings rest on, and the lines of the findings with their
    numbers. A piece is cited with the very words that show what is said."""
    every = list(numbered)
    places: dict[tuple[str, str], int] = {}
    lines: list[str] = []
    for line in (line for finding in findings for line in finding.lines):
        marks = []
        for cite in line.cites:
            key = (cite.piece.id, cite.quote)
            if key not in places:
                places[key] = len(every) + 1
                every.append(_cited(cite, len(every) + 1))
            marks.append(f"[{places[key]}]")
        lines.append(f"{line.text} {''.join(dict.fromkeys(marks))}".strip())
    return every, lines


def _cited(cite: Cite, n: int) -> Numbered:
    """A piece with its number; without words of its own it is quoted from its beginning."""
    quote = cite.quote or cite.piece.quote or cite.piece.text[:MOST_QUOTED].strip()
    return Numbered(n=n, piece=cite.piece, quote=quote, named=True)


def both_editions(pieces: list[Piece]) -> list[Piece]:
    """The same order, but the other edition's entry of the same title comes right after the
    first."""
    done: list[Piece] = []
    for piece in pieces:
        if any(piece.id == other.id for other in done):
            continue
        done.append(piece)
        if piece.edition:
            twin = stemmed(piece.title)
            done += [
                other
                for other in pieces
                if other.edition
                and other.edition != piece.edition
                and stemmed(other.title) == twin
                and other not in done
            ]
    return done


def shortened(piece: Piece, most: int) -> Piece:
    """A piece that is too long, cut after whole sentences."""
    if count_tokens(piece.text) <= most:
        return piece
    kept, room = list[str](), most
    for part in sentences_of(piece.text):
        room -= count_tokens(part)
        if room < 0:
            break
        kept.append(part)
    text = "\n".join(kept) or piece.text[: most * 3]
    return piece.model_copy(update={"text": f"{text} …"})
