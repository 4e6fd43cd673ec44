"""A researcher that is killed again and again, at moments chosen by count: shared by the test and the benchmark."""

import asyncio
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from freeform.core.chance import Chance
from freeform.core.record import canonical
from freeform.lore.judge.rows import timeless
from freeform.lore.messages import RESEARCHER, USER, VALIDATOR
from tests.lore.emberfall import GAME, emberfall, ports_on, run

ZONES = ["Ashmoor", "Greyford", "Sunken Vale", "Tarn Heights"]
WORLD = emberfall()


def work(db: Path, die_at: int = 0) -> int:
    """Runs both agents to the end in a process of its own; kills it at the n-th call of any function. The exit code."""
    with warnings.catch_warnings():
        # Newer Pythons warn of threads; the child only needs its own, and ends without cleaning up.
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        code = 1
        try:
            if die_at:
                sys.setprofile(_killer(die_at))
            asyncio.run(_run(db))
            code = 0
        finally:
            os._exit(code)
    _, status = os.waitpid(child, 0)
    return -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


async def _run(db: Path) -> None:
    await run(ports_on(db, WORLD), ZONES)


def _killer(die_at: int) -> Callable[..., None]:
    left = die_at

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    return count


def run_killed(db: Path, kills: int, seed: int, reach: int) -> int:
    """Kills until that many kills are done, then lets it end; how many there were. Each chance is within `reach` calls."""
    chance, done = Chance(seed, "kills"), 0
    while done < kills:
        # Mostly soon, so that kills are many; now and then late, so that every step is reached at last.
        most = reach if chance.fraction() < 0.85 else reach * 6
        code = work(db, 1 + int(chance.fraction() * most))
        if code == 0:
            break
        assert code == -signal.SIGKILL, f"died of something else: {code}"
        done += 1
    assert work(db) == 0
    return done


async def story(db: Path) -> dict[str, Any]:
    """All that a run leaves behind, without times: two runs must tell the same one."""
    store = ports_on(db, WORLD).store
    graph = await store.graph(GAME)
    point = await store.load_checkpoint(GAME)
    assert point is not None
    raw = store._db  # type: ignore[attr-defined]
    told = {
        "steps": [
            (s.agent, s.zone_name, s.step, s.name, s.key) for s in await store.steps_done(GAME)
        ],
        "outbox": raw.execute("select message_id, sent from outbox order by seq").fetchall(),
        "inbox": raw.execute("select message_id, agent, done from inbox order by seq").fetchall(),
        "ledger": raw.execute(
            "select key, tokens, settled from reservations order by key"
        ).fetchall(),
        "waiting": [len(await store.waiting(agent)) for agent in (RESEARCHER, VALIDATOR)],
        "unsent": [len(await store.unsent(agent)) for agent in (RESEARCHER, VALIDATOR, USER)],
        "graph": canonical(timeless(graph.model_dump(mode="json"))),
        "claims": [
            canonical(timeless(c.model_dump(mode="json"))) for c in await store.claims(GAME)
        ],
        "checkpoint": canonical(timeless(point.model_dump(mode="json"))),
    }
    await store.close()
    return told
