"""What a round of four offline players costs, and whether it grows. Fixed seed; prints a table and JSON.

    python benchmarks/party.py --rounds 500

The whole round is timed (files, checkpoints, four players, their turns in the engine, memory); the processor's time is
given beside the clock's, since the machine may be shared. `growth` is the last fifth's median over the second fifth's.
`in_units` is a round over a fixed piece of plain Python, measured between the rounds: a busy or slow processor stretches
both, so that two versions and two machines can be compared.
"""

import argparse
import asyncio
import json
import re
import tempfile
import time
from pathlib import Path
from statistics import median

from freeform.core.gc_tuning import collect_seldom
from freeform.engine.authored.library import load_scenario
from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.party.party import new_party
from freeform.players.party.persona import choose_personas
from freeform.settings import Settings
from freeform.wiring.players import parlour

_ROWS = [
    {"id": n, "text": f"row {n * 7919 % 1000} of a table", "tags": ["a", "b"]} for n in range(400)
]
_WORD = re.compile(r"\w+")


def unit_ms() -> float:
    """The processor's time of a fixed piece of plain Python."""
    start = time.process_time()
    for _ in range(10):
        rows = json.loads(json.dumps(_ROWS))
        rows.sort(key=lambda row: _WORD.findall(row["text"]))
    return (time.process_time() - start) * 1000


async def measure(scenario: str, rounds: int, home: Path) -> dict[str, object]:
    """Plays, and times each round."""
    wall, cpu, turns, talk, units = [], [], [], [], []
    async with parlour(Settings.model_validate({"home": home, "model": "offline"})) as room:
        who = await new_party(
            load_scenario(scenario),
            choose_personas("4"),
            7,
            0.3,
            room.table,
            room.store,
            room.table.clock,
        )
        start, used = time.perf_counter(), time.process_time()
        async for came in play_on(room.game, who, rounds, past_the_end=True):
            assert isinstance(came, RoundRecord)
            now, spent = time.perf_counter(), time.process_time()
            wall.append((now - start) * 1000)
            cpu.append((spent - used) * 1000)
            turns.append(len(came.rulings))
            talk.append(came.consensus.rounds)
            units.append(unit_ms())
            start, used = time.perf_counter(), time.process_time()
    fifth = max(1, rounds // 5)
    size = sum(file.stat().st_size for file in (home / "parties").rglob("*") if file.is_file())
    return {
        "scenario": scenario,
        "rounds": rounds,
        "median_ms": round(median(wall[1:]), 1),
        "p95_ms": round(sorted(wall)[int(len(wall) * 0.95)], 1),
        "median_cpu_ms": round(median(cpu[1:]), 1),
        "unit_cpu_ms": round(median(units), 1),
        "in_units": round(median(cpu[1:]) / median(units), 2),
        "turns_a_round": round(sum(turns) / rounds, 2),
        "talk_rounds": round(sum(talk) / rounds, 2),
        "cpu_by_fifth_ms": [round(median(cpu[n * fifth : (n + 1) * fifth]), 1) for n in range(5)],
        "growth": round(median(cpu[-fifth:]) / median(cpu[fifth : 2 * fifth]), 3),
        "party_files_kb_a_round": round(size / 1024 / rounds, 1),
    }


def main() -> None:
    """Runs and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=500)
    parser.add_argument("--scenario", default="dead_drop")
    asked = parser.parse_args()
    collect_seldom()  # as the program does
    with tempfile.TemporaryDirectory() as folder:
        found = asyncio.run(measure(asked.scenario, asked.rounds, Path(folder)))
    for name, value in found.items():
        print(f"{name:<24}{value}")
    print(json.dumps(found))


if __name__ == "__main__":
    main()
