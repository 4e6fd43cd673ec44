"""Who answers which pass of ingest offline."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from freeform.core.chance import Chance
from freeform.ingest.classify import CLASSIFY
from freeform.ingest.enrich import ENTITIES, SEGMENTS, TAGS
from freeform.ingest.guidance import GUIDANCE
from freeform.ingest.reading_passes import SEGMENT, STRUCTURE
from freeform.offline import ingest_lists, ingest_lore, ingest_reading, ingest_systems

RESPONDERS: dict[str, Callable[[Any, Chance], BaseModel]] = {
    STRUCTURE.id: ingest_reading.structure,
    SEGMENT.id: ingest_reading.segment,
    CLASSIFY.id: ingest_lore.classify,
    ENTITIES.id: ingest_lore.entities,
    SEGMENTS.id: ingest_lore.segments,
    TAGS.id: ingest_lore.tags,
    GUIDANCE.id: ingest_lore.guidance,
    "ingest/systems_resolution": ingest_systems.resolution,
    "ingest/systems_stat_schema": ingest_systems.stat_schema,
    "ingest/systems_health": ingest_systems.health,
    "ingest/systems_entity_stats": ingest_systems.entity_stats,
    "ingest/systems_conditions": ingest_lists.conditions,
    "ingest/systems_calibration": ingest_lists.calibration,
    "ingest/systems_action_types": ingest_lists.action_types,
    "ingest/systems_clocks": ingest_lists.clocks,
    "ingest/systems_escalation": ingest_lists.escalation,
    "ingest/systems_equipment": ingest_lists.equipment,
    "ingest/systems_magic": ingest_lists.magic,
}
