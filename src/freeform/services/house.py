"""READ THIS FIRST. The house: what every use case works with, opened once by whichever app is at the door."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from freeform import wiring
from freeform.core.errors import Unavailable
from freeform.engine.shelf.books import Books
from freeform.engine.table import Table
from freeform.settings import Settings
from freeform.wiring.assistant import Librarian

OPEN_CAMPAIGNS = 32
"""Campaigns held open at once, unless an app wants more."""


@dataclass
class House:
    """The settings and what they describe. The model may be changed meanwhile; all else stays."""

    settings: Settings
    table: Table
    files: bool = True
    """Whether a request may name files of this machine; not when it comes over the network."""
    _librarian: Librarian | None = field(default=None, repr=False)

    @property
    def books(self) -> Books:
        """The shelf of packs."""
        if self.table.lore is None:
            raise Unavailable("this table has no books")
        return self.table.lore.books

    @property
    def librarian(self) -> Librarian:
        """Who answers questions, with the model that plays now."""
        if self._librarian is None:
            self._librarian = Librarian(self.settings, self.table, files=self.files)
        self._librarian.settings = self.settings
        self._librarian.table = self.table
        return self._librarian

    async def seat(self, settings: Settings) -> None:
        """Another model plays from now on."""
        self.table = await wiring.seat_model(settings, self.table)
        self.settings = settings


@asynccontextmanager
async def opened_house(
    settings: Settings, *, campaigns: int = OPEN_CAMPAIGNS, files: bool = True
) -> AsyncIterator[House]:
    """The house that the settings describe, and its files closed afterwards."""
    async with wiring.opened(settings, campaigns) as table:
        yield House(settings, table, files=files)
