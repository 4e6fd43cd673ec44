"""What a premise's words name, and what kind of story and setting it asks for: how likely each."""

from dataclasses import dataclass, field
from typing import Protocol

PEOPLE = ("hero", "foe", "victim", "friend", "person")
"""Whom the player is, who is against them, who needs them, who is with them, anybody else."""
THINGS = ("stake", "thing", "matter")
"""What the story turns on, what else one could touch, what one can only talk of."""
SITES = (
    "settlement",
    "building",
    "room",
    "holy",
    "wild",
    "water",
    "road",
    "vessel",
    "under",
    "world",
)
"""Places, by their sort."""
SAME = "same"
"""Another noun for whom or what was named before it."""
PREMISE_LABELS = (*PEOPLE, *THINGS, *(f"place.{sort}" for sort in SITES), SAME)
STORY_SHAPES = (
    "chase",
    "escape",
    "haunting",
    "heist",
    "journey",
    "missing",
    "mystery",
    "negotiation",
    "rescue",
    "return",
    "rivalry",
    "siege",
)
STORY_GENRES = (
    "bygone",
    "capes",
    "coast",
    "court",
    "cyberpunk",
    "fantasy",
    "modern",
    "moor",
    "pirates",
    "school",
    "space",
    "spies",
    "twenties",
    "village",
    "wasteland",
    "western",
    "wuxia",
)


@dataclass(frozen=True, slots=True)
class PremiseSpan:
    """A noun with its own adjectives: where it stands, what it names, how likely."""

    label: str
    start: int
    end: int
    sure: float


@dataclass(frozen=True, slots=True)
class PremiseHeard:
    """What was read in a premise; nothing where nothing could read it."""

    spans: tuple[PremiseSpan, ...] = ()
    shapes: dict[str, float] = field(default_factory=dict)
    """How likely each kind of story is asked for; they add up to 1."""
    genres: dict[str, float] = field(default_factory=dict)
    turns: dict[str, float] = field(default_factory=dict)
    """How near it is to each turn of events that a story can be told of (`turns.py`)."""
    natures: dict[str, str] = field(default_factory=dict)
    """What sort of thing a word of it names: `written`, `sealed`, `creature` …"""
    manners: dict[str, str] = field(default_factory=dict)
    """Which manner a word of it gives to somebody (`manners.py`)."""


NOTHING_READ = PremiseHeard()


class PremiseEar(Protocol):
    """Reads premises."""

    def read_premise(self, text: str) -> PremiseHeard:
        """What its words name, and what it asks for."""
        ...
