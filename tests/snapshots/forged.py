"""Scenarios forged of premises, a pack and nothing, whole: who, where, what is secret, which ways lead to it, how it ends."""

from pathlib import Path
from typing import Any

from freeform.engine.authored.library import load_system
from freeform.forge.forge import forge_scenario
from freeform.forge.model import Forged, ForgeWish
from tests.forge.test_forge import PREMISES
from tests.snapshots.keeping import cut, plain, sealed

SYSTEM = load_system("pbta")


async def forged(folder: Path) -> dict[str, Any]:
    """Every shape by its words alone, an evening of nothing but a genre; one of them to its bones."""
    wishes = [ForgeWish(premise=premise, seed=5) for premise in PREMISES.values()]
    wishes.append(ForgeWish(genre="space", tone="grim", seed=2))
    made = [forge_scenario(wish, SYSTEM) for wish in wishes]
    return {"all": [_outline(each) for each in made], "one": _bones(made[0])}


def _bones(made: Forged) -> dict[str, Any]:
    """People, places, facts, clocks and ends with their fields."""
    told = ("people", "places", "facts", "clocks", "threads", "endings", "objects")
    return {key: cut(value) for key, value in plain(made.scenario).items() if key in told}


def _outline(made: Forged) -> dict[str, Any]:
    """Who it is about and what of it can be learnt; the rest under a seal."""
    story = made.scenario
    return {
        "shape": " ".join([made.shape, made.truth, made.genre, story.id]),
        "names": ", ".join(entity.name for entity in story.entities),
        "sealed": " ".join(f"{key}:{sealed(value)[:4]}" for key, value in plain(story).items()),
        "sources": sealed(made.sources),
    }
