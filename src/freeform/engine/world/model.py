"""The records of one turn, field by field as the design names them."""

from functools import cached_property
from typing import Any

from pydantic import Field

from freeform.core.llm.gateway import Usage
from freeform.core.record import Record, Reply
from freeform.engine.authored.ruling import DeedRuling, GivenRuling
from freeform.engine.world.costs import Costs
from freeform.engine.world.rolled import Roll
from freeform.engine.world.state import (
    Entity,
    Fact,
    Holding,
    Relationship,
    StoryClock,
    Summary,
    Thread,
    Visibility,
)


def _is_empty(value: Any) -> bool:
    """What is not said is not written down: tapes of before read the same."""
    return not value


class ContextPacket(Record):
    """What a pass is told of the world: a slice of state within a token budget, for one viewer."""

    scene: dict[str, Any] = Field(default_factory=dict)
    present_entities: list[str] = Field(default_factory=list)
    entities: list[dict[str, Any]] = Field(default_factory=list)
    facts: list[dict[str, Any]] = Field(default_factory=list)
    threads: list[dict[str, Any]] = Field(default_factory=list)
    clocks: list[dict[str, Any]] = Field(default_factory=list)
    inventory: list[dict[str, Any]] = Field(default_factory=list)
    relationships: list[dict[str, Any]] = Field(default_factory=list)
    summary: dict[str, str] = Field(default_factory=lambda: {"scene": "", "threads": ""})
    recent_events: list[dict[str, Any]] = Field(default_factory=list)
    npc_agendas: dict[str, Any] = Field(default_factory=dict)
    npc_capabilities: dict[str, Any] = Field(default_factory=dict)
    investigation_progress: dict[str, Any] = Field(default_factory=dict)
    pending_threats: list[dict[str, Any]] = Field(default_factory=list)
    active_situations: list[dict[str, Any]] = Field(default_factory=list)
    failure_streak: dict[str, Any] = Field(default_factory=dict)
    calibration: dict[str, Any] = Field(default_factory=dict)
    lore_context: dict[str, Any] = Field(default_factory=dict)

    @classmethod
    def spelled(cls, sections: dict[str, Any], text: str) -> "ContextPacket":
        """A packet of sections that are plain data already, with their JSON: neither is gone
        through again."""
        packet = cls.model_construct(**sections)
        packet.__dict__["text"] = text  # where `cached_property` looks
        return packet

    @cached_property
    def text(self) -> str:
        """Its JSON: made once, since the log and the tapes both keep it."""
        return self.model_dump_json()


class ProposedAction(Reply):
    """One thing the player's character tries. `action`: a type or any verb; `target_id`: an
    entity; `deed`: the id of the authored deed that is meant, where one is."""

    action: str
    target_id: str = ""
    details: str = ""
    estimated_minutes: int = 0
    family: str = ""
    """What kind of act it is, by the names in `language/ear.py`; '' where nobody said."""
    confidence: float = 1.0
    deed: str = ""
    topic: str = Field(default="", exclude_if=_is_empty)
    """Of talk: the id of what the person knows or keeps back that it is about; `none` where they
    know nothing of it; '' where nobody said."""
    called_to: str = Field(default="", exclude_if=_is_empty)
    """Of words: whom or what they go to that is not here to answer, as the player calls it; of a
    deed: whom it would be done to."""
    by: str = Field(default="", exclude_if=_is_empty)
    """Of words to someone who is elsewhere: by what they reach them, in a word of the player's."""
    ruling: GivenRuling = None
    """What a game master would rule, where nothing was authored for it."""


class Reading(Reply):
    """One way to understand what was typed: as a player would type it, and what it comes to."""

    text: str
    action: ProposedAction


class InterpreterOutput(Reply):
    """What the player means. With a `question`, nothing is done before it is answered; with
    `takes_back`, the turn before is taken back first."""

    intent: str = ""
    referenced_entities: list[str] = Field(default_factory=list)
    proposed_actions: list[ProposedAction] = Field(default_factory=list)
    assumptions: list[str] = Field(default_factory=list)
    risk_flags: list[str] = Field(default_factory=list)
    perception_flags: list[str] = Field(default_factory=list)
    question: str = ""
    readings: list[Reading] = Field(default_factory=list)
    takes_back: bool = False


