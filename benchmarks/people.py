"""Asks people of bundled and forged scenes ordinary questions, offline, and prints what they say, to be judged by a reader.

    python benchmarks/people.py [--list people_first.yaml] [--scene NAME]

A list holds scenes (a scenario or a premise, the seed, the way there) and questions written before the code that answers
them was changed. `docs/scoreboard.md` has how they were judged: answered, honestly not known and named, beside, or stock.
"""

import argparse
import asyncio
import tempfile
from pathlib import Path
from typing import Any

import yaml

from freeform import wiring
from freeform.engine.authored.library import load_scenario
from freeform.engine.authored.scenario import Scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import TurnResult
from freeform.services.house import opened_house
from freeform.services.scenario.forging import ForgeOrder, new_scenario
from freeform.settings import Settings

HERE = Path(__file__).parent


async def scenario_of(row: dict[str, Any], settings: Settings) -> Scenario:
    """The scenario of a scene: bundled, or forged from its premise."""
    if "premise" not in row:
        return load_scenario(row["scenario"])
    async with opened_house(settings) as house:
        kept = await new_scenario(house, ForgeOrder(premise=row["premise"], seed=row["seed"]))
    return load_scenario(kept.scenario, settings.home)


def shown(question: str, result: TurnResult) -> str:
    """A question and what came of it."""
    kinds = [
        event.type if event.type != "spoke" else f"{event.details['kind']}/{event.details['how']}"
        for event in result.engine_events
    ]
    said = result.clarification_question or result.final_text
    return f"> {question}\n  ({', '.join(kinds)})\n{said}\n"


async def ask(row: dict[str, Any], authored: Scenario, table: Table) -> None:
    """Plays one scene."""
    name = row["scene"]
    await begin(authored, name, row["seed"], Answers(hero=row.get("hero")), table)
    for way in row["ways"]:
        await take_turn(Say(campaign=name, text=way), table)
    print(f"# {name}\n")
    for question in row["asked"]:
        print(shown(question, await take_turn(Say(campaign=name, text=question), table)))


async def main() -> None:
    """All scenes of a list, or one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", default="people_first.yaml")
    parser.add_argument("--scene", default="")
    args = parser.parse_args()
    rows = yaml.safe_load((HERE / args.list).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.model_validate({"home": Path(home), "model": "offline"})
        for row in rows:
            if args.scene in ("", row["scene"]):
                authored = await scenario_of(row, settings)
                async with wiring.opened(settings) as table:
                    await ask(row, authored, table)


if __name__ == "__main__":
    asyncio.run(main())
