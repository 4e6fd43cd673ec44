"""Campaigns of a database as files and back: the archive of a campaign is the same everywhere."""

from contextlib import closing
from pathlib import Path

from freeform.adapters.postgres.links import PostgresLinks
from freeform.adapters.postgres.shelf import PostgresShelf
from freeform.adapters.sql.carry import carry
from freeform.adapters.sql.names import check_id
from freeform.adapters.sql.tree import active
from freeform.adapters.sqlite.campaign.copies import prove_copy, remove_folder
from freeform.adapters.sqlite.db import open_file, plainly, transaction
from freeform.core.errors import Conflict

ROWS = (
    "all_branches",
    "all_events",
    "all_entities",
    "all_facts",
    "all_scene",
    "all_threads",
    "all_clocks",
    "all_inventory",
    "all_relationships",
    "all_summaries",
    "all_scene_lore",
    "all_log",
)
"""What hangs on a campaign by `campaign_id`; the log last, since branches name its entries."""


class PostgresCopies:
    """Copies of the campaigns of one database. Cards, covers and locks lie in the home's folder."""

    def __init__(self, links: PostgresLinks, home: Path) -> None:
        self._shelf, self._home = PostgresShelf(links), home

    def copy_out(self, campaign: str, to: Path) -> None:
        """A whole copy of one moment, as a file of its own."""
        with (
            plainly(to),
            closing(open_file(to)) as file,
            transaction(file, "immediate"),
            self._shelf.campaign(campaign).reading() as db,
        ):
            if active(db) is None:
                raise self._shelf.missing(campaign)
            carry(db, file, campaign)
        with plainly(to), closing(open_file(to)) as file:
            file.execute("pragma journal_mode = delete")

    def take_in(self, file: Path, campaign: str, taken_as: str) -> None:
        """Puts a copy into the database once it has proved to be one of ours and whole."""
        check_id(taken_as)
        prove_copy(file, campaign, taken_as)
        with (
            plainly(file),
            closing(open_file(file)) as source,
            transaction(source, "deferred"),
            self._shelf.campaign(taken_as, make=True).writing() as db,
        ):
            if active(db):
                raise Conflict(f"there is a campaign '{taken_as}' already; choose another id")
            carry(source, db, taken_as)

    def take_out(self, campaign: str) -> None:
        """Takes its rows away; who sits at its table stays."""
        self._delete(campaign, whole=False)

    def remove(self, campaign: str) -> None:
        """Takes all of a campaign away, with its table and its folder in the home."""
        self._delete(campaign, whole=True)
        remove_folder(self._home / "campaigns" / campaign)

    def _delete(self, campaign: str, *, whole: bool) -> None:
        check_id(campaign)
        with self._shelf.campaign(campaign).writing() as db:
            raw = db.raw
            raw.execute("select set_config('freeform.removing', %s, true)", (campaign,))
            for table in ROWS:
                raw.execute(f"delete from {table} where campaign_id = %s", (campaign,))
            raw.execute("delete from all_tapes where campaign = %s", (campaign,))
            raw.execute("delete from all_campaigns where id = %s", (campaign,))
            if whole:
                raw.execute("delete from shared_tables where campaign = %s", (campaign,))
            raw.execute("delete from held where campaign = %s", (campaign,))
