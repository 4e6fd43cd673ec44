"""`serve --workers`: several processes on one port are one server, whichever of them dies."""

import asyncio
import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import httpx
import pytest

from freeform.apps.web.serve import alone
from freeform.services.house import opened_house
from freeform.services.table.talk import say_beside
from tests.apps.program import Home
from tests.apps.web.guests import gathered
from tests.apps.web.serving import Pausing, Tab, serving
from tests.patience import PATIENCE
from tests.web.served import Server
from tests.web.served import serving as started

Found = TypeVar("Found")


def until(look: Callable[[], Found | None]) -> Found:
    """What is there at last."""
    ends = time.monotonic() + PATIENCE
    while (found := look()) is None:
        assert time.monotonic() < ends, "it never came"
        time.sleep(0.02)
    return found


def children(server: Server) -> list[int]:
    """The workers that live, the one with the desk first."""
    told = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text()
    return sorted(map(int, told.split()))


@contextmanager
def only(worker: int, of: list[int]) -> Iterator[None]:
    """Inside, that worker alone answers."""
    others = [each for each in of if each != worker]
    for each in others:
        os.kill(each, signal.SIGSTOP)
    try:
        yield
    finally:
        for each in others:
            os.kill(each, signal.SIGCONT)


class Stream:
    """An event stream, read line by line."""

    def __init__(self, server: Server, after: str = "") -> None:
        self._http = httpx.Client(base_url=server.url, timeout=PATIENCE)
        headers = {"Last-Event-ID": after} if after else {}
        asked = self._http.build_request("GET", "/api/events?campaign=a", headers=headers)
        self._lines = self._http.send(asked, stream=True).iter_lines()

    def until(self, kind: str) -> list[tuple[str, str, Any]]:
        """Everything up to and with the next event of that kind: its id, kind and data."""
        heard: list[tuple[str, str, Any]] = []
        fields: dict[str, str] = {}
        for line in self._lines:
            name, _, value = line.partition(": ")
            fields[name] = value
            if not line and "event" in fields:
                heard.append((fields.get("id", ""), fields["event"], json.loads(fields["data"])))
                fields = {}
                if heard[-1][1] == kind:
                    return heard
        raise AssertionError(f"it ended without {kind}: {heard}")

    def runs_dry(self) -> None:
        """Until it ends, as it does when its worker dies."""
        with pytest.raises(httpx.HTTPError):
            for _ in self._lines:
                pass


def replaced(server: Server, dead: int) -> list[int]:
    """The workers once another has taken the dead one's place, and answers."""

    def look() -> list[int] | None:
        now = children(server)
        return now if dead not in now and len(now) == 2 else None

    now = until(look)
    with only(now[-1], now), httpx.Client(base_url=server.url, timeout=PATIENCE) as http:
        assert http.get("/healthz").status_code == 200
    return now


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    home = Home(tmp_path_factory.mktemp("workers") / "home")
    with started(home.path, more=["--workers", "2"]) as server:
        server.begin("a", "cellar")
        yield server


def test_a_turn_at_one_worker_is_heard_at_the_other_and_replayed_after_both_were_killed(
    server: Server,
) -> None:
    one, other = children(server)
    with only(one, [one, other]):
        here = Stream(server)
    with only(other, [one, other]):
        turn = server.ask("/campaigns/a/turns", {"text": "I look around"})["turn_id"]
    heard = here.until("done")
    assert [data["turn_id"] for _, kind, data in heard if kind == "done"] == [turn]

    os.kill(one, signal.SIGKILL)
    here.runs_dry()
    os.kill(other, signal.SIGKILL)
    replaced(server, other)
    again = Stream(server, after=heard[0][0]).until("done")
    assert again == heard[1:], "from the last id that was heard, each once and no reset"
    server.play("a", "I wait")
    assert [each["turn_no"] for each in server.ask("/campaigns/a/story")["turns"]] == [1, 2]


def test_long_work_and_the_chosen_model_are_the_same_at_every_worker(server: Server) -> None:
    desk, other = children(server)
    chosen = "ollama:nobody"
    with only(other, [desk, other]):
        server.ask("/model", {"model": chosen})
    for worker in (desk, other):
        with only(worker, [desk, other]):
            until(lambda: True if server.ask("/status")["model"] == chosen else None)
    os.kill(desk, signal.SIGKILL)
    # Whoever does not do the long work asks the one that does, and waits until there is one.
    with httpx.Client(base_url=server.url, timeout=PATIENCE) as http:
        assert [http.get("/api/jobs").json() for _ in range(4)] == [
            {"work": [], "problems": []}
        ] * 4
    now = replaced(server, desk)
    with only(now[-1], now):  # a new one is told of it
        until(lambda: True if server.ask("/status")["model"] == chosen else None)


async def test_a_turn_is_stopped_and_a_key_known_at_whichever_process(tmp_path: Path) -> None:
    told = Pausing()
    async with (
        serving(tmp_path, told, alone, several=True) as here,
        serving(tmp_path, None, alone, several=True) as there,
    ):
        await here.begin()
        async with Tab(there, campaign="a") as tab:
            sent = await here.http.post("/api/campaigns/a/turns", json={"text": "I look around"})
            await tab.until("facts")
            await told.waits.wait()
            assert await there.post("/api/campaigns/a/stop") == {"stopped": True}
            ended = (await tab.until("failed"))[-1].data
            assert (ended["turn_id"], ended["stopped"]) == (sent.json()["turn_id"], True)
            told.go.set()
            await here.quiet()
            key = {"headers": {"Idempotency-Key": "k"}}
            both = [each.http.post("/api/campaigns/a/undo", **key) for each in (here, there)]
            undone = await asyncio.gather(*both)
            assert sorted(answer.status_code for answer in undone) == [200, 409]
            assert "done already" in max(undone, key=lambda each: each.status_code).json()["error"]


async def test_a_key_is_free_again_where_nothing_came_of_it(tmp_path: Path) -> None:
    async with (
        serving(tmp_path, None, alone, several=True) as here,
        serving(tmp_path, None, alone, several=True) as there,
    ):
        await here.begin()
        key = {"headers": {"Idempotency-Key": "k"}}
        nothing = await here.http.post("/api/campaigns/a/undo", **key)
        assert nothing.status_code == 400, "nothing was played yet"
        await there.turn("I look around")
        assert (await there.http.post("/api/campaigns/a/undo", **key)).status_code == 200


async def test_what_a_process_without_a_wire_writes_is_told_once_and_it_holds_the_same_table(
    tmp_path: Path,
) -> None:
    async with (
        serving(tmp_path, None, alone, several=True) as here,
        serving(tmp_path, None, alone, several=True) as there,
    ):
        await here.begin()
        async with (
            gathered(here),
            Tab(here, campaign="a") as tab,
            Tab(there, campaign="a"),
            opened_house(here.room.settings, files=False) as bot,
        ):
            assert here.room.wire
            async with here.room.wire.lease("a"):
                with pytest.raises(TimeoutError):
                    async with asyncio.timeout(0.2), bot.tables.lease("a"):
                        pass
            rooms = (here.room, there.room)
            while not any(room.tables._files.is_watched("a") for room in rooms):  # noqa: ASYNC110 - a task looks
                await asyncio.sleep(0)
            for text in ("one", "two"):
                await say_beside(bot, "a", "p1", text, [])
                await tab.until("talk")
            lines = [each.data["line"]["text"] for each in tab.heard if each.kind == "talk"]
            assert lines == ["one", "two"]
