"""The records of a party: who plays, what is said in which channel, how a question is settled, what
a round was."""

from enum import StrEnum
from typing import Any, Literal

from pydantic import Field

from freeform.core.record import Record

Kind = Literal["ask", "look", "go", "take", "show", "use", "talk", "wait"]
"""What sort of deed an option is; personas like some sorts better than others."""
KINDS: tuple[Kind, ...] = ("ask", "look", "go", "take", "show", "use", "talk", "wait")
Dm = Literal["engine", "human"]


class Traits(Record):
    """A player's nature, each from 0 to 1. The first five shape memory too."""

    analytical: float = Field(default=0.5, ge=0, le=1)
    emotional_memory: float = Field(default=0.5, ge=0, le=1)
    detail_oriented: float = Field(default=0.5, ge=0, le=1)
    confidence: float = Field(default=0.5, ge=0, le=1)
    base_decay_rate: float = Field(default=0.3, ge=0, le=1)
    talkative: float = Field(default=0.5, ge=0, le=1)
    caution: float = Field(default=0.5, ge=0, le=1)
    stubborn: float = Field(default=0.3, ge=0, le=1)


class Character(Record):
    """The actor: has intent and dialogue only, never an outcome. `stats` are the general ones."""

    id: str = ""
    name: str
    concept: str = ""
    pronouns: str = "they/them"
    stats: dict[str, int] = Field(default_factory=dict)
    bold: float = Field(default=0.3, ge=0, le=1)
    """How readily it takes success for granted."""
    manner: str = ""
    """How this character speaks and carries itself, for whoever plays it."""
    lines: dict[str, list[str]] = Field(default_factory=dict)
    """What the offline actor says, by occasion."""


class BasePersona(Record):
    """The player: personality, strategy, talk at the table. Directs a character and never speaks as
    it."""

    id: str
    name: str
    about: str = ""
    pronouns: str = "they/them"
    traits: Traits = Field(default_factory=Traits)
    goals: list[str] = Field(default_factory=list)
    likes: list[Kind] = Field(default_factory=list)
    voice: str = ""
    """How this player talks at the table."""
    lines: dict[str, list[str]] = Field(default_factory=dict)
    """What the offline player says, by occasion."""
    character: Character


class Seat(Record):
    """A place at the table: a player, the character it directs, and whether a person sits there."""

    agent: str
    persona: BasePersona
    character: Character
    person: bool = False


class Party(Record):
    """Who plays what, how well they remember, and with which luck. The campaign belongs to the
    engine."""

    id: str
    campaign: str
    scenario: str
    seed: int
    strength: float = Field(default=0.3, ge=0, le=1)
    law: Literal["human", "seed", "none"] = "human"
    """How they forget: as people do, by the design's first formula, or nothing is remembered."""
    seats: list[Seat]
    session: int = 1
    session_rounds: int = 10
    """A game night ends by itself after so many rounds; 0: only when told."""
    created_at: str = ""
    again_of: str = ""
    """The party this one plays again from the start."""

    def seat(self, agent: str) -> Seat:
        """The seat of that agent."""
        return next(seat for seat in self.seats if seat.agent == agent)


class Channel(StrEnum):
    """Where something is said."""

    IC = "in_character"
    OOC = "out_of_character"
    P2C = "player_to_character"


class Layer(StrEnum):
    """Who listens or speaks: the player, the character, or the game master."""

    PERSONA = "base_persona"
    CHARACTER = "character"
    DM = "dm"


class Listener(Record):
    """An agent at the router: its layer, its id, and the other half of its seat."""

    layer: Layer
    id: str
    partner: str = ""
    """A persona's character, a character's persona."""


class Message(Record):
    """Something said, once: `id` is round, phase and speaker, so that saying it again changes
    nothing."""

    id: str
    channel: Channel
    from_agent: str
    to_agents: list[str] = Field(default_factory=list)
    content: str
    round: int = 0
    phase: str = ""
    at: str = ""
    """When it was said, by the clock of the wall (ISO, UTC); for the time a message is kept, never
    shown to a model."""


