"""Two server processes at one Postgres: what happens at one is heard at the other, and one goes on for a dead one."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from freeform.apps.web.serve import alone
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
