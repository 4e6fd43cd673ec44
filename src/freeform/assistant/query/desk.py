"""The sources of one question, made ready to be queried."""

from collections.abc import Collection, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property

from freeform.assistant.entities.table import NameTable
from freeform.assistant.model import Asking, Tool
from freeform.assistant.notes.source import NotesSource
from freeform.assistant.ports import Source
from freeform.assistant.query.asked.notebook import NoteBook
from freeform.assistant.query.asked.stated import stated_rows
from freeform.assistant.query.model import Row
from freeform.assistant.query.passage import Passages
from freeform.assistant.query.sheet_rows import rows_of_sheet
from freeform.assistant.rulebook.catalogue import RulebookRow
from freeform.assistant.rulebook.source import RulebookSource
from freeform.assistant.sheet.source import SheetSource
from freeform.language.ear import TextNearness, WordNearness, no_text_near, nothing_near
from freeform.language.meaning.reading import Reader, no_reader
from freeform.language.words import words


@dataclass
class QueryDesk:
    """The sources of one question, ready to be asked."""

    sheet: SheetSource | None
    notes: NoteBook | None
    rules: RulebookSource | None
    tables: Mapping[Tool, NameTable]
    asking: Asking
    near: WordNearness = nothing_near
    near_texts: TextNearness = no_text_near
    reader: Reader = no_reader

    def present(self, chosen: Collection[Tool] = ()) -> list[Tool]:
        """The sources there are; of those chosen, where any is there."""
        there: list[tuple[Tool, object]] = [
            ("character_data", self.sheet),
            ("session_notes", self.notes),
            ("rulebook", self.rules),
        ]
        found = [tool for tool, source in there if source is not None]
        return [tool for tool in found if tool in chosen] or found

    def without_rules(self) -> "QueryDesk":
        """The same desk, with what was made ready, for a question that no rule answers."""
        made = copy(self)
        made.rules = None
        return made

    @cached_property
    def own_names(self) -> frozenset[str]:
        """The words of the character's own name: they explain themselves."""
        if not self.sheet:
            return frozenset()
        return frozenset(words(self.sheet.sheet.name.partition(" (")[0]))

    @cached_property
    def sheet_passages(self) -> Passages:
        """All that the sheet says."""
        return Passages(self.sheet.pieces if self.sheet else [], self.near)

    @cached_property
    def rules_by_id(self) -> dict[str, RulebookRow]:
        """The entries of the rules."""
        return {row.id: row for row in self.rules.rows} if self.rules else {}

    @cached_property
    def sheet_rows(self) -> list[Row]:
        """The rows of the sheet."""
        if not self.sheet:
            return []
        rows = rows_of_sheet(self.sheet.sheet, self.sheet.pieces)
        return [*rows, *stated_rows(self.sheet.sheet, self.sheet.lines, rows)]


def desk_for(
    sources: Sequence[Source],
    tables: Mapping[Tool, NameTable],
    asking: Asking,
    near: WordNearness = nothing_near,
    near_texts: TextNearness = no_text_near,
    reader: Reader = no_reader,
) -> QueryDesk:
    """The sources that can be queried, one of each kind."""
    sheet = next((each for each in sources if isinstance(each, SheetSource)), None)
    notes = next((each for each in sources if isinstance(each, NotesSource)), None)
    rules = next((each for each in sources if isinstance(each, RulebookSource)), None)
    book = NoteBook(notes, asking.viewer, near, near_texts) if notes else None
    return QueryDesk(sheet, book, rules, tables, asking, near, near_texts, reader)
