"""Several people at one served table: who may do what, in which order, and what comes over the stream."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from freeform.apps.web.serve import alone
from freeform.services.table.links import (
    forget_address,
    note_address,
    noted_address,
    said_at,
)
from tests.apps.program import Home
from tests.apps.web.guests import Company, Guest, gathered
from tests.apps.web.serving import Served, Tab, serving

KEY = "open-sesame-42"
HERO = {"name": "Sparrow", "concept": "a courier"}


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    """A table with a key, as in a home network."""
    async with serving(tmp_path / "home", beside=alone, serve_key=KEY) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin()
        async with gathered(served, KEY) as made:
            yield made


def tab_of(company: Company, guest: Guest) -> Tab:
    """Their event stream."""
    return Tab(Served(company.served.url, company.served.room, guest.http))


async def quiet(of: Company | Served) -> None:
    """Waits until nothing is left to play."""
    tables = (of.served if isinstance(of, Company) else of).room.tables
    while tables._pumps:
        await asyncio.wait(list(tables._pumps.values()))
        await asyncio.sleep(0)


async def story(guest: Guest) -> list[dict[str, Any]]:
    turns: list[dict[str, Any]] = (await guest.ask("GET", "/story")).json()["turns"]
    return turns


async def test_a_story_that_nobody_was_invited_to_is_as_it_was(served: Served) -> None:
    assert await served.get("/api/campaigns/a/company") == {"open": False, "company": None}
    turn_id = await served.turn("I look around")
    assert (await served.story())[0]["turn_id"] == turn_id
    assert not list((served.room.settings.home / "campaigns" / "a").glob("people.db*"))


async def test_a_link_lets_one_in_without_the_key_and_a_guessed_one_nobody(
    company: Company,
) -> None:
    stranger = await company.client()
    assert (await stranger.get("/api/campaigns/a/story")).status_code == 401
    made = await company.owner.post("/api/campaigns/a/company/invites", json={"role": "player"})
    told = made.json()
    assert told["url"].endswith(f"/join#{told['token']}") and told["qr"].startswith("<svg")
    looked = await stranger.post("/api/join/look", json={"code": told["token"]})
    assert (looked.json()["story"], looked.json()["host"]) == ("The Cellar", "Anna")
    wish = {"code": told["token"], "name": "Ben", "hero": HERO}
    came = await stranger.post("/api/join", json=wish)
    assert came.status_code == 201 and came.json()["token"] == ""
    cookie = came.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert (await stranger.get("/api/campaigns/a/story")).status_code == 200
    again = await (await company.client()).post("/api/join", json={**wish, "name": "Eve"})
    assert again.status_code == 409 and "used already" in again.json()["error"]
    guesser = await company.client()
    tries = [
        await guesser.post("/api/join", json={"code": f"a.in_{n}.{'x' * 32}", "name": "Eve"})
        for n in range(12)
    ]
    assert {answer.status_code for answer in tries} == {404, 503}
    assert "wait a minute" in tries[-1].json()["error"]


async def test_a_seat_opens_its_table_alone_and_a_spectator_watches_with_an_x_card(
    company: Company,
) -> None:
    await company.served.begin("b")
    ben = await company.guest("Ben", hero=HERO)
    assert (await ben.http.get("/")).status_code == 200
    for path in ("/api/campaigns/b/story", "/api/campaigns", "/api/home", "/metrics"):
        answer = await ben.http.get(path)
        assert (answer.status_code, answer.json()["kind"]) == (403, "forbidden"), path
    status = (await ben.http.get("/api/status")).json()
    assert (status["home"], status["models"], status["seat"]) == ("", [], "a")
    assert (await ben.ask("POST", "/undo")).status_code == 403
    assert (await ben.ask("GET", "/export?format=zip")).status_code == 403
    assert (await ben.ask("GET", "/export?format=html")).status_code == 200
    wim = await company.guest("Wim", "spectator")
    await ben.ask("POST", "/turns", {"text": "I look around"})
    await quiet(company)
    assert len(await story(wim)) == 1
    for path, body in (("/turns", {"text": "I wait"}), ("/company/talk", {"text": "hi"})):
        refused = await wim.ask("POST", path, body)
        assert refused.status_code == 403, refused.text
    assert (await wim.ask("POST", "/x", {"what": "rats"})).status_code == 200
    assert await story(wim) == []
    assert (await ben.ask("GET", "/limits")).json()["lines"][-1] == "rats"


async def test_two_who_submit_at_once_both_happen_each_as_their_own(company: Company) -> None:
    ben = await company.guest("Ben", hero=HERO)
    cleo = await company.guest("Cleo", hero={"name": "Wren"})
    answers = await asyncio.gather(
        ben.ask("POST", "/turns", {"text": "I look around"}, "t-ben"),
        cleo.ask("POST", "/turns", {"text": "I wait"}, "t-cleo"),
        ben.ask("POST", "/turns", {"text": "I look around"}, "t-ben"),
    )
    assert [answer.status_code for answer in answers] == [202, 202, 202]
    await quiet(company)
    played = {turn["turn_id"]: turn["actor"] for turn in await story(ben)}
    assert played == {"t-ben": "Sparrow", "t-cleo": "Wren"}
    once_more = await ben.ask("POST", "/turns", {"text": "I look around"}, "t-ben")
    assert once_more.status_code == 202
    await quiet(company)
    assert len(await story(ben)) == 2
    flood = [ben.ask("POST", "/turns", {"text": "I wait"}, f"t-{n}") for n in range(12)]
    answers = await asyncio.gather(*flood)
    taken = [answer for answer in answers if answer.status_code == 202]
    refused = [answer.json()["error"] for answer in answers if answer.status_code != 202]
    assert taken and all(said.startswith("already played") for said in refused)
    await quiet(company)
    assert len(await story(ben)) == 2 + len(taken)


async def test_rounds_say_who_is_waited_for_and_together_nobody_reads_the_others_words(
    company: Company,
) -> None:
    ben = await company.guest("Ben", hero=HERO)
    assert (await ben.ask("POST", "/company/mode", {"mode": "rounds"})).status_code == 403
    await company.owner.post("/api/campaigns/a/company/mode", json={"mode": "rounds"})
    await ben.ask("POST", "/turns", {"text": "I look around"})
    await quiet(company)
    assert (await ben.company())["turn_of"] == ["Mira"]
    refused = await ben.ask("POST", "/turns", {"text": "I wait"})
    assert refused.status_code == 409
    assert refused.json()["error"].startswith("already played: Sparrow has acted this round")
    await company.owner.post("/api/campaigns/a/turns", json={"text": "I wait"})
    await quiet(company)
    seen = await ben.company()
    assert (seen["round"], seen["turn_of"]) == (2, ["Mira", "Sparrow"])

    await company.owner.post("/api/campaigns/a/company/mode", json={"mode": "together"})
    handed = (await ben.ask("POST", "/turns", {"text": "I look around"})).json()
    assert handed["waits_for"] == ["Mira"]
    await quiet(company)
    assert len(await story(ben)) == 2
    own = await ben.company()
    other = (await company.owner.get("/api/campaigns/a/company")).json()["company"]
    assert (own["yours"], other["yours"], other["waiting"]) == ("I look around", "", ["Sparrow"])
    await company.owner.post("/api/campaigns/a/turns", json={"text": "I wait"})
    await quiet(company)
    assert [turn["actor"] for turn in (await story(ben))[2:]] == ["Mira and Sparrow"]


async def test_talk_comes_to_all_and_a_whisper_to_those_it_is_for(company: Company) -> None:
    ben, cleo = (
        await company.guest("Ben", hero=HERO),
        await company.guest("Cleo", hero={"name": "Wren"}),
    )
    async with tab_of(company, ben) as of_ben, tab_of(company, cleo) as of_cleo:
        await ben.ask("POST", "/company/talk", {"text": "psst", "to": ["Anna"]})
        await ben.ask("POST", "/company/talk", {"text": "tea?"})
        heard = [
            event.data["line"]["text"]
            for event in await of_cleo.until("talk")
            if event.kind == "talk"
        ]
        own = [event for event in await of_ben.until("talk") if event.kind == "talk"]
    assert heard == ["tea?"] and own[0].data["line"]["to"] == ["Anna"]
    talks = [
        [
            line["text"]
            for line in (await someone.get("/api/campaigns/a/company/talk")).json()["lines"]
        ]
        for someone in (company.owner, ben.http, cleo.http)
    ]
    assert talks == [["psst", "tea?"], ["psst", "tea?"], ["tea?"]]
    assert "tea?" not in str(await story(ben))
    flood = [await ben.ask("POST", "/company/talk", {"text": f"{n}"}) for n in range(12)]
    assert flood[-1].status_code == 503 and "wait a moment" in flood[-1].json()["error"]


async def test_who_is_sent_away_hears_nothing_more_and_is_told(company: Company) -> None:
    ben = await company.guest("Ben", hero=HERO)
    async with tab_of(company, ben) as tab:
        assert {row["name"] for row in (await ben.company())["people"] if row["here"]} == {"Ben"}
        await company.owner.post("/api/campaigns/a/company/kick", json={"person": "Ben"})
        with pytest.raises(StopAsyncIteration):
            await tab.until("the end of the stream")
    refused = await ben.ask("GET", "/story")
    assert (refused.status_code, refused.json()["kind"]) == (401, "gone")
    assert "ask the host for another link" in refused.json()["error"]


async def test_what_each_keeps_out_holds_for_all_without_a_name(company: Company) -> None:
    ben, cleo = (
        await company.guest("Ben", hero=HERO),
        await company.guest("Cleo", hero={"name": "Wren"}),
    )
    before = (await ben.ask("GET", "/limits")).json()
    await ben.ask("POST", "/company/limits", {"lines": ["spiders"], "veils": ["fire"]})
    await cleo.ask("POST", "/company/limits", {"lines": ["Spiders", *before["lines"][:1]]})
    held = (await company.owner.get("/api/campaigns/a/limits")).json()
    assert "spiders" in held["lines"] and "fire" in held["veils"]
    assert (await cleo.ask("GET", "/company/limits")).json()["veils"] == []
    await ben.ask("POST", "/company/limits", {})
    assert "spiders" in (await ben.ask("GET", "/limits")).json()["lines"]
    await cleo.ask("POST", "/company/limits", {})
    after = (await ben.ask("GET", "/limits")).json()
    assert (after["lines"], after["veils"]) == (before["lines"], before["veils"])
    log = await company.owner.get("/api/campaigns/a/export?format=jsonl")
    assert "spiders" in log.text and '"Ben"' not in log.text and "p2" not in log.text


async def test_what_was_handed_in_before_a_crash_is_played_once_after_it(tmp_path: Path) -> None:
    home = tmp_path / "home"
    async with serving(home) as served:
        await served.begin()
        async with gathered(served) as company:
            ben = await company.guest("Ben", hero=HERO)
            served.room.tables.wake = lambda campaign: None  # type: ignore[method-assign]
            await ben.ask("POST", "/turns", {"text": "I look around"}, "t1")
            assert await story(ben) == []
    async with serving(home) as served:
        served.http.headers["authorization"] = f"Bearer {ben.token}"
        for _ in range(2):
            await served.get("/api/campaigns/a/company")
            await quiet(served)
        assert [turn["turn_id"] for turn in await served.story()] == ["t1"]


async def test_a_terminal_joins_by_the_link_and_comes_back_without_it(
    company: Company, tmp_path: Path
) -> None:
    guest, code = Home(tmp_path / "guest"), await company.invite()
    url = f"{company.served.url}/join#{code}"
    args = ("play", "--join", url, "--name", "Ben", "--hero", "Sparrow")
    typed = (
        "I look around\n/say tea?\n/w Anna psst\n/who\n/nonsense\n/ask what is on my sheet?\n"
        "/limits spiders, needles\n/mode rounds\n/recap\n/quit\n"
    )
    ran = await asyncio.to_thread(guest.run, *args, typed=typed)
    assert ran.code == 0, ran.err
    assert "Anna invites you to The Cellar." in ran.out and "Sparrow: I look around" in ran.out
    assert (await company.served.story())[0]["actor"] == "Sparrow"
    assert "Ben whispers to Anna: psst" in ran.out and "(You keep out: spiders" in ran.out
    assert "[1]" in ran.out and "There is no /nonsense" in ran.out
    assert "ask the host" in ran.out  # only who leads says how turns go
    limits = (await company.owner.get("/api/campaigns/a/limits")).text
    assert "needles" in limits and "Ben" not in limits
    lines = (await company.owner.get("/api/campaigns/a/company/talk")).json()["lines"]
    assert [(line["name"], line["text"]) for line in lines] == [("Ben", "tea?"), ("Ben", "psst")]
    assert (
        code not in ran.out + ran.err and (guest.path / "joined.json").stat().st_mode % 0o100 == 0
    )
    again = await asyncio.to_thread(guest.run, "play", "--join", url, typed="/leave\n")
    assert again.code == 0 and "invites you" not in again.out
    gone = await asyncio.to_thread(guest.run, "play", "--join", url, typed="")
    assert gone.code == 1 and "used already" in gone.err
    wrong = await asyncio.to_thread(guest.run, "play", "--join", "http://nowhere", typed="")
    assert wrong.code == 1 and "that is no invitation" in wrong.err


@pytest.mark.parametrize("mode", ["rounds", "together", "called"])
async def test_who_submits_twice_at_once_acts_once_and_the_other_is_told_so(
    company: Company, mode: str
) -> None:
    ben, cleo = (
        await company.guest("Ben", hero=HERO),
        await company.guest("Cleo", hero={"name": "Wren"}),
    )
    at = "/api/campaigns/a"
    await company.owner.post(f"{at}/company/mode", json={"mode": mode})
    if mode == "called":
        await company.owner.post(f"{at}/company/call", json={"seat": ben.seat})
    first, second, other = await asyncio.gather(
        ben.ask("POST", "/turns", {"text": "I look around"}, "t-ben-1"),
        ben.ask("POST", "/turns", {"text": "I wait"}, "t-ben-2"),
        cleo.ask("POST", "/turns", {"text": "I wait"}, "t-cleo"),
    )
    assert other.status_code == (409 if mode == "called" else 202), other.text
    taken = {answer.status_code for answer in (first, second)}
    assert taken == ({202} if mode == "together" else {202, 409})
    for refused in (first, second):  # together one may think again until all have written
        if refused.status_code == 409:
            said = refused.json()["error"]
            assert said.startswith(("already played", "the host calls who acts")), said
    await company.owner.post(f"{at}/turns", json={"text": "I wait"})
    await quiet(company)
    parts = [part for turn in await story(ben) for part in turn["parts"] or [turn]]
    assert [part["actor"] for part in parts].count("Sparrow") == 1
    assert [part["turn_id"] for part in parts].count("t-cleo") == (mode != "called")


async def test_a_token_in_other_hands_opens_nothing_once_its_owner_says_so(
    company: Company,
) -> None:
    ben = await company.guest("Ben", hero=HERO)
    thief = await company.client()
    thief.headers["authorization"] = f"Bearer {ben.token}"
    link = (await thief.post("/api/campaigns/a/company/back")).json()["token"]
    await thief.post("/api/join", json={"code": link, "device": False})
    assert (await ben.company())["devices"] == 2
    link = (await thief.post("/api/campaigns/a/company/back")).json()["token"]
    async with tab_of(company, Guest("", "", "", "", thief)) as tab:
        made = (await ben.ask("POST", "/company/only-here")).json()
        with pytest.raises(StopAsyncIteration):
            await tab.until("the end of the stream")
    assert (await thief.get("/api/campaigns/a/story")).status_code == 401
    stranger = await company.client()
    assert (await stranger.post("/api/join", json={"code": link})).status_code == 404
    ben.http.headers["authorization"] = f"Bearer {made['token']}"
    assert ((await ben.company())["devices"], made["person"]) == (1, ben.person)


async def test_forty_watch_and_each_hears_what_is_told(company: Company) -> None:
    code = await company.invite(role="spectator", uses=40)
    ben = await company.guest("Ben", hero=HERO)
    async with AsyncExitStack() as stack:
        tabs: list[Tab] = []
        for number in range(40):
            bare = await company.client()
            wish = {"code": code, "name": f"Watcher {number:02}x", "device": False}
            token = (await bare.post("/api/join", json=wish)).json()["token"]
            bare.headers["authorization"] = f"Bearer {token}"
            guest = Guest("", "", "", token, bare)
            tabs.append(await stack.enter_async_context(tab_of(company, guest)))
        late = await (await company.client()).post("/api/join", json={"code": code, "name": "Eve"})
        assert late.status_code == 409
        await ben.ask("POST", "/turns", {"text": "I look around"})
        heard = [await tab.until("done") for tab in tabs]
        told = (await story(ben))[0]["turn_id"]
        assert {events[-1].data["turn_id"] for events in heard} == {told}


async def test_a_game_master_leads_by_hand_and_all_of_it_is_canon(company: Company) -> None:
    gil = await company.guest("Gil", "gm")
    ben = await company.guest("Ben", hero=HERO)
    await company.owner.post("/api/campaigns/a/company/role", json={"person": "p1", "role": "gm"})
    assert (await ben.company())["turn_of"] == ["Sparrow"], "who leads is not waited for"
    assert (await gil.ask("POST", "/company/mode", {"mode": "called"})).status_code == 200
    ruling = await gil.ask("POST", "/oracle", {"text": "Is the door locked?", "odds": "certain"})
    assert ruling.status_code == 200 and ruling.json()["fact_id"]
    secret = {"expr": "1d20", "why": "who listens", "secret": "mine"}
    assert (await gil.ask("POST", "/company/rolls", secret)).status_code == 201
    tell = {"verb": "tell", "text": "A key turns upstairs. Orla is asleep."}
    told = await gil.ask("POST", "/gm/pen", tell)
    assert told.status_code == 200, told.text
    await gil.ask("POST", "/company/call", {"seat": "Sparrow"})
    await ben.ask("POST", "/turns", {"text": "I ask Orla about the cellar"}, "t-ben")
    await quiet(company)
    reworded = {"verb": "reword", "text": "Orla sleeps on.", "turn_no": 2}
    assert (await gil.ask("POST", "/gm/pen", reworded)).status_code == 200
    assert [turn["final_text"] for turn in await story(ben)] == [
        "A key turns upstairs. Orla is asleep.",
        "Orla sleeps on.",
    ]
    log = (await gil.ask("GET", "/export?format=jsonl")).text
    assert ruling.json()["fact_id"] in log and "A key turns upstairs" in log
    assert "who listens" not in (await ben.ask("GET", "/company/rolls")).text
    for verb, path in ((tell, "/gm/pen"), ({"text": "Is it late?"}, "/oracle")):
        assert (await ben.ask("POST", path, verb)).status_code == 403


async def test_a_link_from_the_command_line_names_where_the_table_is_served(tmp_path: Path) -> None:
    owner = Home(tmp_path / "owner")
    assert owner.run("new-game", "--scenario", "cellar", "--campaign", "a").code == 0
    alone = owner.run("table", "invite", "a")
    assert "Serve it where they can reach it" in alone.out
    note_address(owner.path, "http://192.0.2.7:8431")
    made = owner.run("table", "invite", "a")
    assert "http://192.0.2.7:8431/join#a." in made.out and "Serve it" not in made.out
    forget_address(owner.path)
    assert noted_address(owner.path) == ""
    told = said_at("0.0.0.0", 8431)
    assert "0.0.0.0" not in told and "http://127.0.0.1:8431/ here" in told
    assert said_at("127.0.0.1", 8420) == "http://127.0.0.1:8420/"
