"""Many tables at once from one server: POST to first prose, POST to done, and memory.

`python benchmarks/web_tables.py [--tables 20] [--seconds 10] [--scenario dead_drop] [--json]`. The server is a process
of its own, started as a person starts it; this one is the players: one turn a second at each table, one event stream.
Each table has played one turn before the clock starts.
"""

import argparse
import asyncio
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx

LINES = (
    "look around", "ask Viktor about Jin", "wait", "talk to Dutch", "go to Kettle Row", "think about Jin",
    "go to the Neon Dragon", "look at the photograph", "ask Dutch about the Golden Bubble", "search behind the bar",
)  # fmt: skip


class Ear:
    """When each turn's first prose and its end were heard."""

    def __init__(self) -> None:
        self.first: dict[str, float] = {}
        self.done: dict[str, float] = {}
        self.failed = 0
        self.ended: dict[str, asyncio.Event] = {}

    async def listen(self, http: httpx.AsyncClient, ready: asyncio.Event) -> None:
        async with http.stream("GET", "/api/events", timeout=None) as stream:
            kind = ""
            async for line in stream.aiter_lines():
                if line.startswith("retry:"):
                    ready.set()
                if line.startswith("event: "):
                    kind = line[7:]
                if line.startswith("data: ") and kind in ("prose", "done", "failed"):
                    turn, now = json.loads(line[6:])["turn_id"], time.perf_counter()
                    if kind == "prose":
                        self.first.setdefault(turn, now)
                    else:
                        self.done[turn] = now
                        self.failed += kind == "failed"
                        self.ended[turn].set()


async def take(http: httpx.AsyncClient, ear: Ear, table: int, turn: str, text: str) -> float:
    """One turn to its end; when it was sent."""
    ear.ended[turn], start = asyncio.Event(), time.perf_counter()
    key = {"Idempotency-Key": turn}
    answer = await http.post(f"/api/campaigns/c{table}/turns", json={"text": text}, headers=key)
    assert answer.status_code == 202, answer.text
    await ear.ended[turn].wait()
    return start


async def play(
    http: httpx.AsyncClient, ear: Ear, table: int, tables: int, turns: int, posted: dict[str, float]
) -> None:
    """One table: a turn a second, the tables evenly after one another; a turn that takes longer delays the next."""
    await asyncio.sleep(table / tables)
    for number in range(turns):
        turn = f"t{table}-{number}"
        start = posted[turn] = await take(
            http, ear, table, turn, LINES[(number + table) % len(LINES)]
        )
        await asyncio.sleep(max(0.0, start + 1 - time.perf_counter()))


async def measure(url: str, pid: int, tables: int, seconds: int, scenario: str) -> dict[str, Any]:
    async with httpx.AsyncClient(
        base_url=url, timeout=60, limits=httpx.Limits(max_connections=200)
    ) as http:
        for number in range(tables):
            wanted = {"scenario": scenario, "campaign": f"c{number}", "seed": number}
            assert (await http.post("/api/campaigns", json=wanted)).status_code == 201
        ear, ready, posted = Ear(), asyncio.Event(), dict[str, float]()
        listening = asyncio.create_task(ear.listen(http, ready))
        await ready.wait()
        for number in range(tables):  # not counted: the first turn of all opens the books
            await take(http, ear, number, f"first-{number}", "look around")
        start, worked = time.perf_counter(), processor(pid)
        await asyncio.gather(
            *(play(http, ear, number, tables, seconds, posted) for number in range(tables))
        )
        span, worked = time.perf_counter() - start, processor(pid) - worked
        listening.cancel()
    first = sorted((ear.first[t] - posted[t]) * 1000 for t in posted if t in ear.first)
    done = sorted((ear.done[t] - posted[t]) * 1000 for t in posted)
    return {
        "tables": tables, "turns": len(posted), "failed": ear.failed, "turns_per_s": round(len(posted) / span, 1),
        "first_prose_ms": {"p50": quantile(first, 0.5), "p95": quantile(first, 0.95)},
        "done_ms": {"p50": quantile(done, 0.5), "p95": quantile(done, 0.95)},
        "processor_ms_per_turn": round(worked * 1000 / len(posted), 1),
        "mean_done_ms": round(statistics.mean(done), 1), "memory_mb": memory(pid),
    }  # fmt: skip


def quantile(values: list[float], share: float) -> float:
    return round(values[min(len(values) - 1, int(len(values) * share))], 1)


def processor(pid: int) -> float:
    """Seconds of processor time the server has used, where the system says so."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes the server held at most, where the system says so."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0.0
    found = re.search(r"VmHWM:\s+(\d+)", status)
    return round(int(found[1]) / 1024, 1) if found else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--seconds", type=int, default=10)
    parser.add_argument("--scenario", default="dead_drop")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as home:
        command = [
            sys.executable,
            "-m",
            "freeform",
            "--home",
            home,
            "--model",
            "offline",
            "serve",
            "--port",
            "0",
        ]
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        try:
            assert server.stderr is not None
            line = server.stderr.readline()
            url = re.search(r"http://[\d.]+:\d+", line)
            assert url, line
            found = asyncio.run(
                measure(url[0], server.pid, args.tables, args.seconds, args.scenario)
            )
        finally:
            server.terminate()
            server.wait(20)
    if args.json:
        print(json.dumps(found))
        return
    print(
        f"{found['tables']} tables, {found['turns']} turns ({found['failed']} failed), {found['turns_per_s']} turns/s"
    )
    print(f"{'':14}{'p50':>9}{'p95':>9}")
    for name in ("first_prose_ms", "done_ms"):
        print(f"{name:14}{found[name]['p50']:>9}{found[name]['p95']:>9}")
    print(f"{'processor_ms':14}{found['processor_ms_per_turn']:>9}  a turn")
    print(f"{'memory_mb':14}{found['memory_mb']:>9}")


if __name__ == "__main__":
    main()
