"""The log of a campaign: small entries, each with a parent, so that branches are paths through one
tree."""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter

from freeform.core.llm.gateway import Usage
from freeform.core.record import Record
from freeform.engine.authored.scenario import Calibration, Scenario
from freeform.engine.authored.system import System
from freeform.engine.campaign.apart import TurnSight
from freeform.engine.world.model import (
    ContextPacket,
    EngineEvent,
    InterpreterOutput,
    NarratorOutput,
    PlannerOutput,
    Rejected,
    RuledDeed,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.rolled import Roll
from freeform.packs.lock import Locked


class Begun(Record):
    """The campaign starts: everything that is true before the first turn."""

    kind: Literal["begun"] = "begun"
    scenario: Scenario
    """Kept whole, so that a campaign goes on as it was authored when the file changes."""
    name: str
    seed: int
    system: System
    calibration: Calibration
    genre_rules: dict[str, Any] = Field(default_factory=dict)
    packs: dict[str, Locked] = Field(default_factory=dict)
    """Which versions of its packs the campaign was begun with; `packs.lock` beside it is a copy."""
    opening: str
    suggested_actions: list[str] = Field(default_factory=list)
    state_diff: StateDiff


class PlayedPart(Record):
    """What one of several characters did in a turn that all took together."""

    turn_id: str
    actor: str
    text: str


class Resolved(Record):
    """A turn's facts: what was tried, what came of it. Committed before a word of prose is made."""

    kind: Literal["resolved"] = "resolved"
    turn_id: str
    turn_no: int
    take: int = 1
    player_input: str
    actor: str = ""
    """Who acted, by name; '' in entries of before."""
    context_packet: ContextPacket
    interpreter: InterpreterOutput
    validator: ValidatorOutput
    planner: PlannerOutput
    rolls: list[Roll] = Field(default_factory=list)
    rulings: list[RuledDeed] = Field(default_factory=list)
    engine_events: list[EngineEvent] = Field(default_factory=list)
    state_diff: StateDiff = Field(default_factory=StateDiff)
    lore: dict[str, Any] = Field(default_factory=dict)
    """What the books gave for this turn: `hit` (kept from an earlier turn), `sources` (chunk
    ids)."""
    prompt_versions: dict[str, str] = Field(default_factory=dict)
    model: dict[str, str] = Field(default_factory=dict)
    usage: Usage = Field(default_factory=Usage)
    timings_ms: dict[str, float] = Field(default_factory=dict)
    degraded: list[str] = Field(default_factory=list)
    packet_tokens: int = 0
    """How much of the world a model was told; 0 in entries of before."""
    parts: list[PlayedPart] = Field(default_factory=list)
    """What each did, where several acted at once; none where one did."""
    sight: TurnSight | None = None
    """Who was there and who saw it, where several heroes share the story."""


class Narrated(Record):
    """A turn's prose, and what it established once canon agreed."""

    kind: Literal["narrated"] = "narrated"
    turn_id: str
    turn_no: int
    narrator: NarratorOutput
    final_text: str
    rejected: list[Rejected] = Field(default_factory=list)
    state_diff: StateDiff = Field(default_factory=StateDiff)
    prompt_versions: dict[str, str] = Field(default_factory=dict)
    model: dict[str, str] = Field(default_factory=dict)
    usage: Usage = Field(default_factory=Usage)
    timings_ms: dict[str, float] = Field(default_factory=dict)
    degraded: list[str] = Field(default_factory=list)


class Changed(Record):
    """A change between turns: safety, a session's end, a correction by a person.

    `why` says which.
    """

    kind: Literal["changed"] = "changed"
    why: str
    details: dict[str, Any] = Field(default_factory=dict)
    state_diff: StateDiff = Field(default_factory=StateDiff)


Entry = Annotated[Begun | Resolved | Narrated | Changed, Field(discriminator="kind")]
ENTRY: TypeAdapter[Entry] = TypeAdapter(Entry)


class LogPosition(Record):
    """A place in the log: the branch, its last entry, and how many turns lie behind."""

    branch: str
    entry: int
    turn_no: int


class Logged(Record):
    """An entry with its place."""

    id: int
    parent: int | None
    turn_no: int
    entry: Entry
    at: str


class Branch(Record):
    """A named path through the log."""

    name: str
    from_turn: int
    turn_no: int
    active: bool


def resolved_in(logged: list[Logged]) -> Resolved:
    """The facts among the entries of a turn."""
    return next(entry.entry for entry in logged if isinstance(entry.entry, Resolved))


def narrated_in(logged: list[Logged]) -> Narrated | None:
    """The words among the entries of a turn; None where they were lost."""
    return next((entry.entry for entry in logged if isinstance(entry.entry, Narrated)), None)
