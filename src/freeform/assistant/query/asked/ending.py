"""Where the last evening ended: asked by `where did we stop`, told by its last prose."""

from freeform.assistant.notes.timeline import SessionSpan
from freeform.assistant.query.asked.notebook import NoteBook, mark_line
from freeform.assistant.query.clause import AskedClause
from freeform.assistant.query.model import QueryFinding, ThingQuery
from freeform.assistant.query.passage import LONGEST, keys_of, passage_line
from freeform.assistant.query.schema import glosses_of, phrase
from freeform.assistant.quotes import sentences_of

ENDED = "Last session's end"
AS_SAID = 0.7
"""How near a question must be to one that asks where the play stopped."""
LAST = 3
"""Notes at the end of a session among which one tells where it stopped."""


def ending(clause: AskedClause, book: NoteBook, span: SessionSpan | None) -> QueryFinding | None:
    """The end of the session that is meant, the last one where none is; None where something else
    is asked."""
    if not book.sessions or not _asks_for_it(clause, book):
        return None
    mark = span.marks[-1] if span and span.marks else book.sessions[-1]
    told = [at for at in mark.notes if book.notes[at].kind not in ("loot", "quest")]
    if not told:
        return None
    stops = {key for gloss in glosses_of(ENDED) for key in phrase(gloss)} & set(clause.keys)
    saying = [at for at in told[-LAST:] if stops & set(keys_of(book.pieces[at].text))]
    piece = book.pieces[(saying or told)[-1]]
    kept, size = list[str](), 0
    for part in reversed(sentences_of(piece.text)):
        size += len(part.split())
        if kept and size > LONGEST - 20:
            break
        kept.insert(0, part)
    lines = [mark_line(book, mark), passage_line("", kept, piece)]
    asked = ThingQuery(tool="session_notes", kinds=["session"])
    return QueryFinding("session_notes", lines, 1.0, asked)


def _asks_for_it(clause: AskedClause, book: NoteBook) -> bool:
    near = book.near_texts(clause.text, glosses_of(ENDED))
    return max(near, default=0.0) >= AS_SAID
