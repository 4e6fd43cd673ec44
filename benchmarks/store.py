"""What the store costs as a campaign grows: append, fold, cold open, size. Prints a table or JSON.

python benchmarks/store.py [--turns 10000] [--windows 10] [--json]
"""

import argparse
import asyncio
import json
import statistics
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from freeform.adapters.sqlite.campaign.shelf import CampaignShelf
from freeform.adapters.sqlite.campaign.store import SqliteStore
from freeform.core.chance import Chance
from freeform.core.clock import HandClock
from freeform.core.text import slug
from freeform.engine.authored.scenario import (
    Calibration,
    Hero,
    Scenario,
    Start,
)
from freeform.engine.authored.system import System
from freeform.engine.log import Begun, Narrated, Resolved
from freeform.engine.world.model import (
    ClockDelta,
    ContextPacket,
    InterpreterOutput,
    NarratorOutput,
    PlannerOutput,
    SceneUpdate,
    StateDiff,
    ValidatorOutput,
)
from freeform.engine.world.state import Entity, Fact, StoryClock

SEED = 20_26
PACKET = 6_000
WORDS = (
    "lamp",
    "door",
    "rain",
    "street",
    "quiet",
    "guard",
    "ledger",
    "keycard",
    "debt",
    "neon",
    "harbour",
)
PEOPLE = [f"npc_{n}" for n in range(40)]


def prose(chance: Chance, words: int) -> str:
    """Words that compress about as badly as prose does."""
    return " ".join(chance.choose(WORDS) + str(chance.die(99)) for _ in range(words)) + "."


def beginning() -> Begun:
    """Forty people, eight clocks."""
    scenario = Scenario(
        id="bench", name="Bench", genre="noir", description="", system="base", opening="It rains.",
        start=Start(location="bar"), heroes=[Hero(id="mira", name="Mira", concept="a courier")], entities=[],
    )  # fmt: skip
    return Begun(
        scenario=scenario, name="Bench", seed=SEED, system=System(id="base", name="Base"),
        calibration=Calibration(), opening="It rains.",
        state_diff=StateDiff(
            entities_add=[Entity(id=p, type="npc", name=p.title(), attrs={"role": "guest"}) for p in PEOPLE],
            clocks_add=[StoryClock(id=f"clock_{n}", name=f"Clock {n}", max=8) for n in range(8)],
            scene_update=SceneUpdate(location_id="bar", time={"day": 1, "minute": 0}),
        ),
    )  # fmt: skip


def fact(chance: Chance, id: str, turn_no: int) -> Fact:
    """A fact as play makes them."""
    text = prose(chance, 12)
    return Fact(
        id=id, subject_id=chance.choose(PEOPLE), predicate=slug(text[:12]),
        object={"value": True, "text": text}, tags=["play"], discovered_turn=turn_no, discovery_method="play",
    )  # fmt: skip


