"""Guests at a shared table by other doors: `/v1` and MCP with a seat's rights, a turn told by a person, another process."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from freeform.apps.discord.seated import SeatedThreads
from freeform.services.house import opened_house
from freeform.services.play import OwnTurns
from freeform.services.table import acting, talk
from freeform.services.table.due import play_due
from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.serving import serving
from tests.apps.web.test_people import quiet, story, tab_of

KEY = "open-sesame-42"
NOT_YOURS = "that is not for your seat; ask the host"
AT = "/api/campaigns/a/company"


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    async with serving(tmp_path / "home", serve_key=KEY) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin("a", "dead_drop")
        await served.begin("b")
        async with gathered(served, KEY) as made:
            yield made


async def chat(who: Guest, *said: str, model: str = "table/a") -> tuple[int, str]:
    told = [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(said)]
    answer = await who.http.post("/v1/chat/completions", json={"model": model, "messages": told})
    if answer.status_code != 200:
        return answer.status_code, str(answer.json()["error"]["message"])
    return 200, str(answer.json()["choices"][0]["message"]["content"])


async def call(who: Guest, tool: str, **given: Any) -> tuple[bool, str]:
    headers = {"authorization": f"Bearer {who.token}"}
    async with httpx.AsyncClient(headers=headers, timeout=None) as line:
        address = f"{who.http.base_url}/mcp".replace("//mcp", "/mcp")
        async with Client(streamable_http_client(address, http_client=line)) as mcp:
            told = await mcp.call_tool(tool, given)
            return bool(told.is_error), str(told.content)


async def test_one_story_from_a_browser_a_chat_program_and_an_assistant(company: Company) -> None:
    ben, cleo = await company.guest("Ben"), await company.guest("Cleo")
    wim = await company.guest("Wim", "spectator")
    await company.owner.post(f"{AT}/mode", json={"mode": "rounds"})
    models = [row["id"] for row in (await ben.http.get("/v1/models")).json()["data"]]
    assert models == ["table/a", "table/a:ask"]
    assert await chat(ben, "I wait", model="table/b") == (403, NOT_YOURS)
    assert await chat(wim, "I wait") == (403, NOT_YOURS)
    refused, told = await call(wim, "take_turn", text="I wait")
    assert refused and NOT_YOURS in told

    _, first = await chat(ben, "I look around")
    assert "copper bar" in first and (await chat(ben, "I look around"))[1] in first
    status, again = await chat(ben, "I look around", first, "I wait")
    refused, same = await call(ben, "take_turn", text="I wait")
    assert status == 409 and refused and again in same and again.startswith("already played")
    await company.owner.post(f"{AT}/talk", json={"text": "psst", "to": [cleo.person]})
    refused, told = await call(cleo, "take_turn", text="I search the jukebox")
    assert not refused and "ceramic fuse" in told
    assert "psst" in (await call(cleo, "read_talk"))[1]
    await company.owner.post("/api/campaigns/a/turns", json={"text": "I wait"})
    await quiet(company)
    _, next_ = await chat(ben, "I look around", first, "I wait")
    assert "ceramic fuse" in next_ and "psst" not in next_ and first not in next_
    assert [turn["turn_no"] for turn in await story(wim)] == [1, 2, 3, 4]


async def test_a_person_tells_what_players_wrote_and_undo_takes_it_back(company: Company) -> None:
    ben, cleo = await company.guest("Ben"), await company.guest("Cleo")
    refused = await company.owner.post(f"{AT}/by-hand", json={"on": True})
    assert refused.status_code == 409 and "nobody leads" in refused.text
    mo = await company.guest("Mo", "gm")
    await company.owner.post(f"{AT}/by-hand", json={"on": True})
    handed = [
        await ben.ask("POST", "/turns", {"text": text}, key=f"t{n}")
        for n, text in enumerate(("I wait", "I search the jukebox"))
    ]
    assert [each.json()["waits_for"] for each in handed] == [["Mo"], ["Mo"]]
    assert await chat(cleo, "I look around") == (
        200,
        (await opening(company)) + "\n\nKept; waiting for Mo.",
    )
    waits = (await mo.ask("GET", "/company/written")).json()["written"]
    assert [row["text"] for row in waits] == ["I search the jukebox", "I look around"]
    ids = [row["turn_id"] for row in waits]

    made = (await mo.ask("POST", "/company/propose", {"turns": ids[:1]})).json()
    assert "ceramic fuse" in made["text"] and await story(ben) == []
    wish = {
        "text": "Nothing but dust, and a fuse. Viktor is dead.",
        "turns": ids[:1],
        "proposed": True,
    }
    for _ in range(2):  # sent again, it is told once
        assert (await mo.ask("POST", "/company/tell", wish)).status_code == 200
    (turn,) = await story(ben)
    assert (turn["turn_id"], turn["told_by"]) == ("t1", "pen") and turn["final_text"] == wish[
        "text"
    ]
    store = company.served.room.table.store
    state = await store.get_state("a")
    assert state.value("neo_seattle:viktor", "status") == "dead"
    assert "jukebox fuse" in (await ben.ask("GET", "/table")).text
    assert (await store.rebuild("a")).document() == state.document()
    own = {"text": "Wren sees the rain begin."}
    assert (await mo.ask("POST", "/company/tell", own)).status_code == 200
    assert [turn["actor"] for turn in await story(ben)][-1] == (await cleo.company())["you"][
        "character"
    ]

    await mo.ask("POST", "/undo", {"turns": 2})
    assert await story(ben) == []
    assert (await store.get_state("a")).value("neo_seattle:viktor", "status") != "dead"
    await ben.ask("POST", "/turns", {"text": "I look around"}, key="t9")
    await company.owner.post(f"{AT}/by-hand", json={"on": False})  # the engine tells what waits
    await quiet(company)
    assert [turn["turn_id"] for turn in await story(ben)] == ["t9"]


async def opening(company: Company) -> str:
    return (await company.served.room.table.store.begun("a")).opening


async def test_a_proposal_is_told_for_what_it_answers_and_a_key_tells_once(
    company: Company,
) -> None:
    ben, cleo = await company.guest("Ben"), await company.guest("Cleo")
    mo = await company.guest("Mo", "gm")
    await company.owner.post(f"{AT}/by-hand", json={"on": True})
    await ben.ask("POST", "/turns", {"text": "I wait"}, key="t0")
    await cleo.ask("POST", "/turns", {"text": "I look around"}, key="c0")
    pages = [(await mo.ask("POST", "/company/propose", {"turns": ["t0"]})).json() for _ in range(2)]
    first = {"text": "", "turns": ["t0"], "proposed": True, "proposal": pages[0]["id"]}
    refused = await mo.ask("POST", "/company/tell", first)  # a second page has its own by now
    assert refused.status_code == 409 and "something else was proposed" in refused.text
    await company.owner.post(f"{AT}/propose", json={"turns": ["c0"]})
    for turns in (["t0"], []):  # for other turns, or somebody else's
        wish = {"text": "Ben waits.", "turns": turns, "proposed": True}
        assert (await mo.ask("POST", "/company/tell", wish)).status_code == 409
    await cleo.ask("POST", "/turns", {"text": "I think again"}, key="c1")
    stale = {"text": "", "turns": ["c0"], "proposed": True}
    assert (await company.owner.post(f"{AT}/tell", json=stale)).status_code == 409
    assert await story(ben) == []

    waits = (await mo.ask("GET", "/company/written")).json()["written"]
    assert [row["turn_id"] for row in waits] == ["t0", "c1"]
    rain = {"text": "It rains."}  # all that waits in one place
    await mo.ask("POST", "/company/tell", rain, key="k1")
    await ben.ask("POST", "/turns", {"text": "I search the jukebox"}, key="t2")
    company.served.room.plays.done.clear()  # as after a restart
    assert (await mo.ask("POST", "/company/tell", rain, key="k1")).status_code == 200
    assert [turn["final_text"] for turn in await story(ben)] == ["It rains."]
    waits = (await mo.ask("GET", "/company/written")).json()["written"]
    assert [row["turn_id"] for row in waits] == ["t2"]


async def test_a_passage_is_read_where_it_is_told(company: Company) -> None:
    ben, cleo = await company.guest("Ben"), await company.guest("Cleo")
    await ben.ask("POST", "/turns", {"text": "I go to Kettle Row"})
    await quiet(company)
    pen = {"verb": "tell", "text": "A shutter bangs."}
    assert (await company.owner.post("/api/campaigns/a/gm/pen", json=pen)).status_code == 200
    assert [turn["final_text"] for turn in await story(ben)][-1] == "A shutter bangs."
    assert "shutter" not in str(await story(cleo))
    wish = {"text": "The neon hums.", "passage": True, "seat": cleo.seat}
    assert (await company.owner.post(f"{AT}/tell", json=wish)).status_code == 200
    assert "hums" in str(await story(cleo)) and "hums" not in str(await story(ben))


async def test_open_pages_hear_what_another_process_has_written(company: Company) -> None:
    ben = await company.guest("Ben")
    room = company.served.room
    async with tab_of(company, ben) as tab, opened_house(room.settings, files=False) as bot:
        await room.tables._files.look("a")
        await acting.hand_in(bot, "a", ben.person, "I look around", turn_id="bot1")
        await play_due(bot, "a", SeatedThreads(bot, None, OwnTurns(bot)))  # type: ignore[arg-type]
        await talk.say_beside(bot, "a", "p1", "hello from the thread", [])
        line = (await tab.until("talk"))[-1].data["line"]
        assert line["text"] == "hello from the thread"
    assert "moved" in {event.kind for event in tab.heard}
    assert [turn["turn_id"] for turn in await story(ben)] == ["bot1"]
