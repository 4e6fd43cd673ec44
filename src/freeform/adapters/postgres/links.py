"""Connections to one Postgres: few, kept, taken anew when it was away; each shows one campaign."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from threading import Lock
from typing import Any

import psycopg
from psycopg.adapt import Buffer
from psycopg.types.string import StrDumperUnknown

from freeform.adapters.postgres.complaints import check_address, in_plain_words, shown_address
from freeform.adapters.postgres.migrate import migrate

CONNECT_S = 5
SCHEMA = "freeform"
ALIVE: dict[str, Any] = {
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 20_000,
}
"""A machine that is gone without a word is noticed within half a minute, not in two hours."""
_SETTINGS = (
    f"set search_path to {SCHEMA}; set lock_timeout = '5s'; set statement_timeout = '30s'; "
    "set client_min_messages = warning"
)
_MARKS = re.compile(r"'[^']*'|\?|:([a-z_]+)|%|on conflict \(")


class VisibleText(StrDumperUnknown):
    """Text as Postgres can keep it: it has no character 0, which gets its picture. The log holds
    JSON, where that character is spelled out, so nothing of it is lost."""

    def dump(self, text: str) -> Buffer | None:
        return super().dump(text.replace("\0", "\u2400") if "\0" in text else text)


@lru_cache(maxsize=512)
def translated(statement: str) -> str:
    """A shared statement as Postgres reads it: other marks for values; and what is unique in a
    campaign's own file is unique beside the campaign's name here."""

    def mark(found: re.Match[str]) -> str:
        text = found[0]
        if text.startswith("'"):
            return text.replace("%", "%%")
        if text == "?":
            return "%s"
        if text == "%":
            return "%%"
        return f"%({found[1]})s" if found[1] else "on conflict (campaign_id, "

    return _MARKS.sub(mark, statement)


class CampaignLink:
    """One connection, as the shared statements use it."""

    def __init__(self, connection: "psycopg.Connection[tuple[Any, ...]]") -> None:
        self.raw = connection
        self._shows: str | None = None

    @property
    def is_usable(self) -> bool:
        return not self.raw.closed and not self.raw.broken

    def begin(self, campaign: str, kind: str) -> None:
        """Begins a transaction that sees that campaign: one way there and back."""
        if self._shows == campaign:
            self.raw.execute(f"begin {kind}")
            return
        self._shows = None  # what is set inside goes when the transaction fails
        with psycopg.ClientCursor(self.raw) as cursor:
            cursor.execute(
                f"begin {kind}; select set_config('freeform.campaign', %s, false)", (campaign,)
            )

    def end(self, campaign: str, *, well: bool) -> None:
        """Keeps what was done, or takes it back."""
        if well:
            self.raw.execute("commit")
            self._shows = campaign
        else:
            self._shows = None
            with suppress(psycopg.Error):
                self.raw.execute("rollback")

    def show(self, campaign: str) -> None:
        """Sees that campaign from now on, outside a transaction."""
        if self._shows != campaign:
            self.raw.execute("select set_config('freeform.campaign', %s, false)", (campaign,))
            self._shows = campaign

    def execute(
        self, statement: str, values: Sequence[Any] | Mapping[str, Any] = (), /
    ) -> "psycopg.Cursor[tuple[Any, ...]]":
        return self.raw.execute(translated(statement), values)

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        rows = list(rows)
        if len(rows) == 1:
            return self.execute(statement, rows[0])
        cursor = self.raw.cursor()
        cursor.executemany(translated(statement), rows)
        return cursor


def why_unreached(url: str) -> str:
    """Why nobody is let in there, in a few words without the address; '' when one is."""
    try:
        psycopg.connect(url, connect_timeout=2, application_name="freeform-rpg health").close()
    except psycopg.Error:
        return "it does not answer, or does not let us in"
    return ""


class PostgresLinks:
    """The connections of one process to one database, whose tables are brought up to date."""

    def __init__(self, url: str, keep: int = 4) -> None:
        check_address(url)
        self.url, self.shown, self._keep = url, shown_address(url), keep
        self._idle: list[CampaignLink] = []
        self._lock = Lock()
        self._ready = False
        self._closed = False

    @contextmanager
    def using(
        self, start: "Callable[[CampaignLink], None] | None" = None
    ) -> Iterator[CampaignLink]:
        """A connection for a while. `start` is tried again on a new one when an old one proves
        dead: nothing was asked of it yet."""
        with in_plain_words(self.shown):
            link = self._taken(start)
            try:
                yield link
            finally:
                self._give_back(link)

    def check(self) -> None:
        """Raises what is wrong with the database, in plain words, before anything is asked."""
        with self.using():
            pass

    def connect(self) -> "psycopg.Connection[tuple[Any, ...]]":
        """A new connection, with the database's tables as we know them."""
        with in_plain_words(self.shown):
            raw = psycopg.connect(
                self.url,
                autocommit=True,
                connect_timeout=CONNECT_S,
                application_name="freeform-rpg",
                prepare_threshold=2,
                **ALIVE,
            )
            try:
                raw.adapters.register_dumper(str, VisibleText)
                if not self._ready:
                    migrate(raw, SCHEMA, self.shown)
                    self._ready = True
                raw.execute(_SETTINGS)
            except BaseException:
                raw.close()
                raise
            return raw

    def close(self) -> None:
        """Lets go of all that are idle."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for link in idle:
            link.raw.close()

    def _taken(self, start: "Callable[[CampaignLink], None] | None") -> CampaignLink:
        while True:
            with self._lock:
                link = self._idle.pop() if self._idle else None
            fresh = link is None
            link = link or CampaignLink(self.connect())
            try:
                if start:
                    start(link)
                return link
            except psycopg.OperationalError:
                usable = link.is_usable
                self._give_back(link)
                if fresh or usable:
                    raise
            except BaseException:
                self._give_back(link)
                raise

    def _give_back(self, link: CampaignLink) -> None:
        idle = psycopg.pq.TransactionStatus.IDLE
        with self._lock:
            if (
                link.is_usable
                and link.raw.info.transaction_status == idle
                and len(self._idle) < self._keep
                and not self._closed
            ):
                self._idle.append(link)
                return
        link.raw.close()
