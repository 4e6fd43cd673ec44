"""What goes in and out of the parlour: a command from someone somewhere, and a reply."""

from collections.abc import Callable

from pydantic import Field

from freeform.core.record import Record

Tell = Callable[[str], None]
"""Hears a short line about how far a long answer has come."""


class SlashCommand(Record):
    """A slash command. Ids are Discord's own; the interaction of an `id` is never done twice."""

    id: str
    name: str
    options: dict[str, str] = Field(default_factory=dict)
    user: str
    channel: str
    called: str = ""
    """What the user is called there."""

    def said(self, option: str) -> str:
        """The option's text, '' when it was left out."""
        return self.options.get(option, "").strip()


class DirectMessage(Record):
    """A line for one user alone."""

    user: str
    text: str


class DiscordReply(Record):
    """What is answered. `public`: a line for the whole channel that names nobody."""

    text: str
    sources: list[str] = Field(default_factory=list)
    private: bool = False
    public: str = ""
    key: str = ""
    """Under which its sources are kept."""
    direct: list[DirectMessage] = Field(default_factory=list)
    """What is for some alone, by direct message."""
