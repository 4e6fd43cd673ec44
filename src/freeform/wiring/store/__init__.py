"""Where campaigns are kept: files in the home, or a Postgres."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from freeform.adapters.sqlite.accounts import SqliteAccounts
from freeform.adapters.sqlite.campaign.copies import SqliteCopies
from freeform.adapters.sqlite.campaign.held_against import hold_against as hold_against
from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteLoreNotes, SqliteStore, SqliteTapes
from freeform.adapters.sqlite.people import SqliteTables
from freeform.core.clock import Clock, SystemClock
from freeform.core.errors import UserError
from freeform.core.llm.tape import TapeStore
from freeform.engine.campaign.archive import CampaignFiles
from freeform.engine.ports import StateStore
from freeform.engine.shelf.scene_lore import LoreNotes
from freeform.players.people.accounts import AccountStore
from freeform.players.people.ports import TableStore
from freeform.settings import Settings

if TYPE_CHECKING:
    from freeform.adapters.postgres.links import PostgresLinks

MISSING = "`store_url` needs the extra `postgres`: install freeform-rpg[postgres]"


@dataclass(frozen=True)
class CampaignKeep:
    """What keeps campaigns, opened together and closed together."""

    store: StateStore
    tapes: TapeStore
    notes: LoreNotes
    close: Callable[[], None]


def open_keep(settings: Settings, clock: Clock, campaigns: int = 32) -> CampaignKeep:
    """The store that the settings name. So many campaigns are held open at once."""
    if settings.store_url.get_secret_value():
        return _in_postgres(settings, clock, campaigns)
    shelf = CampaignShelf(settings.home, keep=campaigns)
    return CampaignKeep(
        SqliteStore(shelf, clock), SqliteTapes(shelf), SqliteLoreNotes(shelf), shelf.close
    )


@asynccontextmanager
async def opened_keep(settings: Settings) -> AsyncIterator[CampaignKeep]:
    """The same, closed afterwards."""
    keep = open_keep(settings, SystemClock())
    try:
        yield keep
    finally:
        keep.close()


def campaign_files(settings: Settings) -> CampaignFiles:
    """Copies of whole campaigns, for archives."""
    if settings.store_url.get_secret_value():
        links = postgres_links(settings, keep=0)  # nobody closes what copies
        from freeform.adapters.postgres.copies import PostgresCopies

        return PostgresCopies(links, settings.home)
    return SqliteCopies(settings.home)


def shared_tables(settings: Settings) -> tuple[TableStore, Callable[[], None]]:
    """Who sits at which table, and how to close it."""
    if settings.store_url.get_secret_value():
        links = postgres_links(settings)
        from freeform.adapters.postgres.people import PostgresTables

        return PostgresTables(links), links.close
    tables = SqliteTables(settings.home)
    return tables, tables.close


def kept_accounts(settings: Settings) -> tuple[AccountStore, Callable[[], None]]:
    """Who has an account, and how to close it: beside the tables, wherever those are."""
    if settings.store_url.get_secret_value():
        links = postgres_links(settings)
        from freeform.adapters.postgres.accounts import PostgresAccounts

        return PostgresAccounts(links), links.close
    accounts = SqliteAccounts(settings.home)
    return accounts, accounts.close


def postgres_links(settings: Settings, keep: int = 4) -> "PostgresLinks":
    """Connections to the Postgres of the settings."""
    try:
        from freeform.adapters.postgres.links import PostgresLinks
    except ImportError as absent:
        raise UserError(MISSING) from absent
    return PostgresLinks(settings.store_url.get_secret_value(), keep=keep)


def _in_postgres(settings: Settings, clock: Clock, campaigns: int) -> CampaignKeep:
    links = postgres_links(settings)
    from freeform.adapters.postgres.shelf import PostgresShelf
    from freeform.adapters.postgres.store import (
        PostgresLoreNotes,
        PostgresStore,
        PostgresTapes,
    )

    links.check()
    shelf = PostgresShelf(links, keep=campaigns)
    return CampaignKeep(
        PostgresStore(shelf, clock), PostgresTapes(shelf), PostgresLoreNotes(shelf), shelf.close
    )
