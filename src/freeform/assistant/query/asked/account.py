"""What notes or sheet state otherwise of the same thing, told after what was found."""

from dataclasses import replace

from freeform.assistant.model import Piece
from freeform.assistant.notes.differing import stated_otherwise
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.desk import QueryDesk
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding
from freeform.assistant.query.passage import plain_line
from freeform.assistant.query.schema import phrase
from freeform.assistant.quotes import sentences_of

MOST_COMPARED = 4
"""Lines of a finding that are held against the notes."""


def with_other_account(finding: QueryFinding, clause: AskedClause, desk: QueryDesk) -> QueryFinding:
    """A finding with what notes or sheet state otherwise of the same thing, after what it tells."""
    if not desk.notes or not finding.known:
        return finding
    of_notes = finding.tool == "session_notes"
    added = _sheet_differs(finding, clause, desk) if of_notes else _notes_differ(finding, desk)
    return replace(finding, lines=[*finding.lines, added]) if added else finding


def _notes_differ(finding: QueryFinding, desk: QueryDesk) -> FoundLine | None:
    """What the notes state otherwise of what was found elsewhere."""
    book = desk.notes
    for line in finding.lines[:MOST_COMPARED] if book else ():
        if not line.cites or book is None:
            continue
        names = _called(line.cites[0].piece, desk)
        other = stated_otherwise(book.notes, names, line.text, desk.own_names)
        if other:
            piece = book.pieces[other.at]
            mark = next((m.label for m in book.sessions if other.at in m.notes), piece.title)
            text = f"**Your notes differ** ({mark}): {plain_line([other.sentence])}"
            return FoundLine(text, (Cite(piece, other.sentence),))
    return None


def _sheet_differs(finding: QueryFinding, clause: AskedClause, desk: QueryDesk) -> FoundLine | None:
    """What the sheet states otherwise of a thing that the clause names and a note tells of."""
    if desk.notes is None or not finding.lines or not finding.lines[0].cites:
        return None
    cited = finding.lines[0].cites[0].piece.id
    note = [each for each in desk.notes.notes if desk.notes.source.piece_of(each).id == cited]
    for row in desk.sheet_rows:
        if "item" not in row.kinds or not clause.find(phrase(row.name)):
            continue
        if stated_otherwise(note, [row.name], row.piece.text, desk.own_names):
            stated = sentences_of(row.piece.text)[:1]
            text = f"**Your sheet differs**: {plain_line(stated)}"
            return FoundLine(text, (Cite(row.piece, stated[0]),))
    return None


def _called(piece: Piece, desk: QueryDesk) -> list[str]:
    """What the thing is called that a piece shows: its title, and the sheet's names for it."""
    names = [piece.title]
    for row in desk.sheet_rows:
        if row.piece.id == piece.id and row.name.startswith(piece.title):
            names += [row.name, *row.names]
    return list(dict.fromkeys(names))
