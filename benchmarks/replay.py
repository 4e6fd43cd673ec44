"""How long it takes to replay a long campaign from its tapes, in one process and in two. Prints a table or JSON.

python benchmarks/replay.py [--turns 1000] [--scenario drowned_bell] [--json]
"""

import argparse
import asyncio
import json
import os
import tempfile
from pathlib import Path
from time import perf_counter

from freeform import wiring
from freeform.core.chance import Chance
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.table import Rules
from freeform.engine.turn import Say, take_turn
from freeform.evals.processes import in_processes
from freeform.evals.replay import Overrides
from freeform.evals.suites.nightly import next_line
from freeform.services.measure.jobs import ReplayJob, replay_stretch
from freeform.settings import Settings

SEED = 2_026
TARGET_S = 20.0


async def play(settings: Settings, scenario: str, turns: int) -> None:
    async with wiring.opened(settings) as table:
        begun = await begin(load_scenario(scenario), "bench", SEED, Answers(), table)
        rules, suggested = Rules.of(begun), begun.suggested_actions
        for number in range(1, turns + 1):
            state = await table.store.get_state("bench")
            line = next_line(state, rules, suggested, Chance(SEED, "wanderer", number))
            suggested = (await take_turn(Say(campaign="bench", text=line), table)).suggested_actions


def replayed(settings: Settings, turns: int, processes: int) -> dict[str, float | int]:
    size = -(-turns // processes)
    jobs = [
        ReplayJob(
            settings=settings,
            campaign="bench",
            overrides=Overrides(),
            first=first,
            last=min(turns, first + size - 1),
        )
        for first in range(1, turns + 1, size)
    ]
    start, before = perf_counter(), sum(os.times()[:4])
    parts = in_processes(replay_stretch, jobs, processes)
    seconds, cpu = perf_counter() - start, sum(os.times()[:4]) - before
    same = sum(outcome.turn.same for part in parts for outcome in part)
    return {
        "processes": processes,
        "seconds": round(seconds, 2),
        "cpu_s": round(cpu, 2),
        "ms_a_turn": round(seconds / turns * 1000, 2),
        "same": same,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=1000)
    parser.add_argument("--scenario", default="drowned_bell")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        settings = Settings.model_validate({"home": Path(home), "model": "offline"})
        asyncio.run(play(settings, given.scenario, given.turns))
        rows = [replayed(settings, given.turns, processes) for processes in (1, 2)]
    report = {
        "bench": "replay",
        "turns": given.turns,
        "seed": SEED,
        "target_s": TARGET_S,
        "rows": rows,
    }
    if given.json:
        print(json.dumps(report))
        return
    print(
        f"replay of {given.turns} taped turns of {given.scenario} (target: {TARGET_S:g} s on 2 cores)"
    )
    print(f"{'processes':>10}{'seconds':>10}{'CPU s':>8}{'ms a turn':>12}{'same':>8}")
    for row in rows:
        print(
            f"{row['processes']:>10}{row['seconds']:>10}{row['cpu_s']:>8}{row['ms_a_turn']:>12}{row['same']:>8}"
        )


if __name__ == "__main__":
    main()
