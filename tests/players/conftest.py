"""A party in memory, models that misbehave on purpose, and a real Redis on loopback."""

import socket
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from freeform.core.chance import Chance
from freeform.core.llm.live_gateway import LiveGateway, ModelsByRole
from freeform.core.llm.prompts import bundled
from freeform.engine.authored.library import load_scenario
from freeform.offline.model import RESPONDERS, OfflineModel
from freeform.players.model import Party
from freeform.players.party.local_agents import LocalCrew
from freeform.players.party.party import new_party
from freeform.players.party.persona import choose_personas
from freeform.settings import Settings
from freeform.wiring.players import PartyRoom, scratch
from tests.patience import PATIENCE

Responder = Callable[[Any, Chance], Any]
story = cache(load_scenario)
"""Read once for all tests."""


@asynccontextmanager
async def a_parlour(folder: Path, **other: Responder) -> AsyncIterator[PartyRoom]:
    """In memory; `other` are responders that stand in for ours, by the pass's short name."""
    async with scratch(
        Settings.model_validate({"home": folder, "model": "offline"}), folder
    ) as room:
        if other:
            model = OfflineModel(
                {**RESPONDERS, **{f"players/{name}": respond for name, respond in other.items()}}
            )
            table = room.table
            gateway = LiveGateway(
                ModelsByRole(model, model), prompts=bundled(), tapes=table.tapes, clock=table.clock
            )
            room = replace(room, crew=LocalCrew(gateway))
        yield room


async def a_party(room: PartyRoom, players: str = "4", **more: Any) -> Party:
    """Four bundled personas at Dead Drop, seed 7."""
    scenario = story(more.pop("scenario", "dead_drop"))
    return await new_party(
        scenario, choose_personas(players), more.pop("seed", 7), more.pop("strength", 0.3), room.table, room.store,
        room.table.clock, **more,
    )  # fmt: skip


@pytest.fixture
def parlour(tmp_path: Path) -> Callable[..., AbstractAsyncContextManager[PartyRoom]]:
    """Opens a parlour in memory."""
    return lambda **other: a_parlour(tmp_path, **other)


class RedisServer:
    """A real Redis that can be stopped and started again on the same port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        run = [
            "redis-server",
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--dir",
            str(self._folder),
        ]
        self._process = subprocess.Popen(
            [*run, "--appendonly", "yes", "--save", ""], stdout=subprocess.DEVNULL
        )
        ends = time.monotonic() + PATIENCE
        while time.monotonic() < ends:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("redis-server did not start")

    def stop(self) -> None:
        if self._process:
            self._process.terminate()
            self._process.wait(PATIENCE)
            self._process = None


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RedisServer]:
    """One Redis for all tests; absent, they skip."""
    import shutil

    if not shutil.which("redis-server"):
        pytest.skip("no redis-server here (Debian package redis-server)")
    server = RedisServer(tmp_path_factory.mktemp("redis"))
    yield server
    server.stop()
