"""What becomes of premises that people wrote who had seen nothing of the forge.

    python benchmarks/forge.py [--misses]                                              the first forty
    python benchmarks/forge.py --premises benchmarks/forge_strangers.jsonl [--misses]  six strangers, twenty each

Each is forged with two seeds, offline; the first scenario is checked and played through the engine as
`scenario check` does. A noun counts as met where it stands in somebody's or something's name, alias or role,
or in what the hero is.
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path

from freeform.core.errors import FreeformError
from freeform.engine.authored.library import load_scenario
from freeform.services.house import House, opened_house
from freeform.services.scenario.check import check_scenario
from freeform.services.scenario.forging import ForgedKept, ForgeOrder, new_scenario
from freeform.settings import Settings

PREMISES = Path(__file__).parent / "forge_premises.jsonl"


def names_in(scenario: str, home: Path) -> str:
    """What everyone and everything is called, in small letters."""
    found: list[str] = []
    read = load_scenario(scenario, home)
    for hero in read.heroes:
        found += [hero.name, hero.concept]
    for entity in read.entities:
        aliases = entity.attrs.get("aliases") or []
        found += [entity.name, str(entity.attrs.get("role", "")), *map(str, aliases)]
    return " ".join(found).lower()


def shared(one: ForgedKept, other: ForgedKept) -> float:
    """How much of the smaller cast, its secrets included, two scenarios have in common."""
    first = {*one.people, *one.secrets}
    second = {*other.people, *other.secrets}
    return len(first & second) / max(1, min(len(first), len(second)))


async def tried(house: House, row: dict[str, object]) -> dict[str, object]:
    """What one premise came to."""
    premise = str(row["premise"])
    nouns = [str(noun) for noun in row["nouns"]]  # type: ignore[attr-defined]
    begun = time.process_time()
    try:
        first = await new_scenario(house, ForgeOrder(premise=premise, seed=1))
    except FreeformError as refused:
        return {"refused": str(refused), "nouns": len(nouns), "met": 0}
    seconds = time.process_time() - begun
    second = await new_scenario(house, ForgeOrder(premise=premise, seed=2))
    report = await check_scenario(house, first.scenario)
    names = names_in(first.scenario, house.settings.home)
    return {
        "in_order": report.ok,
        "nouns": len(nouns),
        "met": sum(noun.lower() in names for noun in nouns),
        "alike": shared(first, second) > 0.2,
        "seconds": seconds,
        "errors": [str(one) for one in report.findings if one.severity == "error"],
    }


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--misses", action="store_true")
    parser.add_argument("--premises", type=Path, default=PREMISES)
    args = parser.parse_args()
    rows = [json.loads(line) for line in args.premises.read_text(encoding="utf-8").splitlines()]
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.model_validate({"home": Path(home), "model": "offline"})
        async with opened_house(settings) as house:
            found = [await tried(house, row) for row in rows]
    if args.misses:
        for row, one in zip(rows, found, strict=True):
            if not one.get("in_order"):
                print(row["premise"][:60], one.get("refused") or one.get("errors"), sep="\n    ")
    figures = {
        "premises": len(found),
        "forged": sum("refused" not in one for one in found),
        "in_order": sum(bool(one.get("in_order")) for one in found),
        "nouns_met": f"{sum(int(str(one['met'])) for one in found)} of {sum(int(str(one['nouns'])) for one in found)}",
        "seeds_alike": sum(bool(one.get("alike")) for one in found),
        "slowest_forging_cpu_s": round(max(float(str(one.get("seconds", 0))) for one in found), 2),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    asyncio.run(main())
