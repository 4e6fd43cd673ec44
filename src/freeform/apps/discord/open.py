"""A room for Discord in a house, as the settings describe it."""

from freeform.apps.discord.parlour import DiscordRoom
from freeform.apps.discord.reading import DiscordAssistant
from freeform.apps.discord.seated import TableSide
from freeform.engine.table import Table
from freeform.services.discord import open_bindings
from freeform.services.house import House
from freeform.settings import Settings


def open_room(house: House, side: TableSide | None = None) -> DiscordRoom:
    """The room in that house; `side` where others serve the same tables, too."""
    settings = house.settings
    return DiscordRoom(
        house=house,
        bindings=open_bindings(settings),
        assistant=DiscordAssistant(house),
        per_minute=settings.discord_per_minute,
        gamemasters=frozenset(settings.discord_gamemasters.replace(",", " ").split()),
        side=side or TableSide(),
    )


def open_parlour(settings: Settings, table: Table) -> DiscordRoom:
    """The room at a table that is open already."""
    return open_room(House(settings, table, files=False))
