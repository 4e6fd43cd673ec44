"""What people at a table need from outside: a place where the table and its talk are kept."""

from collections.abc import Callable
from typing import Protocol

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


def not_open(campaign: str) -> str:
    """What is said where no table was opened."""
    return (
        f"'{campaign}' is played alone; open it to others with `table open {campaign}`, "
        "or Invite at the table"
    )
