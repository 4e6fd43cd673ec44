"""What a query is asked of and what it finds: rows with fields, conditions, lines with their
sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from pydantic import Field

from freeform.assistant.model import Number, Piece, Tool
from freeform.core.record import Record

FieldValue = str | int | float | bool | list[str]
Want = Literal["list", "count", "value", "most", "least", "exists"]
Op = Literal["is", "not", "over", "under"]


@dataclass(frozen=True)
class Row:
    """One thing that a source holds: an item, a spell, a number, a session, an entry of the
    rules."""

    kinds: tuple[str, ...]
    name: str
    piece: Piece
    """What shows it, and is cited for it."""
    names: tuple[str, ...] = ()
    """What else it is called."""
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    quotes: Mapping[str, str] = field(default_factory=dict)
    """The literal words that tell a field."""
    number: Number | None = None

    @property
    def tool(self) -> Tool:
        return self.piece.tool


class RowTest(Record):
    """A test on a field. A list passes `is` when it holds the value."""

    field: str
    op: Op = "is"
    value: FieldValue

    def holds(self, row: Row) -> bool:
        """Whether a row passes."""
        told = row.fields.get(self.field)
        if told is None:
            return self.op == "not"
        if self.op in ("over", "under"):
            if not isinstance(told, int | float) or not isinstance(self.value, int | float):
                return False
            return told > self.value if self.op == "over" else told < self.value
        same = self.value in told if isinstance(told, list) else told == self.value
        return same if self.op == "is" else not same


class ThingQuery(Record):
    """What is asked of rows. The same for sheet, notes and rules; a model may write it."""

    tool: Tool
    kinds: list[str] = Field(default_factory=list)
    """Rows of any of these kinds; empty: of every kind."""
    names: list[str] = Field(default_factory=list)
    """Rows of these names only."""
    where: list[RowTest] = Field(default_factory=list)
    want: Want = "list"
    field: str = ""
    """What is told of the rows, or what they are ordered by."""


@dataclass(frozen=True)
class Cite:
    """A piece, and the words of it that show what is said."""

    piece: Piece
    quote: str = ""


@dataclass(frozen=True)
class FoundLine:
    """A line of an answer and what it rests on."""

    text: str
    cites: tuple[Cite, ...] = ()


@dataclass(frozen=True)
class QueryFinding:
    """What one clause of a question found in one source. `coverage`: how much of the clause it
    explains, from 0 to 1."""

    tool: Tool
    lines: Sequence[FoundLine]
    coverage: float = 1.0
    query: ThingQuery | None = None
    numbers: Sequence[Number] = ()
    known: bool = True
    """False: the source was read, and does not say."""


def run_query(query: ThingQuery, rows: Sequence[Row]) -> list[Row]:
    """The rows that pass, in their order; by the field, where the most or least is wanted."""
    names = {name.lower() for name in query.names}
    found = [row for row in rows if _passes(row, query, names)]
    if query.want not in ("most", "least"):
        return found
    counted = [row for row in found if isinstance(row.fields.get(query.field), int | float)]
    if not counted:
        return []
    values = [float(_number(row, query.field)) for row in counted]
    best = max(values) if query.want == "most" else min(values)
    return [row for row, value in zip(counted, values, strict=True) if value == best]


def _passes(row: Row, query: ThingQuery, names: set[str]) -> bool:
    if query.kinds and not set(query.kinds) & set(row.kinds):
        return False
    if names and row.name.lower() not in names:
        return False
    return all(test.holds(row) for test in query.where)


def _number(row: Row, name: str) -> float:
    value = row.fields[name]
    return float(value) if isinstance(value, int | float) else 0.0
