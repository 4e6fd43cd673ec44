"""Random tables: rows with weights, drawn in the open; a row may name other tables in braces."""

import re
from collections.abc import Mapping

from pydantic import Field, field_validator

from freeform.core.chance import Chance
from freeform.core.record import Record

SLOT = re.compile(r"\{([a-z0-9_-]+)\}")
_DEEPEST, MOST_ROLLS = 4, 32
"""How deep tables may name others, and how many dice one draw may take."""


class RandomRow(Record):
    """One thing that may come."""

    text: str = Field(min_length=1)
    weight: int = Field(default=1, ge=1, le=1000)


class RandomTable(Record):
    """A table as its file has it; its id is the file's name."""

    id: str = ""
    name: str
    about: str = ""
    rows: list[RandomRow] = Field(min_length=1)
    source: str = ""
    """Which pack brought it: `pack saltmarch: tables/weather.yaml`, or `general`."""

    @field_validator("rows", mode="before")
    @classmethod
    def _plain_rows(cls, rows: object) -> object:
        """A row may be nothing but its words."""
        if not isinstance(rows, list):
            return rows
        return [{"text": row} if isinstance(row, str) else row for row in rows]

    @property
    def sides(self) -> int:
        """The die that is rolled on it."""
        return sum(row.weight for row in self.rows)

    def row_at(self, rolled: int) -> RandomRow:
        """The row that a roll names."""
        left = rolled
        for row in self.rows:
            left -= row.weight
            if left <= 0:
                return row
        return self.rows[-1]


class TableRoll(Record):
    """One die on one table."""

    table: str
    sides: int
    rolled: int
    text: str


class DrawnText(Record):
    """What came, and every die that was rolled for it."""

    text: str
    rolls: list[TableRoll]


def draw(id: str, tables: Mapping[str, RandomTable], chance: Chance) -> DrawnText:
    """Rolls on a table; tables that its row names are rolled on in turn."""
    rolls: list[TableRoll] = []
    text = _draw(id, tables, chance, rolls)
    return DrawnText(text=text, rolls=rolls)


def _draw(
    id: str,
    tables: Mapping[str, RandomTable],
    chance: Chance,
    rolls: list[TableRoll],
    depth: int = 0,
) -> str:
    table = tables[id]
    rolled = chance.at(id, len(rolls)).die(table.sides)
    row = table.row_at(rolled)
    rolls.append(TableRoll(table=id, sides=table.sides, rolled=rolled, text=row.text))
    if depth >= _DEEPEST:
        return SLOT.sub("…", row.text)

    def filled(slot: re.Match[str]) -> str:
        if slot[1] not in tables:
            return slot[0]
        if len(rolls) >= MOST_ROLLS:
            return "…"
        return _draw(slot[1], tables, chance, rolls, depth + 1)

    return SLOT.sub(filled, row.text)
