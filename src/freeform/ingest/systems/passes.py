"""The passes of systems extraction: one question for each sub-extractor, over passages that a
prefilter chose."""

from typing import Any, NamedTuple

from pydantic import Field

from freeform.core.llm.gateway import Pass, PassInput
from freeform.core.record import Record, canonical
from freeform.ingest.systems.counted import in_few_words
from freeform.ingest.systems.found import (
    ActionTypesFound,
    CalibrationFound,
    ClocksFound,
    ConditionsFound,
    EntityStatsFound,
    EquipmentFound,
    EscalationFound,
    HealthFound,
    MagicFound,
    ResolutionFound,
    StatSchemaFound,
    SystemFindings,
)


class RulesPassage(Record):
    """A piece of the book with rules in it."""

    page: int
    heading: str
    text: str


class SystemsInput(PassInput):
    """What an extractor reads. `known` holds what earlier stages counted (stat blocks,
    catalogues)."""

    known_elsewhere = frozenset({"passages", "known"})

    book: str
    passages: list[RulesPassage]
    hints: dict[str, Any] = Field(default_factory=dict)
    known: dict[str, Any] = Field(default_factory=dict)

    def fields(self) -> dict[str, str]:
        texts = super().fields()
        texts["passages"] = (
            "\n\n".join(f"[page {p.page}] {p.heading}\n{p.text}" for p in self.passages) or "(none)"
        )
        texts["known"] = canonical(in_few_words(self.known)) if self.known else "(nothing)"
        return texts


class Extractor(NamedTuple):
    """A sub-extractor: the file its finding goes to, its pass, and the shapes its prefilter looks
    for."""

    key: str
    pass_: Pass[SystemsInput, Any]
    shapes: tuple[str, ...]
    """Names of indicators (indicators.py) and `heading:WORD` hints, whose hits choose the
    passages."""
    most: int = 14
    """Passages read at most."""


def _of(key: str, gives: type[SystemFindings]) -> Pass[SystemsInput, Any]:
    return Pass(f"ingest/systems_{key}", SystemsInput, gives, role="cheap")


EXTRACTORS: tuple[Extractor, ...] = (
    Extractor("resolution", _of("resolution", ResolutionFound),
              ("compared", "added", "band_result", "pool_result", "named_row", "outcome", "roll_call")),
    Extractor("stat_schema", _of("stat_schema", StatSchemaFound),
              ("score_row", "added", "roll_call", "pool_result", "band_result", "rating_dots"), 24),
    Extractor("health", _of("health", HealthFound), ("zero_state", "penalty_ladder", "counted_marks", "hit_total")),
    Extractor("conditions", _of("conditions", ConditionsFound), ("bullet_rules", "ends_when"), 30),
    Extractor("entity_stats", _of("entity_stats", EntityStatsFound), ("hit_total", "label_number"), 6),
    Extractor("calibration", _of("calibration", CalibrationFound), ("named_row", "target_number", "threshold", "range_band")),
    Extractor("action_types", _of("action_types", ActionTypesFound), ("action_cost", "roll_call", "band_result"), 24),
    Extractor("clocks", _of("clocks", ClocksFound), ("clock", "counted_marks", "escalation")),
    Extractor("escalation", _of("escalation", EscalationFound), ("counted_row", "escalation", "penalty_ladder")),
    Extractor("equipment", _of("equipment", EquipmentFound), ("priced_row",), 24),
    Extractor("magic", _of("magic", MagicFound), ("field_labels", "rank"), 10),
)  # fmt: skip
