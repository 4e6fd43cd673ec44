"""The campaigns of a database: each at hand with what a store remembers of it."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from threading import RLock
from typing import Any

import psycopg

from freeform.adapters.postgres.complaints import in_plain_words
from freeform.adapters.postgres.links import CampaignLink, PostgresLinks
from freeform.adapters.sql.names import check_id
from freeform.core.errors import FreeformError, NotFound

MOST_WAITING = 64
_READ = "isolation level repeatable read read only"
_HOLD = (
    "insert into held (campaign) values (%s) on conflict (campaign)"
    " do update set version = held.version + 1 returning made, version"
)
Version = tuple[int, int] | None


class CampaignHeld:
    """One campaign of a database."""

    def __init__(self, links: PostgresLinks, campaign: str) -> None:
        self.path = f"campaign '{campaign}' in {links.shown}" if campaign else links.shown
        self.kept: dict[str, Any] = {}
        self._links, self._campaign, self._lock = links, campaign, RLock()
        self._waiting: list[tuple[str, Sequence[Any]]] = []
        self._made = 0
        self._inside: CampaignLink | None = None
        self._version: Version = None
        """While it is being written: what the version will be."""

    @contextmanager
    def reading(self) -> Iterator[CampaignLink]:
        """Everything read inside is of one moment."""
        with self._lock, self._transaction(_READ) as link:
            yield link

    @contextmanager
    def writing(self) -> Iterator[CampaignLink]:
        """Everything written inside is kept, or nothing is. One writer at a time, in all
        processes."""
        # What answers nothing is not waited for: the way there and back is most of what it costs.
        with self._lock, self._transaction("") as link, link.raw.pipeline():
            self._version = self._seen(link.raw.execute(_HOLD, (self._campaign,)).fetchone())
            waiting, self._waiting = self._waiting, []  # one that cannot be kept is not tried again
            for statement, values in waiting:
                link.execute(statement, values)
            try:
                yield link
            except BaseException:
                self._waiting = [*waiting, *self._waiting]
                raise

    def ask(self, question: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of one question, which needs no transaction around it."""
        with self._lock, self._links.using(lambda link: link.show(self._campaign)) as link:
            return link.execute(question, values).fetchone()

    def version(self) -> Version:
        """Changes whenever the campaign may have changed, in any process."""
        with self._lock:
            if self._version:
                return self._version
            if self._inside:
                return self._asked(self._inside)
            found: list[Version] = []
            with self._links.using(lambda link: found.append(self._asked(link))):
                return found[-1]

    def add_later(self, statement: str, values: Sequence[Any]) -> None:
        """Lets a statement wait; not for ever."""
        with self._lock:
            self._waiting.append((statement, values))
            if len(self._waiting) >= MOST_WAITING:
                self.settle()

    def settle(self) -> None:
        """Writes what waits."""
        if self._waiting:
            with self.writing():
                pass

    def close(self) -> None:
        """Writes what waits, if that can be done: it could be made again."""
        with suppress(FreeformError, psycopg.Error):
            self.settle()

    @contextmanager
    def _transaction(self, kind: str) -> Iterator[CampaignLink]:
        with self._links.using(lambda link: link.begin(self._campaign, kind)) as link:
            self._inside = link
            well = False
            try:
                with in_plain_words(self.path):
                    yield link
                    link.end(self._campaign, well=True)
                    well = True
            finally:
                self._inside = self._version = None
                if not well:
                    link.end(self._campaign, well=False)

    def _asked(self, link: CampaignLink) -> Version:
        row = link.raw.execute(
            "select made, version from held where campaign = %s", (self._campaign,)
        ).fetchone()
        return self._seen(row)

    def _seen(self, row: tuple[Any, ...] | None) -> Version:
        """What is remembered of another campaign of this name is forgotten."""
        if row is None:
            self.kept.clear()
            return None
        if row[0] != self._made:
            self.kept.clear()
            self._made = row[0]
        return row[0], row[1]


class PostgresShelf:
    """The campaigns of a database, and the place for tapes of none."""

    def __init__(self, links: PostgresLinks, keep: int = 32) -> None:
        self.links, self._keep = links, keep
        self._held: dict[str, CampaignHeld] = {}
        self._lock = RLock()

    def names(self) -> list[str]:
        """Every campaign that has begun, in order of name."""
        with self.links.using() as link:
            rows = link.raw.execute('select id from all_campaigns order by id collate "C"')
            return [name for (name,) in rows]

    def campaign(self, campaign: str, *, make: bool = False) -> CampaignHeld:
        """One of them. Whether it has begun shows when it is asked something."""
        return self._of(check_id(campaign))

    def at_hand(self, campaign: str) -> CampaignHeld | None:
        """The same, if it was asked for before."""
        return self._held.get(campaign)

    def outside(self) -> CampaignHeld:
        """The place for tapes that belong to no campaign."""
        return self._of("")

    def missing(self, campaign: str) -> NotFound:
        """The complaint that there is no such campaign, with those that there are."""
        names = [name for name in self.names() if name != campaign]
        there = (
            f"there are: {', '.join(names)}"
            if names
            else "there are none yet; begin one with new-game"
        )
        return NotFound(f"no campaign '{campaign}'; {there}")

    def settle(self) -> None:
        """Writes what waits anywhere."""
        for held in list(self._held.values()):
            held.settle()

    def close(self) -> None:
        """Writes what waits, and lets go of every connection."""
        with self._lock:
            while self._held:
                self._held.popitem()[1].close()
        self.links.close()

    def _of(self, campaign: str) -> CampaignHeld:
        """The last one asked for stands last."""
        with self._lock:
            held = self._held.pop(campaign, None) or CampaignHeld(self.links, campaign)
            self._held[campaign] = held
            if len(self._held) > self._keep:
                self._held.pop(next(iter(self._held))).close()
            return held
