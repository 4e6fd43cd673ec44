"""A note: one thing that was written down of one session, and whom it is about."""

from dataclasses import dataclass, field
from typing import Literal

Subject = Literal["npc", "location", "event", "decision", "quest", "combat", "character", "session"]


@dataclass
class Note:
    """A paragraph or a list line. `session` is 0 where none is told."""

    id: str
    about: Subject
    title: str
    text: str
    session: int = 0
    date: str = ""
    heading: str = ""
    file: str = ""
    line: int = 0
    gm_only: bool = False
    names: list[str] = field(default_factory=list)
    """Who or what it names outright."""
    status: str = ""
    """Of a quest: open, done, failed."""
    kind: str = ""

    @property
    def section(self) -> str:
        return f"session_notes.{self.about}"
