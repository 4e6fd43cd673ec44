"""The engine's three passes: what each is told, what each answers, and which prompt it speaks
through."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field, SkipValidation
from pydantic_core import to_json

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import spelled
from freeform.engine.authored.scenario import Offer
from freeform.engine.rules.safety import Fallen
from freeform.engine.world.model import (
    BlockedAction,
    ContextPacket,
    EngineEvent,
    InterpreterOutput,
    NarratorOutput,
    PlannerOutput,
    Reading,
    ValidatorOutput,
)
from freeform.engine.world.rolled import Roll


class _TurnInput(PassInput):
    """What every pass of a turn is told."""

    not_taped_empty: ClassVar[frozenset[str]] = frozenset()
    """Fields that came later: where they are empty a question's tape is as it was without them."""

    context_packet: ContextPacket
    player_input: str

    def fields(self) -> dict[str, str]:
        return {**super().fields(), "context_packet": packet_as_told(self.context_packet)}

    def kept(self) -> str:
        empty = {name for name in self.not_taped_empty if not getattr(self, name)}
        apart = {"context_packet", *self.known_elsewhere, *empty}
        rest = self.model_dump_json(exclude=apart)
        return f'{{"context_packet":{self.context_packet.text},{rest[1:]}'


class InterpreterInput(_TurnInput):
    """For hearing: what the player wrote, what the player's character knows, and the kinds of
    action."""

    known_elsewhere: ClassVar[frozenset[str]] = frozenset({"action_types", "offers"})

    action_types: SkipValidation[dict[str, list[str]]]
    offers: SkipValidation[list[Offer]] = Field(default_factory=list)
    readings: list[Reading] = Field(default_factory=list)
    """What the player was asked to choose from in the turn before."""

    def left_out(self) -> str:
        """Which deeds are offered.

        Their words and the kinds of action are the campaign's, from its beginning.
        """
        return "\n".join(f"{offer.action} {offer.target_id}" for offer in self.offers)

    def fields(self) -> dict[str, str]:
        """What was asked before is in the turns lately; a prompt needs no list of readings."""
        texts = super().fields()
        del texts["readings"]
        return texts


class PlannerInput(_TurnInput):
    """For steering: the game master's view, what may be tried, and the authored moves that fit
    now."""

    validator_output: ValidatorOutput
    moves: list[dict[str, Any]] = Field(default_factory=list)
    """`{id, type, text, urgency}`; a planner that wants one names its id as `tension_move`."""
    quiet_turns: int = 0
    direction: SkipValidation[dict[str, Any]] = Field(default_factory=dict)
    """What a human game master asked of this turn."""

    not_taped_empty: ClassVar[frozenset[str]] = frozenset({"direction"})

    def fields(self) -> dict[str, str]:
        texts = super().fields()
        del texts["direction"]
        texts["context_packet"] += as_directed(self.direction)
        return texts


class NarratorInput(_TurnInput):
    """For telling: the player's view, what happened, and nothing the player must not learn."""

    known_elsewhere: ClassVar[frozenset[str]] = frozenset({"prose", "told_before", "engine_events"})
    not_taped_empty: ClassVar[frozenset[str]] = frozenset({"fallen", "cast", "direction"})

    engine_events: list[EngineEvent]
    rolls: list[Roll] = Field(default_factory=list)
    planner_output: PlannerOutput
    blocked_actions: list[BlockedAction] = Field(default_factory=list)
    clarification_question: str = ""
    told_before: list[str] = Field(default_factory=list)
    """The prose of this session's turns, oldest first, so as not to repeat it."""
    prose: SkipValidation[dict[str, list[str]]] = Field(default_factory=dict)
    """The scenario's own lines for the offline narrator, by group."""
    openings: list[str] = Field(default_factory=list)
    """Things the player's character could take up now, for `suggested_actions`."""
    exclude: list[str] = Field(default_factory=list)
    """Lines, and veils as `veil: …`: what must not appear, or only off-screen."""
    cast: SkipValidation[list[dict[str, Any]]] = Field(default_factory=list)
    """Those present, as they are played."""
    direction: SkipValidation[dict[str, Any]] = Field(default_factory=dict)
    """What a human game master asked of this turn."""
    fallen: list[Fallen] = Field(default_factory=list)
    """Sentences of an answer to this very question that were not shown, and why."""

    def left_out(self) -> str:
        """What happened, and what was told before.

        The scenario's lines are the campaign's, from its beginning.
        """
        return "\n".join([to_json(self.engine_events).decode(), *self.told_before])

    def fields(self) -> dict[str, str]:
        texts = super().fields()
        del texts["prose"], texts["fallen"], texts["cast"], texts["direction"]
        texts["exclude"] += as_directed(self.direction) + as_said_anew(self.fallen)
        if self.cast:
            rows = "\n".join(spelled(_without_said(row)) for row in self.cast)
            said = {row["id"]: row["player_said"] for row in self.cast if "player_said" in row}
            packet = packet_as_told(self.context_packet, prose_elsewhere=4)
            texts["context_packet"] = (
                f'{_CAST}\n{rows}\n\n{packet}\n"the player said lately": {spelled(said)}'
            )
        return {**texts, "told_before": "\n\n".join(self.told_before[-4:])}


