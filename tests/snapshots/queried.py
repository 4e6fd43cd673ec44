"""Sheets and notebooks of every make, as they are read, and what questions about them find, by rules alone.

No search and no reader: each line comes of the words of the question and of the file.
"""

from pathlib import Path
from typing import Any

from freeform.assistant.model import Asking
from freeform.assistant.notes.markdown import read_notes
from freeform.assistant.notes.model import Note
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.notes.timeline import sessions_of
from freeform.assistant.query.desk import QueryDesk, desk_for
from freeform.assistant.query.find import find
from freeform.assistant.sheet.model import Sheet
from freeform.assistant.sheet.read import read_sheet
from freeform.assistant.sheet.source import SheetSource
from freeform.core.yamlfile import read_record
from freeform.evals.suites.answers.question import HERE, TableSet, read_questions
from tests.snapshots.keeping import cut, plain, sealed

SHEETS = HERE / "sheets"
NOTES = HERE / "notes"
ANYBODY = (
    "What is my armor class?",
    "How many hit points do I have left?",
    "What is my best skill?",
    "Which saving throws am I proficient in?",
    "What do I carry?",
    "How much gold do I have?",
    "What am I attuned to?",
    "Which spells do I have prepared?",
    "How many spell slots are left?",
    "What do I roll to hit, and for how much?",
    "How far can I see in the dark?",
    "What languages do I speak?",
    "How heavy is all I carry?",
    "AC without the shield?",
    "What level am I, and of which class?",
    "Who is my brother?",
)
"""Of each sheet."""
ANY_NOTES = (
    "What happened last session?",
    "How many sessions were there?",
    "Who did we meet first?",
    "What do we owe, and to whom?",
    "Which quests are open?",
    "What did we find?",
)
"""Of each notebook."""


async def queried(folder: Path) -> dict[str, Any]:
    """Every sheet and notebook that lies with the suite of answers, and its open questions."""
    sheets = {
        file.name: read_sheet(file.read_bytes(), file.name)
        for file in sorted(SHEETS.iterdir())[::2]
    }
    books = {each.name: read_notes(each) for each in sorted(NOTES.iterdir())}
    notes = {name: NotesSource(book, label="notes") for name, book in books.items()}
    return {
        "sheets": {name: _read(sheet) for name, sheet in sheets.items()},
        "of_sheets": {
            name: _found(ANYBODY, desk_for([SheetSource(sheet)], {}, Asking()))
            for name, sheet in list(sheets.items())[::2]
        },
        "of_notes": {
            name: _found(ANY_NOTES, desk_for([source], {}, Asking()))
            for name, source in list(notes.items())[::4]
        },
        "sessions": {name: _session_marks(book) for name, book in books.items()},
        "open": _open(sheets, notes),
    }


def _read(sheet: Sheet) -> str:
    """Each part under a short seal: which of them changed is seen."""
    parts = " ".join(f"{key}:{sealed(value)[:4]}" for key, value in plain(sheet).items())
    return f"{parts} lines:{sealed(SheetSource(sheet).pieces)[:4]}"


def _session_marks(book: list[Note]) -> str:
    marks = [f"{mark.number}:{mark.date}:{len(mark.notes)}" for mark in sessions_of(book)]
    return " ".join([sealed(book)[:4], *marks])


def _open(sheets: dict[str, Sheet], notes: dict[str, NotesSource]) -> list[Any]:
    """The questions that may be looked at, where all they are asked of lies in the house."""
    tables = read_record(HERE / "tables.yaml", TableSet).tables
    told: list[Any] = []
    for each in read_questions(HERE / "development.yaml"):
        table = tables[each.table]
        sheet = sheets.get(table.character.removeprefix("sheets/"))
        book = notes.get(table.notes.removeprefix("notes/"))
        sources = [SheetSource(sheet)] if sheet else []
        if sources and not book:
            told += _found(
                [each.ask], desk_for([*sources, *([book] if book else [])], {}, Asking())
            )
    return told


def _found(questions: Any, desk: QueryDesk) -> list[str]:
    told: list[str] = []
    for question in questions:
        lines = [line.text for each in find(question, desk, [], []) for line in each.lines]
        told.append(f"{cut(question)} = {cut(' / '.join(lines)) if lines else '-'}")
    return told
