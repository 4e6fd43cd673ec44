"""A small scenario for tests: an inn, its locked cellar, a yard, two people and a secret."""

from typing import Any

from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import first_state
from freeform.engine.log import Begun
from freeform.engine.rules.change import apply
from freeform.engine.table import Rules
from freeform.engine.world.model import StateDiff
from freeform.engine.world.state import GameState

CELLAR: dict[str, Any] = {
    "id": "cellar",
    "name": "The Cellar",
    "genre": "mystery",
    "description": "An inn with a locked cellar.",
    "system": "pbta",
    "opening": "Rain on the roof of the inn. Orla polishes a glass. The cellar door is locked.",
    "opening_suggestions": ["look around"],
    "start": {"location": "t:taproom", "day": 1, "minute": 1200},
    "heroes": [
        {
            "id": "mira",
            "name": "Mira",
            "concept": "a tax collector",
            "stats": {"charm": 1, "wits": 2},
            "items": ["t:lamp"],
        }
    ],
    "entities": [
        {
            "id": "t:taproom",
            "type": "location",
            "name": "the taproom",
            "attrs": {"aliases": ["bar"]},
        },
        {"id": "t:cellar", "type": "location", "name": "the cellar"},
        {"id": "t:yard", "type": "location", "name": "the yard"},
        {"id": "t:well", "type": "location", "name": "the old well"},
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
            "id": "t:finn",
            "type": "npc",
            "name": "Finn",
            "attrs": {"location": "t:yard", "aliases": ["groom"]},
        },
        {"id": "t:lamp", "type": "item", "name": "brass lamp", "attrs": {"aliases": ["lamp"]}},
        {"id": "t:key", "type": "item", "name": "iron key", "attrs": {"aliases": ["key"]}},
        {"id": "t:mug", "type": "item", "name": "pewter mug", "attrs": {"aliases": ["mug"]}},
        {
            "id": "t:ledger",
            "type": "item",
            "name": "black ledger",
            "attrs": {"aliases": ["ledger"]},
        },
        {
            "id": "t:door",
            "type": "object",
            "name": "cellar door",
            "attrs": {"location": "t:taproom", "aliases": ["door"]},
        },
    ],
    "facts": [
        {
            "id": "f_door",
            "subject_id": "t:door",
            "predicate": "state",
            "object": {"value": "locked", "text": "The cellar door is locked."},
        },
        {
            "id": "f_smuggling",
            "subject_id": "t:orla",
            "predicate": "secret",
            "object": {
                "value": "smuggler",
                "text": "Orla smuggles brandy through the cellar at night.",
            },
            "visibility": "hidden",
        },
        {
            "id": "f_ledger",
            "subject_id": "t:ledger",
            "predicate": "shows",
            "object": {"value": "debts", "text": "The ledger shows who owes whom."},
            "visibility": "hidden",
        },
    ],
    "threads": [{"id": "missing_brandy", "title": "Where does the brandy come from?"}],
    "clocks": [
        {
            "id": "heat",
            "name": "Suspicion",
            "max": 4,
            "triggers": {
                "2": {
                    "text": "Heads turn.",
                    "effects": [{"situation": {"id": "watched", "text": "They watch you."}}],
                },
                "4": {
                    "text": "Orla bars the door.",
                    "effects": [{"thread": ["missing_brandy", "failed"]}],
                },
            },
        },
        {"id": "harm", "name": "Harm", "max": 4},
    ],
    "inventory": [
        {"owner_id": "t:taproom", "item_id": "t:mug"},
        {"owner_id": "t:orla", "item_id": "t:key"},
        {"owner_id": "t:cellar", "item_id": "t:ledger", "flags": {"hidden": True}},
    ],
    "relationships": [{"a_id": "t:orla", "b_id": "player", "rel_type": "trust", "intensity": 0}],
    "places": {
        "t:taproom": {
            "description": "A low room that smells of wet wool.",
            "again": ["The taproom again; the fire has sunk."],
            "exits": [
                {"to": "t:yard", "name": "the yard", "aliases": ["outside"]},
                {
                    "to": "t:cellar",
                    "when": [{"fact": ["t:door", "state", "unlocked"]}],
                    "blocked": "The cellar door is locked.",
                },
            ],
            "details": [
                {"name": "hearth", "aliases": ["fire"], "text": "Ash, and one glowing log."}
            ],
        },
        "t:cellar": {"description": "Casks in the dark.", "exits": [{"to": "t:taproom"}]},
        "t:yard": {"description": "Mud and a lantern.", "exits": [{"to": "t:taproom"}]},
        "t:well": {"description": "A dry well."},
    },
    "people": {
        "t:orla": {
            "greeting": ['Orla nods. "Evening."'],
            "farewell": ['"Mind the step," says Orla.'],
            "shrugs": ['"Couldn\'t say," says Orla.'],
            "knows": [
                {
                    "id": "rain",
                    "topics": ["rain", "weather"],
                    "says": ['"It\'ll rain till Sunday."'],
                }
            ],
            "withholds": [
                {
                    "id": "brandy",
                    "topics": ["brandy", "cellar"],
                    "says": ['"It comes at night, by the well."'],
                    "deflects": ['Orla wipes a clean glass. "We sell beer."'],
                    "reveals": ["f_smuggling"],
                    "yields_when": [{"has": "t:ledger"}],
                }
            ],
            "agenda": "Get rid of the collector before midnight.",
            "capabilities": "Strong, no fighter.",
            "disposition": "Brisk, and afraid of the knock at the door.",
        }
    },
    "affordances": [
        {
            "id": "unlock_cellar",
            "action": "unlock",
            "target": "t:door",
            "using": "t:key",
            "when": [{"fact": ["t:door", "state", "locked"]}],
            "blocked": "You would need the key.",
            "outcomes": {
                "success": {
                    "text": ["The lock gives."],
                    "effects": [
                        {"set": {"subject": "t:door", "predicate": "state", "value": "unlocked"}},
                        {"clock": {"id": "heat", "delta": 1}},
                    ],
                }
            },
        }
    ],
    "discoverables": [
        {
            "id": "ledger",
            "at": "t:cellar",
            "trigger": "search behind the casks",
            "words": ["casks", "behind casks"],
            "content": ["Behind the casks lies a black ledger."],
            "effects": [
                {"hand": {"item": "t:ledger", "source": "t:cellar", "to": "player"}},
                {"reveal": "f_ledger"},
            ],
        }
    ],
    "moves": [
        {"id": "knock", "type": "threat", "text": ["Someone knocks, three times."], "effects": []}
    ],
    "endings": [
        {
            "id": "caught",
            "title": "Caught",
            "when": [{"thread": ["missing_brandy", "failed"]}],
            "text": "It ends here.",
        }
    ],
    "clues": [{"thread": "missing_brandy", "facts": ["f_smuggling", "f_ledger"]}],
    "cost_clocks": {"heat": "heat", "harm": "harm"},
}


def scenario(**changes: Any) -> Scenario:
    """The scenario, with top-level parts changed."""
    return Scenario.model_validate({**CELLAR, **changes})


def begun(system: str = "pbta", seed: int = 7, **changes: Any) -> Begun:
    """How a campaign on it begins."""
    authored = scenario(**changes)
    return Begun(
        scenario=authored,
        name=authored.name,
        seed=seed,
        system=load_system(system),
        calibration=authored.calibration,
        opening=authored.opening,
        state_diff=first_state(authored, authored.heroes[0]),
    )


def table(**changes: Any) -> tuple[GameState, Rules]:
    """The first state, at turn 1, and the rules."""
    began = begun(**changes)
    return apply(GameState(campaign_id="c", turn_no=1), began.state_diff), Rules.of(began)


def after(state: GameState, **diff: Any) -> GameState:
    """The state with a diff applied."""
    return apply(state, StateDiff.model_validate(diff))
