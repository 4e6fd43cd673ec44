"""What the assistant needs from outside: sources of pieces. A sheet, a folder of notes and a pack
each are one."""

from collections.abc import Sequence
from typing import Protocol

from freeform.assistant.model import Name, Number, Piece, Tool, Wanted


class Source(Protocol):
    """Something that can be asked: one sheet, one body of notes, or the rulebooks together.

    A source marks what is for the GM alone (`gm_only` on names and pieces) and, for a player
    (`Wanted.viewer`), gives none of it nor lets it change what is given. Raises Unavailable or
    UserError when it cannot answer.
    """

    @property
    def tool(self) -> Tool:
        """Which of the three tools it serves. Several sources may serve one tool."""
        ...

    @property
    def label(self) -> str:
        """As a person calls it: `Mara Vane (sheet)`, `notes`, `SRD 5.1`."""
        ...

    @property
    def version(self) -> str:
        """Changes when anything in it does: tables of names are kept per version."""
        ...

    @property
    def sections(self) -> Sequence[str]:
        """The sections it has."""
        ...

    async def names(self) -> Sequence[Name]:
        """Every name it knows: items, spells, skills, people, places, rules …, GM-only ones
        marked."""
        ...

    async def fetch(self, wanted: Wanted) -> list[Piece]:
        """The pieces that fit, best first: those of the wanted names, of the sections, then by the
        query's words."""
        ...

    async def numbers(self, wanted: Wanted) -> list[Number]:
        """Computed numbers that the wanted names, sections and words call for; empty where there
        are none."""
        ...
