"""Plays parties that do whatever, and writes what came of each deed: rows for `fit.py`.

    python training/deeds/collect.py --scenario dead_drop --seeds 1-8 --rounds 24 --out ROWS.jsonl

A row has the features of the deed as the player who did it would see it, what came of it (things
learnt, found or got, questions settled, new places) and what it cost (clocks, harm, refusals).
"""

import argparse
import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from freeform.core.chance import Chance
from freeform.engine.authored.library import load_scenario
from freeform.offline.players.policies import random_talk, responders
from freeform.players.mind.think import dangers_of, own_ideas, sight_of
from freeform.players.mind.topics import questions_of, topics_of
from freeform.players.mind.weigh import features
from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.party.party import new_party
from freeform.players.party.persona import choose_personas
from freeform.players.passes import DirectiveReply, PersonaInput
from freeform.settings import Settings
from freeform.wiring.players import scratch

GAINS = {"fact_learned": 1.0, "item_gained": 0.6, "discovered": 0.6, "reveal": 0.3, "told": 0.1}
COSTS = {"clock_advanced": 0.3, "wounded": 1.0, "threat_pending": 0.3, "consequence": 0.2}
WORKED = frozenset({"success", "mixed", "strong", "critical"})
SETTLED = {"resolved": 2.0, "active": 0.5, "failed": -1.0}


def gained(events: list[dict[str, Any]]) -> float:
    """What came of a deed."""
    found = sum(GAINS.get(str(event["type"]), 0.0) for event in events)
    for event in events:
        if event["type"] == "thread_changed":
            found += SETTLED.get(str(event.get("status")), 0.0)
        if event["type"] == "moved" and event.get("first"):
            found += 0.3
        if event["type"] == "outcome" and str(event.get("outcome")) in WORKED:
            found += 0.25
    return found


def cost(ruling: Any) -> float:
    """What it cost, a turn wasted on a refusal included."""
    return sum(COSTS.get(str(e["type"]), 0.0) for e in ruling.events) + 0.2 * bool(ruling.blocked)


async def collect(scenario: str, seed: int, rounds: int) -> list[dict[str, Any]]:
    """The rows of one party."""
    tried: dict[str, list[str]] = {}

    def directive(input: PersonaInput, chance: Chance) -> DirectiveReply:
        questions = questions_of(input.table.threads, input.memories)
        sight = sight_of(input.table, input.memories, questions, dangers_of(input.table))
        things = topics_of(input.memories, input.table.names, questions, input.table.party)
        own = own_ideas(input.persona, input.table, input.memories, things)
        free = [o for o in [*input.table.options, *own] if o.text not in input.taken.values()]
        verbs = sorted({option.text.split()[0] for option in free})
        verb = chance.choose(verbs)  # each sort of deed as often as another
        option = chance.choose([o for o in free if o.text.startswith(f"{verb} ")] or free)
        tried[input.persona.id] = features(option, sight)
        return DirectiveReply(directive=f"{option.text}.", option=option.text)

    settings = Settings.model_validate({"home": tempfile.gettempdir(), "model": "offline"})
    rows = []
    players = {**responders("random"), "players/talk": random_talk, "players/directive": directive}
    with tempfile.TemporaryDirectory() as folder:
        async with scratch(settings, Path(folder), players) as room:
            who = await new_party(
                load_scenario(scenario), choose_personas("4"), seed, 0.0, room.table, room.store, room.table.clock
            )  # fmt: skip
            async for record in play_on(room.game, who, rounds):
                assert isinstance(record, RoundRecord)
                for agent, ruling in record.rulings.items():
                    rows.append({"scenario": scenario, "seed": seed, "features": tried[agent],
                                 "gained": gained(ruling.events), "cost": cost(ruling)})  # fmt: skip
    return rows


def main() -> None:
    """Plays, and adds the rows to the file."""
    told = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    told.add_argument("--scenario", required=True)
    told.add_argument("--seeds", default="1-8")
    told.add_argument("--rounds", type=int, default=24)
    told.add_argument("--out", type=Path, required=True)
    args = told.parse_args()
    first, _, last = args.seeds.partition("-")
    with args.out.open("a") as out:
        for seed in range(int(first), int(last or first) + 1):
            for row in asyncio.run(collect(args.scenario, seed, args.rounds)):
                out.write(json.dumps(row) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
