"""A small pack behind the cellar scenario, written on the fly, and a table that plays with it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from freeform import wiring
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.settings import Settings
from tests.engine.cellar import CELLAR

YARD = """\
---
id: yard
type: location
---

# The yard

Cobbles, a pump, a lantern on a chain.

## Atmosphere

{mood}

## Discoverable

- search the pump: a brass whistle hangs inside the pump on a wire
"""
FINN = """\
---
id: finn
type: npc
---

# Finn

The groom, long and freckled.

## Disposition

Cheerful, with one eye on the gate.

## Knows

- The grey mare came home on Friday without her rider.

## Withholds

- Finn was paid a crown to leave the gate unbarred on Friday.
"""
TAPROOM = "---\nid: taproom\ntype: location\n---\n\n# The taproom\n\nA low room.\n\n## Atmosphere\n\nSmoke under the beams.\n"
ORLA = "---\nid: orla\ntype: npc\n---\n\n# Orla\n\nThe innkeeper.\n\n## Disposition\n\nWatchful and slow to smile.\n"
MOOD = "Rain ticks in the butt and the horses shift."


def write_pack(folder: Path, version: str = "1.0.0", mood: str = MOOD, finn: str = FINN) -> Path:
    """The pack as a folder; other words make another version."""
    files = {
        "pack.yaml": f'id: t\nname: "The Inn"\nversion: "{version}"\ngenre: mystery\nlayer: setting\n'
        "license: {type: cc-by, publisher: A table}\n",
        "locations/yard.md": YARD.format(mood=mood),
        "locations/taproom.md": TAPROOM,
        "npcs/finn.md": finn,
        "npcs/orla.md": ORLA,
    }
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def inn() -> Scenario:
    """The cellar scenario, its people and places out of the pack."""
    in_pack = ("t:yard", "t:taproom", "t:finn", "t:orla")
    entities: list[dict[str, Any]] = [
        {**e, "origin": "pack", "pack_id": "t", "pack_entity_id": e["id"][2:]}
        if e["id"] in in_pack
        else e
        for e in CELLAR["entities"]
    ]
    return Scenario.model_validate({**CELLAR, "entities": entities, "packs": ["t"]})


@asynccontextmanager
async def at_the_inn(home: Path) -> AsyncIterator[Table]:
    """A table in that home, played offline."""
    async with wiring.opened(Settings(home=home, model="offline")) as table:
        yield table


def install(table: Table, folder: Path) -> None:
    """Puts the pack on the table's shelf."""
    assert table.lore
    table.lore.books.shelf.install(folder, strict=True)


async def started(table: Table, campaign: str = "c", seed: int = 7) -> None:
    """A campaign at the inn."""
    await begin(inn(), campaign, seed, Answers(), table)


async def play(table: Table, *lines: str, campaign: str = "c") -> list[TurnResult]:
    """Turns, one after another."""
    return [await take_turn(Say(campaign=campaign, text=line), table) for line in lines]
