"""The records of a mind: what a player wants, wonders, guesses, fears and has promised, and what it
leans to do because of it. Derived each round, kept with the round, never a source of truth."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import Field

from freeform.core.record import Record
from freeform.players.model import Option


class AskedTopic(Record):
    """Something one could ask about, as this player remembers it (rightly or not)."""

    text: str
    weight: float = 0.0
    clue: str = ""
    """The memory it comes from."""


class OpenQuestion(Record):
    """A question of the story, and the memories that bear on it."""

    title: str
    clues: list[str] = Field(default_factory=list)


class Hypothesis(Record):
    """Two memories that have something rare in common: perhaps they belong together."""

    shared: str
    clues: list[str] = Field(default_factory=list)
    text: str = ""


class Danger(Record):
    """Something that will happen unless somebody acts; `urgency` from 0 to 1."""

    text: str
    urgency: float = 0.0
    who: str = ""
    """Whom it threatens, if it names somebody; '' for everyone."""
    creeps: bool = False
    """Whether every turn brings it nearer, whatever one does."""


class PromiseMade(Record):
    """What somebody said they would do, and on what it hung."""

    by: str
    what: str
    condition: str = ""
    kept: bool = True


class Leaning(Record):
    """An option as this player sees it: what it hopes for, what it fears, and why."""

    option: Option
    score: float
    progress: float = 0.0
    """What it expects to come of it."""
    risk: float = 0.0
    serves: str = ""
    """The want it serves most: a question, a danger, a goal of its own."""
    clue: str = ""
    """The memory that speaks for it."""
    aim: str = ""
    """Of a way: what is to be done at its end."""
    also: list[str] = Field(default_factory=list)
    """What else could be done there, best first."""


class MindState(Record):
    """One player's mind in one round."""

    questions: list[OpenQuestion] = Field(default_factory=list)
    hypotheses: list[Hypothesis] = Field(default_factory=list)
    dangers: list[Danger] = Field(default_factory=list)
    promises: list[PromiseMade] = Field(default_factory=list)
    leanings: list[Leaning] = Field(default_factory=list)
    """Best first."""

    def leaning(self, option: str) -> Leaning | None:
        """How this player sees that option; None for one it never thought of."""
        return next((one for one in self.leanings if one.option.text == option), None)


@dataclass(frozen=True)
class Hope:
    """A deed, what it promises, the memory that says so, and where it can be done ('' for here)."""

    option: Option
    worth: float
    clue: str = ""
    place: str = ""


@dataclass(frozen=True)
class Spot:
    """A place as it is remembered: what is there to lay hands on."""

    place: str
    things: Sequence[str]
    people: Sequence[str] = ()
