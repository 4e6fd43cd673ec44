"""The notes that someone may see, ready to be asked: pieces, passages, sessions, rows."""

from dataclasses import dataclass
from functools import cached_property

from freeform.assistant.model import Piece
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.notes.timeline import SessionMark, sessions_of
from freeform.assistant.query.model import Cite, FoundLine, Row
from freeform.assistant.query.passage import Passages
from freeform.language.ear import TextNearness, WordNearness, no_text_near, nothing_near


@dataclass(frozen=True)
class NoteBook:
    """The notes that someone may see, ready to be asked."""

    source: NotesSource
    viewer: str
    near: WordNearness = nothing_near
    near_texts: TextNearness = no_text_near

    @cached_property
    def notes(self) -> list[Note]:
        return [note for note in self.source.notes if self.viewer == "gm" or not note.gm_only]

    @cached_property
    def pieces(self) -> list[Piece]:
        return [self.source.piece_of(note) for note in self.notes]

    @cached_property
    def passages(self) -> Passages:
        return Passages(self.pieces, self.near)

    @cached_property
    def sessions(self) -> list[SessionMark]:
        return sessions_of(self.notes)

    def mark_of(self, at: int) -> SessionMark | None:
        """The session that a note tells of."""
        return next((mark for mark in self.sessions if at in mark.notes), None)

    @cached_property
    def rows(self) -> list[Row]:
        """Loot and quests as rows."""
        marks = {at: mark for mark in self.sessions for at in mark.notes}
        found = []
        for at, (note, piece) in enumerate(zip(self.notes, self.pieces, strict=True)):
            mark = marks.get(at)
            told = {"session": mark.label if mark else "", "status": note.status}
            kinds = tuple(kind for kind in ("loot", "quest") if kind in (note.kind, note.about))
            if kinds:
                found.append(Row(kinds, note.title, piece, (), told))
        return found


def mark_line(book: NoteBook, mark: SessionMark) -> FoundLine:
    title = f": {mark.title}" if mark.title else ""
    return FoundLine(f"**{mark.label}**{title}", (Cite(book.pieces[mark.notes[0]]),))
