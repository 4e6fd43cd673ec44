"""What people at a table need from outside: a place where the table and its talk are kept."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, runtime_checkable

from pydantic import Field

from freeform.core.record import Record
from freeform.players.people.model import ChatLine, SharedTable

TableChange = Callable[[SharedTable], SharedTable]
"""What becomes of a table. It is called within the store's lock, and raises to leave all as is."""


class TableStore(Protocol):
    """Keeps who sits at a campaign's table, and what they say beside the story."""

    async def find(self, campaign: str) -> SharedTable | None:
        """The table, or None where nobody was ever invited."""
        ...

    async def open(self, table: SharedTable) -> SharedTable:
        """Keeps a new table; gives the one that stands, if there is one already."""
        ...

    async def change(self, campaign: str, change: TableChange) -> SharedTable:
        """Reads, changes and keeps, one at a time whoever asks. NotFound where none was opened."""
        ...

    async def say(self, campaign: str, line: ChatLine) -> ChatLine:
        """Adds a line to the talk, and numbers it."""
        ...

    async def talk(self, campaign: str, after: int = 0, most: int = 200) -> list[ChatLine]:
        """The last lines after a number, oldest first."""
        ...

    def lease(self, campaign: str) -> AbstractAsyncContextManager[None]:
        """Inside, no other process of this home plays what is due at that table; one that dies lets
        go. Where processes share a wire, that is what holds them apart."""
        ...


@runtime_checkable
class WrittenElsewhere(Protocol):
    """A store in files, which another process may write in, too."""

    def written_elsewhere(self, campaign: str) -> int:
        """A number that changes when another process has written in the campaign's file."""
        ...


class TableNews(Record):
    """One thing that happened at a table, as it goes from process to process."""

    number: int
    """Grows, for all processes alike."""
    kind: str
    data: dict[str, Any]
    people: list[str] = Field(default_factory=list)
    """The people it is for, by id; for everyone without."""


class TableWire(Protocol):
    """Carries what happens at tables to every process that serves them."""

    @property
    def run(self) -> str:
        """The name of this row of numbers: while it stays, a number means the same."""
        ...

    @property
    def process(self) -> str:
        """This process, by a name that no other has."""
        ...

    @property
    def last(self) -> int:
        """The number of the newest piece of news that it knows of, kept or not."""
        ...

    def send(self, kind: str, data: dict[str, Any], people: Sequence[str]) -> None:
        """Tells every process, this one too; in the order told, each once."""
        ...

    def hear(self, listener: Callable[[TableNews], None]) -> None:
        """Calls with each piece of news from now on, after the last ones that are still kept."""
        ...

    def lease(self, campaign: str) -> AbstractAsyncContextManager[None]:
        """Inside, no other process plays what is due at that table; one that dies lets go."""
        ...

    async def claim(self, key: str) -> bool:
        """Takes a key, for an hour; False where any process has taken it. One that was taken by a
        process that is gone, and not kept, is free."""
        ...

    async def keep(self, key: str) -> None:
        """What a key was taken for is done."""
        ...

    async def give_back(self, key: str) -> None:
        """Nothing came of what a key was taken for: whoever comes again may take it."""
        ...


def not_open(campaign: str) -> str:
    """What is said where no table was opened."""
    return (
        f"'{campaign}' is played alone; open it to others with `table open {campaign}`, "
        "or Invite at the table"
    )