class AllowedAction(Record):
    """An attempt that may be made, with its price."""

    action: str
    target_id: str = ""
    details: str = ""
    costs: Costs = Field(default_factory=Costs)
    minutes: int = 0
    affordance: str = ""
    family: str = ""
    topic: str = Field(default="", exclude_if=_is_empty)
    called_to: str = Field(default="", exclude_if=_is_empty)
    by: str = Field(default="", exclude_if=_is_empty)
    """The thing by which words reach someone who is elsewhere."""
    in_writing: bool = Field(default=False, exclude_if=_is_empty)
    ruling: DeedRuling | None = None
    """The ruling that stands for it, once it was checked."""

    def worded(self, action: ProposedAction) -> "AllowedAction":
        """The same, about what a listener named by its id, and called to whom they said."""
        said = {"topic": action.topic, "called_to": "" if self.target_id else action.called_to}
        return self.model_copy(update=said) if any(said.values()) else self


class BlockedAction(Record):
    """An attempt that cannot be made: why, and the fact or event behind it."""

    action: str
    target_id: str = ""
    details: str = ""
    reason: str
    rule: str = ""
    because: str = ""


class ValidatorOutput(Record):
    """What of it may be tried; with a question, `readings` are the answers worth a button."""

    allowed_actions: list[AllowedAction] = Field(default_factory=list)
    blocked_actions: list[BlockedAction] = Field(default_factory=list)
    clarification_needed: bool = False
    clarification_question: str = ""
    readings: list[Reading] = Field(default_factory=list)


class PlannerOutput(Reply):
    """Where the game master wants the scene to go; `tension_move` is what happens if it fails."""

    beats: list[str] = Field(default_factory=list)
    tension_move: str = ""
    tension_move_type: str = ""
    clarification_question: str = ""
    next_suggestions: list[str] = Field(default_factory=list)


class EngineEvent(Record):
    """Something that happened for certain."""

    type: str
    details: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] = Field(default_factory=list)
    scope: str = "campaign"

    @property
    def is_seen(self) -> bool:
        """Whether it happened where the player's character is."""
        return "meanwhile" not in self.tags


class RuledDeed(Record):
    """A ruling as it was played: what was rolled for, what came of it, and why.

    Without an outcome it did not stand, and `why` says why not.
    """

    reading: str = ""
    stat: str = ""
    difficulty: int = 0
    outcome: str = ""
    effects: list[dict[str, Any]] = Field(default_factory=list)
    why: str = ""


class ClockDelta(Record):
    """A clock moves."""

    id: str
    delta: int


class FactUpdate(Record):
    """A known fact gets another object; with `visibility`, it is also learnt or hidden."""

    id: str
    object: dict[str, Any] | None = None
    visibility: Visibility | None = None
    discovered_turn: int | None = None
    discovery_method: str | None = None


class InventoryChange(Record):
    """An owner gets or loses things; `flags` are set on what is left."""

    owner_id: str
    item_id: str
    delta: int = 0
    flags: dict[str, Any] | None = None


class SceneUpdate(Record):
    """The fields of the scene that change; None leaves a field as it is."""

    id: str | None = None
    location_id: str | None = None
    present_entity_ids: list[str] | None = None
    time: dict[str, Any] | None = None
    constraints: dict[str, Any] | None = None
    visibility_conditions: str | None = None
    noise_level: str | None = None
    obscured_entities: list[str] | None = None


class ThreadUpdate(Record):
    """A thread moves on; stakes are merged."""

    id: str
    status: str | None = None
    stakes: dict[str, Any] = Field(default_factory=dict)


class EntityUpdate(Record):
    """Attributes are merged; name and tags replace when given."""

    id: str
    name: str | None = None
    attrs: dict[str, Any] = Field(default_factory=dict)
    tags: list[str] | None = None


class RelationshipChange(Record):
    """How two stand to each other shifts, within -5 and 5."""

    a_id: str
    b_id: str
    rel_type: str
    delta: int = 0
    notes: dict[str, Any] = Field(default_factory=dict)


