"""The records that every door shows a player: scenarios, campaigns, turns, the table, the world."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from freeform.engine.campaign.begin import ZeroQuestion
from freeform.engine.campaign.sessions import Session
from freeform.engine.log import PlayedPart
from freeform.engine.world.rolled import Roll


class View(BaseModel):
    """A part of what is shown."""

    model_config = ConfigDict(frozen=True, populate_by_name=True)


class HeroRow(View):
    """Someone one can be."""

    id: str
    name: str
    concept: str
    stats: dict[str, int]


class ScenarioView(View):
    """Something one can play, with its heroes and the questions of session zero."""

    id: str
    name: str
    genre: str
    packs: list[str]
    description: str
    heroes: list[HeroRow]
    questions: list[ZeroQuestion]


class CampaignView(View):
    """A campaign where it stands. `playing`: the id of a turn that is being told right now."""

    id: str
    name: str
    scenario: str
    genre: str = ""
    archived: bool = False
    deleted_at: str = ""
    draft: str = ""
    """The draft it is a preview of."""
    branch: str
    turn_no: int
    opening: str
    suggested_actions: list[str]
    next_prompt: str
    pending: bool
    playing: str = ""
    session: Session | None


class StateChange(View):
    """Something a turn changed, as the player sees it."""

    kind: Literal["clock", "item", "fact", "thread", "scene", "relation"]
    text: str
    id: str
    before: int | str | None = Field(None, alias="from")
    to: int | str | None = None


class PictureView(View):
    """A picture that was made on request."""

    id: str
    kind: str
    of: str = ""
    name: str
    url: str
    width: int
    height: int


class TurnView(View):
    """A turn as a reader sees it."""

    turn_no: int
    turn_id: str
    take: int
    takes: int
    player_input: str
    actor: str = ""
    """Who acted, by name; '' in turns of before."""
    parts: list[PlayedPart] = Field(default_factory=list)
    """What each did, where several acted at once."""
    final_text: str
    told_by: str = ""
    """`pen` where a person wrote it, `corrected` where one changed it or had it told anew."""
    next_prompt: str
    suggested_actions: list[str]
    rolls: list[Roll]
    changed: list[StateChange]
    blocked: list[str]
    rejected: int
    degraded: list[str]
    at: str
    pictures: list[PictureView] = Field(default_factory=list)


class Story(View):
    """A stretch of turns, oldest first."""

    turns: list[TurnView]
    more: bool
    pictures: list[PictureView] = Field(default_factory=list)
    """Those of the opening, where it is part of the stretch."""


class Way(View):
    """A way out."""

    to: str
    name: str


class SceneView(View):
    """Where play is."""

    name: str
    description: str
    time: str
    exits: list[Way]


class Someone(View):
    """Someone who is here."""

    id: str
    name: str
    role: str
    description: str


class Thing(View):
    """Something the hero has."""

    id: str
    name: str
    qty: int
    description: str


class ThreadView(View):
    """A question of the story."""

    id: str
    title: str
    status: str


class ClockView(View):
    """Segments filling towards something."""

    id: str
    name: str
    value: int
    max: int


class FactView(View):
    """Something the player knows."""

    id: str
    text: str
    subject: str
    discovered_turn: int | None


class HeroView(View):
    """Who the player is."""

    name: str
    concept: str
    stats: dict[str, int]
    harm: int


class SafetyView(View):
    """What stays out of play."""

    lines: list[str]
    veils: list[str]
    excluded: list[str]


class UsageView(View):
    """What the campaign has cost."""

    calls: int
    tokens: int
    cost_usd: float


class TableShown(View):
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
    portraits: dict[str, str] = Field(default_factory=dict)
    """Pictures of people one knows, from character cards: by name, where each is."""


class EntityView(View):
    """Someone or something the player has heard of."""

    id: str
    type: str
    name: str
    description: str
    facts: list[FactView]


class RelationView(View):
    """How one stands to another."""

    a: str
    b: str
    type: str
    intensity: int


class TimelineMoment(View):
    """Something that happened."""

    turn_no: int
    text: str


class WorldShown(View):
    """The player's view of the world."""

    entities: list[EntityView]
    relationships: list[RelationView]
    timeline: list[TimelineMoment]


class PassView(View):
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
