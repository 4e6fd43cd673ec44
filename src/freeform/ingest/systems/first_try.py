"""A small scenario that can be played at once on the rules of a book: one place, one rival, one
locked shed."""

from collections.abc import Mapping
from typing import Any

from freeform.core.text import shorten
from freeform.ingest.config import IngestConfig
from freeform.ingest.things.found import EntityEntry, EntityRegistry

PLACES = 4
"""A book with fewer places of its own is a rulebook: the scenario brings its own yard."""


def scenario_fragment(
    config: IngestConfig, segments: int, system: Mapping[str, Any], registry: EntityRegistry
) -> dict[str, Any]:
    """The scenario. A place and someone out of the book where it has them, else our own."""
    pack = config.pack_id
    stats = list(system.get("stats") or ("force", "finesse", "wits", "charm", "nerve"))
    low, high = system.get("stat_range") or (-1, 3)
    good, fair = min(high, 3), max(low, min(high, 1))
    if system["resolution"]["method"] == "roll_under":
        good, fair = high - (high - low) // 4, (low + high) // 2
    place, person = _pick(registry, "place", PLACES), _pick(registry, "person", 1)
    yard = f"{pack}:{place.id}" if place else f"{pack}:trying_ground"
    rival = f"{pack}:{person.id}" if person else f"{pack}:rival"
    shed = f"{pack}:shed"
    foe = _weakest(system, registry)
    where, who = (
        place.name if place else "The Trying Ground",
        person.name if person else "Tamsin Orr",
    )
    here = (
        shorten(place.summary, 300)
        if place and place.summary
        else "A yard of beaten earth between two old walls."
    )
    opened = {
        "set": {
            "subject": shed,
            "predicate": "locked",
            "value": False,
            "text": "The shed stands open.",
        }
    }
    locked = [{"fact": [shed, "locked", True]}]
    return {
        "id": pack,
        "name": f"{config.name}: a first try",
        "genre": config.genre or "adventure",
        "description": f"A short try of the rules taken from {config.name}: one place, one rival, one locked shed.",
        "system": pack,
        "packs": [pack],
        "calibration": {
            "tone": "Plain and brisk; a place to learn the dice.",
            "risk": {"lethality": "low", "failure_mode": "consequential", "permanence": False},
        },
        "opening": f"{where}. {here} At the far end stands a shed with an old lock.\n\n"
        f"{who} is here before you, and looks at the shed, then at you."
        + (f" By the far wall waits {foe.name}, and has seen you." if foe else ""),
        "opening_suggestions": [
            "Pick the lock of the shed",
            f"Attack {foe.name}" if foe else f"Persuade {who} to leave",
            "Break the shed door",
        ],
        "start": {"location": yard, "day": 1, "minute": 540},
        "heroes": [
            {
                "id": "newcomer",
                "name": "The Newcomer",
                "concept": "Someone who has come to try the rules.",
                "stats": {name: good if number == 0 else fair for number, name in enumerate(stats)},
            }
        ],
        "entities": [
            {
                "id": yard,
                "type": "location",
                "name": where,
                "attrs": {"description": here},
                **_origin(pack, place),
            },
            {
                "id": rival,
                "type": "npc",
                "name": who,
                "attrs": {"location": yard, "description": "A rival who came for the same shed."},
                **_origin(pack, person),
            },
            {
                "id": shed,
                "type": "object",
                "name": "the shed",
                "attrs": {
                    "location": yard,
                    "description": "Grey boards, an old lock.",
                    "aliases": ["shed", "lock"],
                },
            },
            *_foe(pack, foe, yard),
        ],
        "facts": [
            {
                "id": "shed_locked",
                "subject_id": shed,
                "predicate": "locked",
                "object": {"value": True},
            }
        ],
        "places": {yard: {"description": here}},
        "people": {
            rival: {
                "greeting": [f"{who} nods, not unkindly."],
                "agenda": "Get into the shed first.",
            }
        },
        "affordances": [
            _way(
                "pick_the_lock",
                "unlock",
                shed,
                yard,
                locked,
                ["pick the lock", "open the shed"],
                opened,
                "The lock gives.",
            ),
            _way(
                "break_the_door",
                "break",
                shed,
                yard,
                locked,
                ["break the door", "kick the shed"],
                opened,
                "Boards fly.",
            ),
        ],
        "clocks": [{"id": "pressure", "name": "Someone is coming", "value": 0, "max": segments}],
        "cost_clocks": {"heat": "pressure", "time": "pressure"},
        "endings": [
            {
                "id": "inside",
                "title": "Inside the shed",
                "when": [{"fact": [shed, "locked", False]}],
                "text": "Dust, light through the boards, and nothing anyone needed. But you know these dice now.",
            }
        ],
    }


def _weakest(system: Mapping[str, Any], registry: EntityRegistry) -> EntityEntry | None:
    """The creature of the book with the fewest points, if it has any with points."""
    blocks = system.get("creatures") or {}
    mine = [e for e in registry.entities if e.id in blocks and e.kind == "creature"]
    return min(mine, key=lambda e: (blocks[e.id]["hp"], e.page, e.name)) if mine else None


def _foe(pack: str, foe: EntityEntry | None, at: str) -> list[dict[str, Any]]:
    """A creature of the book with its own numbers, as someone who is there."""
    if foe is None:
        return []
    told = shorten(foe.summary, 200) or "It has not decided about you yet."
    attrs = {"location": at, "description": told, "block": foe.id}
    name = {"id": f"{pack}:{foe.id}", "type": "npc", "name": foe.name, "attrs": attrs}
    return [{**name, **_origin(pack, foe)}]


def _way(
    id: str,
    action: str,
    target: str,
    at: str,
    when: list[Any],
    words: list[str],
    effect: dict[str, Any],
    told: str,
) -> dict[str, Any]:
    good = {"text": [told], "effects": [effect]}
    return {
        "id": id,
        "action": action,
        "target": target,
        "at": at,
        "when": when,
        "words": words,
        "blocked": "The shed is open already.",
        "stat": "finesse" if action == "unlock" else "force",
        "tier": 1,
        "outcomes": {
            "failure": {"text": ["It holds, and it was not quiet."]},
            "mixed": {
                "text": [f"{told} It was not quiet."],
                "effects": [effect, {"clock": {"id": "pressure", "delta": 1}}],
            },
            "success": good,
            "critical": good,
        },
    }


def _pick(registry: EntityRegistry, kind: str, least: int) -> EntityEntry | None:
    mine = [e for e in registry.entities if e.kind == kind and e.section and e.confidence >= 0.7]
    return max(mine, key=lambda e: (e.mentions, -e.page)) if len(mine) >= least else None


def _origin(pack: str, entity: EntityEntry | None) -> dict[str, Any]:
    return {"origin": "pack", "pack_id": pack, "pack_entity_id": entity.id} if entity else {}
