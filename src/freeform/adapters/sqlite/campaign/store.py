"""Campaigns in SQLite files, one each: the statements are those of `adapters/sql`."""

from typing import cast

from freeform.adapters.sql.scene_lore import SqlLoreNotes
from freeform.adapters.sql.store import SqlStore
from freeform.adapters.sql.tapes import SqlTapes


class SqliteStore(SqlStore):
    """The `StateStore` of one home."""

    def written_elsewhere(self, campaign: str) -> int:
        """A number that changes when another process has written in the campaign's file."""
        others, _ = cast(tuple[int, int], self._shelf.campaign(campaign).version())
        return others


class SqliteTapes(SqlTapes):
    """The `TapeStore` of one home."""


class SqliteLoreNotes(SqlLoreNotes):
    """The `LoreNotes` of one home."""
