"""Heroes of one table in different places: each sees their own scene, whoever watches sees all."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from freeform.apps.web.live.turns import Flight
from freeform.apps.web.serve import alone
from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.serving import serving
from tests.apps.web.test_people import quiet, story, tab_of

KEY = "open-sesame-42"
DOORS = ("", "/story", "/table", "/map", "/world", "/recap", "/sessions", "/character")
STREET, FUSE = "A street with a ceiling", "ceramic fuse"
"""What only the one who goes out reads, and only the one who stays."""


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    """A story with more than one place."""
    async with serving(tmp_path / "home", beside=alone, serve_key=KEY) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin("a", "dead_drop")
        async with gathered(served, KEY) as made:
            yield made


async def act(company: Company, who: Guest, text: str) -> None:
    answer = await who.ask("POST", "/turns", {"text": text})
    assert answer.status_code == 202, answer.text
    await quiet(company)


async def all_read(who: Guest) -> str:
    """All that someone can read of the story, by every door that is theirs."""
    told = [(await who.ask("GET", door)).text for door in DOORS]
    return "\n".join([*told, (await who.ask("GET", "/export?format=html")).text])


async def table(who: Guest) -> dict[str, Any]:
    seen: dict[str, Any] = (await who.ask("GET", "/table")).json()
    return seen


async def test_who_walks_away_leaves_the_others_and_each_sees_their_own_scene(
    company: Company,
) -> None:
    ben, cleo = await company.guest("Ben"), await company.guest("Cleo")
    wim = await company.guest("Wim", "spectator")
    async with tab_of(company, ben) as of_ben, tab_of(company, cleo) as of_cleo:
        for who, text in (
            (cleo, "I look around"),
            (ben, "I go to Kettle Row"),
            (cleo, "I search the jukebox"),
            (ben, "What do I know of the hoist and the fuse?"),
            (cleo, "I wait"),
        ):
            await act(company, who, text)
        for tab, turns in ((of_ben, (1, 2, 4)), (of_cleo, (1, 3, 5))):
            assert [(await tab.until("done"))[-1].data["turn_no"] for _ in turns] == [*turns]
    heard = [" ".join(str(each.data) for each in tab.heard) for tab in (of_ben, of_cleo)]
    for read, own, others in (
        (await all_read(ben) + heard[0], STREET, FUSE),
        (await all_read(cleo) + heard[1], FUSE, STREET),
    ):
        assert own in read and others not in read
    watched = await all_read(wim)
    assert STREET in watched and FUSE in watched
    assert "jukebox fuse" in str((await table(cleo))["inventory"])
    assert "jukebox fuse" not in await all_read(ben)
    assert (await ben.ask("GET", "/why/f_hoist")).status_code == 404
    assert (await cleo.ask("GET", "/why/f_hoist")).status_code == 200
    scenes = [(await table(who))["scene"]["name"] for who in (ben, cleo)]
    assert scenes == ["Kettle Row", "the Neon Dragon"]
    assert len((await ben.company())["elsewhere"]) == 2

    late = await company.guest("Dora", hero={"name": "Sparrow"})
    assert [turn["turn_no"] for turn in await story(late)] == [1]
    assert (await table(late))["scene"]["name"] == "the Neon Dragon"

    await act(company, cleo, "I follow Ines")  # who meets tells what was found, not how it went
    assert (await table(cleo))["scene"]["name"] == "Kettle Row"
    assert "f_hoist" in str((await table(ben))["facts"])
    assert [turn["turn_no"] for turn in await story(ben)] == [1, 2, 4, 6]


async def test_who_speaks_for_all_leads_all_and_undo_brings_back_who_left(
    company: Company,
) -> None:
    ben = await company.guest("Ben")
    store = company.served.room.table.store
    await act(company, ben, "let's all go to Kettle Row")
    anna = (await company.owner.get("/api/campaigns/a/table")).json()
    assert anna["scene"]["name"] == (await table(ben))["scene"]["name"] == "Kettle Row"
    before = (await store.get_state("a")).document()
    await act(company, ben, "I go to the Neon Dragon")
    anna = (await company.owner.get("/api/campaigns/a/table")).json()
    assert (anna["scene"]["name"], (await table(ben))["scene"]["name"]) == (
        "Kettle Row",
        "the Neon Dragon",
    )
    assert (await store.rebuild("a")).document() == (await store.get_state("a")).document()
    await company.owner.post("/api/campaigns/a/undo")
    assert (await store.get_state("a")).document()["scene"] == before["scene"]
    assert (await table(ben))["scene"]["name"] == "Kettle Row"
    assert (await company.owner.get("/api/campaigns/a/takes/2")).json()["takes"] == []
    await company.owner.post("/api/campaigns/a/redo")
    assert (await table(ben))["scene"]["name"] == "the Neon Dragon"


async def test_what_is_written_together_is_told_once_for_each_place(company: Company) -> None:
    ben = await company.guest("Ben")
    await act(company, ben, "I go to Kettle Row")
    await company.owner.post("/api/campaigns/a/company/mode", json={"mode": "together"})
    await act(company, ben, "I look around")
    assert len(await story(ben)) == 1
    await company.owner.post("/api/campaigns/a/turns", json={"text": "I search the jukebox"})
    await quiet(company)
    (told,) = (await story(ben))[1:]
    assert FUSE not in told["final_text"] and told["actor"] == "Ines Marchetti"
    owned = (await company.owner.get("/api/campaigns/a/story")).json()["turns"]
    assert [FUSE in turn["final_text"] for turn in owned] == [True]
    assert (await ben.company())["round"] == 2


async def test_an_order_is_not_written_into_a_turn_that_is_being_told(company: Company) -> None:
    room = company.served.room
    flight = asyncio.create_task(asyncio.Event().wait())
    room.plays.flights["a"] = Flight("t", flight)  # type: ignore[arg-type]
    at = "/api/campaigns/a/company"
    try:
        held = await company.owner.post(f"{at}/mode", json={"mode": "initiative"})
        free = await company.owner.post(f"{at}/mode", json={"mode": "rounds"})
    finally:
        room.plays.flights.pop("a")
        flight.cancel()
    assert (held.status_code, free.status_code) == (409, 200) and "being told" in held.text


async def test_a_turn_is_being_told_only_for_those_who_see_it_and_every_answer_says_who_is_elsewhere(
    company: Company,
) -> None:
    ben = await company.guest("Ben")
    await act(company, ben, "I go to Kettle Row")
    changed = await company.owner.post("/api/campaigns/a/company/mode", json={"mode": "free"})
    assert changed.json()["company"]["elsewhere"] == ["Ines Marchetti"]

    async def playing() -> list[str]:
        views = [await ben.ask("GET", ""), await company.owner.get("/api/campaigns/a")]
        return [view.json()["playing"] for view in views]

    telling = asyncio.create_task(asyncio.Event().wait())
    flight = Flight("t9", telling)  # type: ignore[arg-type]
    company.served.room.plays.flights["a"] = flight
    try:
        assert await playing() == ["", ""], "nobody knows yet who sees it"
        flight.is_known, flight.seen_by = True, frozenset({ben.person})
        assert await playing() == ["t9", ""]
        flight.seen_by = None
        assert await playing() == ["t9", "t9"]
    finally:
        del company.served.room.plays.flights["a"]
        telling.cancel()
