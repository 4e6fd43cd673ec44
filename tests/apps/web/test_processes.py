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
from freeform.apps.web.live.tables import PRESENT, PRESENT_S, SharedTables
from freeform.apps.web.serve import alone
from freeform.core.clock import HandClock
from tests.apps.web.guests import gathered
from tests.apps.web.serving import Tab, serving
from tests.conftest import ROOT
from tests.patience import PATIENCE


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


CUT = """
create sequence freeform.cuts;
create function freeform.cut() returns trigger language plpgsql as $$ begin
  if nextval('freeform.cuts') = 1 then raise 'shut down' using errcode = '57P01'; end if;
  return new;
end $$;
create trigger cut before insert on freeform.all_log for each row execute function freeform.cut();
"""
"""The first entry fails as it does when the database is shut down; it is back at once."""
MENDED = "drop function freeform.cut cascade; drop sequence freeform.cuts"


async def test_a_turn_that_the_database_cut_off_is_played_again_and_kept(
    tmp_path: Path, postgres: str
) -> None:
    with psycopg.connect(postgres, autocommit=True) as db:
        async with serving(tmp_path, None, alone, store_url=postgres) as here:
            await here.begin()
            async with gathered(here):
                db.execute(CUT)
                try:
                    handed = await here.http.post("/api/campaigns/a/turns", json={"text": "I wait"})
                    while here.room.tables._pumps:
                        await asyncio.wait(list(here.room.tables._pumps.values()))
                finally:
                    db.execute(MENDED)
                assert here.room.plays.failed == 1
                told = [turn["turn_id"] for turn in await here.story()]
                assert told == [handed.json()["turn_id"]]


async def test_who_was_seen_elsewhere_is_away_since_then_and_a_late_server_knows_what_it_missed(
    tmp_path: Path, postgres: str
) -> None:
    async with serving(tmp_path, None, alone, store_url=postgres) as here:
        room, clock = here.room, HandClock()
        room.house.table = replace(room.house.table, clock=clock)
        tables = SharedTables(room.hub, room.house, room.plays, room.wire)
        clock.advance(1000)
        for people in (["p1", "p2"], ["p2"]):
            tables.on_news(Event(0, PRESENT, {"process": "another", "here": {"a": people}}))
        clock.advance(5)
        assert (tables.away_s("a", "p1"), tables.away_s("a", "p2")) == (5, 0)
        clock.advance(PRESENT_S)
        assert tables.away_s("a", "p2") == 5

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
