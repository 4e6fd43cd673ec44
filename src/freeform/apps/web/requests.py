"""What requests bring, record by record."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from freeform.engine.campaign.begin import Answers
from freeform.services.gm.hand import PenVerb, Verb
from freeform.services.play import Mode
from freeform.services.scenario.forging import ForgeOrder

TurnNo = Annotated[int, Field(ge=1, le=1_000_000_000)]
Word = Annotated[str, Field(max_length=200)]


class Body(BaseModel):
    """What a request brings. Unknown keys are mistakes, and so is `false` for 0."""

    model_config = ConfigDict(extra="forbid", strict=True)


class ModelChoice(Body):
    """A model, and what is needed to reach it; for this run of the server, unless it is kept."""

    model: Annotated[str, Field(min_length=1, max_length=300)]
    key: Annotated[str, Field(max_length=500)] = ""
    base_url: Annotated[str, Field(max_length=500)] = ""
    keep: bool = False
    """Whether the choice and its key hold after a restart, too."""


class ServedBody(Body):
    """Whose models are asked for."""

    kind: Literal["ollama", "url", "anthropic", "openai", "openrouter"]
    key: Annotated[str, Field(max_length=500)] = ""
    url: Annotated[str, Field(max_length=500)] = ""


class DoorBody(Body):
    """What draws pictures: '' for nothing."""

    door: Literal["", "openai", "automatic1111", "comfyui"] = ""
    url: Annotated[str, Field(max_length=500)] = ""
    model: Annotated[str, Field(max_length=200)] = ""
    key: Annotated[str, Field(max_length=500)] = ""
    style: Annotated[str, Field(max_length=300)] = ""


class PictureBody(Body):
    """What one wants to see: `scene`, or someone or something by id or name; after which turn."""

    of: Annotated[str, Field(max_length=200)] = "scene"
    turn_no: Annotated[int | None, Field(ge=0)] = None


class NewPackDraft(Body):
    """A pack for the desk: a new one by its name, or the copy of one on the shelf."""

    name: Annotated[str, Field(max_length=120)] = ""
    pack: Annotated[str, Field(max_length=120)] = ""


class PackDraftBody(Body):
    """All texts of a pack by file, made from a version."""

    texts: dict[str, str]
    version: int


class StoryWish(Body):
    """What the forge is asked for; anything may be left out."""

    premise: Annotated[str, Field(max_length=20_000)] | None = None
    genre: Word = ""
    tone: Word = ""
    packs: Annotated[list[Word], Field(max_length=8)] = Field(default_factory=list)
    card: Annotated[str, Field(max_length=2_000_000)] = ""
    """A character card as JSON."""
    system: Word = ""
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = None

    def order(self) -> ForgeOrder:
        """As the forge takes it."""
        asked = self.model_dump(include={*StoryWish.model_fields} - {"card"})
        return ForgeOrder(**asked, card=self.card.encode(), card_name="card.json")


class NewCampaign(StoryWish):
    """A campaign to begin: of a scenario, or of one forged from a premise, packs or a card."""

    scenario: Word | None = None
    campaign: Annotated[str, Field(max_length=64)] | None = None
    answers: Answers = Field(default_factory=Answers)


class NewDraft(Body):
    """What a draft begins with: nothing, a premise, or a story on the shelf."""

    name: Word = ""
    premise: Annotated[str, Field(max_length=20_000)] = ""
    genre: Word = ""
    scenario: Word = ""
    seed: Annotated[int, Field(ge=0, le=2**53)] | None = None


class DraftBody(Body):
    """A draft as its writer leaves it, and the version they began from."""

    scenario: dict[str, Any]
    version: TurnNo


class VersionBody(Body):
    """A version that holds from now on."""

    number: TurnNo


class PreviewBody(Body):
    """Where a preview begins; '' for where the story does."""

    place: Word = ""


class TurnBody(Body):
    """What a player types."""

    text: str
    """How much a turn takes is said by whoever hears it, for every door the same."""
    mode: Mode = "do"


class UndoBody(Body):
    """How many turns to take back."""

    turns: TurnNo = 1
    correction: int | None = None
    """The game master's correction that is meant; 409 where it is no longer the last thing done."""


class ChooseBody(Body):
    """Which take on which turn."""

    turn_no: TurnNo
    take: TurnNo


class BranchBody(Body):
    """From where, and under which name."""

    turn_no: Annotated[int, Field(ge=0, le=1_000_000_000)] | None = None
    name: Word | None = None


class SwitchBody(Body):
    """Which branch."""

    branch: Word


class XBody(Body):
    """What must not come up again; may be empty."""

    what: Word = ""


Limits = Annotated[list[Word], Field(max_length=60)]


class LimitsBody(Body):
    """Topics that are lines from now on, veils, or neither."""

    lines: Limits = []
    veils: Limits = []
    remove: Limits = []


class HandBody(Body):
    """A game master's word: `verb` is do, say, whisper, note, pin or unpin."""

    verb: Verb
    text: str = ""
    """Effects as YAML, a statement, a direction, a note, or a fact's id."""
    why: str = ""
    turns: int = 1


class PenBody(Body):
    """The narrator's pen: `tell` a passage as the next turn, `reword` a turn (0: the last),
    `retell` the last one."""

    verb: PenVerb
    text: str = ""
    turn_no: Annotated[int, Field(ge=0, le=1_000_000_000)] = 0


class StyleBody(Body):
    """How prose is told; what is absent stays, '' is the narrator's choice."""

    length: str | None = None
    person: str | None = None
    tense: str | None = None
    manner: str | None = None


class EditBody(Body):
    """Other words for an earlier turn."""

    turn_no: TurnNo
    text: str


class StoryBody(Body):
    """What an owner says of a story; what is left out stays as it is."""

    name: Annotated[str, Field(max_length=500)] | None = None
    archived: bool | None = None


class CopyBody(Body):
    """What the copy is called; '' makes a name."""

    name: Annotated[str, Field(max_length=120)] = ""


class OracleBody(Body):
    """A question to the oracle, or the name of a table."""

    text: str = ""
    odds: Word = ""
    """How likely a yes is; may stand at the end of the question instead."""


class RollBody(Body):
    """Dice as people write them."""

    expr: Word
