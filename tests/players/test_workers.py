"""Workers over a real Redis: the same results as in one process, and what happens when Redis or the worker is gone."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from freeform.adapters.redis import experiments
from freeform.adapters.redis.agents import QUEUE, RqCrew
from freeform.adapters.redis.experiments import run_at_workers
from freeform.core.errors import Unavailable
from freeform.core.llm.gateway import Call
from freeform.core.llm.tape import MemoryTapes
from freeform.players.model import RoundRecord
from freeform.players.party.evening import play_on
from freeform.players.passes import CHECK, CheckInput
from freeform.players.ports import AgentJob
from freeform.services.party.experiments import play_one_run
from freeform.settings import Settings
from freeform.wiring.players import parlour
from tests.patience import PATIENCE
from tests.players.conftest import RedisServer, a_party


def start_worker(home: Path, url: str) -> "subprocess.Popen[bytes]":
    environ = {
        **os.environ,
        "FREEFORM_PLAYERS_REDIS": url,
        "FREEFORM_HOME": str(home),
        "FREEFORM_MODEL": "offline",
    }
    return subprocess.Popen(
        [sys.executable, "-m", "freeform", "worker"], env=environ, stderr=subprocess.DEVNULL
    )


@pytest.fixture(scope="module")
def worker(
    redis_server: RedisServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator["subprocess.Popen[bytes]"]:
    process = start_worker(tmp_path_factory.mktemp("worker"), redis_server.url)
    yield process
    process.terminate()
    process.wait(PATIENCE)


def job(n: int, action: str = "I look at the bar.") -> AgentJob:
    return AgentJob(
        CHECK.id,
        CheckInput(action=action, character_name="Wren"),
        Call(campaign="c", seed=f"7/{n}"),
    )


async def played(home: Path, **more: Any) -> list[dict[str, Any]]:
    settings = Settings.model_validate({"home": home, "model": "offline", **more})
    async with parlour(settings) as room:
        who = await a_party(room, "2")
        found = [came async for came in play_on(room.game, who, 1)]
        tapes = await room.table.tapes.of_turn(who.campaign)
        assert [tape.pass_id for tape in tapes if tape.pass_id == "players/talk"], (
            "taped where the party is"
        )
        return [came.model_dump(mode="json") for came in found if isinstance(came, RoundRecord)]


async def test_workers_and_redis_lists_give_the_same_round_as_one_process(
    redis_server: RedisServer, worker: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    here = await played(tmp_path / "here")
    away = await played(
        tmp_path / "away",
        players_redis=redis_server.url,
        players_workers="redis",
        players_channels="redis",
    )
    assert json.dumps(here) == json.dumps(away)


async def test_a_job_that_breaks_is_tried_again_and_then_kept_to_look_at(
    redis_server: RedisServer, worker: "subprocess.Popen[bytes]"
) -> None:
    import redis
    from rq.registry import FailedJobRegistry

    crew = RqCrew(redis_server.url, MemoryTapes(), seconds=PATIENCE, retries=(0.1, 0.1))
    good = job(1)
    broken = AgentJob(
        "players/check", CheckInput(action="x", character_name="w"), Call(seed="broken")
    )
    object.__setattr__(broken, "pass_id", "players/none")
    first, second = await crew.ask_all([good, broken])
    assert first.output == {"valid": True, "violations": [], "suggestion": ""}
    assert "KeyError" in second.failed and "is kept" in second.failed
    kept = FailedJobRegistry(QUEUE, connection=redis.Redis.from_url(redis_server.url))
    assert len(kept.get_job_ids()) >= 1


async def test_without_any_worker_the_round_stops_with_a_sentence_that_says_what_to_do(
    redis_server: RedisServer,
) -> None:
    crew = RqCrew(redis_server.url.replace("/0", "/3"), MemoryTapes(), seconds=0.3, retries=())
    with pytest.raises(Unavailable, match="start one with `freeform-rpg worker`"):
        await crew.ask_all([job(2)])


async def test_redis_gone_in_mid_round_stops_the_round_where_it_goes_on(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    whole = await played(tmp_path / "whole")
    home = tmp_path / "torn"
    settings = Settings.model_validate(
        {
            "home": home,
            "model": "offline",
            "players_redis": redis_server.url,
            "players_channels": "redis",
        }
    )
    async with parlour(settings) as room:
        who = await a_party(room, "2", name="dead_drop_torn")

        def pull_the_plug(phase: str, seen: dict[str, Any]) -> None:
            if phase == "directives":
                redis_server.stop()

        with pytest.raises(Unavailable, match="Redis does not answer"):
            async for _ in play_on(lambda party: room.game(party, "engine", pull_the_plug), who, 1):
                pass
    redis_server.start()
    async with parlour(settings) as room:
        who = await room.store.get("dead_drop_torn")
        after = [came async for came in play_on(room.game, who, 1)]
    assert [came.model_dump(mode="json") for came in after] == whole


async def test_a_killed_worker_stops_the_round_and_the_next_worker_takes_the_question(
    redis_server: RedisServer, tmp_path: Path
) -> None:
    url = redis_server.url.replace("/0", "/2")
    process = start_worker(tmp_path / "w", url)
    crew = RqCrew(url, MemoryTapes(), seconds=PATIENCE)
    try:
        assert (await crew.ask_all([job(5)]))[0].output, "it works"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait(PATIENCE)
    hurried = RqCrew(url, MemoryTapes(), seconds=0.5, retries=())
    with pytest.raises(Unavailable, match="no worker answered"):
        await hurried.ask_all([job(6)])
    other = start_worker(tmp_path / "w", url)
    try:
        assert (await crew.ask_all([job(6)]))[0].output, "asked again, the next worker answers"
    finally:
        other.terminate()
        other.wait(PATIENCE)


def test_a_run_of_an_experiment_gives_the_same_row_at_a_worker_as_here(
    redis_server: RedisServer, worker: "subprocess.Popen[bytes]", tmp_path: Path
) -> None:
    run = ("dead_drop", "2", 3, 1.0, 1, str(tmp_path))
    (row,) = run_at_workers(redis_server.url, [run], 120)
    assert row == play_one_run(run)


def test_a_run_that_nobody_takes_is_taken_back(
    redis_server: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(experiments, "_PATIENCE", 0.1)
    monkeypatch.setattr(experiments, "QUEUE", "nobody_listens")
    with pytest.raises(Unavailable, match="start one or more with `freeform-rpg worker`"):
        run_at_workers(redis_server.url, [("dead_drop", "2", 3, 1.0, 1, str(tmp_path))], 120)
    with pytest.raises(Unavailable, match="Redis does not answer"):
        run_at_workers("redis://127.0.0.1:1/0", [("dead_drop", "2", 3, 1.0, 1, str(tmp_path))], 120)
