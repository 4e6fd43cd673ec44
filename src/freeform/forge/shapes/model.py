"""A story shape as its YAML file has it: roles, the truths it may have, deeds and endings."""

from typing import Literal

from pydantic import Field

from freeform.core.record import Record


class ShapeRole(Record):
    """Somebody the story needs."""

    stations: list[str]
    """What they may be in life, the likeliest first: authority, keeper, hand …"""
    at: str
    """The site where they are; `nowhere` for one who is gone."""
    parts: list[str]
    """Who takes it, by their part in the premise, the likeliest first: foe, friend …"""
    likes: str = ""
    """Words that fit the role: a person of the premise with one of them takes it first."""
    want: str = ""
    """What they are after, for whoever leads the game: nobody says it."""
    says_want: str = ""
    """What they say they want, in the first person: only of one about whom nothing is kept."""
    known_as: str = ""
    greets: list[str] = Field(default_factory=list)
    """How they greet who are there from the first, where the story says so."""
    heart: dict[str, list[str]] = Field(default_factory=dict)
    """What they say of themselves first: how they are (`feel`), what was (`past`), `want`."""
    faced: bool = False
    """Whether whoever the premise says one has to face takes it."""
    told_of: bool = False
    """Whether whoever the premise says it of, or to whom it befalls, takes it."""
    absent: bool = False
    dead: bool = False
    """Of one who is gone: whoever the premise says is dead takes it."""


class ShapeUse(Record):
    """Something one can do with a thing, and what comes of it."""

    actions: list[str]
    words: list[str] = Field(default_factory=list)
    """By which it is meant, where the action alone is not enough."""
    needs: str = ""
    """A secret that must be known, or a thing that must be carried; '' for nothing."""
    text: str
    blocked: str = ""
    """What is told to who has not what it needs, or has done it before."""
    reveals: str = ""
    opens: bool = False
    """Whether the place that is kept shut is open after it."""
    suggest: str = ""
    natures: list[str] = Field(default_factory=list)
    """Only for a thing of these sorts; '' is what the premise does not name."""


class ShapeThing(Record):
    """Something the story needs."""

    at: str
    names: list[str]
    text: str
    hidden: bool = False
    premise: bool = False
    """Whether the first thing of the premise takes its place."""
    something: bool = False
    """Whether it is a beast, a monster or what the premise only calls something."""
    likes: str = ""
    """Where only some things would do: the nouns that name them."""
    many: str = ""
    """What several of them come in, so that they are one: a pile of books; '' for one of them."""
    fixed: bool = False
    """Whether nobody could carry it off."""
    optional: bool = False
    """Whether the story has it only where the premise names something."""
    told: str = ""
    """Of what is optional: what the opening says of it."""
    who: str = ""
    """Of what is optional: whoever has `says` to say of it."""
    says: list[str] = Field(default_factory=list)
    views: dict[str, str] = Field(default_factory=dict)
    """What each of those in the story has to say of it, by role."""
    by_sort: dict[str, list[str]] = Field(default_factory=dict)
    """What it is where the premise has only a place for the story to turn on, by its sort."""
    handled: str = ""
    """What comes of doing with it what one does with such a thing; whatever is hidden about it and
    could be seen where it lies comes out then."""

    def takes(self, head: str, part: str) -> bool:
        """Whether something of the premise may take its place: what is wanted in any case, else
        what is of a kind."""
        return part == "stake" or not self.likes or head in self.likes.split()


class ShapeTrace(Record):
    """A secret as it can be seen somewhere."""

    at: str
    spot: str
    aka: list[str] = Field(default_factory=list)
    look: str
    gives: str = ""
    """A thing that is found with it."""


class ShapeSaying(Record):
    """A secret as somebody tells it: freely, or (with `deflects`) when they are moved to."""

    who: str
    topics: list[str]
    says: list[str]
    deflects: list[str] = Field(default_factory=list)
    lever: str = ""
    """Another secret that moves them, once it is known."""


class ShapeFact(Record):
    """A secret, with two ways to it."""

    id: str
    about: str
    text: str
    trace: ShapeTrace
    tell: ShapeSaying | None = None
    keep: ShapeSaying | None = None
    core: bool = False
    """Whether it answers the question."""
    after: str = ""
    """The secret without which one would not know what one sees here."""


class ShapeTruth(Record):
    """One way it may really have been."""

    id: str
    clause: str
    facts: list[ShapeFact]
    dark: bool = False
    """Not for a light tone."""
    natures: list[str] = Field(default_factory=list)
    """Only where the story turns on one of these sorts of things; '' for one it brings itself."""
    lost: bool | None = None
    """Only for a premise in which what it turns on is gone, or only for one in which it is not."""
    looks: dict[str, str] = Field(default_factory=dict)
    """What things look like, where it is not as the story says."""
    writings: dict[str, str] = Field(default_factory=dict)
    """The words on things that are written."""
    uses: dict[str, list[ShapeUse]] = Field(default_factory=dict)
    """What can be done with things."""


