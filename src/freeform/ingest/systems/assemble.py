"""Stage S2: what the extractors found becomes data the engine plays with, and a small scenario to
try it in."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.text import slug
from freeform.ingest.config import IngestConfig
from freeform.ingest.systems.first_try import scenario_fragment
from freeform.ingest.systems.found import (
    CalibrationFound,
    ClocksFound,
    ConditionsFound,
    EntityStatsFound,
    HealthFound,
    ResolutionFound,
    StatSchemaFound,
    SystemFindings,
)
from freeform.ingest.things.found import EntityRegistry

GENERAL: dict[str, tuple[str, ...]] = {
    "force": ("strength", "might", "brawn", "body", "force", "muscle", "power", "physique", "fight", "hard", "physical"),
    "finesse": ("dexterity", "agility", "finesse", "reflexes", "reflex", "quick", "speed", "coordination", "grace"),
    "wits": ("intelligence", "wits", "lore", "mind", "reason", "sharp", "smart", "intellect", "knowledge", "logic",
             "perception", "mental"),
    "charm": ("charisma", "charm", "presence", "heart", "hot", "social", "empathy", "manipulation", "appearance"),
    "nerve": ("wisdom", "willpower", "resolve", "nerve", "constitution", "stamina", "spirit", "cool", "weird",
              "endurance", "sanity", "courage"),
}  # fmt: skip
"""The engine's five general stats, and what games call them."""
Findings = Mapping[str, tuple[SystemFindings, dict[str, Any]]]


def assemble_system(config: IngestConfig, found: Findings, family: str) -> dict[str, Any]:
    """The engine's rules system of this book; empty when it does not say how dice decide."""
    resolution, told = _of(found, "resolution", ResolutionFound)
    schema, _ = _of(found, "stat_schema", StatSchemaFound)
    health, _ = _of(found, "health", HealthFound)
    if not resolution.method or told["confidence"] < 0.25:
        return {}
    low, high = (schema.modifier_low, schema.modifier_high) if schema.modifier_high else (-1, 4)
    under = _plays_low(resolution)
    if under:
        # The score itself is rolled against: what people have lies between a third and most of what
        # dice can show.
        most = (resolution.die_type or 100) * (resolution.dice_count or 1)
        low, high = round(0.3 * most), round(0.75 * most)
    system: dict[str, Any] = {
        "id": config.pack_id,
        "name": f"{config.name}: rules",
        "inherits": "_base",
        "resolution": _resolution(resolution, schema),
    }
    if under:
        system["stat_range"] = [low, high]
    attributes = [slug(name) for name in schema.attributes if slug(name)]
    if attributes:
        system["stats"] = attributes
        system["stat_map"] = stat_map(attributes)
        system["stat_range"] = [low, high]
        system["stat_schema"] = {
            "attributes": {"all": attributes},
            **({"skills": schema.skills} if schema.skills else {}),
        }
    if health.track_type:
        system["health"] = {
            "track_type": health.track_type,
            "levels": [
                {"name": each.name, "penalty": each.dice_penalty} for each in health.health_levels
            ],
            "damage_types": health.damage_types,
        }
    return system


def _plays_low(found: ResolutionFound) -> bool:
    """Whether dice must stay at or under a score."""
    return found.roll_under and found.method == "target_number"


def stat_map(attributes: Sequence[str]) -> dict[str, list[str]]:
    """Which of a game's own stats stands for each general one; one with no likely name takes an
    unused one."""
    chosen: dict[str, list[str]] = {}
    used: set[str] = set()
    for general, names in GENERAL.items():
        near = next((name for name in names if name in attributes), "")
        if near:
            chosen[general] = [near]
            used.add(near)
    for general in GENERAL:
        if general not in chosen:
            spare = next((name for name in attributes if name not in used), attributes[0])
            chosen[general] = [spare]
            used.add(spare)
    return {general: chosen[general] for general in GENERAL}


