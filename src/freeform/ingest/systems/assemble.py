"""Stage S2: what the extractors found becomes data the engine plays with, and a small scenario to try it in."""

from collections.abc import Mapping, Sequence
from typing import Any

from freeform.core.text import shorten, slug
from freeform.ingest.found import EntityRegistry
from freeform.ingest.job import IngestConfig
from freeform.ingest.systems.found import (
    CalibrationFound,
    ClocksFound,
    ConditionsFound,
    EntityStatsFound,
    Found,
    HealthFound,
    ResolutionFound,
    StatSchemaFound,
)

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
Findings = Mapping[str, tuple[Found, dict[str, Any]]]


def assemble_system(config: IngestConfig, found: Findings, family: str) -> dict[str, Any]:
    """The engine's rules system of this book; empty when it does not say how dice decide."""
    resolution, told = _of(found, "resolution", ResolutionFound)
    schema, _ = _of(found, "stat_schema", StatSchemaFound)
    health, _ = _of(found, "health", HealthFound)
    if not resolution.method or told["confidence"] < 0.25:
        return {}
    low, high = (schema.modifier_low, schema.modifier_high) if schema.modifier_high else (-1, 4)
    system: dict[str, Any] = {
        "id": config.pack_id,
        "name": f"{config.name}: rules",
        "inherits": "_base",
        "resolution": _resolution(resolution, schema),
    }
    attributes = [slug(name) for name in schema.attributes if slug(name)]
    if attributes:
        system["stats"] = attributes
        system["stat_map"] = stat_map(attributes)
        system["stat_range"] = [low, high]
        system["stat_schema"] = {"attributes": {"all": attributes}, **({"skills": schema.skills} if schema.skills else {})}
    if health.track_type:
        system["health"] = {
            "track_type": health.track_type,
            "levels": [{"name": each.name, "penalty": each.dice_penalty} for each in health.health_levels],
            "damage_types": health.damage_types,
        }
    return system


def stat_map(attributes: Sequence[str]) -> dict[str, list[str]]:
    """Which of a game's own stats stands for each general one; one with no likely name takes an unused one."""
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
    match found.method:
        case "sum_bands":
            rising = sorted(found.bands, key=lambda band: band.at_least)
            bands = [{"outcome": _outcome(b.outcome), "at_least": max(b.at_least, -99)} for b in rising]
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
                "pool_outcome_thresholds": {"botch": 0, "failure": 0, "mixed": 1, "success": 2, "critical": 4},
                "stat_default": 1,
            }
        case _:
            sides = found.die_type or 20
            tiers = _tiers(found, sides)
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


def _tiers(found: ResolutionFound, sides: int) -> list[int]:
    """Safe, risky, dangerous: from the book's own ladder of difficulties, or around its usual number."""
    ladder = sorted(set(found.difficulties.values()))
    if len(ladder) >= 3:
        start = 1 if len(ladder) >= 5 else 0
        return ladder[start : start + 3]
    usual = found.difficulty_default or round(sides * 0.65)
    return [max(2, usual - 3), usual, usual + 3]


def _outcome(word: str) -> str:
    known = {"botch": "botch", "fumble": "botch", "miss": "failure", "failure": "failure", "partial": "mixed",
             "mixed": "mixed", "weak hit": "mixed", "success": "success", "strong hit": "success", "hit": "success",
             "critical": "critical", "crit": "critical"}  # fmt: skip
    return known.get(word.lower(), "success")


def assemble_files(
    config: IngestConfig, found: Findings, system: Mapping[str, Any], registry: EntityRegistry, book: str
) -> dict[str, dict[str, Any]]:
    """The seed's five files, by name."""
    stats, _ = _of(found, "entity_stats", EntityStatsFound)
    calibration, _ = _of(found, "calibration", CalibrationFound)
    conditions, _ = _of(found, "conditions", ConditionsFound)
    resolution, told = _of(found, "resolution", ResolutionFound)
    templates = {
        slug(t.name): {"name": t.name, "threat": t.threat, "numbers": t.numbers, "source": book, "page": t.page}
        for t in stats.templates
    }
    return {
        "scenario_fragment.yaml": scenario_fragment(config, found, system, registry) if system else {},
        "entity_templates.yaml": {"fields": {k: list(v) for k, v in stats.fields.items()}, "templates": templates},
        "calibration_preset.yaml": {
            "difficulty": [p.model_dump() for p in calibration.difficulty],
            "danger": [p.model_dump() for p in calibration.danger],
            "risk": {"lethality": "medium", "failure_mode": "consequential", "permanence": True},
        },
        "conditions_config.yaml": {
            "conditions": {slug(c.name): {"name": c.name, "effects": c.effects, "page": c.page} for c in conditions.conditions}
        },
        "resolution_mapping.yaml": {
            "found": resolution.model_dump(exclude={"evidence"}),
            "engine": dict(system.get("resolution", {})),
            "stat_map": dict(system.get("stat_map", {})),
            "confidence": told["confidence"],
            "pages": [each.page for each in resolution.evidence],
        },
    }


