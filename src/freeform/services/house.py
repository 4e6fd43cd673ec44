"""READ THIS FIRST. The house: what a use case works with, opened once by the app at the door."""

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from freeform import wiring
from freeform.core.errors import Unavailable
from freeform.engine.shelf.books import Books
from freeform.engine.table import Table
from freeform.services.librarian import Librarian
from freeform.settings import Settings

if TYPE_CHECKING:
    from freeform.players.people.ports import TableStore
    from freeform.wiring.people import AccountDesk
    from freeform.wiring.players import PartyRoom

OPEN_CAMPAIGNS = 32
"""Campaigns held open at once, unless an app wants more."""


@dataclass
class House:
    """The settings and what they describe. The model may be changed meanwhile; all else stays."""

    settings: Settings
    table: Table
    model: str = wiring.OFFLINE
    """The model that plays, by name."""
    files: bool = True
    """Whether a request may name files of this machine; not when it comes over the network."""
    playing: set[str] = field(default_factory=set)
    """Parties whose rounds are being played, whichever door began them."""
    asked: dict[str, list[float]] = field(default_factory=dict)
    """When each person at a table asked something lately."""
    _librarian: Librarian | None = field(default=None, repr=False)
    _parlour: "PartyRoom | None" = field(default=None, repr=False)
    _tables: "TableStore | None" = field(default=None, repr=False)
    _accounts: "AccountDesk | None" = field(default=None, repr=False)
    _closing: AsyncExitStack = field(default_factory=AsyncExitStack, repr=False)

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

    @property
    def tables(self) -> "TableStore":
        """Who sits at which table; closed with the house."""
        from freeform.wiring.people import open_tables

        if self._tables is None:
            self._tables = self._closing.enter_context(open_tables(self.settings))
        return self._tables

    @property
    def accounts(self) -> "AccountDesk":
        """Who has an account; closed with the house. Nobody asks for it where they are off."""
        from freeform.wiring.people import open_accounts

        if self._accounts is None:
            opening = open_accounts(self.settings, self.table.clock)
            self._accounts = self._closing.enter_context(opening)
        return self._accounts

    async def parlour(self) -> "PartyRoom":
        """What AI players play with, round the table as it is now; closed with the house."""
        # A turn needs nothing of it, and its libraries take a second to import.
        from freeform.wiring.players import parlour_at

        if self._parlour is None or self._parlour.table is not self.table:
            opening = parlour_at(self.settings, self.table)
            self._parlour = await self._closing.enter_async_context(opening)
        return self._parlour

    async def close(self) -> None:
        """Closes what was opened on the way; the table is closed by who opened it."""
        await self._closing.aclose()

    async def seat(self, settings: Settings) -> None:
        """Another model plays from now on."""
        model = await wiring.chosen_model(settings)
        self.table = await wiring.seat_model(_playing(settings, model), self.table)
        self.settings = settings
        self.model = model

    async def take_over(self, chosen: Mapping[str, Any]) -> None:
        """What was chosen in another process holds from now on; all else stays."""
        settings = self.settings.model_copy(update=chosen)
        if "model" in chosen:
            await self.seat(settings)
        else:
            self.settings = settings


@asynccontextmanager
async def opened_house(
    settings: Settings, *, campaigns: int = OPEN_CAMPAIGNS, files: bool = True, model: bool = True
) -> AsyncIterator[House]:
    """The house that the settings describe, closed afterwards.

    Without `model` none is looked for: what plays no turn and asks nothing works without a key.
    """
    chosen = await wiring.chosen_model(settings) if model else wiring.OFFLINE
    named = _playing(settings, chosen) if model else _without_models(settings)
    async with wiring.opened(named, campaigns) as table:
        house = House(settings, table, model=chosen, files=files)
        try:
            yield house
        finally:
            await house.close()


def _playing(settings: Settings, model: str) -> Settings:
    """The settings with the model that was found, so that it is looked for once."""
    return settings.model_copy(update={"model": model})


def _without_models(settings: Settings) -> Settings:
    nobody = {f"models_{role}": "" for role in wiring.ROLES}
    return settings.model_copy(update={"model": wiring.OFFLINE, **nobody})