class Stance(StrEnum):
    """Where someone stands to a proposal. A conditional yes is `agree` with a lower confidence and
    a condition."""

    AGREE = "agree"
    DISAGREE = "disagree"
    NEUTRAL = "neutral"
    SILENT = "silent"


class Position(Record):
    """One player's stance, how sure we are of it, and what a yes hangs on."""

    agent_id: str
    stance: Stance
    confidence: float = Field(default=0.5, ge=0, le=1)
    condition: str = ""


class ConsensusState(StrEnum):
    """How a question stands."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"
    CONFLICTED = "conflicted"
    TIMEOUT = "timeout"


class Proposal(Record):
    """What someone wants the party to do now."""

    by: str = ""
    option: str = ""
    kind: Kind = "look"


class Consensus(Record):
    """A question of the round and how it was settled. `state` timeout: `how` says what the vote
    gave."""

    question: str = ""
    proposal: Proposal = Field(default_factory=Proposal)
    state: ConsensusState = ConsensusState.CONFLICTED
    positions: list[Position] = Field(default_factory=list)
    rounds: int = 0
    decided: bool = False
    how: str = ""
    """`talk`, `vote`, `no vote carried it`, or `the game master decided`."""
    dissent: list[str] = Field(default_factory=list)


class Option(Record):
    """Something one could do here, in the words a player would type."""

    text: str
    kind: Kind
    who: str = ""
    """Whom or what it is done to, as people call it."""
    topic: str = ""
    tried: int = 0
    """How often the party has done it."""
    new: bool = False
    """Of a way: nobody has been there. Of a question: one that the game master hints at."""


class Peril(Record):
    """Something that will happen unless somebody acts, as the table was told; `near` from 0 to
    1."""

    text: str
    near: float = 0.0
    creeps: bool = False
    """Whether every turn brings it nearer, whatever one does."""


class SeenPlace(Record):
    """A place the party has been to, as it knows it from where it stands."""

    place: str
    far: int = 1
    """How many ways lie between."""
    things: list[str] = Field(default_factory=list)
    people: list[str] = Field(default_factory=list)
    """Whom one met there."""
    refused: dict[str, str] = Field(default_factory=dict)
    """Deeds that could not be done there, and why."""
    news: int = 0
    """How much was learnt since."""
    ago: int = 0
    """Turns since."""
    unseen: list[str] = Field(default_factory=list)
    """Open ways from there that nobody has taken."""
    untouched: list[str] = Field(default_factory=list)
    """What stands there and nobody has laid a hand on."""
    shut: list[str] = Field(default_factory=list)
    """Where ways lead from there that cannot be taken yet."""


class TableView(Record):
    """What lies open on the table: everything here is known to every player, as the engine shows it
    to people."""

    place: str = ""
    day: float = 1.0
    people: list[str] = Field(default_factory=list)
    carried: list[str] = Field(default_factory=list)
    threads: list[str] = Field(default_factory=list)
    over: list[Option] = Field(default_factory=list)
    """What was done here already: who has forgotten it thinks of it again."""
    options: list[Option] = Field(default_factory=list)
    things: list[str] = Field(default_factory=list)
    """What stands here in plain sight."""
    found: list[str] = Field(default_factory=list)
    """What we carry and did not bring."""
    stakes: list[str] = Field(default_factory=list)
    """What we carry that an open question is about."""
    elsewhere: list[SeenPlace] = Field(default_factory=list)
    refused: dict[str, str] = Field(default_factory=dict)
    """What was tried here a while ago and could not be done, and why."""
    warned: list[Kind] = Field(default_factory=list)
    """Sorts of deeds that went badly here lately."""
    names: list[str] = Field(default_factory=list)
    """Names of people one has heard of, for telling who is spoken of."""
    party: list[str] = Field(default_factory=list)
    """Our own characters."""
    lost: list[str] = Field(default_factory=list)
    """Who died in the last round."""
    perils: list[Peril] = Field(default_factory=list)
    """What threatens, as far as it was told."""
    done: list[str] = Field(default_factory=list)
    """What the party has already tried with those who are here."""
    called: dict[str, list[str]] = Field(default_factory=dict)
    """What else one calls the things we carry."""
    advice: list[Option] = Field(default_factory=list)
    """What people of the story have told us to do, lately and here."""
    dry: int = 0
    """Rounds that have brought nothing new."""
    stuck: dict[str, str] = Field(default_factory=dict)
    """Deeds that were refused here lately, and why."""
    moved: list[str] = Field(default_factory=list)
    """Who was shown what, and something came of it: `Dutch: the umbrella`."""
    trail: list[str] = Field(default_factory=list)
    """Where the party was before, the last place first."""
    stay: int = 0
    """Rounds that the party has been here in a row."""
    dice: dict[str, str] = Field(default_factory=dict)
    """How deeds begin that dice decide, and the stat that is rolled."""
    sheets: dict[str, dict[str, int]] = Field(default_factory=dict)
    """By agent: its character's stats."""
    lines: list[str] = Field(default_factory=list)
    """What must never appear at this table, by session zero or an X-card."""
    veils: list[str] = Field(default_factory=list)
    """What happens off-screen only."""