def _without_said(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != "player_said"}


_CAST = (
    "(First those present, as you play them: `voice` is how they speak, `lines` are samples of it, "
    "`wants` and `withholds` steer what they do and are never said; they tell only what the events "
    "below let them tell. Then what is seen and known.)"
)


_DIRECTED = {
    "whispers": "The game master, a person, wants this now; bring it about as far as what happened "
    "lets you, and never say that you were told",
    "note": "The game master's note, which holds for every turn",
    "style": "How to tell it; this goes before any other word on person, tense or length",
}


def as_directed(direction: Mapping[str, Any]) -> str:
    """A human game master's wishes, as a model is told them; '' where there are none."""
    lines = [""]
    for name, told in _DIRECTED.items():
        part = direction.get(name)
        if isinstance(part, dict):
            part = [f"{key}: {value}" for key, value in part.items()]
        for one in [part] if isinstance(part, str) else part or []:
            lines.append(f"{told}: {one}")
    return "\n".join(lines) if len(lines) > 1 else ""


def as_said_anew(fallen: Sequence[Fallen]) -> str:
    """What a narrator is told whose answer could not be shown as it was."""
    if not fallen:
        return ""
    rows = [f"- {one.sentence} (why: {one.limit})" for one in fallen]
    return (
        "\nYou have told this turn once. These sentences of it could not be shown: they touch what "
        "is excluded, or they are not so. Tell the turn anew, with nothing of the kind in it, not "
        "even by a hint:\n" + "\n".join(rows)
    )


_STABLE_FIRST = (
    "calibration scene lore_context entities npc_agendas npc_capabilities threads relationships "
    "investigation_progress inventory facts clocks active_situations pending_threats "
    "failure_streak present_entities summary recent_events"
).split()
"""What seldom changes stands first, so that a provider can keep it from turn to turn."""


_CHANGING = ("time", "constraints", "visibility_conditions", "noise_level", "obscured_entities")
"""What of a scene changes while one stays in it."""


def packet_as_told(packet: ContextPacket, prose_elsewhere: int = 0) -> str:
    """A packet as a prompt has it: what is stable first, a line a section, nothing empty and no
    text twice. Of the last turns whose prose stands elsewhere only what was typed is told."""
    lines: list[str] = []
    for name in _STABLE_FIRST:
        section = getattr(packet, name)
        if name == "scene":
            section = {key: value for key, value in section.items() if key not in _CHANGING}
        if name == "facts":
            section = [_told_once(row) for row in section]
        if name == "recent_events" and prose_elsewhere:
            typed = [
                {**row, "text": str(row["text"]).partition("\n")[0]}
                for row in section[-prose_elsewhere:]
            ]
            section = [*section[:-prose_elsewhere], *typed]
        if section:
            lines.append(f'"{name}": {spelled(section)}')
    now = {key: packet.scene[key] for key in _CHANGING if packet.scene.get(key)}
    return "\n".join([*lines, f'"now": {spelled(now)}'] if now else lines)


def _told_once(row: dict[str, Any]) -> dict[str, Any]:
    """A fact without what says nothing: the value where the text says it, what is as always."""
    told = {name: value for name, value in row.items() if value not in ([], {}, None, 1.0, "known")}
    said = row.get("object")
    if isinstance(said, dict) and said.get("text") == said.get("value"):
        told["object"] = {"text": said.get("text")}
    return told


INTERPRETER = Pass(
    "engine/interpreter",
    InterpreterInput,
    InterpreterOutput,
    role="interpreter",
    needs=("proposed_actions", "question"),
)
PLANNER = Pass(
    "engine/planner",
    PlannerInput,
    PlannerOutput,
    role="planner",
    needs=("beats", "tension_move", "clarification_question", "next_suggestions"),
)
NARRATOR = Pass(
    "engine/narrator",
    NarratorInput,
    NarratorOutput,
    role="narrator",
    streams="final_text",
    needs=("final_text",),
)
PASSES = (INTERPRETER, PLANNER, NARRATOR)
