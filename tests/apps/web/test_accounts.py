"""Accounts over HTTP: whoever hosts or plays for long signs in from any device; guests are as they were."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from freeform.apps.web.serve import alone
from freeform.apps.web.visitors import ACCOUNT, Visitor
from tests.apps.program import Home
from tests.apps.web.guests import Company, gathered
from tests.apps.web.serving import Served, Tab, serving

KEY = "open-sesame-42"
WORDS = "a heron in the reeds"


@pytest.fixture
async def company(tmp_path: Path) -> AsyncIterator[Company]:
    """A table with a key, whose server keeps accounts of those who were invited."""
    async with serving(
        tmp_path / "home", beside=alone, serve_key=KEY, accounts="invited"
    ) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin()
        async with gathered(served, KEY) as made:
            yield made


async def signed_in(company: Company, name: str = "Ben", **more: Any) -> httpx.AsyncClient:
    """Another device, signed in."""
    device = await company.client()
    answer = await device.post(
        "/api/account/sign-in", json={"name": name, "password": WORDS, **more}
    )
    assert answer.status_code == 200, answer.text
    return device


async def test_without_the_setting_nobody_has_an_account(served: Served) -> None:
    assert (await served.get("/api/account"))["on"] is False
    body = {"name": "Ben", "password": WORDS}
    for path in ("sign-up", "sign-in", "keep"):
        answer = await served.http.post(f"/api/account/{path}", json=body)
        assert answer.status_code == 404 and "the setting `accounts`" in answer.json()["error"]
    oidc = await served.http.post("/api/account/oidc", json={})
    assert oidc.status_code == 404
    assert (await served.http.get("/api/account/oidc/back?state=x&code=y")).status_code == 404
    assert not list(served.room.settings.home.glob("accounts.db*"))


async def test_a_seat_is_kept_with_an_account_and_opened_by_signing_in_elsewhere(
    company: Company,
) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    kept = await ben.http.post(
        "/api/account/keep?campaign=a", json={"name": "Ben", "password": WORDS}
    )
    assert kept.status_code == 201 and kept.json()["owner"] is False
    phone = await signed_in(company)
    cookie = next(iter(phone.cookies.jar))
    assert cookie.name == "freeform_account" and cookie.has_nonstandard_attr("HttpOnly")
    seen = (await phone.get("/api/campaigns/a/company")).json()["company"]
    assert (seen["you"]["id"], seen["you"]["kept"]) == (ben.person, True)
    assert (await phone.get("/api/status")).json()["seat"] == "a"
    acted = await phone.post("/api/campaigns/a/turns", json={"text": "I look around"})
    assert acted.status_code == 202
    assert (await ben.ask("GET", "/story")).status_code == 200  # the guest's token goes on
    for path in ("/api/campaigns", "/api/settings", "/api/campaigns/a/gm"):
        assert (await phone.get(path)).status_code in (403, 404)
    await company.served.begin("b")
    assert (await phone.get("/api/campaigns/b/story")).status_code == 403
    out = await phone.post("/api/account/sign-out")
    assert out.status_code == 204 and not list(phone.cookies.jar)
    assert (await phone.get("/api/campaigns/a/story")).status_code == 401


async def test_who_sits_at_several_tables_keeps_each_and_finds_them_all(company: Company) -> None:
    await company.served.begin("b")
    await company.owner.post("/api/campaigns/b/company", json={"name": "Anna"})
    phone, body = await company.client(), {"name": "Ben", "password": WORDS}
    for at in ("a", "b"):
        made = await company.owner.post(f"/api/campaigns/{at}/company/invites", json={})
        wish = {"code": made.json()["token"], "name": "Ben", "hero": {"name": "Sparrow"}}
        assert (await phone.post("/api/join", json=wish)).status_code == 201
    await phone.post("/api/account/keep?campaign=a", json=body)
    laptop = await signed_in(company)
    seats = [(await laptop.get(f"/api/status?campaign={at}")).json()["seat"] for at in "ab"]
    assert seats == ["a", "a"]
    assert (await phone.post("/api/account/keep?campaign=b", json={})).status_code == 201
    seats = [(await laptop.get(f"/api/status?campaign={at}")).json()["seat"] for at in "ab"]
    assert seats == ["a", "b"]
    tables = (await laptop.get("/api/account")).json()["tables"]
    assert [row["campaign"] for row in tables] == ["b", "a"]
    models = (await laptop.get("/v1/models")).json()["data"]
    assert [row["id"] for row in models] == ["table/b", "table/b:ask", "table/a", "table/a:ask"]
    for row in models:
        body = {"model": row["id"], "messages": [{"role": "user", "content": "((hello))"}]}
        assert (await laptop.post("/v1/chat/completions", json=body)).status_code == 200
    assert (await phone.post("/api/account/keep?campaign=zzz", json={})).status_code == 404


async def test_the_owners_account_opens_what_the_key_opens(company: Company) -> None:
    body = {"name": "Anna", "password": WORDS}
    assert (await company.owner.post("/api/account/keep", json=body)).json()["owner"] is True
    tablet = await signed_in(company, "anna")
    assert (await tablet.get("/api/campaigns")).status_code == 200
    made = await tablet.post("/api/campaigns/a/company/invites", json={"role": "player"})
    assert made.status_code == 201
    assert (await tablet.get("/api/campaigns/a/company")).json()["company"]["you"]["name"] == "Anna"
    async with Tab(Served(company.served.url, company.served.room, tablet), campaign="a"):
        pass
    await tablet.post("/api/account/sign-out")
    assert (await tablet.get("/api/campaigns")).status_code == 401
    page = await tablet.get("/", headers={"accept": "text/html"})
    assert page.status_code == 303 and page.headers["location"] == "/login"


async def test_one_signs_up_by_an_invitation_and_a_guessed_one_is_none(company: Company) -> None:
    stranger = await company.client()
    wish = {"name": "Cleo", "password": WORDS}
    bare = await stranger.post("/api/account/sign-up", json=wish)
    assert bare.status_code == 403 and "needs an invitation" in bare.json()["error"]
    guess = {**wish, "code": f"a.in_1.{'x' * 32}"}
    assert (await stranger.post("/api/account/sign-up", json=guess)).status_code == 404
    code = await company.invite(role="player")
    made = await stranger.post("/api/account/sign-up", json={**wish, "code": code})
    assert made.status_code == 201 and made.json()["token"] == ""
    nowhere = await stranger.get("/api/campaigns/a/story")
    assert nowhere.status_code == 401 and "sits at no table yet" in nowhere.json()["error"]
    came = await stranger.post(
        "/api/join", json={"code": code, "name": "Cleo", "hero": {"name": "Wren"}}
    )
    assert came.status_code == 201
    stranger.cookies.delete("freeform_seats")
    assert (await stranger.get("/api/campaigns/a/story")).status_code == 200
    more = await stranger.post(
        "/api/join", json={"code": await company.invite(role="spectator"), "name": "Cleo too"}
    )
    assert more.status_code == 409 and "already, as Cleo" in more.json()["error"]


async def test_who_guesses_passwords_waits_and_hears_the_same_of_every_name(
    company: Company,
) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    await ben.http.post("/api/account/keep", json={"name": "Ben", "password": WORDS})
    guesser = await company.client()
    told = []
    for number in range(12):
        body = {"name": ("Ben", "Nobody")[number % 2], "password": f"a guess, number {number}"}
        told.append(await guesser.post("/api/account/sign-in", json=body))
    assert [each.status_code for each in told[:8]] == [403] * 8
    assert len({each.text for each in told[:8]}) == 1
    assert told[-1].status_code == 503 and "wait a minute" in told[-1].json()["error"]
    right = await guesser.post("/api/account/sign-in", json={"name": "Ben", "password": WORDS})
    assert right.status_code == 503
    assert (await ben.ask("GET", "/story")).status_code == 200  # who is in stays in


async def test_signing_out_elsewhere_ends_every_other_device_at_once(company: Company) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    await ben.http.post("/api/account/keep", json={"name": "Ben", "password": WORDS})
    phone, lost = await signed_in(company), await signed_in(company)
    of = Served(company.served.url, company.served.room, lost)
    async with Tab(of, campaign="a") as tab:
        here = await phone.post("/api/account/only-here")
        assert here.status_code == 200 and here.json()["token"] == ""
        async for _ in tab._lines:  # until its stream ends
            pass
    answers = [
        (await each.get("/api/campaigns/a/story")).status_code for each in (phone, lost, ben.http)
    ]
    assert answers == [200, 401, 401]


async def test_a_stolen_seat_cannot_be_taken_from_an_account_and_the_host_gives_it_back(
    company: Company,
) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    body = {"name": "Thief", "password": WORDS}
    await ben.http.post("/api/account/keep", json=body)  # with Ben's token, which was copied
    refused = await ben.ask("POST", "/company/only-here")
    assert refused.status_code == 409 and "kept with an account" in refused.json()["error"]
    own = await ben.http.post("/api/account/keep", json={"name": "Ben", "password": WORDS})
    assert own.status_code == 409
    assert await company.served.room.house.accounts.store.named("Ben") is None
    rows = (await ben.company())["people"]
    assert [row["kept"] for row in rows] == [False, True]  # the table shows it
    assert (await ben.ask("POST", "/company/release", {"person": "Ben"})).status_code == 403
    thief = await signed_in(company, "Thief")
    tables, session = company.served.room.tables, thief.cookies[ACCOUNT].strip('"')
    streams = [
        Visitor("a", ben.person, token=ben.token),
        Visitor("a", ben.person, session=session),
    ]
    assert [await tables._sits_there(each) for each in streams] == [True, True]
    await company.owner.post("/api/campaigns/a/company/release", json={"person": "Ben"})
    assert (await thief.get("/api/campaigns/a/story")).status_code == 401
    # Streams at another process, which nobody there is told to end, look for themselves.
    assert [await tables._sits_there(each) for each in streams] == [False, False]
    back = await company.owner.post("/api/campaigns/a/company/back", json={"person": "Ben"})
    phone = await company.client()
    assert (await phone.post("/api/join", json={"code": back.json()["token"]})).status_code == 201
    assert (await phone.get("/api/campaigns/a/story")).status_code == 200


async def test_a_forgotten_account_leaves_the_seat_on_this_device(company: Company) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    await ben.http.post("/api/account/keep", json={"name": "Ben", "password": WORDS})
    phone, other = await signed_in(company), await signed_in(company)
    wrong = await phone.post("/api/account/forget", json={"password": "not that"})
    assert wrong.status_code == 403
    done = await phone.post("/api/account/forget", json={"password": WORDS})
    assert done.status_code == 200 and done.json()["tokens"] == []
    assert (await phone.get("/api/account")).json()["name"] == ""
    assert (await phone.get("/api/campaigns/a/story")).status_code == 200
    assert (await other.get("/api/campaigns/a/story")).status_code == 401
    again = await other.post("/api/account/sign-in", json={"name": "Ben", "password": WORDS})
    assert again.status_code == 403


async def test_a_terminal_signs_in_and_plays_without_a_link(
    company: Company, tmp_path: Path
) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    await ben.http.post("/api/account/keep", json={"name": "Ben", "password": WORDS})
    away, url = Home(tmp_path / "away"), company.served.url

    async def run(*args: str, typed: str) -> Any:
        return await asyncio.to_thread(lambda: away.run(*args, typed=typed))

    wrong = await run("account", "sign-in", url, "--name", "Ben", typed="some other words\n")
    assert wrong.code == 1 and "do not belong together" in wrong.err
    signed = await run("account", "sign-in", url, "--name", "Ben", typed=f"{WORDS}\n")
    assert signed.code == 0 and f"play --join {url}/join#a" in signed.out
    played = await run("play", "--join", f"{url}/join#a", typed="/who\n/quit\n")
    assert played.code == 0 and "Ben: Sparrow" in played.out
    assert WORDS not in (away.path / "joined.json").read_text()
    assert (await run("account", "leave", url, typed="")).code == 0
    assert "@account" not in (away.path / "joined.json").read_text()
