"""What each stage asks a language model, and the record it gives back.

Every field may be left out: what is missing stands as it was filled offline.
"""

from typing import Any

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Reply

ROLE = "narrator"
"""Whoever tells the story writes it."""


class StageInput(PassInput):
    """What a stage is told: the premise, what stands so far, and what was wrong with its last
    answer."""

    premise: str
    story: str
    mistakes: str = ""


class MarkedNoun(Reply):
    """A noun of the premise, word for word, and what it names."""

    words: str
    label: str


class PremiseMarks(Reply):
    """What a premise says."""

    nouns: list[MarkedNoun] = Field(default_factory=list)
    shape: str = ""
    genre: str = ""


class QuestionTold(Reply):
    """What the evening asks."""

    title: str = ""
    question: str = ""
    stakes: str = ""
    themes: list[str] = Field(default_factory=list)


class PersonTold(Reply):
    """Somebody, by id."""

    id: str
    name: str = ""
    look: str = ""
    want: str = ""
    manner: str = ""
    greeting: list[str] = Field(default_factory=list)


class CastTold(Reply):
    """The people of the evening."""

    people: list[PersonTold] = Field(default_factory=list)


class SecretTold(Reply):
    """A secret, by id."""

    id: str
    text: str


class SecretsTold(Reply):
    """What is really so: in one clause, and as secrets."""

    clause: str = ""
    secrets: list[SecretTold] = Field(default_factory=list)


class ClueTold(Reply):
    """How a secret, by id, can be seen, and how somebody tells it."""

    id: str
    spot: str = ""
    look: str = ""
    topics: list[str] = Field(default_factory=list)
    says: str = ""
    deflects: str = ""


class CluesTold(Reply):
    """The ways to every secret."""

    clues: list[ClueTold] = Field(default_factory=list)


class ClocksTold(Reply):
    """What runs out, in four steps, and what happens meanwhile."""

    name: str = ""
    steps: list[str] = Field(default_factory=list)
    moves: list[str] = Field(default_factory=list)


class EndingTold(Reply):
    """An ending, by id."""

    id: str
    title: str = ""
    text: str = ""


class EndingsTold(Reply):
    """How it may come to rest."""

    endings: list[EndingTold] = Field(default_factory=list)


class OpeningTold(Reply):
    """The first words."""

    paragraphs: list[str] = Field(default_factory=list)


PREMISE = Pass("forge/premise", StageInput, PremiseMarks, role=ROLE, needs=("nouns",))
QUESTION = Pass("forge/question", StageInput, QuestionTold, role=ROLE, needs=("question",))
CAST = Pass("forge/cast", StageInput, CastTold, role=ROLE, needs=("people",))
SECRETS = Pass("forge/secrets", StageInput, SecretsTold, role=ROLE, needs=("secrets",))
CLUES = Pass("forge/clues", StageInput, CluesTold, role=ROLE, needs=("clues",))
CLOCKS = Pass("forge/clocks", StageInput, ClocksTold, role=ROLE, needs=("steps",))
ENDINGS = Pass("forge/endings", StageInput, EndingsTold, role=ROLE, needs=("endings",))
OPENING = Pass("forge/opening", StageInput, OpeningTold, role=ROLE, needs=("paragraphs",))
STAGES: tuple[Pass[StageInput, Any], ...] = (
    PREMISE,
    QUESTION,
    CAST,
    SECRETS,
    CLUES,
    CLOCKS,
    ENDINGS,
    OPENING,
)


def stage_name(stage: Pass[StageInput, Any]) -> str:
    """`cast` of `forge/cast`."""
    return stage.id.rpartition("/")[2]
