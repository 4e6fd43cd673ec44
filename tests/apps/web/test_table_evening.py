"""A whole evening at one table: a game master, two players, a spectator and an AI companion, twelve
turns in each mode, with a reload, a lost connection, a second device and a late joiner. For a whole
evening of thirty, set `EVENING_TURNS=30`."""

import asyncio
import os
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from freeform.apps.web.live.hub import Hub
from freeform.apps.web.live.tables import AWAY_S, REMIND_S, SharedTables
from freeform.apps.web.live.turns import Plays
from freeform.apps.web.serve import alone
from freeform.core.clock import HandClock
from freeform.players.people import order
from freeform.players.people.model import TurnMode
from freeform.services.table import acting, people
from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.serving import serving

TURNS = int(os.environ.get("EVENING_TURNS", "12"))
SAYS = ("I look around", "I wait", "I listen")


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    async with serving(tmp_path / "home", beside=alone) as served:
        await served.begin()
        async with gathered(served) as made:
            yield made


async def quiet(company: Company) -> None:
    tables = company.served.room.tables
    while tables._pumps:
        await asyncio.wait(list(tables._pumps.values()))
        await asyncio.sleep(0)


async def told(someone: Guest) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = (await someone.ask("GET", "/story?limit=200")).json()["turns"]
    return turns


async def seat_all(company: Company) -> dict[str, Guest]:
    """A game master, two players with heroes, a spectator, and Bea, an AI player."""
    here = {
        "Mo": await company.guest("Mo", role="gm"),
        "Ben": await company.guest("Ben", hero={"name": "Sparrow"}),
        "Cleo": await company.guest("Cleo", hero={"name": "Wren"}),
        "Sue": await company.guest("Sue", role="spectator"),
    }
    await company.owner.post("/api/campaigns/a/company/role", json={"person": "p1", "role": "gm"})
    asked = await here["Mo"].ask("POST", "/company/companions", {"persona": "bea"})
    assert asked.status_code == 201, asked.text
    return here


async def act(company: Company, someone: Guest, mode: TurnMode, number: int) -> None:
    """Someone acts, if it is their turn, and sees the scene when they are asked to."""
    now = await someone.company()
    if mode == "called":
        await company.owner.post("/api/campaigns/a/company/call", json={"seat": someone.seat})
    elif now["you"]["character"] not in now["turn_of"]:
        return
    scene = (await someone.ask("GET", "/table")).json()
    assert scene["hero"]["name"] == now["you"]["character"] and scene["scene"]
    key = f"{someone.name}.{number}"
    body = {"text": SAYS[number % len(SAYS)]}
    handed = await someone.ask("POST", "/turns", body, key)
    again = await someone.ask("POST", "/turns", body, key)
    assert (handed.status_code, again.json()["turn_id"]) == (202, key), handed.text


@pytest.mark.parametrize("mode", ["free", "rounds", "together", "called"])
async def test_all_turns_are_one_story_for_everyone(company: Company, mode: TurnMode) -> None:
    here = await seat_all(company)
    owner = company.owner
    # The owner plays no hero tonight: the table waits for those who do.
    tables = company.served.room.house.tables
    await tables.change("a", lambda table: order.without_waiting(table, "p1"))
    await owner.post("/api/campaigns/a/company/mode", json={"mode": mode})
    ben, number = here["Ben"], 0
    while len(await told(ben)) < TURNS and number < 4 * TURNS:
        for name in ("Ben", "Cleo", "Dee"):
            if name in here:
                await act(company, here[name], mode, number)
        if mode == "called":
            await owner.post("/api/campaigns/a/company/call", json={"seat": "Sister Halloran"})
        await quiet(company)
        number += 1
        if number == 2:  # a second device, and the first one is gone
            back = (await ben.ask("POST", "/company/back")).json()["token"]
            bare = await company.client()
            came = await bare.post("/api/join", json={"code": back, "device": False})
            bare.headers["authorization"] = f"Bearer {came.json()['token']}"
            assert came.json()["person"] == ben.person
            ben = here["Ben"] = replace(ben, http=bare)
        if number == 3:
            here["Dee"] = await company.guest("Dee", hero={"name": "Magpie"})
    stories = [await told(each) for each in here.values()]
    assert all(story == stories[0] for story in stories) and len(stories[0]) >= TURNS
    ids = [turn["turn_id"] for turn in stories[0]]
    assert len(ids) == len(set(ids))
    heroes = {"Ben": "Sparrow", "Cleo": "Wren", "Dee": "Magpie"}
    acted = set[str]()
    for turn in stories[0]:
        rows = turn["parts"] or [{"turn_id": turn["turn_id"], "actor": turn["actor"]}]
        for row in rows:
            acted.add(row["actor"])
            by = row["turn_id"].split(".")[0]
            assert heroes.get(by, "Sister Halloran") == row["actor"]
    assert acted == {"Sparrow", "Wren", "Magpie", "Sister Halloran"}
    refused = await here["Sue"].ask("POST", "/turns", {"text": "I act"})
    assert refused.status_code == 403


async def test_whoever_is_waited_for_is_reminded_once_and_others_see_who_writes(
    company: Company,
) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    house, clock = company.served.room.house, HandClock()
    house.table = replace(house.table, clock=clock)
    hub = Hub("test")
    tables = SharedTables(hub, house, Plays(hub, house))
    _, listener = hub.join("a")
    clock.advance(AWAY_S / 2)  # who reloads is not away, who is gone for a minute is
    table = await people.get_table(house, "a")
    assert (AWAY_S, tables.away(table)) == (60.0, set())
    clock.advance(AWAY_S / 2)
    assert tables.away(table) == {"p1", ben.person}
    await acting.set_turn_mode(house, "a", "p1", "rounds")
    for seconds in (0.0, REMIND_S - 1, 2.0, REMIND_S):
        clock.advance(seconds)
        await tables.look_after("a")
    tables.typing(await people.get_table(house, "a"), ben.person)
    hub.tell_all("closing", again_s=5.0)
    heard = [listener.queue.get_nowait() for _ in range(listener.queue.qsize())]
    reminded, typing, closing = [(event.kind, event.only) for event in heard if event]
    assert reminded == ("remind", frozenset({"p1", ben.person}))
    assert typing == ("typing", frozenset({"p1"}))
    assert closing[0] == "closing" and heard[-1] and "id:" not in hub.spelled(heard[-1])
