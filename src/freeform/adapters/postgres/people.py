"""Shared tables in Postgres: who sits at a campaign's table, and what they say beside the story."""

from contextlib import AbstractAsyncContextManager, nullcontext

from freeform.adapters.postgres.links import CampaignLink, PostgresLinks
from freeform.adapters.sql.names import check_id
from freeform.core.errors import NotFound
from freeform.players.people.model import ChatLine, SharedTable
from freeform.players.people.ports import TableChange, not_open


class PostgresTables:
    """The `TableStore` of one database."""

    def __init__(self, links: PostgresLinks) -> None:
        self._links = links

    async def find(self, campaign: str) -> SharedTable | None:
        check_id(campaign)
        with self._links.using() as link:
            return _table(link, campaign)

    async def open(self, table: SharedTable) -> SharedTable:
        check_id(table.campaign)
        with self._links.using() as link:
            link.raw.execute(
                "insert into shared_tables (campaign, record) values (%s, %s)"
                " on conflict (campaign) do nothing",
                (table.campaign, table.model_dump_json()),
            )
            return _table(link, table.campaign) or table

    async def change(self, campaign: str, change: TableChange) -> SharedTable:
        check_id(campaign)
        with self._links.using() as link, link.raw.transaction():
            standing = _table(link, campaign, " for update")
            if standing is None:
                raise NotFound(not_open(campaign))
            changed = change(standing)
            if changed != standing:
                link.raw.execute(
                    "update shared_tables set record = %s where campaign = %s",
                    (changed.model_dump_json(), campaign),
                )
        return changed

    async def say(self, campaign: str, line: ChatLine) -> ChatLine:
        check_id(campaign)
        with self._links.using() as link, link.raw.transaction():
            if _table(link, campaign, " for update") is None:
                raise NotFound(not_open(campaign))
            row = link.raw.execute(
                "insert into talk (campaign, no, line)"
                " select %(at)s, coalesce(max(no), 0) + 1, %(line)s from talk where campaign = %(at)s returning no",
                {"at": campaign, "line": line.model_dump_json(exclude={"no"})},
            ).fetchone()
        return line.model_copy(update={"no": row[0] if row else 0})

    async def talk(self, campaign: str, after: int = 0, most: int = 200) -> list[ChatLine]:
        check_id(campaign)
        with self._links.using() as link:
            rows = link.raw.execute(
                "select no, line from talk where campaign = %s and no > %s"
                " order by no desc limit %s",
                (campaign, after, most),
            ).fetchall()
        lines = [(number, ChatLine.model_validate_json(text)) for number, text in reversed(rows)]
        return [line.model_copy(update={"no": number}) for number, line in lines]

    def lease(self, campaign: str) -> AbstractAsyncContextManager[None]:
        """Nothing: the wire of these processes holds them apart."""
        return nullcontext()

    def close(self) -> None:
        """Lets go of the connections."""
        self._links.close()


def _table(link: CampaignLink, campaign: str, held: str = "") -> SharedTable | None:
    row = link.raw.execute(
        f"select record from shared_tables where campaign = %s{held}", (campaign,)
    ).fetchone()
    return SharedTable.model_validate_json(row[0]) if row else None
