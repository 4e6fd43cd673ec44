"""How long a turn takes without the model, and whether it grows with the campaign.

    python benchmarks/turn.py [--turns 10000] [--sample 120] [--json]

Plays dead_drop offline with a fixed seed and a fixed round of inputs. The narrator also establishes one new fact a
turn, as a language model would. The turns up to the ten-thousandth are written straight into the store, a fact
each. Engine time is everything but the model's own answer:
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
from freeform.core.gc_tuning import collect_seldom
from freeform.core.llm.gateway import (
    Listen,
    ModelSaid,
    Out,
    Question,
)
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import Narrated, Resolved
from freeform.engine.table import Table
from freeform.engine.turn import Say, take_turn
from freeform.engine.world.model import EstablishedFact, NarratorOutput, StateDiff
from freeform.engine.world.state import Fact
from freeform.offline.model import OfflineModel
from freeform.settings import Settings

LINES = (
    "look around", "ask Viktor about Jin", "talk to Dutch", "search the booth", "go to Kettle Row", "wait",
    "look at the noodle counter", "go to the Neon Dragon", "think about Jin", "ask Dutch about Viktor",
    "I look at the photograph, then ask Viktor about the bar", "hide and watch the door",
)  # fmt: skip
SUBJECTS = (
    "neo_seattle:viktor",
    "neo_seattle:dutch",
    "neo_seattle:neon_dragon",
    "neo_seattle:kettle_row",
    "player",
)


class TimedModel(OfflineModel):
    """The offline model with a stopwatch, and a narrator who adds a detail to the world each turn."""

    def __init__(self) -> None:
        super().__init__(ear=wiring.ear())
        self.cpu = self.wall = 0.0
        self.count = 0

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        cpu, wall = time.process_time(), time.perf_counter()
        said = await super().reply(question, listen)
        if isinstance(said.output, NarratorOutput):
            self.count += 1
            subject = SUBJECTS[self.count % len(SUBJECTS)]
            detail = EstablishedFact(
                subject_id=subject, predicate=f"detail {self.count}", detail=f"Detail {self.count}."
            )
            said = ModelSaid(
                said.output.model_copy(update={"established_facts": [detail]}), said.usage
            )  # type: ignore[assignment]
        self.cpu += time.process_time() - cpu
        self.wall += time.perf_counter() - wall
        return said


async def measure(turns: int, sample: int) -> dict[str, Any]:
    """Engine time of the first turns and of the turns after so many; the turns between are written, not played."""
    with tempfile.TemporaryDirectory() as home:
        model = TimedModel()
        wiring.OfflineModel = lambda **_: model  # type: ignore[misc, assignment]
        async with wiring.opened(
            Settings.model_validate({"home": Path(home), "model": "offline"})
        ) as table:
            await begin(load_scenario("dead_drop"), "b", 7, Answers(), table)
            await play(table, model, len(LINES))  # the first call of each kind loads word lists
            young = await play(table, model, sample)
            await fast_forward(table, turns)
            old = await play(table, model, sample)
            start = time.perf_counter(), time.process_time()
            await table.store.rebuild("b")
            rebuilt = time.perf_counter() - start[0], time.process_time() - start[1]
            facts = len((await table.store.get_state("b")).facts)
            last = (await table.store.head("b")).turn_no
        size = sum(f.stat().st_size for f in Path(home).rglob("table.db")) / 1e6
    return {
        "windows": [window(f"{len(LINES) + 1}-{len(LINES) + sample}", young), window(f"{last - sample + 1}-{last}", old)],
        "rebuild_wall_s": round(rebuilt[0], 2), "rebuild_cpu_s": round(rebuilt[1], 2),
        "facts": facts, "file_mb": round(size), "turns": last,
    }  # fmt: skip


async def play(table: Table, model: TimedModel, turns: int) -> list[tuple[float, float]]:
    """Engine time of each turn in milliseconds: processor, wall."""
    rows = []
    for number in range(turns):
        model.cpu = model.wall = 0.0
        cpu, wall = time.process_time(), time.perf_counter()
        await take_turn(Say(campaign="b", text=LINES[number % len(LINES)]), table)
        spent = time.process_time() - cpu - model.cpu, time.perf_counter() - wall - model.wall
        rows.append((spent[0] * 1000, spent[1] * 1000))
    return rows


async def fast_forward(table: Table, to_turn: int) -> None:
    """Writes turns like the last one, each with a fact of its own, up to that turn."""
    resolved, narrated = (logged.entry for logged in await table.store.tail("b", 1))
    assert isinstance(resolved, Resolved) and isinstance(narrated, Narrated)
    head = await table.store.head("b")
    for number in range(head.turn_no + 1, to_turn + 1):
        name = {"turn_id": f"f{number}", "turn_no": number}
        fact = Fact(id=f"far#{number}", subject_id=SUBJECTS[number % len(SUBJECTS)], predicate=f"far_{number}",
                    object={"value": f"Far detail {number}.", "text": f"Far detail {number}."})  # fmt: skip
        diff = StateDiff(facts_add=[fact])
        pair = [resolved.model_copy(update={**name, "state_diff": StateDiff()}),
                narrated.model_copy(update={**name, "state_diff": diff})]  # fmt: skip
        head = await table.store.append("b", pair, after=head)


def window(turns: str, rows: list[tuple[float, float]]) -> dict[str, Any]:
    """p50 and p95 of a stretch."""
    cpu, wall = sorted(r[0] for r in rows), sorted(r[1] for r in rows)
    half, most = len(rows) // 2, int(len(rows) * 0.95)
    return {
        "turns": turns, "cpu_p50": round(cpu[half], 2), "cpu_p95": round(cpu[most], 2),
        "wall_p50": round(wall[half], 2), "wall_p95": round(wall[most], 2),
    }  # fmt: skip


def main() -> None:
    """Prints the table, or JSON."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--turns", type=int, default=10_000)
    options.add_argument("--sample", type=int, default=120)
    options.add_argument("--json", action="store_true")
    given = options.parse_args()
    collect_seldom()  # as the program does
    found = asyncio.run(measure(given.turns, given.sample))
    young, old = found["windows"]
    found["growth_p95"] = round(old["cpu_p95"] / young["cpu_p95"], 2)
    if given.json:
        print(json.dumps(found))
        return
    print("| turns | CPU p50 ms | CPU p95 ms | wall p50 ms | wall p95 ms |\n|---|---|---|---|---|")
    for row in found["windows"]:
        print(
            f"| {row['turns']} | {row['cpu_p50']} | {row['cpu_p95']} | {row['wall_p50']} | {row['wall_p95']} |"
        )
    print(
        f"growth of p95 (CPU): {found['growth_p95']} x; {found['facts']:,} facts, {found['file_mb']} MB"
    )
    print(
        f"rebuild of {found['turns']:,} turns: {found['rebuild_wall_s']} s wall, {found['rebuild_cpu_s']} s CPU"
    )


if __name__ == "__main__":
    main()