class ShapeDeed(Record):
    """Something that brings the story to an end."""

    id: str
    suggest: str
    actions: list[str]
    words: list[str]
    needs: list[str]
    """Secrets that must be known: those of them that this truth has."""
    trust: int = 0
    """How far its target must trust the player where those are not known; 0: that is no way."""
    blocked: str
    success: str
    mixed: str = ""
    failure: str = ""
    ending: str
    target: str = ""
    at: str = ""
    stat: str = ""
    whose: Literal["any", "own"] = "any"
    """For every premise, or only for one that is the player's own."""
    truth: str = ""
    """The truth in which it can be done, where it is not any of them; so with its ending."""


class ShapeStroke(Record):
    """Something that is done over and over, or said from the heart: it ends nothing by itself, and
    moves how the story stands."""

    id: str
    near: str = ""
    """Whoever must be there; '' for nobody."""
    truth: str = ""
    """The truth in which it comes out so, where it is not any of them."""
    reveals: str = ""
    """What is learnt by it."""
    actions: dict[str, str]
    """Under which actions it is meant, and which stat dice decide it by; '' for no dice."""
    words: list[str] = Field(default_factory=list)
    """By which it is meant; none where whatever one does beside them is a part of it."""
    success: list[str]
    mixed: list[str] = Field(default_factory=list)
    failure: list[str] = Field(default_factory=list)
    gains: str = ""
    """The track that moves where it goes well."""
    loses: str = ""
    """The one that moves where it does not."""
    warms: str = ""
    """Whoever thinks better of the player for it."""
    once: bool = False
    blocked: str = ""
    """What is told to who has done it before."""
    suggest: str = ""


class ShapeTrack(Record):
    """How far something has come by strokes."""

    name: str
    max: int
    steps: dict[str, str]
    ending: str
    """How it comes to rest when the track is full."""


class ShapeTool(Record):
    """What one has about one for a contest, where the premise names that contest."""

    signs: list[str]
    name: str
    text: str


class ShapeEnding(Record):
    """How it comes to rest."""

    title: str
    text: str


class ShapeOpening(Record):
    """One way an evening begins, a paragraph after the other; one of them has the premise."""

    whose: Literal["told", "own", "any"]
    """For a premise told of others, for the player's own, or for both."""
    text: list[str]
    has_aim: bool = False
    """Whether it says what the hero has to do: for a premise that says so."""
    lost: bool | None = None
    """Only for a premise in which what it turns on is gone, or only for one in which it is not."""

    def suits(self, is_own: bool, has_aim: bool) -> bool:
        """Whether it can open such a premise."""
        return self.whose in ("any", "own" if is_own else "told") and has_aim >= self.has_aim


class ShapeClock(Record):
    """What runs out, and what is seen of it."""

    name: str
    steps: dict[str, str]
    brings: dict[str, str] = Field(default_factory=dict)
    """Who comes to the player at a step, wherever they are."""


class ShapeBriefing(Record):
    """What somebody who is there from the first says of the matter itself."""

    who: str
    topics: list[str]
    says: list[str]


class StoryShape(Record):
    """A kind of evening."""

    id: str
    about: str
    signs: list[str]
    titles: list[str]
    question: str
    thing_question: str = ""
    """What is asked where the premise has a thing that the story turns on."""
    aim_question: str = ""
    """What is asked where the premise says what the hero has to do."""
    happening_question: str = ""
    """What is asked where the premise says what goes on with the thing that the story turns on."""
    natures: list[str] = Field(default_factory=list)
    """Of an open story: the sorts of things it can turn on. It is told where the premise turns on
    one of them."""
    heard_as: list[str] = Field(default_factory=list)
    """Of an open story: the kinds of story the ear takes such premises for; it is told where one of
    them is likely."""
    open: bool = False
    """Told where nothing says what kind of story it is: others are told only where more speaks for
    them than for this one."""
    happening: bool = False
    """Told of what the premise says is going on: only where it does."""
    stakes: str
    themes: list[str]
    roles: dict[str, ShapeRole]
    things: dict[str, ShapeThing]
    openings: list[ShapeOpening]
    suggestions: list[str]
    briefing: ShapeBriefing | None = None
    """So that the first thing one would ask is answered."""
    clock: ShapeClock
    moves: list[str]
    advice: str
    truths: list[ShapeTruth]
    deeds: list[ShapeDeed]
    strokes: list[ShapeStroke] = Field(default_factory=list)
    tracks: dict[str, ShapeTrack] = Field(default_factory=dict)
    tools: list[ShapeTool] = Field(default_factory=list)
    """The first that the premise has a word for is the hero's."""
    endings: dict[str, ShapeEnding]
    own: bool = False
    """Only for a premise that tells what the player is in the middle of."""
    shut_in: str = ""
    """What is said to who would leave the map, where nobody gets out before it is over."""
    killing: list[str] = Field(default_factory=list)
    """Of a story about a killing: words for one. Without such a word, or somebody who was struck
    down, no premise is told as this story."""
    instead_of: str = ""
    """The story about a killing in whose place this one is told where nobody was killed."""