def scenario_fragment(
    config: IngestConfig, found: Findings, system: Mapping[str, Any], registry: EntityRegistry
) -> dict[str, Any]:
    """A scenario that can be played at once: a place and someone out of the book where it has them, else our own."""
    pack = config.pack_id
    stats = list(system.get("stats") or ("force", "finesse", "wits", "charm", "nerve"))
    low, high = system.get("stat_range") or (-1, 3)
    good, fair = min(high, 3), max(low, min(high, 1))
    place = _pick(registry, "place")
    person = _pick(registry, "person")
    yard, stranger = f"{pack}:{place.id}" if place else f"{pack}:trying_ground", f"{pack}:{person.id}" if person else f"{pack}:rival"
    where = place.name if place else "The Trying Ground"
    who = person.name if person else "Tamsin Orr"
    here = shorten(place.summary, 300) if place and place.summary else (
        "A yard of beaten earth between two walls, with a locked shed at the far end."
    )
    clocks, _ = _of(found, "clocks", ClocksFound)
    track = next((c for c in clocks.clocks if 3 <= c.segments <= 8), None)
    return {
        "id": pack,
        "name": f"{config.name}: a first try",
        "genre": config.genre or "adventure",
        "description": f"A short test of the rules taken from {config.name}: one place, one rival, one locked shed.",
        "system": pack,
        "packs": [pack],
        "calibration": {
            "tone": "Plain and brisk; a place to learn the dice.",
            "risk": {"lethality": "low", "failure_mode": "consequential", "permanence": False},
        },
        "opening": f"{where}. {here}\n\n{who} is here before you, and looks at the shed, then at you.",
        "opening_suggestions": [f"Talk to {who}", "Pick the lock of the shed", f"Persuade {who} to leave"],
        "start": {"location": yard, "day": 1, "minute": 540},
        "heroes": [
            {
                "id": "newcomer",
                "name": "The Newcomer",
                "concept": "Someone who has come to try the rules.",
                "stats": {name: good if n == 0 else fair for n, name in enumerate(stats)},
            }
        ],
        "entities": [
            {"id": yard, "type": "location", "name": where, "attrs": {"description": here}, **_origin(pack, place)},
            {"id": stranger, "type": "npc", "name": who, "attrs": {"location": yard, "description": "A rival who came for the same shed."}, **_origin(pack, person)},
            {"id": f"{pack}:shed", "type": "item", "name": "the shed", "attrs": {"location": yard, "fixed": True, "description": "A shed with an old lock."}},
        ],
        "places": {yard: {"description": here}},
        "people": {stranger: {"greeting": [f"{who} nods, not unkindly."], "agenda": "Get into the shed first."}},
        "clocks": [{"id": "pressure", "name": "Someone is coming", "value": 0, "max": track.segments if track else 6}],
        "cost_clocks": {"heat": "pressure", "time": "pressure"},
    }  # fmt: skip


def _pick(registry: EntityRegistry, kind: str) -> Any:
    mine = [e for e in registry.entities if e.kind == kind and e.section and e.confidence >= 0.7]
    return max(mine, key=lambda e: (e.mentions, -e.page), default=None)


def _origin(pack: str, entity: Any) -> dict[str, Any]:
    return {"origin": "pack", "pack_id": pack, "pack_entity_id": entity.id} if entity else {}


def _of(found: Findings, key: str, shape: type[Any]) -> tuple[Any, dict[str, Any]]:
    finding, told = found.get(key, (shape(), {"confidence": 0.0}))
    return (finding if isinstance(finding, shape) else shape()), told
