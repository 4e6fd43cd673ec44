"""The notes a home keeps, one folder each, whichever door brought them: `notes/<id>/`."""

import shutil
from pathlib import Path

from freeform.assistant.notes.markdown import note_files, read_notes
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.timeline import sessions_of
from freeform.core.errors import BadFile, NotFound
from freeform.core.record import Record
from freeform.core.text import slug

IN_SESSIONS = 0.3
"""Of the notes of a folder, so many stand in sessions when it is a group's notes and no world."""
BEFORE = ".before"
"""Where the notes lie that newer ones of the same id took the place of."""


class NotesRow(Record):
    """Notes on the shelf."""

    id: str
    notes: int
    sessions: int
    last: str = ""
    """The latest session, as answers call it."""


def is_session_notes(path: Path) -> bool:
    """Whether a file or folder tells of sessions: two of them, or one that is numbered, and not by
    the way."""
    try:
        notes = read_notes(path)
    except (BadFile, OSError):
        return False
    marks = sessions_of(notes)
    inside = sum(len(mark.notes) for mark in marks)
    several = len(marks) > 1 or any(mark.number for mark in marks)
    return several and inside >= IN_SESSIONS * len(notes)


class NotesShelf:
    """The notes under a home."""

    def __init__(self, home: Path) -> None:
        self._folder = home / "notes"

    def keep(self, path: Path, id: str) -> NotesRow:
        """Copies the texts of a file or folder; what was kept under that id lies in `.before`."""
        kept = slug(id) or "notes"
        place = self._folder / kept
        files = note_files(path)
        fresh = self._folder / f".new-{kept}"
        shutil.rmtree(fresh, ignore_errors=True)
        for file in files:
            name = file.relative_to(path) if path.is_dir() else Path(file.name)
            to = fresh / name
            to.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, to)
        if place.exists():
            before = self._folder / BEFORE / kept
            shutil.rmtree(before, ignore_errors=True)
            before.parent.mkdir(parents=True, exist_ok=True)
            place.rename(before)
        fresh.rename(place)
        return self._row(place)

    def rows(self) -> list[NotesRow]:
        """All that is kept, by id."""
        if not self._folder.is_dir():
            return []
        places = [p for p in self._folder.iterdir() if p.is_dir() and not p.name.startswith(".")]
        return [self._row(place) for place in sorted(places)]

    def has(self, id: str) -> bool:
        """Whether notes of that id are kept."""
        return bool(slug(id)) and slug(id) == id and (self._folder / id).is_dir()

    def read(self, id: str) -> list[Note]:
        """The notes of an id. NotFound lists what there is."""
        if not self.has(id):
            there = ", ".join(row.id for row in self.rows()) or "none yet"
            raise NotFound(f"no notes '{id[:80]}'; there are: {there}")
        return read_notes(self._folder / id)

    def _row(self, place: Path) -> NotesRow:
        notes = read_notes(place)
        marks = sessions_of(notes)
        last = marks[-1].label if marks else ""
        return NotesRow(id=place.name, notes=len(notes), sessions=len(marks), last=last)
