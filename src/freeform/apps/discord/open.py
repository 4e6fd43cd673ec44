"""A parlour as the settings describe it."""

from freeform.apps.discord.parlour import DiscordRoom
from freeform.apps.discord.reading import DiscordAssistant
from freeform.engine.table import Table
from freeform.settings import Settings
from freeform.wiring.assistant import Librarian
from freeform.wiring.discord import bindings
from freeform.wiring.lore import opened_store
from freeform.wiring.sheets import sheets


def open_parlour(settings: Settings, table: Table) -> DiscordRoom:
    """The parlour at a table."""
    reading = DiscordAssistant(settings, Librarian(settings, table, files=False))
    return DiscordRoom(
        table=table,
        bindings=bindings(settings),
        ask=reading.ask,
        research=reading.research,
        sheets=lambda: [(row.id, row.name) for row in sheets(settings).rows()],
        lore=lambda: opened_store(settings),
        per_minute=settings.discord_per_minute,
        gamemasters=frozenset(settings.discord_gamemasters.replace(",", " ").split()),
    )
