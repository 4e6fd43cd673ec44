"""What was got: in a session, at a place, and by whom."""

import re
from collections.abc import Sequence

from freeform.assistant.notes.timeline import SessionMark, SessionSpan
from freeform.assistant.query.asked.notebook import NoteBook
from freeform.assistant.query.clause import AskedClause, read_clause
from freeform.assistant.query.model import Cite, FoundLine, QueryFinding, Row, RowTest, ThingQuery
from freeform.assistant.query.passage import keys_of, plain_line

_PARTS = re.compile(r"(?<=[\w)])[,;.]\s+(?![^(]*\))")
"""Between things that one line tells: none of the commas in brackets."""
_TO = re.compile(r"(?:->|→|=>|:)|\b(?:to|for)\b", re.I)


def loot_to(clause: AskedClause, book: NoteBook, span: SessionSpan | None) -> QueryFinding | None:
    """What went to somebody: the things of each list of loot that name them."""
    marks = span.marks if span and span.marks else _titled(clause, book)
    labels = [mark.label for mark in marks]
    rows = [row for row in book.rows if "loot" in row.kinds]
    rows = [row for row in rows if not labels or row.fields["session"] in labels]
    who = _receiver(clause, rows)
    if not who:
        return None
    lines = []
    for row in rows:
        for part in _PARTS.split(row.piece.text):
            if re.search(rf"\b{re.escape(who)}\b", part, re.I):
                text = f"- {plain_line([part])} ({row.fields['session']})"
                lines.append(FoundLine(text, (Cite(row.piece, part.strip()),)))
    if not lines:
        return None
    return QueryFinding("session_notes", [FoundLine(f"Went to {who}:"), *lines])


def _receiver(clause: AskedClause, rows: Sequence[Row]) -> str:
    """The last of the clause's words that stands in these lists as one who got something: in
    brackets, or behind an arrow, a colon or `to`."""
    for token in reversed(clause.tokens):
        name = clause.text[token.start : token.end]
        got = rf"(?:->|→|=>|:|\(|\bto\b|\bfor\b)[^,;.]*\b{re.escape(name)}\b"
        named = token.telling or token.text in clause.skip
        if named and any(re.search(got, row.piece.text) for row in rows):
            return name
        if named and any(re.search(got, row.piece.text, re.I) for row in rows):
            return name.capitalize()
    return ""


def _titled(clause: AskedClause, book: NoteBook) -> list[SessionMark]:
    """The sessions whose titles the clause says."""
    said = {token.key for token in clause.tokens if token.telling}
    found = []
    for mark in book.sessions:
        title = {key for key in keys_of(mark.title) if len(key) > 2}
        if title and len(title & said) >= max(1, len(title) - 1):
            found.append(mark)
    return found


def loot_of(clause: AskedClause, book: NoteBook) -> QueryFinding | None:
    """What was got in the session that the clause's other words speak of: `at the lighthouse`."""
    loot = {link.at for link in read_clause(clause, book.rows).kinds.get("loot", [])}
    wanted = [t.key for at, t in enumerate(clause.tokens) if t.telling and at not in loot]
    if not wanted:
        return None
    best, chosen = 0.0, None
    for mark in book.sessions:
        keys = {key for at in mark.notes for key in book.passages.keys[at]} | set(
            keys_of(mark.title)
        )
        titled = 0.5 if set(wanted) <= set(keys_of(mark.title)) else 0.0
        score = book.passages.coverage(wanted, keys) + titled
        if score > best:
            best, chosen = score, mark
    return loot_in(book, SessionSpan([chosen], [])) if chosen and best > 1.0 else None


def loot_in(book: NoteBook, span: SessionSpan) -> QueryFinding | None:
    labels = [mark.label for mark in span.marks]
    found = [row for row in book.rows if "loot" in row.kinds and row.fields["session"] in labels]
    if not found:
        return None
    query = ThingQuery(
        tool="session_notes", kinds=["loot"], where=[RowTest(field="session", value=labels[0])]
    )
    lines = [FoundLine(f"Got in {', '.join(labels)}:")]
    lines += [
        FoundLine(f"- {plain_line([row.piece.text])}", (Cite(row.piece, row.piece.text[:280]),))
        for row in found
    ]
    return QueryFinding("session_notes", lines, 1.0, query)
