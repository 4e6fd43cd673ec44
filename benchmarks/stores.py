"""What a turn costs on Postgres beside SQLite, in one run, and whether it grows with turns or campaigns.

    python benchmarks/stores.py --postgres postgresql://… [--turns 2000] [--campaigns 500] [--played 100] [--json]

The store alone: one turn is two appends and what play asks between them (head, state, last turns, its own id). Then
whole turns, played offline at the table. Turns of both stores take turns, so that a busy machine is busy for both. The
database is left with what was played in it: give it one of its own.
"""

import argparse
import asyncio
import json
import statistics
import tempfile
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from store import beginning, facts_of, packet, prose_of

from freeform.core.clock import HandClock
from freeform.core.ids import RandomIds
from freeform.engine.authored.library import load_scenario
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.log import LogPosition
from freeform.engine.ports import StateStore
from freeform.engine.turn import Say, take_turn
from freeform.settings import Settings
from freeform.wiring import build
from freeform.wiring.store import CampaignKeep, open_keep

SAID = ("look around", "I ask about the job", "wait", "I look for a way out", "talk to Dutch")


async def store_turn(
    store: StateStore, campaign: str, head: LogPosition, given: Any
) -> LogPosition:
    """A turn as the engine asks for it."""
    number = head.turn_no + 1
    facts, told = facts_of(number, given), prose_of(number)
    await store.head(campaign)
    await store.get_state(campaign)
    await store.recent(campaign, 6)
    await store.find_turn(campaign, facts.turn_id)
    head = await store.append(campaign, [facts], after=head)
    await store.get_state(campaign)
    return await store.append(campaign, [told], after=head)


def figures(spans: list[float]) -> dict[str, float]:
    """Middle and slow end, in milliseconds."""
    return {
        "p50_ms": round(statistics.median(spans), 3),
        "p95_ms": round(statistics.quantiles(spans, n=20)[18], 3),
    }


async def grown(keeps: dict[str, CampaignKeep], name: str, turns: int, windows: int) -> Any:
    """One campaign that grows, on both stores by turns."""
    given = packet()
    heads = {at: await keep.store.create(name, beginning()) for at, keep in keeps.items()}
    spans: dict[str, list[float]] = {at: [] for at in keeps}
    for _ in range(turns):
        for at, keep in keeps.items():
            start = perf_counter()
            heads[at] = await store_turn(keep.store, name, heads[at], given)
            spans[at].append((perf_counter() - start) * 1000)
    step = turns // windows
    rows = []
    for n in range(windows):
        part = {at: figures(times[n * step : (n + 1) * step]) for at, times in spans.items()}
        rows.append({"turns": f"{n * step + 1}-{(n + 1) * step}", **part, **ratio(part)})
    return rows


async def crowded(keep: CampaignKeep, name: str, campaigns: int, windows: int) -> Any:
    """One more campaign after another in one database: what three turns in a new one cost."""
    given, rows, step = packet(), [], max(1, campaigns // windows)
    for n in range(windows):
        spans = []
        for number in range(n * step, (n + 1) * step):
            head = await keep.store.create(f"{name}-{number}", beginning())
            for _ in range(3):
                start = perf_counter()
                head = await store_turn(keep.store, f"{name}-{number}", head, given)
                spans.append((perf_counter() - start) * 1000)
        start = perf_counter()
        shelf = len(await keep.store.campaigns())
        listed = (perf_counter() - start) * 1000
        rows.append({"campaigns": shelf, **figures(spans), "list_ms": round(listed, 1)})
    return rows


async def played(settings: dict[str, Settings], name: str, turns: int) -> Any:
    """Whole turns at the table, offline, by turns on both stores."""
    tables = {at: await build(wanted) for at, wanted in settings.items()}
    for table in tables.values():
        await begin(load_scenario("dead_drop"), name, 7, Answers(), table)
    spans: dict[str, list[float]] = {at: [] for at in tables}
    work: dict[str, list[float]] = {at: [] for at in tables}
    for number in range(turns):
        for at, table in tables.items():
            say = Say(campaign=name, text=SAID[number % len(SAID)], turn_id=f"t{number}")
            start, worked = perf_counter(), process_time()
            await take_turn(say, table)
            spans[at].append((perf_counter() - start) * 1000)
            work[at].append((process_time() - worked) * 1000)
    warm = {at: figures(times[5:]) for at, times in spans.items()}
    cpu = {at: round(statistics.median(times[5:]), 2) for at, times in work.items()}
    return {**warm, **ratio(warm), "cpu_ms": cpu}


def ratio(part: dict[str, dict[str, float]]) -> dict[str, float]:
    """Postgres to SQLite."""
    return {
        f"ratio_{p}": round(part["postgres"][f"{p}_ms"] / part["sqlite"][f"{p}_ms"], 2)
        for p in ("p50", "p95")
    }


async def measure(home: Path, chosen: argparse.Namespace) -> dict[str, Any]:
    """All of it."""
    settings = {
        "sqlite": Settings(home=home / "files", model="offline"),
        "postgres": Settings.model_validate(
            {"home": home / "other", "model": "offline", "store_url": chosen.postgres}
        ),
    }
    keeps = {at: open_keep(wanted, HandClock()) for at, wanted in settings.items()}
    name = RandomIds().new("bench")[:20].replace("_", "-")
    return {
        "store_as_a_campaign_grows": await grown(keeps, name, chosen.turns, 5),
        "postgres_as_campaigns_come": await crowded(keeps["postgres"], name, chosen.campaigns, 5),
        "whole_turns": await played(settings, f"{name}-table", chosen.played),
    }


def main() -> None:
    """Reads the options, measures, prints."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    options.add_argument("--postgres", default="", help="a database of its own")
    options.add_argument("--turns", type=int, default=2000)
    options.add_argument("--campaigns", type=int, default=500)
    options.add_argument("--played", type=int, default=100)
    options.add_argument("--json", action="store_true")
    chosen = options.parse_args()
    if not chosen.postgres:
        print("stores.py compares with a Postgres: name a database with --postgres; skipped.")
        return
    with tempfile.TemporaryDirectory() as home:
        result = asyncio.run(measure(Path(home), chosen))
    if chosen.json:
        print(json.dumps(result, indent=2))
        return
    for part, found in result.items():
        print(part)
        for row in found if isinstance(found, list) else [found]:
            print("  ", json.dumps(row))


if __name__ == "__main__":
    main()
