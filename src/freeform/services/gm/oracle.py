"""The oracle: yes or no by odds, random tables of packs and of the house; the log is witness."""

from freeform.core.record import Record
from freeform.engine.campaign.oracle import OracleAnswer, consult, read_question
from freeform.engine.shelf.books import general_tables
from freeform.packs.tables import RandomTable
from freeform.services.house import House


class TableShelved(Record):
    """A random table as a list shows it."""

    id: str
    name: str
    about: str
    rows: int
    source: str


class OracleTables(Record):
    """What the oracle can be asked for by name."""

    tables: list[TableShelved]


async def ask_oracle(house: House, campaign: str, text: str, odds: str = "") -> OracleAnswer:
    """Asks it a question, with odds at its end or beside it, or for a row of a table."""
    tables = await _tables(house, campaign)
    return await consult(campaign, read_question(text, odds, tables), tables, house.table)


async def list_tables(house: House, campaign: str) -> OracleTables:
    """The tables of the campaign's packs, and those of the house."""
    tables = await _tables(house, campaign)
    rows = [
        TableShelved(
            id=id, name=table.name, about=table.about, rows=len(table.rows), source=table.source
        )
        for id, table in sorted(tables.items())
    ]
    return OracleTables(tables=rows)


async def _tables(house: House, campaign: str) -> dict[str, RandomTable]:
    """By id; a pack's own stands before the general one of that id."""
    begun = await house.table.store.begun(campaign)
    return house.books.tables(begun.packs) if begun.packs else general_tables()
