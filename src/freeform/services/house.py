"""READ THIS FIRST. The house: what a use case works with, opened once by the app at the door."""

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
    model: str = wiring.OFFLINE
    """The model that plays, by name."""
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
        model = await wiring.chosen_model(settings)
        self.table = await wiring.seat_model(_playing(settings, model), self.table)
        self.settings = settings
        self.model = model


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
        yield House(settings, table, model=chosen, files=files)


def _playing(settings: Settings, model: str) -> Settings:
    """The settings with the model that was found, so that it is looked for once."""
    return settings.model_copy(update={"model": model})


def _without_models(settings: Settings) -> Settings:
    nobody = {f"models_{role}": "" for role in wiring.ROLES}
    return settings.model_copy(update={"model": wiring.OFFLINE, **nobody})
