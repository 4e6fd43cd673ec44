"""What the systems extractors find, one record each. All say how sure they are and where it stands
in the book."""

import re
from typing import Any, Literal

from pydantic import Field, field_validator

from freeform.ingest.reply import IngestReply


class RuleEvidence(IngestReply):
    """A page and the words on it."""

    page: int = 0
    quote: str = ""


class SystemFindings(IngestReply):
    """What every extractor says besides its own fields."""

    confidence: float = 0.0
    evidence: list[RuleEvidence] = Field(default_factory=list)

    def filled(self) -> int:
        """How many of its own fields hold something."""
        own = set(type(self).model_fields) - {"confidence", "evidence", "why_not"}
        return sum(1 for name in own if getattr(self, name) not in (None, "", 0, False, [], {}))


class OutcomeBand(IngestReply):
    """A result and the total it begins at."""

    outcome: str
    at_least: int
    text: str = ""


class ResolutionFound(SystemFindings):
    """How dice decide in this book."""

    method: Literal["", "sum_bands", "dice_pool", "target_number"] = ""
    dice_count: int = 0
    die_type: int = 0
    roll_under: bool = False
    bands: list[OutcomeBand] = Field(default_factory=list)
    natural: dict[str, str] = Field(default_factory=dict)
    difficulties: dict[str, int] = Field(default_factory=dict)
    """Names of difficulties, as `easy`, with the number to reach."""
    difficulty_default: int = 0
    ones_cancel: bool = False
    modifiers: list[str] = Field(default_factory=list)
    """Ways in which a roll is changed, in the book's words."""
    why_not: str = ""
    """Why nothing is claimed, where nothing is."""

    @field_validator("die_type", mode="before")
    @classmethod
    def _sides(cls, value: Any) -> Any:
        """`d20` is 20, `d%` is 100."""
        return (
            value.strip().lower().replace("%", "100").lstrip("d")
            if isinstance(value, str)
            else value
        )

    @field_validator("natural", mode="after")
    @classmethod
    def _shown(cls, value: dict[str, str]) -> dict[str, str]:
        """By the number that the dice show: `natural 20` is 20; what names no single number cannot
        be played."""
        return {
            found[0]: outcome
            for key, outcome in value.items()
            if len(found := re.findall(r"\d+", key)) == 1
        }


class ClockFound(IngestReply):
    """A track that fills, a countdown, a timer."""

    name: str
    segments: int = 0
    trigger: str = ""
    effect: str = ""
    page: int = 0


class ClocksFound(SystemFindings):
    """Tracks and countdowns."""

    clocks: list[ClockFound] = Field(default_factory=list)


class StatTemplate(IngestReply):
    """A creature's numbers."""

    name: str
    page: int = 0
    threat: str = ""
    numbers: dict[str, Any] = Field(default_factory=dict)


class EntityStatsFound(SystemFindings):
    """What the numbers of creatures are called, how far they go, and the creatures themselves."""

    fields: dict[str, tuple[int, int]] = Field(default_factory=dict)
    threat_levels: list[str] = Field(default_factory=list)
    templates: list[StatTemplate] = Field(default_factory=list)


class ConditionFound(IngestReply):
    """A state someone can be in."""

    name: str
    effects: list[str] = Field(default_factory=list)
    page: int = 0


class ConditionsFound(SystemFindings):
    """States and what they do."""

    conditions: list[ConditionFound] = Field(default_factory=list)


class Preset(IngestReply):
    """A named level of difficulty or danger."""

    name: str
    value: str
    page: int = 0


class CalibrationFound(SystemFindings):
    """Presets by which a game master sets how hard things are."""

    difficulty: list[Preset] = Field(default_factory=list)
    danger: list[Preset] = Field(default_factory=list)


class ActionFound(IngestReply):
    """Something one can do, and what it takes."""

    name: str
    cost: str = ""
    text: str = ""
    page: int = 0


class ActionTypesFound(SystemFindings):
    """What one can do in a turn."""

    actions: list[ActionFound] = Field(default_factory=list)


class LadderFound(IngestReply):
    """Something that gets worse step by step."""

    name: str
    steps: list[str] = Field(default_factory=list)
    page: int = 0


class EscalationFound(SystemFindings):
    """Ladders of consequences."""

    ladders: list[LadderFound] = Field(default_factory=list)


class HealthLevel(IngestReply):
    """One box of a track of harm."""

    name: str
    dice_penalty: int | None = None


class HealthFound(SystemFindings):
    """How harm is counted, and what it leads to."""

    track_type: Literal["", "points", "levels", "boxes"] = ""
    health_levels: list[HealthLevel] = Field(default_factory=list)
    damage_types: list[str] = Field(default_factory=list)
    at_zero: str = ""


class EquipmentFound(SystemFindings):
    """Lists of things one can buy or use, with their columns."""

    lists: list[dict[str, Any]] = Field(default_factory=list)
    """`{name, page, columns, rows}`."""


class MagicFound(SystemFindings):
    """Powers that are listed by name, and what each entry says."""

    kind: str = ""
    count: int = 0
    fields: list[str] = Field(default_factory=list)
    ranks: list[str] = Field(default_factory=list)
    names: list[str] = Field(default_factory=list)


class StatSchemaFound(SystemFindings):
    """What characters are made of."""

    attributes: list[str] = Field(default_factory=list)
    skills: list[str] = Field(default_factory=list)
    low: int = 0
    high: int = 0
    modifier_low: int = 0
    modifier_high: int = 0
    """The range of what an attribute adds to a roll."""
