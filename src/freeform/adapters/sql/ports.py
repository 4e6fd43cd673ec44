"""What the SQL of campaigns needs of a database: rows, one campaign held open, and all of them.

The statements are the same everywhere. A database shows each of them one campaign at a time: SQLite
has a file for each, Postgres views of the rows of one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from freeform.core.errors import NotFound


class Rows(Protocol):
    """What a statement answers."""

    def fetchone(self) -> Any:
        """The next row, or None."""
        ...

    def fetchall(self) -> list[Any]:
        """All rows that are left."""
        ...

    def __iter__(self) -> Iterator[Any]: ...


class Db(Protocol):
    """One campaign's tables, inside a transaction."""

    def execute(self, statement: str, values: Sequence[Any] | Mapping[str, Any] = ..., /) -> Rows:
        """One statement with `?` or `:name` for its values."""
        ...

    def executemany(self, statement: str, rows: Iterable[Sequence[Any]], /) -> object:
        """The same statement for each row."""
        ...


class OpenCampaign(Protocol):
    """One campaign at hand. `kept` is what a store remembers of it."""

    @property
    def path(self) -> Path | str:
        """Where it lies, for complaints."""
        ...

    @property
    def kept(self) -> dict[str, Any]:
        """What a store remembers; it goes when the campaign is another one."""
        ...

    def reading(self) -> AbstractContextManager[Db]:
        """Everything read inside is of one moment."""
        ...

    def writing(self) -> AbstractContextManager[Db]:
        """Everything written inside is kept, or nothing is. One writer at a time, in all
        processes."""
        ...

    def ask(self, question: str, values: Sequence[Any] = ()) -> tuple[Any, ...] | None:
        """The first row of one question, which needs no transaction around it."""
        ...

    def version(self) -> object:
        """Changes whenever the campaign may have changed: by another process, or by us."""
        ...

    def add_later(self, statement: str, values: Sequence[Any]) -> None:
        """Lets a statement wait for the next change; not for ever."""
        ...

    def settle(self) -> None:
        """Writes what waits."""
        ...


class CampaignsAtHand(Protocol):
    """All campaigns of a home or a database."""

    def names(self) -> list[str]:
        """Every campaign, in order of name."""
        ...

    def campaign(self, campaign: str, *, make: bool = False) -> OpenCampaign:
        """One of them; NotFound when there is none, unless it is to be made."""
        ...

    def at_hand(self, campaign: str) -> OpenCampaign | None:
        """The same if it is open, without asking whether it is still the same one."""
        ...

    def outside(self) -> OpenCampaign:
        """The place for tapes that belong to no campaign."""
        ...

    def missing(self, campaign: str) -> NotFound:
        """The complaint that there is no such campaign, with those that there are."""
        ...
