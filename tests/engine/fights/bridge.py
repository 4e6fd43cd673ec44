"""A small place to fight in: a bridge, its far side, a goblin, its mate, and a hero with a sword."""

from typing import Any

from freeform.engine.authored.library import load_system
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import first_state
from freeform.engine.log import Begun
from freeform.engine.rules.change import apply
from freeform.engine.table import Rules
from freeform.engine.world.state import GameState

STATS_52 = {
    "strength": 3, "dexterity": 1, "constitution": 2, "intelligence": 0, "wisdom": 1, "charisma": -1,
}  # fmt: skip
FIGHTER: dict[str, Any] = {"kind": "fighter", "level": 1, "skills": {"athletics": 1, "stealth": 0}}


def bridge(system: str = "srd52", stats: dict[str, int] | None = None, **block: Any) -> Scenario:
    """The bridge as it begins."""
    hero = {
        "id": "kit",
        "name": "Kit",
        "concept": "a sword for hire",
        "stats": STATS_52 if stats is None else stats,
        "items": ["sword", "mail", "targe"],
        "block": block or FIGHTER,
    }
    return Scenario.model_validate(
        {
            "id": "bridge",
            "name": "The Bridge",
            "genre": "fantasy",
            "description": "A bridge and a goblin.",
            "system": system,
            "opening": "A goblin stands on the bridge.",
            "start": {"location": "span", "day": 1, "minute": 600},
            "heroes": [hero],
            "entities": [
                {"id": "span", "type": "location", "name": "the bridge"},
                {"id": "bank", "type": "location", "name": "the far bank"},
                _goblin("snag", "Snag"),
                {
                    "id": "sword",
                    "type": "item",
                    "name": "longsword",
                    "attrs": {"aliases": ["sword"], "weapon": "longsword"},
                },
                {"id": "mail", "type": "item", "name": "mail", "attrs": {"armour": "chain_mail"}},
                {"id": "targe", "type": "item", "name": "shield", "attrs": {"armour": "shield"}},
            ],
            "places": {
                "span": {"description": "A stone bridge.", "exits": [{"to": "bank"}]},
                "bank": {"description": "Grass.", "exits": [{"to": "span"}]},
            },
        }
    )


def _goblin(id: str, name: str) -> dict[str, Any]:
    attrs = {"location": "span", "aliases": ["goblin"], "block": "goblin_warrior", "side": "band"}
    return {"id": id, "type": "npc", "name": name, "attrs": attrs}


def begun(scenario: Scenario, lethality: str = "medium") -> tuple[GameState, Rules]:
    """The state before the first turn, and the rules."""
    system = load_system(scenario.system)
    calibration = scenario.calibration.model_copy(
        update={"risk": scenario.calibration.risk.model_copy(update={"lethality": lethality})}
    )
    start = first_state(scenario, scenario.heroes[0])
    log = Begun(
        scenario=scenario,
        name=scenario.name,
        seed=1,
        system=system,
        calibration=calibration,
        opening=scenario.opening,
        state_diff=start,
    )
    return apply(GameState(campaign_id="test", turn_no=1), start), Rules.of(log)
