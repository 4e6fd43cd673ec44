"""The passes of systems extraction: one question for each sub-extractor, over passages that a prefilter chose."""

from typing import Any, NamedTuple

from pydantic import Field

from freeform.core.gateway import Pass, PassInput
from freeform.core.record import Record
from freeform.ingest.systems.found import (
    ActionTypesFound,
    CalibrationFound,
    ClocksFound,
    ConditionsFound,
    EntityStatsFound,
    EquipmentFound,
    EscalationFound,
    Found,
    HealthFound,
    MagicFound,
    ResolutionFound,
    StatSchemaFound,
)


class RulesPassage(Record):
    """A piece of the book with rules in it."""

    page: int
    heading: str
    text: str


class SystemsInput(PassInput):
    """What an extractor reads. `known` holds what earlier stages counted (stat blocks, catalogues)."""

    known_elsewhere = frozenset({"passages", "known"})

    book: str
    passages: list[RulesPassage]
    hints: dict[str, Any] = Field(default_factory=dict)
    known: dict[str, Any] = Field(default_factory=dict)

    def fields(self) -> dict[str, str]:
        texts = super().fields()
        texts["passages"] = "\n\n".join(f"[page {p.page}] {p.heading}\n{p.text}" for p in self.passages)
        return texts


class Extractor(NamedTuple):
    """A sub-extractor: the file its finding goes to, its pass, and the shapes its prefilter looks for."""

    key: str
    pass_: Pass[SystemsInput, Any]
    shapes: tuple[str, ...]
    """Names of indicators (indicators.py) and `heading:WORD` hints, whose hits choose the passages."""
    most: int = 14
    """Passages read at most."""


def _of(key: str, gives: type[Found]) -> Pass[SystemsInput, Any]:
    return Pass(f"ingest/systems_{key}", SystemsInput, gives, role="cheap")


EXTRACTORS: tuple[Extractor, ...] = (
    Extractor("resolution", _of("resolution", ResolutionFound), ("target_number", "roll_call", "outcome", "threshold", "dice_bonus", "signed_modifier")),
    Extractor("stat_schema", _of("stat_schema", StatSchemaFound), ("number_table", "label_number", "rating_dots", "signed_modifier")),
    Extractor("health", _of("health", HealthFound), ("penalty_ladder", "zero_state", "hit_total", "label_number")),
    Extractor("conditions", _of("conditions", ConditionsFound), ("bullet_rules", "ends_when"), 30),
    Extractor("entity_stats", _of("entity_stats", EntityStatsFound), ("hit_total", "label_number"), 6),
    Extractor("calibration", _of("calibration", CalibrationFound), ("number_table", "target_number", "threshold")),
    Extractor("action_types", _of("action_types", ActionTypesFound), ("action_cost", "roll_call", "frequency"), 24),
    Extractor("clocks", _of("clocks", ClocksFound), ("clock", "duration", "escalation")),
    Extractor("escalation", _of("escalation", EscalationFound), ("escalation", "penalty_ladder", "number_table")),
    Extractor("equipment", _of("equipment", EquipmentFound), ("price", "number_table"), 24),
    Extractor("magic", _of("magic", MagicFound), ("field_labels", "rank"), 10),
)  # fmt: skip
