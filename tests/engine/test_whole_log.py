"""All that one turn writes down, whole: whoever changes the log sees here what a reader of it will see."""

from pathlib import Path
from typing import Any

from inline_snapshot import snapshot

from freeform.engine.turn import Say, take_turn
from tests.engine.tables import answers, started

ASK = {"action": "ask", "target_id": "t:orla", "details": "the weather"}


async def test_the_log_of_a_turn(tmp_path: Path) -> None:
    at = await started(tmp_path, answers(ASK, tells="Orla looks up. Rain till Sunday."))
    await take_turn(Say(campaign="c", text="I ask Orla about the weather", turn_id="t1"), at)
    logged = await at.store.read("c", 1)
    assert [_said(row.model_dump(mode="json")) for row in logged] == snapshot(
        [
            {
                "id": 2,
                "parent": 1,
                "turn_no": 1,
                "entry": {
                    "kind": "resolved",
                    "turn_id": "t1",
                    "turn_no": 1,
                    "take": 1,
                    "player_input": "I ask Orla about the weather",
                    "actor": "Mira",
                    "context_packet": {
                        "scene": {
                            "id": "scene_1",
                            "location_id": "t:taproom",
                            "time": {"day": 1, "minute": 1200},
                            "name": "the taproom",
                            "description": "A low room that smells of wet wool.",
                            "exits": [
                                {"to": "t:yard", "name": "the yard", "aliases": ["outside"]},
                                {"to": "t:cellar", "name": "the cellar"},
                            ],
                            "details": ["hearth", "fire"],
                        },
                        "present_entities": ["player", "t:orla"],
                        "entities": [
                            {
                                "id": "player",
                                "type": "pc",
                                "name": "Mira",
                                "attrs": {
                                    "concept": "a tax collector",
                                    "pronouns": "they/them",
                                    "stats": {"charm": 1, "wits": 2},
                                    "hero": "mira",
                                    "aliases": ["me", "myself"],
                                },
                            },
                            {
                                "id": "t:orla",
                                "type": "npc",
                                "name": "Orla",
                                "attrs": {
                                    "aliases": ["innkeeper"],
                                    "location": "t:taproom",
                                    "description": "A broad woman.",
                                },
                            },
                            {
                                "id": "t:taproom",
                                "type": "location",
                                "name": "the taproom",
                                "attrs": {"aliases": ["bar"]},
                            },
                            {
                                "id": "t:lamp",
                                "type": "item",
                                "name": "brass lamp",
                                "attrs": {"aliases": ["lamp"]},
                            },
                            {
                                "id": "t:mug",
                                "type": "item",
                                "name": "pewter mug",
                                "attrs": {"aliases": ["mug"]},
                            },
                            {
                                "id": "t:door",
                                "type": "object",
                                "name": "cellar door",
                                "attrs": {"location": "t:taproom", "aliases": ["door"]},
                            },
                            {"id": "t:yard", "type": "location", "name": "the yard"},
                            {"id": "t:cellar", "type": "location", "name": "the cellar"},
                        ],
                        "facts": [
                            {
                                "id": "f_door",
                                "subject_id": "t:door",
                                "predicate": "state",
                                "object": {"value": "locked", "text": "The cellar door is locked."},
                                "visibility": "known",
                                "confidence": 1.0,
                            }
                        ],
                        "threads": [
                            {
                                "id": "missing_brandy",
                                "title": "Where does the brandy come from?",
                                "status": "active",
                            }
                        ],
                        "clocks": [
                            {"id": "harm", "name": "Harm", "max": 4},
                            {"id": "heat", "name": "Suspicion", "max": 4},
                        ],
                        "inventory": [
                            {"owner_id": "player", "item_id": "t:lamp", "qty": 1},
                            {"owner_id": "t:taproom", "item_id": "t:mug", "qty": 1},
                        ],
                        "relationships": [
                            {"a_id": "t:orla", "b_id": "player", "rel_type": "trust"}
                        ],
                        "summary": {
                            "scene": "the taproom, day 1, 20:00",
                            "threads": "Where does the brandy come from?",
                        },
                        "recent_events": [
                            {
                                "text": "Rain on the roof of the inn. Orla polishes a glass. The cellar door is locked."
                            }
                        ],
                        "npc_capabilities": {"t:orla": "Strong, no fighter."},
                        "investigation_progress": {"missing_brandy": {"total": 2}},
                        "failure_streak": {"threshold": 3},
                        "calibration": {
                            "risk": {
                                "lethality": "medium",
                                "failure_mode": "consequential",
                                "permanence": True,
                            }
                        },
                    },
                    "interpreter": {
                        "proposed_actions": [
                            {
                                "action": "ask",
                                "target_id": "t:orla",
                                "details": "the weather",
                                "confidence": 1.0,
                            }
                        ]
                    },
                    "validator": {
                        "allowed_actions": [
                            {
                                "action": "ask",
                                "target_id": "t:orla",
                                "details": "the weather",
                                "minutes": 5,
                            }
                        ]
                    },
                    "planner": {"next_suggestions": ["look around"]},
                    "engine_events": [
                        {
                            "type": "greeted",
                            "details": {
                                "npc": "t:orla",
                                "name": "Orla",
                                "text": 'Orla nods. "Evening."',
                            },
                            "scope": "campaign",
                        },
                        {
                            "type": "told",
                            "details": {
                                "npc": "t:orla",
                                "name": "Orla",
                                "topic": "rain",
                                "text": '"It\'ll rain till Sunday."',
                            },
                            "tags": ["speech"],
                            "scope": "campaign",
                        },
                    ],
                    "state_diff": {
                        "facts_add": [
                            {
                                "id": "t:orla#greeted",
                                "subject_id": "t:orla",
                                "predicate": "greeted",
                                "object": {"value": True},
                                "visibility": "engine",
                                "confidence": 1.0,
                                "origin": "campaign",
                            },
                            {
                                "id": "t:orla#greeted_with",
                                "subject_id": "t:orla",
                                "predicate": "greeted_with",
                                "object": {"value": ['Orla nods. "Evening."']},
                                "visibility": "engine",
                                "confidence": 1.0,
                                "origin": "campaign",
                            },
                            {
                                "id": "t:orla#told:rain",
                                "subject_id": "t:orla",
                                "predicate": "told:rain",
                                "object": {"value": 1},
                                "visibility": "engine",
                                "confidence": 1.0,
                                "origin": "campaign",
                            },
                        ],
                        "facts_update": [
                            {"id": "campaign#quiet", "object": {"value": 1}, "visibility": "engine"}
                        ],
                        "scene_update": {"time": {"day": 1, "minute": 1205}},
                    },
                    "prompt_versions": {
                        "engine/interpreter": "engine/interpreter@2#831327ae66bc",
                        "engine/planner": "engine/planner@1#2b57d0226a85",
                    },
                    "model": {"interpreter": "scripted", "planner": "scripted"},
                    "usage": {"calls": 2, "input_tokens": 20, "output_tokens": 10},
                    "packet_tokens": 3600,
                },
                "at": "2091-03-15T19:00:00+00:00",
            },
            {
                "id": 3,
                "parent": 2,
                "turn_no": 1,
                "entry": {
                    "kind": "narrated",
                    "turn_id": "t1",
                    "turn_no": 1,
                    "narrator": {"final_text": "Orla looks up. Rain till Sunday."},
                    "final_text": "Orla looks up. Rain till Sunday.",
                    "prompt_versions": {"engine/narrator": "engine/narrator@2#634d6486f8b9"},
                    "model": {"narrator": "scripted"},
                    "usage": {"calls": 1, "input_tokens": 10, "output_tokens": 5},
                },
                "at": "2091-03-15T19:00:00+00:00",
            },
        ]
    )


def _said(value: Any) -> Any:
    """Without what is empty: the log says it by not saying it."""
    if isinstance(value, dict):
        kept = {key: _said(inner) for key, inner in value.items()}
        return {key: inner for key, inner in kept.items() if inner not in ("", None, [], {}, 0)}
    if isinstance(value, list):
        return [_said(inner) for inner in value]
    return value
