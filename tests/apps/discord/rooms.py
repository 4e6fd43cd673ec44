"""A real parlour on a folder, with the offline model and a clock that a test moves."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

from freeform import wiring
from freeform.apps.discord.open import open_parlour
from freeform.apps.discord.parlour import DiscordRoom
from freeform.apps.discord.shapes import SlashCommand
from freeform.core.clock import HandClock
from freeform.settings import Settings
from freeform.wiring.research import tools

LARDER = Path(__file__).parents[3] / "examples" / "packs" / "emberfall_larder"


@asynccontextmanager
async def parlour_in(home: Path, **settings: object) -> AsyncIterator[DiscordRoom]:
    """Everything a Discord bot talks to, closed afterwards."""
    made = Settings.model_validate({"home": home, "model": "offline", **settings})
    wiring.books(made).shelf.install(LARDER)
    async with wiring.opened(made) as table:
        parlour = open_parlour(made, replace(table, clock=HandClock()))
        try:
            yield parlour
        finally:
            parlour.bindings.close()  # type: ignore[attr-defined]


def command(
    name: str, id: str = "1", user: str = "u", channel: str = "c", **options: str
) -> SlashCommand:
    return SlashCommand(id=id, name=name, options=options, user=user, channel=channel)


__all__ = ["command", "parlour_in", "tools"]
