"""What the API answers, record by record: the OpenAPI document is made from these."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from freeform.engine.campaign.begin import ZeroQuestion
from freeform.engine.campaign.sessions import Session
from freeform.engine.ports import CampaignRow
from freeform.engine.world.model import Roll

Kind = Literal[
    "not_found", "user", "conflict", "unavailable", "budget", "too_large", "forbidden", "mistake"
]


class Shape(BaseModel):
    """A part of an answer."""

    model_config = ConfigDict(populate_by_name=True)


class HttpProblem(Shape):
    """Why a request was not done, in one sentence."""

    error: str
    kind: Kind


class OpenAiProblem(Shape):
    """The same as the OpenAI protocol has it."""

    error: dict[str, str] | str


class ModelRow(Shape):
    """A model that can be used, and what that means."""

    name: str
    note: str


class Status(Shape):
    """How this server stands."""

    version: str
    model: str
    stays_here: bool
    vectors_sent_to: str = ""
    """The host that gets texts for their vectors; '' when they stay here."""
    models: list[ModelRow]
    home: str
    campaigns: int


class Chosen(Shape):
    """The model that plays from now on."""

    model: str
    stays_here: bool


class Tried(Shape):
    """Whether a model answers."""

    ok: bool
    message: str


class HeroRow(Shape):
    """Someone one can be."""

    id: str
    name: str
    concept: str
    stats: dict[str, int]


class ScenarioView(Shape):
    """Something one can play."""

    id: str
    name: str
    genre: str
    packs: list[str]
    description: str
    heroes: list[HeroRow]
    questions: list[ZeroQuestion]


class Scenarios(Shape):
    """All that can be played."""

    scenarios: list[ScenarioView]


class Campaigns(Shape):
    """All campaigns, last played first."""

    campaigns: list[CampaignRow]


class CampaignBegun(Shape):
    """A campaign that was begun."""

    campaign: str
    opening: str
    suggested_actions: list[str]
    seed: int


class CampaignView(Shape):
    """A campaign where it stands."""

    id: str
    name: str
    scenario: str
    branch: str
    turn_no: int
    opening: str
    suggested_actions: list[str]
    next_prompt: str
    pending: bool
    playing: str
    session: Session | None


class StateChange(Shape):
    """Something a turn changed, as the player sees it."""

    kind: Literal["clock", "item", "fact", "thread", "scene", "relation"]
    text: str
    id: str
    before: int | str | None = Field(None, alias="from")
    to: int | str | None = None


class TurnView(Shape):
    """A turn as a reader sees it."""

    turn_no: int
    turn_id: str
    take: int
    takes: int
    player_input: str
    final_text: str
    next_prompt: str
    suggested_actions: list[str]
    rolls: list[Roll]
    changed: list[StateChange]
    blocked: list[str]
    rejected: int
    degraded: list[str]
    at: str


class Story(Shape):
    """A stretch of turns, oldest first."""

    turns: list[TurnView]
    more: bool


class Way(Shape):
    """A way out."""

    to: str
    name: str


class SceneView(Shape):
    """Where play is."""

    name: str
    description: str
    time: str
    exits: list[Way]


class Someone(Shape):
    """Someone who is here."""

    id: str
    name: str
    role: str
    description: str


class Thing(Shape):
    """Something the hero has."""

    id: str
    name: str
    qty: int
    description: str


class ThreadView(Shape):
    """A question of the story."""

    id: str
    title: str
    status: str


class ClockView(Shape):
    """Segments filling towards something."""

    id: str
    name: str
    value: int
    max: int


class FactView(Shape):
    """Something the player knows."""

    id: str
    text: str
    subject: str
    discovered_turn: int | None


class HeroView(Shape):
    """Who the player is."""

    name: str
    concept: str
    stats: dict[str, int]
    harm: int


class SafetyView(Shape):
    """What stays out of play."""

    lines: list[str]
    veils: list[str]
    excluded: list[str]


class UsageView(Shape):
    """What the campaign has cost."""

    calls: int
    tokens: int
    cost_usd: float


class TableShown(Shape):
    """The player's view of the table."""

    scene: SceneView
    here: list[Someone]
    inventory: list[Thing]
    threads: list[ThreadView]
    clocks: list[ClockView]
    facts: list[FactView]
    situations: list[str]
    hero: HeroView
    safety: SafetyView
    usage: UsageView


class TurnStarted(Shape):
    """The id of a turn on its way; its end comes over the event stream."""

    turn_id: str


class Stopped(Shape):
    """Whether a turn was on its way."""

    stopped: bool


class PlaceShown(Shape):
    """Where play stands now. `turn_id`: a turn that is on its way from here."""

    branch: str
    turn_no: int
    turn_id: str = ""


class BranchRow(Shape):
    """A branch."""

    name: str
    from_turn: int
    turn_no: int
    active: bool


class Branches(Shape):
    """All branches."""

    branches: list[BranchRow]


class TakeRow(Shape):
    """A take on a turn."""

    take: int
    player_input: str
    final_text: str
    chosen: bool


class Takes(Shape):
    """All takes on a turn."""

    takes: list[TakeRow]


class Why(Shape):
    """A fact, and where it comes from."""

    fact: dict[str, Any]
    chain: list[dict[str, Any]]


class PassView(Shape):
    """One question to a model, word for word."""

    pass_id: str
    prompt: str
    model: str
    system: str
    text: str
    output: dict[str, Any] | None
    error: str
    tokens: dict[str, int]
    input_tokens: int
    output_tokens: int
    ms: float
    cost_usd: float


class Prompts(Shape):
    """Every pass of a turn."""

    passes: list[PassView]


class EntityView(Shape):
    """Someone or something the player has heard of."""

    id: str
    type: str
    name: str
    description: str
    facts: list[FactView]


class RelationView(Shape):
    """How one stands to another."""

    a: str
    b: str
    type: str
    intensity: int


class TimelineMoment(Shape):
    """Something that happened."""

    turn_no: int
    text: str


class WorldShown(Shape):
    """The player's view of the world."""

    entities: list[EntityView]
    relationships: list[RelationView]
    timeline: list[TimelineMoment]


class Sessions(Shape):
    """All game nights."""

    sessions: list[Session]


class Recap(Shape):
    """Previously…"""

    recap: str


class ImportedFile(Shape):
    """What was brought in."""

    kind: Literal["campaign", "pack", "lorebook", "vault", "card", "character", "rulebook", "chat"]
    counts: dict[str, int]
    id: str
    warnings: list[str] = Field(default_factory=list)
