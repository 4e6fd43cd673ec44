"""What only some may know stays with them: every route, as a player and as a spectator, finds no secret."""

import random
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from starlette.routing import Route

from freeform.apps.web.visitors import RULES
from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.leaking import (
    HIDDEN,
    MARK,
    Leaks,
    ask,
    plant,
    plant_by_hand,
    requests_to,
    routes,
)
from tests.apps.web.serving import Served, Tab, serving

KEY = "open-sesame-42"
MASTERED = re.compile("/(mcp|v1/.*|company|written|propose|tell|story)$")


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    async with serving(tmp_path / "home", serve_key=KEY) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin()
        await served.begin("b")
        async with gathered(served, KEY) as made:
            yield made


async def planted(company: Company) -> tuple[Guest, list[Guest]]:
    """Ben, who knows some secrets, and those who know none."""
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    others = [
        await company.guest("Cleo", hero={"name": "Wren"}),
        await company.guest("Wim", "spectator"),
    ]
    await plant(company, ben)
    return ben, others


async def test_what_waits_for_the_game_master_is_theirs_by_every_door(company: Company) -> None:
    ben, others = await planted(company)
    await plant_by_hand(company, ben)
    chance, seen = random.Random(7), Leaks()
    doors = [each for each in routes(company) if MASTERED.search(getattr(each, "path", ""))]
    for route in [each for each in doors for _ in range(8)]:
        for wish in requests_to(route, chance):
            await ask(chance.choice(others), wish, seen)
    assert seen.leaks == [] and seen.mistakes == []
    assert seen.asked > 60 and seen.answered[200] > 20, seen.answered


async def test_no_route_tells_a_player_or_a_spectator_a_secret(company: Company) -> None:
    _, others = await planted(company)
    chance, seen, walked = random.Random(19), Leaks(), routes(company)
    for route in walked:
        for guest in others:
            for _ in range(2 if "/campaigns/" in getattr(route, "path", "") else 1):
                for wish in requests_to(route, chance):
                    await ask(guest, wish, seen)
    assert seen.leaks == [] and seen.mistakes == []
    assert seen.asked > 300 and seen.answered[200] > 40 and seen.answered[403] > 150, seen.answered
    there: set[tuple[str, str]] = set()
    for route in walked:
        if isinstance(route, Route):
            path = route.path.replace("{fact_id:path}", "{path}")
            there |= {(method, path) for method in route.methods or ("GET", "POST", "DELETE")}
    assert [(m, path) for m, path, _ in RULES if (m, path) not in there] == []
    # Whoever knows all of it shows none of it: the page to share is what the character knows.
    shared = await company.owner.get("/api/campaigns/a/export?format=share")
    assert shared.status_code == 200 and MARK.findall(shared.text.lower()) == []
    for guest in others:  # what is hidden is refused as what is not there
        hidden = await guest.ask("GET", f"/why/{HIDDEN}")
        nothing = await guest.ask("GET", "/why/f_zqfactidzy")
        assert hidden.status_code == nothing.status_code == 404
        told = hidden.json()["error"].replace(HIDDEN, "f_zqfactidzy")
        assert told == nothing.json()["error"]
        assert (await guest.ask("GET", "/why/t:zqidzq")).status_code == 404


async def test_those_who_may_know_a_secret_find_it_and_no_event_tells_it_to_others(
    company: Company,
) -> None:
    ben, (cleo, wim) = await planted(company)
    log = await company.owner.get("/api/campaigns/a/export?format=jsonl")
    assert {"zqfacttextzq", "zqgmwhisperzq", "zqnotezq"} <= set(MARK.findall(log.text))
    assert "zqwhisperzq" in (await ben.ask("GET", "/company/talk")).text
    master = await company.guest("Gil", "gm")
    assert "zqnotezq" in (await master.ask("GET", "/gm")).text
    assert "zqfacttextzq" in (await master.ask("GET", "/export?format=jsonl")).text
    assert "zqwhisperzq" not in (await master.ask("GET", "/company/talk")).text
    run = company.served.room.hub._run
    for guest in (cleo, wim):
        of = Served(company.served.url, company.served.room, guest.http)
        async with Tab(of, after=f"{run}-1", campaign="b") as tab:
            await ben.ask("POST", "/company/talk", {"text": "zqagainzq", "to": ["Anna"]})
            await company.owner.post("/api/campaigns/b/company", json={})
            last = {"text": f"to {guest.name}"}
            await company.owner.post("/api/campaigns/a/company/talk", json=last)
            while tab.heard[-1:] == [] or tab.heard[-1].data["line"]["text"] != last["text"]:
                await tab.until("talk")
        told = str([(event.kind, event.data) for event in tab.heard])
        assert MARK.findall(told) == []
        assert {event.data["campaign"] for event in tab.heard} == {"a"}
