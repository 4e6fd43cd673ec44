"""The two-call form of a turn: the referee hears, rules and plans in one answer; then the teller
tells. What the log holds of them are the records of the three passes."""

from typing import Any, ClassVar

from pydantic import Field, SkipValidation

from freeform.core.llm.gateway import Pass
from freeform.core.record import Reply, spelled
from freeform.engine.authored.scenario import Offer
from freeform.engine.passes import InterpreterInput, NarratorInput, as_directed, as_said_anew
from freeform.engine.shelf.recall import RecalledPiece
from freeform.engine.story.now import offers_told
from freeform.engine.world.model import (
    EngineEvent,
    InterpreterOutput,
    NarratorOutput,
    PlannerOutput,
    ProposedAction,
)

_MOST_BEATS = 2


class RefereeInput(InterpreterInput):
    """For hearing, ruling and planning: the story, what is so now, and what only a game master
    knows."""

    stable: ClassVar[str] = "story"
    known_elsewhere: ClassVar[frozenset[str]] = frozenset(
        {"action_types", "offers", "story", "now", "secret", "recalled", "deeds"}
    )
    not_taped_empty: ClassVar[frozenset[str]] = frozenset({"direction"})

    story: str
    now: str
    secret: str = ""
    deeds: SkipValidation[list[Offer]] = Field(default_factory=list)
    """Of the offers, those that are open now."""
    lore: SkipValidation[dict[str, Any]] = Field(default_factory=dict)
    """What the books say of the scene, for a game master."""
    direction: SkipValidation[dict[str, Any]] = Field(default_factory=dict)
    recalled: SkipValidation[list[RecalledPiece]] = Field(default_factory=list)
    """What was looked up for the player's words, for the log."""

    def left_out(self) -> str:
        """All that was told but stands in the log."""
        return "\n".join([super().left_out(), self.story, self.now, self.secret])

    def fields(self) -> dict[str, str]:
        return {
            "story": self.story,
            "now": self.now,
            "offers": offers_told(self.deeds),
            "secret": self.secret + as_directed(self.direction),
            "player_input": self.player_input,
        }


class PersonIntent(Reply):
    """What someone present is about to do or say, before the dice."""

    id: str
    intent: str = ""


class RefereeOutput(Reply):
    """What the player means, what a game master rules, what people are about to do, and what this
    turn might bring to the fore."""

    proposed_actions: list[ProposedAction] = Field(default_factory=list)
    assumptions: list[str] = Field(default_factory=list)
    question: str = ""
    takes_back: bool = False
    people: list[PersonIntent] = Field(default_factory=list)
    beats: list[str] = Field(default_factory=list)
    tension_move: str = ""

    def heard(self) -> InterpreterOutput:
        """The part of it that is hearing."""
        return InterpreterOutput(
            referenced_entities=[a.target_id for a in self.proposed_actions if a.target_id],
            proposed_actions=self.proposed_actions,
            assumptions=self.assumptions,
            question=self.question,
            takes_back=self.takes_back,
        )

    def planned(self) -> PlannerOutput:
        """The part of it that is planning; people's intents are one of the beats."""
        minds = "; ".join(f"{one.id}: {one.intent}" for one in self.people if one.intent.strip())
        beats = [beat for beat in self.beats if beat.strip()][: _MOST_BEATS - bool(minds)]
        return PlannerOutput(
            beats=[*beats, minds] if minds else beats, tension_move=self.tension_move
        )


class TellerInput(NarratorInput):
    """For telling: the story, what is so now, and what happened."""

    stable: ClassVar[str] = "story"
    known_elsewhere: ClassVar[frozenset[str]] = NarratorInput.known_elsewhere | {"story", "now"}

    story: str
    now: str

    def left_out(self) -> str:
        """All that was told but stands in the log."""
        return "\n".join([super().left_out(), self.story, self.now])

    def fields(self) -> dict[str, str]:
        return {
            "story": self.story,
            "now": self.now,
            "player_input": self.player_input,
            "happened": "\n".join(map(_happened, self.engine_events)) or "nothing",
            "rolls": "; ".join(roll.text for roll in self.rolls) or "none",
            "blocked": "; ".join(each.reason for each in self.blocked_actions) or "nothing",
            "question": self.clarification_question or "nothing",
            "beats": "\n".join(self.planner_output.beats) or "none",
            "openings": "; ".join(self.openings),
            "exclude": "; ".join(self.exclude)
            + as_directed(self.direction)
            + as_said_anew(self.fallen),
        }


def _happened(event: EngineEvent) -> str:
    """An event in a line: what kind, and what of it is told."""
    free = " (free)" if "free" in event.tags else ""
    told = {name: value for name, value in event.details.items() if value not in ("", [], None)}
    return f"- {event.type}{free}: {spelled(told)}"


REFEREE = Pass(
    "engine/referee",
    RefereeInput,
    RefereeOutput,
    role="interpreter",
    needs=("proposed_actions", "question", "takes_back"),
)
TELLER = Pass(
    "engine/teller",
    TellerInput,
    NarratorOutput,
    role="narrator",
    streams="final_text",
    needs=("final_text",),
)
