"""Campaigns in SQLite files, one each: the statements are those of `adapters/sql`."""

from freeform.adapters.sql.scene_lore import SqlLoreNotes
from freeform.adapters.sql.store import SqlStore
from freeform.adapters.sql.tapes import SqlTapes


class SqliteStore(SqlStore):
    """The `StateStore` of one home."""


class SqliteTapes(SqlTapes):
    """The `TapeStore` of one home."""


class SqliteLoreNotes(SqlLoreNotes):
    """The `LoreNotes` of one home."""
