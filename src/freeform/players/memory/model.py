"""The records of memory: facts (true, never overwritten), rehearsals, minds, and beliefs (always
derived).

All times are in-world days as numbers: day 3 at noon is 3.5. A fact has two spans. `valid_at` to
`invalid_at` is when it held in the world; `created_at` to `expired_at` is when its holders knew of
it, and did not know better.
"""

from typing import Literal

from pydantic import Field as Described

from freeform.core.record import Record

Kind = Literal["gist", "place", "name", "number", "source", "order", "feeling"]
Source = Literal["event", "talk", "claim", "summary"]
"""`event`: by rule from the engine's log. `talk`: taken out of what was said. `claim`: someone said
it, true or not. `summary`: made when a session was consolidated."""
CorruptionType = Literal[
    "detail_drift", "emotional_coloring", "conflation", "simplification", "false_confidence"
]
How = Literal["told", "said"]
"""What counts as rehearsal: being told the truth again, or saying what one remembers. A query does
not count."""
Law = Literal["human", "seed"]

CAMPAIGN, SCENE = "campaign_main", "campaign_scene"
"""The groups of what everyone was there for: what happened, and what merely stood there or was
tried."""


def agent_group(agent: str) -> str:
    """The group of what one player alone knows."""
    return f"agent_{agent}"


def character_group(character: str) -> str:
    """The group of what one character knows, apart from its player."""
    return f"character_{character}"


class Slot(Record):
    """One detail of a fact that can be lost by itself. `text` is how it stands in the fact's
    sentence."""

    name: str
    kind: Kind
    text: str


class Episode(Record):
    """When it was lived through: the session (game night) and the turn."""

    session: int = 1
    turn: int = 0


class MemoryFact(Record):
    """Something true, and when. It is never changed but to close its two spans."""

    id: str
    group: str
    subject: str
    predicate: str
    value: str
    text: str
    """The whole as a sentence; each slot's text stands in it."""
    slots: tuple[Slot, ...] = ()
    valid_at: float
    invalid_at: float | None = None
    created_at: float
    expired_at: float | None = None
    episode: Episode = Described(default_factory=Episode)
    importance: float = Described(default=0.5, ge=0.0, le=1.0)
    feeling: float = Described(default=0.0, ge=-1.0, le=1.0)
    """From dread (-1) to joy (1)."""
    source: Source = "event"
    source_id: str = ""
    """The log entry or message behind it."""
    claim_of: str = ""
    """For a claim: the true fact it speaks of."""
    many: bool = False
    """Whether others of the same subject and predicate may hold beside it; if not, the newer one
    ends the older."""


class Rehearsal(Record):
    """An agent was told a fact again, or said it as it remembers it. Ordered by day, then `no`."""

    agent: str
    fact_id: str
    day: float
    how: How
    session: int = 1
    no: int = 0
    """Its place among rehearsals of the same day; the store gives it."""


class Mind(Record):
    """Whose memory it is. `strength` 0 forgets nothing; at 1 it forgets as people do (see
    docs/memory.md)."""

    agent: str
    percentile: float = Described(default=50.0, ge=1.0, le=99.0)
    """Among a hundred people, how many remember worse."""
    strength: float = Described(default=0.3, ge=0.0, le=1.0)
    seed: int = 0
    law: Law = "human"
    confidence: float = Described(default=0.5, ge=0.0, le=1.0)
    """How sure of itself: 0.5 is as sure as it is right, 1 is always sure."""
    passing: float = Described(default=0.0, ge=0.0)
    """What somebody else did or said is taken in only half: it is held at once like something
    learnt on purpose so many days ago. 0: all of it is taken in."""
    analytical: float = Described(default=0.5, ge=0.0, le=1.0)
    emotional_memory: float = Described(default=0.5, ge=0.0, le=1.0)
    detail_oriented: float = Described(default=0.5, ge=0.0, le=1.0)
    base_decay_rate: float = Described(default=0.3, ge=0.0, le=1.0)


class SlotAudit(Record):
    """Why one detail is believed as it is: it is intact while `threshold` is below
    `retrievability`."""

    field: str
    kind: Kind
    truth: str
    believed: str
    retrievability: float
    threshold: float
    stability: float
    difficulty: float
    percentile: float
    cause: str
    """In words: `intact`, `faded on day 31.2`, `mixed up with fact_7`, `said wrong on day 40` …"""
    error: CorruptionType | None = None
    level: int = 0
    """0 intact; 1, 2 … ever further from the truth; within an epoch it only grows."""
    epoch: int = 0
    """Goes up with each rehearsal."""
    since: float | None = None
    """The day on which it went wrong."""
    neighbour: str = ""
    """The fact it was mixed up with."""


class Belief(Record):
    """What an agent believes of a fact on a day. Derived by `recall`, never stored as a fact."""

    agent: str
    fact_id: str
    day: float
    believed: str
    confidence: float
    corruption_type: CorruptionType | None = None
    truth: str
    audit: tuple[SlotAudit, ...] = ()

    @property
    def correct(self) -> bool:
        """Whether it is the truth, word for word."""
        return self.believed == self.truth


class Bin(Record):
    """Beliefs of about the same confidence: how many, how many right, and their mean confidence."""

    n: int
    right: int
    confidence: float


class RecallFigures(Record):
    """What became of the facts an agent was asked for. `ece` and `brier`: sure against right; 0 is
    perfect."""

    agent: str
    recalled: int = 0
    right: int = 0
    by_type: dict[str, int] = Described(default_factory=dict)
    confidence: float = 0.0
    """The mean."""
    brier: float = 0.0
    ece: float = 0.0
    bins: tuple[Bin, ...] = ()
