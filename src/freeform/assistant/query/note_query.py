"""A clause about the notes: sessions in their order, loot, quests, and the sentences that tell the
rest."""

import re
from collections.abc import Sequence

from freeform.assistant.model import Tool
from freeform.assistant.notes.dates import MONTHS
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.people import people_in
from freeform.assistant.notes.timeline import SessionMark, SessionSpan, span_of
from freeform.assistant.query.asked.ending import ending
from freeform.assistant.query.asked.kind import is_told
from freeform.assistant.query.asked.loot import loot_in, loot_of, loot_to
from freeform.assistant.query.asked.notebook import NoteBook, mark_line
from freeform.assistant.query.clause import AskedClause, Link, read_clause
from freeform.assistant.query.model import (
    Cite,
    FoundLine,
    QueryFinding,
    RowTest,
    ThingQuery,
    run_query,
)
from freeform.assistant.query.passage import (
    LONGEST,
    SAID,
    WHO_IS,
    WHOLE,
    best_sentences,
    defines,
    joined,
    keys_of,
    meant_first,
    passage_line,
    plain_line,
    wanted_keys,
    without_asked,
)
from freeform.assistant.quotes import sentences_of
from freeform.language.meaning.passages import TOLD

_WHEN = re.compile(r"\bwhen\b|\bwhich session\b|\bwhat session\b|\bwhat (?:date|day)\b", re.I)
_TOLD = frozenset(
    {
        "happen",
        "do",
        "about",
        "go",
        "new",
        "recap",
        "summari",
        "time",
        "session",
        "tell",
        "chang",
        "date",
        "day",
        "play",
    }
)
_TOOL: Tool = "session_notes"
_SESSIONS = ThingQuery(tool=_TOOL, kinds=["session"])
"""What is asked where whole sessions are: it settles its clause as rows do."""
_THEN = re.compile(r"\b(?:happened|came|next) (?:right )?after\b|\bafter that\b", re.I)
_SHARED = re.compile(r"\b(?:went|given|handed) to\b", re.I)
"""Asks for what somebody got."""
PLAIN = 0.65
"""Notes that hold so much of a clause in its own words answer it; else what was learnt decides."""
TOLD_OF_THEN = 0.4
"""The same for a clause that asks what happened, and not to the one who asks: only notes tell that.
Left out one table at a time, more is right than from .5 on, see the card of what was learnt."""
NEAR = 0.8
"""Another note is told beside the best when it fits at least that well."""


def ask_notes(clause: AskedClause, book: NoteBook) -> QueryFinding | None:
    """What the notes say to a clause; None where they have nothing to it."""
    span = span_of(clause.text, book.sessions)
    heard = read_clause(clause, book.rows)
    if span and span.missing:
        last = book.sessions[-1].label
        line = FoundLine(f"Not known: there is no {span.missing} in the notes; the last is {last}.")
        return QueryFinding(_TOOL, [line], 1.0, known=False)
    if clause.counts and "session" in heard.kinds and len(wanted_keys(clause)) <= 2:
        return _session_count(book)
    if "quest" in heard.kinds and (found := _quests(clause, book, heard.tests)):
        return found
    got = "loot" in heard.kinds or bool(_SHARED.search(clause.text))
    if got and not clause.asks_whether and (found := loot_to(clause, book, span)):
        return found
    if span and span.marks and "loot" in heard.kinds and (found := loot_in(book, span)):
        return found
    if "loot" in heard.kinds and not span and (found := loot_of(clause, book)):
        return found
    if found := ending(clause, book, span):
        return found
    if span and span.marks and (found := _met(clause, book, span)):
        return found
    if span and span.marks and (found := _of_sessions(clause, book, span)):
        return found
    return _sentences(clause, book, span)


def _session_count(book: NoteBook) -> QueryFinding:
    marks = book.sessions
    cites = tuple(Cite(book.pieces[mark.notes[0]]) for mark in marks)
    text = f"**{len(marks)}** sessions: {', '.join(mark.label for mark in marks)}"
    return QueryFinding(_TOOL, [FoundLine(text, cites)], 1.0, _SESSIONS)


def _quests(
    clause: AskedClause, book: NoteBook, tests: Sequence[tuple[RowTest, Link]]
) -> QueryFinding | None:
    where = [test for test, _ in tests if test.field == "status"]
    if not where and _STILL.search(clause.text):
        where = [RowTest(field="status", value="open")]
    if not where:
        return None
    query = ThingQuery(tool=_TOOL, kinds=["quest"], where=where)
    latest = {row.name: row for row in book.rows if "quest" in row.kinds}
    if not latest:
        return None  # Nobody lists any: what is open is told somewhere else, if at all.
    found = run_query(query, list(latest.values()))
    if not found:
        return QueryFinding(_TOOL, [FoundLine("None: the notes list no such quest.")], 1.0, query)
    lines = []
    for row in found:
        lines.append(
            FoundLine(
                f"- **{row.name}** ({row.fields['status']})",
                (Cite(row.piece, row.piece.text[:200]),),
            )
        )
    return QueryFinding(_TOOL, lines, 1.0, query)