def _resolution(found: ResolutionFound, schema: StatSchemaFound) -> dict[str, Any]:
    match "roll_under" if _plays_low(found) else found.method:
        case "sum_bands":
            rising = sorted(found.bands, key=lambda band: band.at_least)
            bands = [
                {"outcome": _outcome(b.outcome), "at_least": max(b.at_least, -99)} for b in rising
            ]
            if not bands or bands[0]["at_least"] != -99:
                bands.insert(0, {"outcome": "failure", "at_least": -99})
            return {
                "method": "sum_bands",
                "dice_count": found.dice_count or 2,
                "die_type": found.die_type or 6,
                "bands": bands,
                "natural": {key: _outcome(value) for key, value in found.natural.items()},
            }
        case "dice_pool":
            aim = found.difficulty_default or 6
            sides = found.die_type or 10
            return {
                "method": "dice_pool",
                "die_type": sides,
                "base_pool": 2,
                "difficulty_range": [2, sides],
                "difficulty_default": aim,
                "difficulties": {"0": max(2, aim - 1), "1": aim, "2": min(sides, aim + 1)},
                "ones_cancel_successes": found.ones_cancel,
                "botch_on_ones": found.ones_cancel,
                "pool_outcome_thresholds": {
                    "botch": 0,
                    "failure": 0,
                    "mixed": 1,
                    "success": 2,
                    "critical": 4,
                },
                "stat_default": 1,
            }
        case "roll_under":
            sides, count = found.die_type or 100, found.dice_count or 1
            step = max(1, round(sides * count * 0.1))
            return {
                "method": "roll_under",
                "dice_count": count,
                "die_type": sides,
                "difficulties": {"0": -step, "1": 0, "2": step},
                "bands": [
                    {"outcome": "failure", "at_least": -9999},
                    {"outcome": "mixed", "at_least": -step},
                    {"outcome": "success", "at_least": 0},
                    {"outcome": "critical", "at_least": round(sides * count * 0.4)},
                ],
                "natural": {key: _outcome(value) for key, value in found.natural.items()},
                "stat_default": round(sides * count * 0.5),
            }
        case _:
            sides = found.die_type or 20
            tiers = _tiers(found, sides * (found.dice_count or 1))
            return {
                "method": "target_number",
                "dice_count": found.dice_count or 1,
                "die_type": sides,
                "difficulty_range": [2, max(30, *tiers)],
                "difficulty_default": tiers[1],
                "difficulties": {str(n): value for n, value in enumerate(tiers)},
                "bands": [
                    {"outcome": "failure", "at_least": -99},
                    {"outcome": "mixed", "at_least": -max(1, round(sides * 0.15))},
                    {"outcome": "success", "at_least": 0},
                    {"outcome": "critical", "at_least": max(5, sides // 2)},
                ],
                "natural": {key: _outcome(value) for key, value in found.natural.items()},
            }


def _tiers(found: ResolutionFound, most: int) -> list[int]:
    """Safe, risky, dangerous: from the book's own ladder of difficulties, or around its usual
    number; where it gives none, around a middling one. `most`: what the dice show at most."""
    ladder = sorted(set(found.difficulties.values()))
    if len(ladder) >= 3:
        start = 1 if len(ladder) >= 5 else 0
        return ladder[start : start + 3]
    usual = found.difficulty_default or round(most * 0.6)
    return [max(2, usual - 3), usual, usual + 3]


def _outcome(word: str) -> str:
    known = {"botch": "botch", "fumble": "botch", "miss": "failure", "failure": "failure", "partial": "mixed",
             "mixed": "mixed", "weak hit": "mixed", "success": "success", "strong hit": "success", "hit": "success",
             "critical": "critical", "crit": "critical"}  # fmt: skip
    said = word.strip().lower()
    if said in known:
        return known[said]
    failed = bool(re.search(r"fail|miss\b", said))
    if "botch" in said or "fumble" in said or "crit" in said:
        return "botch" if failed or "crit" not in said else "critical"
    if re.search(r"partial|mixed|weak|cost|complication", said):
        return "mixed"
    return "failure" if failed else "success"


def assemble_files(
    config: IngestConfig,
    found: Findings,
    system: Mapping[str, Any],
    registry: EntityRegistry,
    book: str,
) -> dict[str, dict[str, Any]]:
    """The seed's five files, by name."""
    stats, _ = _of(found, "entity_stats", EntityStatsFound)
    calibration, _ = _of(found, "calibration", CalibrationFound)
    conditions, _ = _of(found, "conditions", ConditionsFound)
    resolution, told = _of(found, "resolution", ResolutionFound)
    templates = {
        slug(t.name): {
            "name": t.name,
            "threat": t.threat,
            "numbers": t.numbers,
            "source": book,
            "page": t.page,
        }
        for t in stats.templates
    }
    return {
        "scenario_fragment.yaml": scenario_fragment(config, _track(found), system, registry)
        if system
        else {},
        "entity_templates.yaml": {
            "fields": {k: list(v) for k, v in stats.fields.items()},
            "templates": templates,
        },
        "calibration_preset.yaml": {
            "difficulty": [p.model_dump() for p in calibration.difficulty],
            "danger": [p.model_dump() for p in calibration.danger],
            "risk": {"lethality": "medium", "failure_mode": "consequential", "permanence": True},
        },
        "conditions_config.yaml": {
            "conditions": {
                slug(c.name): {"name": c.name, "effects": c.effects, "page": c.page}
                for c in conditions.conditions
            }
        },
        "resolution_mapping.yaml": {
            "found": resolution.model_dump(exclude={"evidence"}),
            "engine": dict(system.get("resolution", {})),
            "stat_map": dict(system.get("stat_map", {})),
            "confidence": told["confidence"],
            "pages": [each.page for each in resolution.evidence],
        },
    }


def _track(found: Findings) -> int:
    """How many segments the book's own tracks have, if it has any of a useful size."""
    clocks, _ = _of(found, "clocks", ClocksFound)
    return next((clock.segments for clock in clocks.clocks if 3 <= clock.segments <= 8), 6)


def _of(found: Findings, key: str, shape: type[Any]) -> tuple[Any, dict[str, Any]]:
    finding, told = found.get(key, (shape(), {"confidence": 0.0}))
    return (finding if isinstance(finding, shape) else shape()), told
