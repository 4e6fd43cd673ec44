"""Two server processes at one Postgres: what happens at one is heard at the other, and one goes on for a dead one."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import psycopg

from freeform.apps.web.live.hub import Event
from freeform.apps.web.live.tables import PRESENT, PRESENT_S
from freeform.apps.web.serve import alone
from freeform.core.clock import HandClock
from freeform.core.llm.gateway import Listen, ModelSaid, Out, Question
from freeform.offline.model import OfflineModel
from tests.apps.web.guests import gathered
from tests.apps.web.serving import Tab, serving
from tests.conftest import ROOT
from tests.patience import PATIENCE
from tests.postgres_server import PostgresServer


@asynccontextmanager
async def other_process(home: Path, url: str) -> AsyncIterator[tuple[Process, httpx.AsyncClient]]:
    """A server of its own, whose narrator stops before the last word; killed at the end, at the latest."""
    child = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.apps.web.paused_server", str(home), url, cwd=ROOT, stdout=PIPE
    )
    try:
        assert child.stdout
        address = (await child.stdout.readline()).decode().strip()
        async with httpx.AsyncClient(base_url=address, timeout=PATIENCE) as http:
            yield child, http
    finally:
        if child.returncode is None:
            child.kill()
        await child.wait()


async def test_a_player_at_one_server_is_heard_at_the_other_which_goes_on_when_that_one_is_killed(
    tmp_path: Path, postgres: str
) -> None:
    async with serving(tmp_path, None, alone, store_url=postgres) as here:
        await here.begin()
        async with (
            gathered(here),
            other_process(tmp_path, postgres) as (child, there),
            Tab(here, campaign="a") as tab,
        ):
            handed = await there.post("/api/campaigns/a/turns", json={"text": "look around"})
            assert handed.status_code == 202, handed.text
            assert (await tab.until("facts"))[-1].data["turn_id"] == handed.json()["turn_id"]
            assert child.stdout and await child.stdout.readline() == b"waits\n"
            child.kill()  # in the middle of a turn: its facts are kept, its last words are not
            await child.wait()
            told = await tab.until("done")
            assert told[-1].data["turn_no"] == 1
        (only,) = await here.story()
        assert only["turn_id"] == handed.json()["turn_id"] and only["final_text"]
        entries = [each.entry.kind for each in await here.room.table.store.read("a")]
        assert entries == ["begun", "resolved", "narrated"]
        # And what was heard is replayed to whoever comes with the number of an earlier event.
        async with Tab(here, after=tab.heard[0].id, campaign="a") as late:
            assert (await late.until("done"))[-1].id == told[-1].id


class CutOff:
    """The offline model; with its first question the database goes away."""

    name = "cut_off"

    def __init__(self, server: PostgresServer) -> None:
        self._offline, self._server, self.cut = OfflineModel(), server, False

    async def reply(self, question: Question[Out], listen: Listen | None = None) -> ModelSaid[Out]:
        if not self.cut:
            self.cut = True
            self._server.stop()
        return await self._offline.reply(question, listen)


async def test_a_turn_that_the_database_cut_off_is_played_when_it_is_back(
    tmp_path: Path, postgres: str, postgres_server: PostgresServer
) -> None:
    model = CutOff(postgres_server)
    try:
        async with serving(tmp_path, model, alone, store_url=postgres) as here:
            await here.begin()
            async with gathered(here):
                handed = await here.http.post("/api/campaigns/a/turns", json={"text": "I wait"})
                assert handed.status_code == 202, handed.text
                while not here.room.plays.failed:  # noqa: ASYNC110 - it grows in another task
                    await asyncio.sleep(0.01)
                postgres_server.start()
                while here.room.tables._pumps:
                    await asyncio.wait(list(here.room.tables._pumps.values()))
                assert [turn["turn_id"] for turn in await here.story()] == [
                    handed.json()["turn_id"]
                ]
    finally:
        postgres_server.start()


async def test_who_was_seen_elsewhere_is_away_since_then_and_a_late_server_knows_what_it_missed(
    tmp_path: Path, postgres: str
) -> None:
    async with serving(tmp_path, None, alone, store_url=postgres) as here:
        room, clock = here.room, HandClock()
        room.house.table = replace(room.house.table, clock=clock)
        clock.advance(10_000)
        for people in (["p1", "p2"], ["p2"]):
            news = {"process": "another", "here": {"a": people}}
            room.tables.on_news(Event(0, PRESENT, news))
        clock.advance(5)
        assert (room.tables.away_s("a", "p1"), room.tables.away_s("a", "p2")) == (5, 0)
        clock.advance(PRESENT_S)
        assert room.tables.away_s("a", "p2") == 5

        async with Tab(here, campaign="a") as tab:
            room.hub.tell("company", campaign="a", what="test")
            heard = (await tab.until("company"))[-1].id
            room.hub.tell("company", campaign="a", what="missed")
            await tab.until("company")
    with psycopg.connect(postgres) as db:
        db.execute("delete from freeform.news")  # as after an hour
    async with serving(tmp_path, None, alone, store_url=postgres) as late:
        first, _ = late.room.hub.join("a", heard)
        assert [event.kind for event in first] == ["reset"]
