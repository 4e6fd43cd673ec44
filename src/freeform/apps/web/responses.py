"""What the API answers, record by record: the OpenAPI document is made from these."""

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from freeform.engine.campaign.sessions import Session
from freeform.services.arrivals.kinds import BroughtKind
from freeform.services.model.trial import ModelTrial
from freeform.services.models import ModelRow
from freeform.services.stories.cards import StoryRow
from freeform.services.stories.front import StoryFront
from freeform.services.views.records import PassView, ScenarioView

Kind = Literal[
    "not_found",
    "user",
    "conflict",
    "unavailable",
    "budget",
    "too_large",
    "forbidden",
    "gone",
    "mistake",
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
    seat: str = ""
    """The one campaign that whoever asks sits at; '' for the owner."""
    role: str = ""


class Chosen(Shape):
    """The model that plays from now on."""

    model: str
    stays_here: bool


class Tried(Shape):
    """Whether a model answers."""

    ok: bool
    message: str
    trial: ModelTrial | None = None


class ServedModels(Shape):
    """What a server lists, as names one can choose."""

    models: list[str]


class Scenarios(Shape):
    """All that can be played."""

    scenarios: list[ScenarioView]


class Campaigns(Shape):
    """All campaigns, last played first; or those in the bin."""

    campaigns: list[StoryRow]


class Home(Shape):
    """The front page: one's stories, and how many more there are than are told here."""

    stories: list[StoryFront]
    more: int
    deleted: int


class TurnStarted(Shape):
    """The id of a turn on its way; its end comes over the event stream."""

    turn_id: str
    before: int = 0
    """How many turns are played before it, at a table of several."""
    waits_for: list[str] = Field(default_factory=list)
    """Whose words are waited for, where all write together."""


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


class Prompts(Shape):
    """Every pass of a turn."""

    passes: list[PassView]


class Sessions(Shape):
    """All game nights."""

    sessions: list[Session]


class Recap(Shape):
    """Previously…"""

    recap: str


class ImportedFile(Shape):
    """What was brought in."""

    kind: BroughtKind
    counts: dict[str, int]
    id: str
    scenario: str = ""
    """What can be played at once, where it makes something playable."""
    warnings: list[str] = Field(default_factory=list)
