"""What goes in and out of the parlour: a command from someone somewhere, and a reply."""

from collections.abc import Callable
from typing import Protocol

from pydantic import Field

from freeform.core.record import Record

Tell = Callable[[str], None]
"""Hears a short line about how far a long answer has come."""


class SlashCommand(Record):
    """A slash command. Ids are Discord's own; `id` is the interaction's: the same one is never done twice."""

    id: str
    name: str
    options: dict[str, str] = Field(default_factory=dict)
    user: str
    channel: str

    def said(self, option: str) -> str:
        """The option's text, '' when it was left out."""
        return self.options.get(option, "").strip()


class DiscordReply(Record):
    """What is answered. `public`: a line for the whole channel that names nobody."""

    text: str
    sources: list[str] = Field(default_factory=list)
    private: bool = False
    public: str = ""
    key: str = ""
    """Under which its sources are kept."""


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

    async def keep_sources(self, key: str, sources: list[str]) -> None:
        """For the button under an answer."""
        ...

    async def sources_of(self, key: str) -> list[str]:
        """As they were kept; empty when they are not known."""
        ...