def facts_of(turn_no: int, packet: dict[str, Any]) -> Resolved:
    """A turn's facts: one fact, a clock, the time, and a packet of about 6 KB."""
    chance = Chance(SEED, "turn", turn_no)
    clock = ClockDelta(id=f"clock_{chance.die(8) - 1}", delta=chance.choose([-1, 1, 1]))
    diff = StateDiff(
        facts_add=[fact(chance, f"fact_{turn_no}_a", turn_no)],
        clocks=[clock],
        scene_update=SceneUpdate(time={"day": 1 + turn_no // 100, "minute": turn_no % 100 * 14}),
    )
    return Resolved(
        turn_id=f"turn_{turn_no}", turn_no=turn_no, player_input=prose(chance, 8),
        context_packet=ContextPacket(**packet), interpreter=InterpreterOutput(intent="ask"),
        validator=ValidatorOutput(), planner=PlannerOutput(beats=[prose(chance, 6)]), state_diff=diff,
    )  # fmt: skip


def prose_of(turn_no: int) -> Narrated:
    """A turn's prose: about 100 words, and one fact that it established."""
    chance = Chance(SEED, "prose", turn_no)
    text = prose(chance, 100)
    diff = StateDiff(facts_add=[fact(chance, f"fact_{turn_no}_b", turn_no)])
    return Narrated(
        turn_id=f"turn_{turn_no}", turn_no=turn_no, narrator=NarratorOutput(final_text=text), final_text=text,
        state_diff=diff,
    )  # fmt: skip


def packet() -> dict[str, Any]:
    """A context packet of about 6 KB."""
    chance, facts = Chance(SEED, "packet"), []
    while len(json.dumps(facts)) < PACKET:
        facts.append(fact(chance, f"fact_{len(facts)}", 1).model_dump())
    return {"facts": facts}


async def measure(home: Path, turns: int, windows: int) -> dict[str, Any]:
    """Plays that many turns, then reads them in every way there is."""
    shelf = CampaignShelf(home)
    store, given = SqliteStore(shelf, HandClock()), packet()
    head = await store.create("bench", beginning())
    spans, work = [], []
    file = home / "campaigns" / "bench" / "table.db"
    for number in range(1, turns + 1):
        facts, told = facts_of(number, given), prose_of(number)
        start, worked = perf_counter(), process_time()
        head = await store.append("bench", [facts], after=head)
        head = await store.append("bench", [told], after=head)
        spans.append((perf_counter() - start) * 1000)
        work.append((process_time() - worked) * 1000)
    start = perf_counter()
    for _ in range(200):
        state = await store.get_state("bench")
    warm = (perf_counter() - start) / 200 * 1000
    shelf.close()
    result = await cold(home, turns)
    document = result.pop("document")
    assert document == json.dumps(state.document()), (
        "cold tables, fold and memory must be one state"
    )
    step = max(1, turns // windows)
    parts = [(spans[i : i + step], work[i : i + step]) for i in range(0, step * windows, step)]
    rows = [
        {"turns": f"{i * step + 1}-{(i + 1) * step}", "p50_ms": round(statistics.median(part), 3),
         "p50_cpu_ms": round(statistics.median(cpu), 3),
         "p95_ms": round(statistics.quantiles(part, n=20)[18], 3)}
        for i, (part, cpu) in enumerate(parts)
    ]  # fmt: skip
    return {
        "turns": turns,
        "append_per_turn": rows,
        "append_ratio_p50": round(rows[-1]["p50_ms"] / rows[0]["p50_ms"], 2),
        "append_ratio_p50_cpu": round(rows[-1]["p50_cpu_ms"] / rows[0]["p50_cpu_ms"], 2),
        "append_ratio_p95": round(rows[-1]["p95_ms"] / rows[0]["p95_ms"], 2),
        "get_state_warm_ms": round(warm, 3),
        **result,
        "file_mb": round(file.stat().st_size / 1e6, 1),
        "mb_per_1000_turns": round(file.stat().st_size / 1e6 / turns * 1000, 2),
    }


async def cold(home: Path, turns: int) -> dict[str, Any]:
    """Times what a new process waits for."""

    async def timed(ask: str, *args: Any) -> tuple[float, float, Any]:
        shelf = CampaignShelf(home)
        store = SqliteStore(shelf, HandClock())
        start, worked = perf_counter(), process_time()
        answer = await getattr(store, ask)("bench", *args)
        span, cpu = perf_counter() - start, process_time() - worked
        shelf.close()
        return span, cpu, answer

    opened, _, _ = await timed("head")
    tables, tables_cpu, state = await timed("get_state")
    near, _, _ = await timed("tail", 10)
    past, past_cpu, _ = await timed("get_state", turns - 1)
    rebuilt, rebuilt_cpu, folded = await timed("rebuild")
    assert json.dumps(folded.document()) == json.dumps(state.document())
    return {
        "cold_open_ms": round(opened * 1000, 2),
        "cold_state_from_tables_ms": round(tables * 1000, 1),
        "cold_state_from_tables_cpu_ms": round(tables_cpu * 1000, 1),
        "last_10_turns_ms": round(near * 1000, 2),
        "fold_s": round(past, 3),
        "fold_cpu_s": round(past_cpu, 3),
        "rebuild_s": round(rebuilt, 3),
        "rebuild_cpu_s": round(rebuilt_cpu, 3),
        "facts": len(state.facts),
        "document": json.dumps(state.document()),
    }


def show(result: dict[str, Any]) -> None:
    """As a table."""
    print(f"{'turns':>14} {'p50 ms':>8} {'p95 ms':>8} {'p50 CPU':>8}   (one turn = two appends)")
    for row in result["append_per_turn"]:
        print(
            f"{row['turns']:>14} {row['p50_ms']:>8.3f} {row['p95_ms']:>8.3f} {row['p50_cpu_ms']:>8.3f}"
        )
    for name, value in result.items():
        if name != "append_per_turn":
            print(f"{name:>28}  {value}")


def main() -> None:
    """Reads the options, measures in a folder of its own, prints."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--turns", type=int, default=10_000)
    options.add_argument("--windows", type=int, default=10)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory() as home:
        result = asyncio.run(measure(Path(home), chosen.turns, chosen.windows))
    print(json.dumps(result, indent=2)) if chosen.json else show(result)


if __name__ == "__main__":
    main()
