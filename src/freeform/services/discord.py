"""Discord: what is missing to run it, and what is remembered of it."""

from collections.abc import Sequence
from typing import Protocol

from freeform.core.errors import UserError
from freeform.core.record import Record
from freeform.settings import Settings
from freeform.wiring.discord import bindings, missing

_FOR_THE_BOT = 2
"""The first parts are what the gateway bot cannot do without."""


class DiscordPart(Record):
    """A thing that Discord needs, whether it is there, and how to get it."""

    what: str
    found: bool
    fix: str


class DiscordCheck(Record):
    """Whether the bot can run, and each part."""

    ready: bool
    parts: list[DiscordPart]


class Bindings(Protocol):
    """What is remembered of Discord: whose sheet, which channel plays what, what was answered."""

    async def first_time(self, interaction: str) -> bool:
        """True once for each interaction."""
        ...

    async def sheet_of(self, user: str) -> str:
        """The id of the user's sheet, or ''."""
        ...

    async def bind_sheet(self, user: str, sheet: str) -> None:
        """From now on the user is that character."""
        ...

    async def campaign_of(self, channel: str) -> str:
        """The campaign a channel plays, or ''."""
        ...

    async def bind_channel(self, channel: str, campaign: str) -> None:
        """From now on the channel plays that campaign."""
        ...

    async def channels(self) -> list[tuple[str, str]]:
        """Every channel that plays, with its campaign."""
        ...

    async def token_of(self, user: str, campaign: str) -> str:
        """What the user holds of that table, or ''."""
        ...

    async def bind_token(self, user: str, campaign: str, token: str) -> None:
        """From now on the user sits there."""
        ...

    async def tokens_at(self, campaign: str) -> list[tuple[str, str]]:
        """Every user who came to that table, with what they hold."""
        ...

    async def told_turns(self, channel: str) -> set[str]:
        """The turns that a channel was told lately, by id."""
        ...

    async def mark_told(self, channel: str, turn_ids: Sequence[str]) -> None:
        """A channel was told those turns."""
        ...

    async def keep_sources(self, key: str, sources: list[str]) -> None:
        """For the button under an answer."""
        ...

    async def sources_of(self, key: str) -> list[str]:
        """As they were kept; empty when they are not known."""
        ...


def open_bindings(settings: Settings) -> Bindings:
    """What is remembered under this home."""
    return bindings(settings)


def check_discord(settings: Settings) -> DiscordCheck:
    """What is there and what is missing."""
    parts = []
    for what, found, fix in missing(settings):
        parts.append(DiscordPart(what=what, found=found, fix="" if found else fix))
    ready = all(part.found for part in parts[:_FOR_THE_BOT])
    return DiscordCheck(ready=ready, parts=parts)


def require_discord(settings: Settings) -> None:
    """UserError when the gateway bot cannot run; it says what is missing."""
    for part in check_discord(settings).parts[:_FOR_THE_BOT]:
        if not part.found:
            raise UserError(f"{part.what} is missing: {part.fix}")
