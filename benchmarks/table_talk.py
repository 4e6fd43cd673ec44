"""How long a message takes to everyone at a table, while other tables of the same server play.

Three people and a spectator listen; each message is timed from being sent to the last of them. What it takes of a core, sender and
listeners with it, is what the process used meanwhile less what the other tables alone use. Prints a line and JSON.
Run: python benchmarks/table_talk.py [--messages 100] [--tables 50]
"""

import argparse
import asyncio
import json
import logging
import os
import statistics
import sys
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.apps.web.guests import Company, gathered
from tests.apps.web.serving import Served, Tab, serving

PAUSE_S = 0.25
"""Between two messages; talk is held to ten lines in twenty seconds, so the speakers take turns."""
TURN_EVERY_S = 20.0
"""How often somebody at another table plays a turn."""


async def play_on(served: Served, campaign: str, first: float) -> None:
    """A table that somebody plays at alone."""
    await asyncio.sleep(first)
    while True:
        await served.http.post(f"/api/campaigns/{campaign}/turns", json={"text": "I look around"})
        await asyncio.sleep(TURN_EVERY_S)


async def heard(tab: Tab, text: str) -> None:
    """Waits until a stream has said that line."""
    while True:
        told = await tab.until("talk")
        if told[-1].data["line"]["text"] == text:
            return


async def timed(company: Company, messages: int) -> list[float]:
    """Milliseconds from sending to the last listener, message by message."""
    guests = [await company.guest(f"Guest {n}x", hero={"name": f"Hero {n}x"}) for n in "abcdefgh"]
    watcher = await company.guest("Wim", "spectator")
    spans: list[float] = []
    async with AsyncExitStack() as stack:
        tabs: list[Tab] = []
        for guest in (*guests[:3], watcher):
            of = Served(company.served.url, company.served.room, guest.http)
            tabs.append(await stack.enter_async_context(Tab(of)))
        for number in range(messages):
            text = f"message {number}"
            listening = [asyncio.create_task(heard(tab, text)) for tab in tabs]
            start = time.perf_counter()
            said = await guests[number % 8].ask("POST", "/company/talk", {"text": text})
            assert said.status_code == 201, said.text
            await asyncio.gather(*listening)
            spans.append((time.perf_counter() - start) * 1000)
            await asyncio.sleep(PAUSE_S)
    return spans


async def cpu_alone(seconds: float) -> float:
    """Seconds of a core that the other tables use in a second."""
    before = time.process_time()
    await asyncio.sleep(seconds)
    return (time.process_time() - before) / seconds


async def measure(messages: int, tables: int) -> tuple[list[float], float]:
    """With so many other tables at play: each message's time, and what one takes of a core."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving(Path(folder) / "home") as served:
            await served.begin()
            for number in range(tables):
                await served.begin(f"other-{number}")
            async with gathered(served) as company:
                step = TURN_EVERY_S / max(1, tables)
                playing = [
                    asyncio.create_task(play_on(served, f"other-{n}", n * step))
                    for n in range(tables)
                ]
                await asyncio.sleep(2.0)
                alone = await cpu_alone(TURN_EVERY_S)
                began, before = time.perf_counter(), time.process_time()
                spans = await timed(company, messages)
                used = time.process_time() - before - alone * (time.perf_counter() - began)
                for task in playing:
                    task.cancel()
                await asyncio.gather(*playing, return_exceptions=True)
    return spans, used * 1000 / messages


def main() -> None:
    """Asks, and says how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--messages", type=int, default=100)
    parser.add_argument("--tables", type=int, default=50)
    wanted = parser.parse_args()
    logging.disable(logging.WARNING)
    spans, cpu = asyncio.run(measure(wanted.messages, wanted.tables))
    p95 = statistics.quantiles(spans, n=20)[-1]
    half = statistics.median(spans)
    print(
        f"{len(spans)} messages beside {wanted.tables} tables: median {half:.0f} ms, p95 {p95:.0f} ms, "
        f"{cpu:.1f} ms of a core each (load {os.getloadavg()[0]:.1f})"
    )
    row = {"n": len(spans), "tables": wanted.tables, "median_ms": half, "p95_ms": p95}
    print(json.dumps({**row, "cpu_ms": cpu}))


if __name__ == "__main__":
    main()