_STILL = re.compile(r"\b(?:still|left|remaining|yet|have to|next)\b", re.I)
"""Asks for what is not done."""


def _of_sessions(clause: AskedClause, book: NoteBook, span: SessionSpan) -> QueryFinding | None:
    """What happened then, or when it was; None when something narrower is asked."""
    rest = _beyond_sessions(clause, span)
    if _WHEN.search(clause.text) and not rest:
        lines = [mark_line(book, mark) for mark in span.marks[:4]]
        return QueryFinding(_TOOL, lines, 1.0, _SESSIONS)
    if rest:
        return None
    room = LONGEST // max(1, len(span.marks))
    lines = [line for mark in span.marks[-4:] for line in _summary(book, mark, room)]
    return QueryFinding(_TOOL, lines, 1.0, _SESSIONS)


_MEETING = re.compile(
    r"\bwho(?:m)?\b.*\b(?:meet|met|see|saw|talk|spoke|speak|run into|came|show)", re.I
)
"""Asks for the people of a session."""
MOST_MET = 8


def _met(clause: AskedClause, book: NoteBook, span: SessionSpan) -> QueryFinding | None:
    """Whom the party met then: the people that its notes name, each with the words that do."""
    if not _MEETING.search(clause.text):
        return None
    chosen = [at for mark in span.marks for at in mark.notes]
    names = people_in(book.notes, chosen, clause.skip)[:MOST_MET]
    lines = [FoundLine(f"In {', '.join(mark.label for mark in span.marks)}:")]
    for name in names:
        at = next(at for at in chosen if name in book.notes[at].names)
        lines.append(
            FoundLine(f"- **{name}**", (Cite(book.pieces[at], book.pieces[at].text[:200]),))
        )
    return QueryFinding(_TOOL, lines, 1.0, _SESSIONS) if names else None


def _beyond_sessions(clause: AskedClause, span: SessionSpan) -> list[str]:
    """The telling words that say neither which session nor that it is to be told."""
    titles = {key for mark in span.marks for key in keys_of(mark.title)}
    rest = []
    for token in clause.tokens:
        dated = token.text in MONTHS or re.fullmatch(r"\d+(?:st|nd|rd|th)?", token.text)
        if token.telling and not dated and not _in(token.start, span.said):
            rest.append(token.key)
    return [key for key in rest if key not in _TOLD and key not in titles]