class Memory(Record):
    """What an agent believes, as it is told to a pass: the words and how sure it is. Never the
    truth."""

    fact_id: str
    believed: str
    confidence: float = 1.0
    importance: float = 0.5
    day: float = 1.0
    own: bool = False
    """Whether it is of what this player or its character alone has seen, heard or done."""
    sight: bool = False
    """Whether it is only how something looked when it was found."""


class Action(Record):
    """What a character tries, and what it says meanwhile. `hold`: it only speaks, and takes no
    turn."""

    intent: str
    dialogue: str = ""
    hold: bool = False

    def said(self, name: str) -> str:
        """As the others hear it."""
        words = self.intent if self.intent else f"{name} waits."
        return f"{words} “{self.dialogue}”" if self.dialogue else words


class Validation(Record):
    """How an action passed the check against telling outcomes."""

    attempts: int = 1
    valid: bool = True
    warning: bool = False
    violations: list[str] = Field(default_factory=list)
    repaired_from: str = ""


class Ruling(Record):
    """What the game master made of an action."""

    text: str
    turn_no: int = 0
    rolls: list[str] = Field(default_factory=list)
    stats: list[str] = Field(default_factory=list)
    """The stats these were rolled with."""
    outcome: str = ""
    """`good`, `bad` or ''."""
    blocked: str = ""
    events: list[dict[str, Any]] = Field(default_factory=list)
    suggested: list[str] = Field(default_factory=list)
    by: Dm = "engine"


class RoundRecord(Record):
    """A whole round, as `party run --json` prints it. Nothing in it depends on the wall's clock or
    on the machine."""

    round: int
    session: int = 1
    phases: list[str]
    scene: str = ""
    memories: dict[str, list[Memory]] = Field(default_factory=dict)
    ooc: list[dict[str, Any]] = Field(default_factory=list)
    consensus: Consensus
    directives: dict[str, str] = Field(default_factory=dict)
    actions: dict[str, Action] = Field(default_factory=dict)
    validation: dict[str, Validation] = Field(default_factory=dict)
    order: list[str] = Field(default_factory=list)
    rulings: dict[str, Ruling] = Field(default_factory=dict)
    reactions: dict[str, str] = Field(default_factory=dict)
    helping: dict[str, str] = Field(default_factory=dict)
    """Whom an agent helped with its deed: agent -> agent."""
    over: str = ""
    """The title of the ending that the story came to in this round."""
    lost: list[str] = Field(default_factory=list)
    """Who died in this round."""
    minds: dict[str, dict[str, Any]] = Field(default_factory=dict)
    """What was on each player's mind: questions, guesses, dangers, and what it leant to most."""
    swayed: list[dict[str, Any]] = Field(default_factory=list)
    """Where a wrong memory changed what whoever spoke first leant to (`party/swayed.py`)."""
    stored: dict[str, int] = Field(default_factory=dict)
    narration: str = ""
    place: str = ""
    day: float = 1.0
    notes: list[str] = Field(default_factory=list)


class Waiting(Record):
    """A round that stands still until a person answers."""

    round: int
    phase: str
    who: str
    """An agent's id, or `dm`."""
    question: str
    default: str = ""
    options: list[str] = Field(default_factory=list)
