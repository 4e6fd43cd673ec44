"""A clause that no field answers: the best sentences of an entry, or that no source says it."""

from collections.abc import Sequence

from freeform.assistant.model import Piece, Tool
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import FoundLine, QueryFinding
from freeform.assistant.query.passage import (
    LONGEST,
    SAID,
    WHO_IS,
    Passages,
    best_sentences,
    defines,
    keys_of,
    passage_line,
    said_nowhere,
    wanted_keys,
    without_asked,
)
from freeform.assistant.query.rule_query import NamedEntry, RuleBook
from freeform.assistant.query.schema import is_asked_for, phrase

UNCHOSEN = 0.15
"""So much more of a clause must stand in a source that was not chosen for it."""
MOST_PARTS = 16
TITLED = 0.3
"""What an entry gains whose title the clause names."""


def from_passages(
    clause: AskedClause,
    desk: QueryDesk,
    chosen: set[Tool],
    fetched: Sequence[Piece],
    entries: Sequence[NamedEntry],
) -> QueryFinding:
    """The best sentences of what was fetched; that nothing says it, where they hold too little of a
    clause."""
    best: QueryFinding | None = None
    if _unheard_of(clause, fetched, entries):
        return said_nowhere(desk.present(chosen))
    for tool in desk.present():
        pieces = _pieces_of(tool, desk, fetched, entries)
        if not pieces or (tool == "rulebook" and clause.by_name):
            continue
        made = _passage(clause, Passages(pieces, desk.near))
        need = SAID if tool in chosen else SAID + UNCHOSEN
        if made and made.coverage >= need and (best is None or made.coverage > best.coverage):
            best = made
    return best or said_nowhere(desk.present(chosen))


def _unheard_of(
    clause: AskedClause, fetched: Sequence[Piece], entries: Sequence[NamedEntry]
) -> bool:
    """Whether a word that stands right before a name is used nowhere: there are weasels, and no
    clockwork weasel."""
    for entry in entries:
        before = clause.tokens[entry.link.at - 1] if entry.link.at else None
        if before is None or not before.telling or is_asked_for(before.key):
            continue
        used = any(before.key in keys_of(f"{piece.title} {piece.text}") for piece in fetched)
        if not used:
            return True
    return False


def _pieces_of(
    tool: Tool, desk: QueryDesk, fetched: Sequence[Piece], entries: Sequence[NamedEntry]
) -> list[Piece]:
    """What may be told of a source: the whole sheet, the entries named, what was fetched."""
    if tool == "session_notes":
        return []
    if tool == "character_data" and desk.sheet:
        # A spell that the sheet only names tells nothing of what it does.
        return [piece for piece in desk.sheet.pieces if not piece.text.rstrip().endswith(":")]
    found = {piece.id: piece for piece in fetched if piece.tool == tool}
    if desk.rules:
        book = RuleBook(desk.rules, desk.asking.viewer, desk.asking.edition)
        for row in (row for entry in entries for row in entry.rows):
            for at in range(min(len(row.parts), MOST_PARTS)):
                piece = book.piece(row, at)
                if piece is not None:
                    found.setdefault(piece.id, piece)
    return list(found.values())


def _passage(clause: AskedClause, passages: Passages) -> QueryFinding | None:
    """The best piece as lines."""
    wanted, pieces = wanted_keys(clause), passages.pieces
    if not pieces or not wanted:
        return None
    wanted = without_asked(wanted, passages)
    rank, at = _best(_titled_first(clause, passages, wanted), pieces, clause)
    first = pieces[at]
    told = [first, *_twins(first, pieces)]
    room = LONGEST // len(told)
    lines: list[FoundLine] = []
    for piece in told:
        edition = f" ({piece.edition})" if piece.tool == "rulebook" and piece.edition else ""
        parts = best_sentences(piece.text, passages, wanted, room)
        lines.append(passage_line(f"{piece.title}{edition}", parts, piece))
    return QueryFinding(first.tool, lines, rank - passages.guessed(wanted, at))


_TELLING = ("relations", "backstory", "personality", "features_and_traits")
"""The sections of a sheet that tell most of someone, before a list that bears their name."""


def _best(
    ranked: Sequence[tuple[float, int]], pieces: Sequence[Piece], clause: AskedClause
) -> tuple[float, int]:
    """The best; of those that are nearly as good, one that tells rather than lists."""
    top, wanted = ranked[0][0], wanted_keys(clause)
    near = [(score, at) for score, at in ranked[:8] if score > top - 0.05]
    telling = [(score, at) for score, at in near if pieces[at].section in _TELLING]
    if not telling:
        return ranked[0]
    if WHO_IS.search(clause.text):
        names = [clause.text[t.start : t.end] for t in clause.tokens if t.telling]
        telling = [row for row in telling if _defines_one(pieces[row[1]], names)] or telling
    return max(
        telling, key=lambda row: sum(keys_of(pieces[row[1]].text).count(key) for key in wanted)
    )


def _defines_one(piece: Piece, names: Sequence[str]) -> bool:
    return any(defines(piece.text, name) for name in names)


def _titled_first(
    clause: AskedClause, passages: Passages, wanted: Sequence[str]
) -> list[tuple[float, int]]:
    """By how much of the wanted words they have; an entry whose title the clause names is meant."""
    scored = []
    for score, at in passages.ranked(wanted):
        title = passages.pieces[at].title.partition(", ")[0]
        titled = TITLED if clause.find(phrase(title)) else 0.0
        if titled and title.lower() in clause.text.lower():
            titled += 0.1
        scored.append((score + titled, at))
    return sorted(scored, key=lambda row: (-row[0], row[1]))


def _twins(first: Piece, pieces: Sequence[Piece]) -> list[Piece]:
    """The same entry in the other edition."""
    return [
        piece
        for piece in pieces
        if piece.title == first.title
        and piece.kind == first.kind
        and piece.edition != first.edition
    ][:1]