class StateDiff(Record):
    """The change one commit makes. The first seven fields are the design's; others complete it."""

    clocks: list[ClockDelta] = Field(default_factory=list)
    facts_add: list[Fact] = Field(default_factory=list)
    facts_update: list[FactUpdate] = Field(default_factory=list)
    inventory_changes: list[InventoryChange] = Field(default_factory=list)
    scene_update: SceneUpdate | None = None
    threads_update: list[ThreadUpdate] = Field(default_factory=list)
    entities_add: list[Entity] = Field(default_factory=list)
    entities_update: list[EntityUpdate] = Field(default_factory=list)
    relationships_update: list[RelationshipChange] = Field(default_factory=list)
    clocks_add: list[StoryClock] = Field(default_factory=list)
    threads_add: list[Thread] = Field(default_factory=list)
    inventory_add: list[Holding] = Field(default_factory=list)
    relationships_add: list[Relationship] = Field(default_factory=list)
    summaries_add: list[Summary] = Field(default_factory=list)


class EstablishedFact(Reply):
    """Something the narrator's prose made true."""

    subject_id: str
    predicate: str
    detail: str


class IntroducedItem(Reply):
    """A thing the prose brought in; its id may be left out. `location` is who or what holds it."""

    id: str = ""
    name: str
    description: str = ""
    location: str = ""
    aliases: list[str] = Field(default_factory=list)


class IntroducedNpc(Reply):
    """Someone the prose brought in; their id is made of their name where none is given. `location`:
    a place's id or name, or words such as `on the telephone`; empty: here."""

    id: str = ""
    name: str
    description: str = ""
    type: str = "npc"
    tags: list[str] = Field(default_factory=list)
    location: str = ""
    aliases: list[str] = Field(default_factory=list)


class SceneTransition(Reply):
    """The prose led the scene elsewhere."""

    location_id: str = ""
    name: str = ""
    description: str = ""
    present_entities: list[str] = Field(default_factory=list)
    aliases: list[str] = Field(default_factory=list)


class NarratedThread(Reply):
    """The prose moved a thread."""

    id: str
    status: str
    reason: str = ""


class NarratorOutput(Reply):
    """What the player reads, and what it makes true."""

    final_text: str
    next_prompt: str = ""
    suggested_actions: list[str] = Field(default_factory=list)
    established_facts: list[EstablishedFact] = Field(default_factory=list)
    introduced_items: list[IntroducedItem] = Field(default_factory=list)
    introduced_npcs: list[IntroducedNpc] = Field(default_factory=list)
    scene_transition: SceneTransition | None = None
    thread_updates: list[NarratedThread] = Field(default_factory=list)


class Rejected(Record):
    """Something the narrator claimed that canon contradicts: not committed, kept here."""

    claim: str
    reason: str
    because: str = ""


class UnderstoodAct(Record):
    """One act as it was understood, and how surely."""

    family: str
    action: str
    target_id: str = ""
    confidence: float = 1.0


class HeardTurn(Record):
    """What was understood of a turn: acts, whether it was out of character, or asked back."""

    acts: list[UnderstoodAct] = Field(default_factory=list)
    ooc: bool = False
    asked: bool = False
    readings: list[str] = Field(default_factory=list)


class TurnResult(Record):
    """Everything about one turn, as `turn --json` prints it."""

    campaign: str
    branch: str
    turn_no: int
    turn_id: str
    take: int = 1
    player_input: str
    actor: str = ""
    """Who acted, by name."""
    heard: HeardTurn = Field(default_factory=HeardTurn)
    interpreter: InterpreterOutput
    validator: ValidatorOutput
    planner: PlannerOutput
    rolls: list[Roll] = Field(default_factory=list)
    rulings: list[RuledDeed] = Field(default_factory=list)
    engine_events: list[EngineEvent] = Field(default_factory=list)
    state_diff: StateDiff = Field(default_factory=StateDiff)
    final_text: str = ""
    next_prompt: str = ""
    suggested_actions: list[str] = Field(default_factory=list)
    clarification_question: str = ""
    rejected: list[Rejected] = Field(default_factory=list)
    prompt_versions: dict[str, str] = Field(default_factory=dict)
    model: dict[str, str] = Field(default_factory=dict)
    usage: Usage = Field(default_factory=Usage)
    timings_ms: dict[str, float] = Field(default_factory=dict)
    degraded: list[str] = Field(default_factory=list)
