"""Campaigns in Postgres: the statements are those of `adapters/sql`, on views of one campaign."""

from freeform.adapters.postgres.shelf import PostgresShelf
from freeform.adapters.sql.scene_lore import SqlLoreNotes
from freeform.adapters.sql.store import SqlStore
from freeform.adapters.sql.tapes import SUM, SqlTapes, moment_of, usage_of
from freeform.core.clock import Clock
from freeform.core.llm.gateway import Usage
from freeform.engine.ports import CampaignRow

_ROWS = (
    "select c.id, c.name, c.scenario, c.created_at,"
    ' greatest(c.updated_at collate "C", last.at collate "C"), last.turn_no'
    " from all_campaigns c join all_branches b on b.campaign_id = c.id and b.active = 1"
    " join all_log last on last.campaign_id = c.id and last.id = b.head"
)


class PostgresStore(SqlStore):
    """The `StateStore` of one database."""

    def __init__(self, shelf: PostgresShelf, clock: Clock) -> None:
        super().__init__(shelf, clock)
        self._all = shelf

    async def campaigns(self) -> list[CampaignRow]:
        """All campaigns, last played first; one question for all of them."""
        fields = ("id", "name", "scenario", "created_at", "updated_at", "current_turn")
        with self._all.links.using() as link:
            found = link.raw.execute(_ROWS).fetchall()
        rows = [CampaignRow(**dict(zip(fields, row, strict=True))) for row in found]
        return sorted(rows, key=lambda row: (row.updated_at, row.id), reverse=True)


class PostgresTapes(SqlTapes):
    """The `TapeStore` of one database."""

    bytes_only = True

    def __init__(self, shelf: PostgresShelf) -> None:
        super().__init__(shelf)
        self._all = shelf

    async def spent(self, campaign: str | None, since: str) -> Usage:
        """What was used since that moment (ISO): by one campaign, or by all at once."""
        if campaign is not None:
            return await super().spent(campaign, since)
        moment = moment_of(since)
        self._all.settle()
        with self._all.links.using() as link:
            sum_of_all = SUM.replace("from tapes", "from all_tapes")
            return usage_of(link.execute(sum_of_all, (moment,)).fetchone())


class PostgresLoreNotes(SqlLoreNotes):
    """The `LoreNotes` of one database."""
