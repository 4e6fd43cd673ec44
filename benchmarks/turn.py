"""How long a turn takes without the model, and whether it grows with the campaign.

    python benchmarks/turn.py [--turns 10000] [--json]

Plays dead_drop offline with a fixed seed and a fixed round of inputs. The narrator also establishes one new fact a
turn, as a language model would, so that the state grows. Engine time is everything but the model's own answer:
reading state, context packets, validation, dice, prompts, tapes, both commits. Processor time beside wall time,
since machines are noisy.
"""

import argparse
import asyncio
import json
import tempfile
import time
from pathlib import Path
from typing import Any

from freeform import wiring
from freeform.core.gateway import Listen, Out, Question, Said
from freeform.engine.begin import Answers, begin
from freeform.engine.library import load_scenario
from freeform.engine.model import EstablishedFact, NarratorOutput
from freeform.engine.turn import Say, take_turn
from freeform.offline.model import OfflineModel
from freeform.settings import Settings

LINES = (
    "look around", "ask Viktor about Jin", "talk to Dutch", "search the booth", "go to Kettle Row", "wait",
    "look at the noodle counter", "go to the Neon Dragon", "think about Jin", "ask Dutch about Viktor",
    "I look at the photograph, then ask Viktor about the bar", "hide and watch the door",
)  # fmt: skip
SUBJECTS = ("neo_seattle:viktor", "neo_seattle:dutch", "neo_seattle:neon_dragon", "neo_seattle:kettle_row", "player")


class TimedModel(OfflineModel):
    """The offline model with a stopwatch, and a narrator who adds a detail to the world each turn."""

    def __init__(self) -> None:
        super().__init__()
        self.cpu = self.wall = 0.0
        self.count = 0

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> Said[Out]:
        cpu, wall = time.process_time(), time.perf_counter()
        said = await super().reply(question, listen)
        if isinstance(said.output, NarratorOutput):
            self.count += 1
            subject = SUBJECTS[self.count % len(SUBJECTS)]
            detail = EstablishedFact(
                subject_id=subject, predicate=f"detail {self.count}", detail=f"Detail {self.count}."
            )
            said = Said(said.output.model_copy(update={"established_facts": [detail]}), said.usage)  # type: ignore[assignment]
        self.cpu += time.process_time() - cpu
        self.wall += time.perf_counter() - wall
        return said


async def measure(turns: int) -> list[tuple[float, float]]:
    """Engine time of each turn in milliseconds: processor, wall."""
    rows: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as home:
        model = TimedModel()
        wiring.OfflineModel = lambda: model  # type: ignore[misc, assignment]
        async with wiring.opened(Settings(home=Path(home), model="offline")) as table:
            await begin(load_scenario("dead_drop"), "b", 7, Answers(), table)
            for number in range(turns):
                model.cpu = model.wall = 0.0
                cpu, wall = time.process_time(), time.perf_counter()
                await take_turn(Say(campaign="b", text=LINES[number % len(LINES)]), table)
                spent = time.process_time() - cpu - model.cpu, time.perf_counter() - wall - model.wall
                rows.append((spent[0] * 1000, spent[1] * 1000))
            start = time.perf_counter(), time.process_time()
            await table.store.rebuild("b")
            rebuilt = time.perf_counter() - start[0], time.process_time() - start[1]
        size = sum(f.stat().st_size for f in Path(home).rglob("table.db")) / 1e6
    print(f"rebuild of {turns:,} turns: {rebuilt[0]:.2f} s wall, {rebuilt[1]:.2f} s CPU; file {size:.0f} MB")
    return rows


def windows(rows: list[tuple[float, float]]) -> list[dict[str, Any]]:
    """p50 and p95 in windows along the campaign; the first turns, which load word lists, are left out."""
    width = max(50, len(rows) // 50)
    starts = sorted({10, *(max(10, len(rows) * share // 100 - width) for share in (10, 25, 50, 100))})
    found = []
    for start in starts:
        part = rows[start : start + width]
        cpu, wall = sorted(r[0] for r in part), sorted(r[1] for r in part)
        found.append(
            {
                "turns": f"{start + 1}-{start + len(part)}",
                "cpu_p50": round(cpu[len(cpu) // 2], 2), "cpu_p95": round(cpu[int(len(cpu) * 0.95)], 2),
                "wall_p50": round(wall[len(wall) // 2], 2), "wall_p95": round(wall[int(len(wall) * 0.95)], 2),
            }
        )  # fmt: skip
    return found


def main() -> None:
    """Prints the table, or JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=1000)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    found = windows(asyncio.run(measure(given.turns)))
    ratio = round(found[-1]["cpu_p95"] / found[0]["cpu_p95"], 2)
    if given.json:
        print(json.dumps({"windows": found, "growth_p95": ratio}))
        return
    print("| turns | CPU p50 ms | CPU p95 ms | wall p50 ms | wall p95 ms |\n|---|---|---|---|---|")
    for row in found:
        print(f"| {row['turns']} | {row['cpu_p50']} | {row['cpu_p95']} | {row['wall_p50']} | {row['wall_p95']} |")
    print(f"growth of p95 (CPU), last window to first: {ratio} x")


if __name__ == "__main__":
    main()
