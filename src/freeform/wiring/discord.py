"""What the settings make of Discord: its memory, and what is missing to run it."""

from importlib.util import find_spec
from pathlib import Path

from freeform.adapters.sqlite.bindings import SqliteBindings
from freeform.settings import Settings


def bindings(settings: Settings) -> SqliteBindings:
    """Whose sheet, which channel, what was answered."""
    return SqliteBindings(Path(settings.home) / "discord.db")


def missing(settings: Settings) -> list[tuple[str, bool, str]]:
    """What `discord --check` says: a thing, whether it is there, and how to get it."""
    have = all(find_spec(name) for name in ("discord", "nacl"))
    return [
        ("discord.py and PyNaCl", have, "pip install 'freeform-rpg[discord]'"),
        (
            "the bot's token",
            bool(settings.discord_token.get_secret_value()),
            "make a bot at discord.com/developers, then set FREEFORM_DISCORD_TOKEN (for the gateway bot)",
        ),
        (
            "the application's public key",
            bool(settings.discord_public_key),
            "copy it from the application's page into FREEFORM_DISCORD_PUBLIC_KEY (for /discord/interactions)",
        ),
        (
            "the application's id",
            bool(settings.discord_application),
            "copy it from the application's page into FREEFORM_DISCORD_APPLICATION (for /discord/interactions)",
        ),
    ]