def _in(place: int, spans: Sequence[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _summary(book: NoteBook, mark: SessionMark, room: int) -> list[FoundLine]:
    """The notes of a session in their order, the first sentences of each, as many words as fit."""
    lines = [mark_line(book, mark)]
    notes = [at for at in mark.notes if book.notes[at].kind != "loot"] or mark.notes
    notes = _weightiest(book, notes, room)
    share = max(12, room // max(1, len(notes)))
    for at in notes:
        piece = book.pieces[at]
        parts = sentences_of(piece.text)
        kept, size = list[str](), 0
        for part in parts:
            if kept and size + len(part.split()) > share:
                break
            kept.append(part)
            size += len(part.split())
        if room <= 0:
            break
        room -= size
        lines.append(FoundLine(f"- {plain_line(kept)}", (Cite(piece, joined(kept, piece)),)))
    return lines


def _weightiest(book: NoteBook, notes: Sequence[int], room: int) -> list[int]:
    """Of what was said in a talk the longest messages that fit, in their order: a greeting tells
    nothing of an evening."""
    if not any(book.notes[at].kind == "talk" for at in notes):
        return list(notes)
    kept, size = set[int](), 0
    for at in sorted(notes, key=lambda at: -len(book.notes[at].text)):
        size += len(book.notes[at].text.split())
        if kept and size > room:
            break
        kept.add(at)
    return [at for at in notes if at in kept]


def _sentences(
    clause: AskedClause, book: NoteBook, span: SessionSpan | None
) -> QueryFinding | None:
    """The notes that have most of the clause's words."""
    wanted = wanted_keys(clause)
    if not wanted:
        return None
    inside = {at for mark in span.marks for at in mark.notes} if span and span.marks else None
    wanted = without_asked(wanted, book.passages)
    ranked = book.passages.ranked(wanted)
    said = ranked[0][0] - book.passages.guessed(wanted, ranked[0][1])
    chance = 0.0
    if said < PLAIN:
        meant, chance = meant_first(book.passages, wanted, clause.text, book.near_texts)
        least = TOLD_OF_THEN if is_told(clause) and not clause.mine else TOLD
        if chance < least if meant else said < SAID:
            return None
        ranked = meant or ranked
    ranked = [row for row in ranked if inside is None or row[1] in inside]
    if not ranked:
        return None
    ranked = _definitions_first(clause, book, ranked)
    best = ranked[0][0]
    if _THEN.search(clause.text) and not span:
        ranked = [
            (best, at)
            for at in (ranked[0][1], ranked[0][1] + 1, ranked[0][1] + 2)
            if at < len(book.notes)
        ]
    lines, room = list[FoundLine](), LONGEST
    most = 3 if WHO_IS.search(clause.text) or _THEN.search(clause.text) else 2
    most = 1 if _says_outright(clause, book.notes[ranked[0][1]]) else most
    for score, at in ranked[:most]:
        if score < best * NEAR:
            break
        line = _told(book, at, wanted, min(room, WHOLE), bool(_WHEN.search(clause.text)))
        size = len(line.text.split())
        if lines and size > room:
            break
        lines.append(line)
        room -= size
    return QueryFinding(_TOOL, lines, min(1.0, max(said, chance)))


def _definitions_first(
    clause: AskedClause, book: NoteBook, ranked: list[tuple[float, int]]
) -> list[tuple[float, int]]:
    """Who someone is: a note of their own comes first, then one that says what they are. What is
    under, at or in something is told by its own note, too."""
    said, who = clause.text.lower(), bool(WHO_IS.search(clause.text))

    def worth(row: tuple[float, int]) -> tuple[float, int]:
        score, at = row
        note = book.notes[at]
        gain = 0.0
        if note.about in ("npc", "location") and note.title.lower() in said:
            gain = 0.3
        elif who and any(defines(note.text, name) for name in note.names if name.lower() in said):
            gain = 0.2
        elif _says_outright(clause, note):
            gain = 0.35
        elif clause.counts and _counts_it(clause, note.text):
            gain = 0.25
        return -(score + gain), at

    return sorted(ranked, key=worth)


def _counts_it(clause: AskedClause, text: str) -> bool:
    """Whether a text has a number right before something that the clause asks the number of."""
    asked = [re.escape(clause.text[t.start : t.end]) for t in clause.tokens if t.telling]
    number = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
    return any(re.search(rf"\b{number} (?:\w+ )?{word}", text, re.I) for word in asked)


def _says_outright(clause: AskedClause, note: Note) -> bool:
    """Whether a note says what the subject of the clause is, in so many words."""
    subject = _SUBJECT_OF.search(clause.text)
    if subject is None or " " not in subject[1].strip():
        return False
    said = rf"\b{re.escape(subject[1])}\s*(?:,|is\b|was\b|are\b)"
    return bool(re.search(said, note.text, re.I))


_SUBJECT_OF = re.compile(
    r"\b(?:who|what)(?:'s| is| was| are| were) (?:the |a |an )?([\w' -]{3,40}?)\W*$", re.I
)
"""What someone or something is that has no name: the woman in grey."""


def _told(book: NoteBook, at: int, wanted: Sequence[str], room: int, when: bool) -> FoundLine:
    """A note with its session; a question of a talk with what comes right after it."""
    piece, note = book.pieces[at], book.notes[at]
    parts = best_sentences(piece.text, book.passages, wanted, room)
    line = _with_whom(book, at, passage_line(_lead(book, at), parts, piece))
    if note.kind != "talk" or at + 1 >= len(book.notes) or not note.text.endswith("?"):
        return line
    following = book.pieces[at + 1]
    more = sentences_of(following.text)[:2]
    return FoundLine(
        f"{line.text} … {plain_line(more)}", (*line.cites, Cite(following, following.text))
    )


LONGEST_TITLE = 5
"""Words of a session's title that is told with what happened in it."""
SHORT_WORD = 3
"""Letters of what may be no more than a day of the week."""
_SOMEBODY = re.compile(r"\*\*: (?:He|She|They|His|Her|Their)\b")
_SAYS_WHO = 3
"""Sentences of the note before, at most, that say who that is."""


def _lead(book: NoteBook, at: int) -> str:
    """The session of a note with what it is called, or what the note is called."""
    mark = book.mark_of(at)
    if mark is None:
        return book.notes[at].title
    told = [word for word in mark.title.split() if len(word) > SHORT_WORD]
    titled = told and len(mark.title.split()) <= LONGEST_TITLE
    return f"{mark.label}, {mark.title}" if titled else mark.label


def _with_whom(book: NoteBook, at: int, line: FoundLine) -> FoundLine:
    """A line that begins with `he` or `she`, after the sentences before it that say who it is."""
    before, note = book.notes[at - 1] if at else None, book.notes[at]
    if before is None or not _SOMEBODY.search(line.text) or before.session != note.session:
        return line
    if before.file != note.file or before.kind != note.kind:
        return line
    parts = list[str]()
    for part in reversed(sentences_of(before.text)[-_SAYS_WHO:]):
        parts.insert(0, part)
        if any(name in part for name in before.names):
            break
    piece = book.pieces[at - 1]
    text = _SOMEBODY.sub(lambda hit: f"**: {plain_line(parts)} {hit[0][4:]}", line.text, count=1)
    return FoundLine(text, (*line.cites, Cite(piece, joined(parts, piece))))
