"""The notes of a home: brought in once, asked through every door."""

from collections.abc import Sequence

from freeform.assistant.notes.shelf import NotesRow, NotesShelf
from freeform.settings import Settings


def list_notes(settings: Settings) -> Sequence[NotesRow]:
    """The notes that are kept, by id."""
    return NotesShelf(settings.home).rows()
