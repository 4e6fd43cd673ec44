"""The questions of the suite `answers`: what each is asked of, and what a right answer says."""

from pathlib import Path
from typing import Literal

from pydantic import Field

from freeform.core.errors import NotFound
from freeform.core.record import Record
from freeform.core.yamlfile import read_record
from freeform.engine.authored.library import content_folder

HERE = Path(__file__).parent
SourceKind = Literal["sheet", "notes", "rules", "several", "follow"]


class AskedTable(Record):
    """What a question is asked of. `data:` lies below the data folder, `demo:` in the bundled
    example, anything else beside this file."""

    character: str = ""
    notes: str = ""
    rulebook: str = ""
    """Only this pack; '' is every rulebook there is."""


class AnswerQuestion(Record):
    """A question, and what is true.

    A fact is what must be said; `a|b` is said either way. `=3` was counted, so that no source
    shows it; `^no` stands at the very beginning.
    """

    table: str
    source: SourceKind
    ask: str
    before: list[str] = Field(default_factory=list)
    """What was asked before it in the same conversation."""
    facts: list[str] = Field(default_factory=list)
    never: list[str] = Field(default_factory=list)
    """What a right answer does not say."""
    list: bool = False
    """A list was asked for: it may be long."""
    unknowable: bool = False
    """No source says it."""


class QuestionSet(Record):
    """A file of questions."""

    questions: list[AnswerQuestion]


class TableSet(Record):
    """The tables by name."""

    tables: dict[str, AskedTable]


def read_questions(path: Path) -> list[AnswerQuestion]:
    """The questions of a file."""
    return read_record(path, QuestionSet).questions


def read_tables(data: Path | None) -> dict[str, AskedTable]:
    """The tables with the places of their files. NotFound says what is not there."""
    named = read_record(HERE / "tables.yaml", TableSet).tables
    return {name: _placed(table, data) for name, table in named.items()}


def _placed(table: AskedTable, data: Path | None) -> AskedTable:
    places = {"character": _place(table.character, data), "notes": _place(table.notes, data)}
    return table.model_copy(update=places)


def _place(name: str, data: Path | None) -> str:
    if not name:
        return ""
    root, _, rest = name.rpartition(":")
    if root == "data":
        path = data / rest if data else None
    elif root == "demo":
        path = content_folder("demo") / rest
    else:
        path = HERE / rest
    if path is None or not path.exists():
        raise NotFound(f"there is no {rest}: give --data DIR (or set FREEFORM_DATA) that holds it")
    return str(path)
