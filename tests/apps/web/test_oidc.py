"""Signing in with a provider: a real one on loopback, and everything it may get wrong."""

import asyncio
import base64
import hmac
import json
from collections.abc import AsyncIterator
from functools import cache
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from freeform.apps.web.serve import alone
from tests.apps.program import Home, Terminal
from tests.apps.web.guests import Company, gathered
from tests.apps.web.oidc_peer import CLIENT, SECRET, Claims, OidcPeer, new_key, provider, sent_back
from tests.apps.web.serving import serving

KEY = "open-sesame-42"


@cache
def other_key() -> rsa.RSAPrivateKey:
    return new_key()


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return new_key()


@pytest.fixture
async def peer(key: rsa.RSAPrivateKey) -> AsyncIterator[OidcPeer]:
    async with provider(key) as made:
        yield made


@pytest.fixture
async def company(tmp_path: Path, peer: OidcPeer) -> AsyncIterator[Company]:
    """A table whose server knows that provider."""
    settings = {
        "serve_key": KEY,
        "accounts": "invited",
        "oidc_issuer": peer.url,
        "oidc_client": CLIENT,
        "oidc_key": SECRET,
        "oidc_name": "Example",
    }
    async with serving(tmp_path / "home", beside=alone, **settings) as served:
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin()
        async with gathered(served, KEY) as made:
            yield made


async def there_and_back(
    browser: httpx.AsyncClient, path: str = "/api/account/oidc", **body: Any
) -> httpx.Response:
    """The whole way: begun here, agreed to there, and back."""
    sent = await browser.post(path, json=body)
    assert sent.status_code == 200, sent.text
    return await browser.get(await sent_back(browser, sent.json()["url"]))


async def account(browser: httpx.AsyncClient) -> Any:
    return (await browser.get("/api/account")).json()


async def test_a_new_person_signs_up_by_a_link_and_comes_back_on_another_device(
    company: Company,
) -> None:
    browser = await company.client()
    assert (await account(browser))["provider"] == "Example"
    stranger = await there_and_back(browser)
    assert stranger.status_code == 403 and "the link that the host sent you" in stranger.text
    code = await company.invite(role="player")
    came = await there_and_back(browser, code=code)
    assert came.status_code == 303 and came.headers["location"] == "/join"
    cookie = came.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert (await account(browser))["name"] == "Ben"
    wish = {"code": code, "name": "Ben", "hero": {"name": "Sparrow"}}
    assert (await browser.post("/api/join", json=wish)).status_code == 201
    phone = await company.client()
    assert (await phone.get("/api/campaigns/a/story")).status_code == 401
    assert (await there_and_back(phone)).status_code == 303
    seen = (await phone.get("/api/campaigns/a/company")).json()["company"]
    assert (seen["you"]["name"], seen["you"]["character"]) == ("Ben", "Sparrow")
    (row,) = (await account(phone))["tables"]
    assert (row["campaign"], row["story"]) == ("a", "The Cellar")


async def test_a_guest_keeps_the_seat_they_have_and_the_owner_everything(
    company: Company, peer: OidcPeer
) -> None:
    ben = await company.guest("Ben", hero={"name": "Sparrow"})
    sent = await ben.http.post("/api/account/keep/oidc")
    ben.http.headers.pop("authorization")  # what comes back from elsewhere brings a cookie alone
    back = await ben.http.get(await sent_back(ben.http, sent.json()["url"]))
    assert back.status_code == 303
    assert (await ben.ask("GET", "/company")).json()["company"]["you"]["name"] == "Ben"
    peer.subject, peer.name = "sub-anna", "Ben"  # another Ben
    sent = await company.owner.post("/api/account/keep/oidc")
    owner = await company.client()
    owner.cookies = company.owner.cookies
    assert (await owner.get(await sent_back(owner, sent.json()["url"]))).status_code == 303
    told = await account(owner)
    assert told["owner"] and told["name"] == "Ben 2"
    assert (await owner.get("/api/campaigns")).status_code == 200
    assert (await ben.http.get("/api/campaigns")).status_code == 403


async def test_a_terminal_signs_in_by_a_browser_beside_it_or_one_elsewhere(
    company: Company, tmp_path: Path
) -> None:
    away, browser = Home(tmp_path / "away"), await company.client()
    code = await company.invite(role="player")

    async def begun(*args: str) -> tuple[Terminal, str]:
        """The terminal, and the address at which a browser ends that went where it says."""
        terminal = Terminal(away, "account", "sign-in", *args, "--provider")
        shown = await asyncio.to_thread(terminal.wait_for, "type the address it ends at, here.")
        (there,) = [word for word in shown.split() if word.startswith("http")]
        back = await browser.get(await sent_back(browser, there))
        assert back.status_code == 303 and "set-cookie" not in back.headers
        return terminal, back.headers["location"]

    url = company.served.url
    beside, end = await begun(f"{url}/join#{code}")
    page = await browser.get(end)
    assert "Go back to the terminal" in page.text
    await asyncio.to_thread(beside.wait_for, "Signed in as Ben.")
    assert await asyncio.to_thread(beside.end) == 0
    assert (await account(browser))["name"] == ""  # the terminal is signed in, and nobody else

    elsewhere, end = await begun(url)
    elsewhere.type(f"{end}\r")
    assert await asyncio.to_thread(elsewhere.end) == 0

    robbed, end = await begun(url)
    stolen = {"ticket": end.partition("ticket=")[2], "secret": "guessed"}
    thief = await company.client()
    assert (await thief.post("/api/account/oidc/token", json=stolen)).status_code == 403
    await browser.get(end)
    await asyncio.to_thread(robbed.wait_for, "used already")  # spent by whoever tried
    assert await asyncio.to_thread(robbed.end) == 1


async def test_what_comes_back_opens_once_and_in_the_browser_that_left(company: Company) -> None:
    code = await company.invite(role="player")
    browser, thief = await company.client(), await company.client()
    sent = await browser.post("/api/account/oidc", json={"code": code})
    back = await sent_back(browser, sent.json()["url"])
    stolen = await thief.get(back)
    assert stolen.status_code == 403 and "used already, or took too long" in stolen.text
    assert (await browser.get(back)).status_code == 403  # spent by whoever tried
    sent = await browser.post("/api/account/oidc", json={"code": code})
    back, cookies = await sent_back(browser, sent.json()["url"]), dict(browser.cookies)
    assert (await browser.get(back)).status_code == 303
    browser.cookies.clear()
    again = await browser.get(
        back, headers={"cookie": f"freeform_login={cookies['freeform_login']}"}
    )
    assert again.status_code == 403 and (await account(browser))["name"] == ""
    for made_up in ("?state=x&code=y", "?error=access_denied", ""):
        answer = await thief.get(f"/api/account/oidc/back{made_up}")
        assert answer.status_code == 403 and "set-cookie" not in answer.headers


def _with_public_key(peer: OidcPeer, claims: Claims) -> str:
    """Signed as if the public key, which everybody has, were a secret."""
    public = peer.key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    head = {"alg": "HS256", "typ": "JWT", "kid": peer.kid}
    said = b".".join(_base64(json.dumps(part).encode()) for part in (head, claims))
    return (said + b"." + _base64(hmac.digest(public, said, "sha256"))).decode()


def _base64(data: bytes) -> bytes:
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _forged(peer: OidcPeer, claims: Claims) -> dict[str, Claims | str]:
    """What a provider, or somebody between, may send that must not be taken; by what is said."""
    now = claims["iat"]
    head, _, mark = peer.signed(claims).split(".")
    other = peer.signed({**claims, "sub": "sub-eve"}).split(".")[1]
    return {
        "signature is wrong": f"{head}.{other}.{mark}",
        "signature is wrong ": peer.signed(claims, other_key()),
        "none of its keys": peer.signed(claims, kid="unknown"),
        "in a way that is not taken": _with_public_key(peer, claims),
        "in a way that is not taken ": jwt.encode(claims, None, "none", {"kid": peer.kid}),
        "for somebody else": {**claims, "aud": "another table"},
        "for somebody else ": {**claims, "aud": [CLIENT, "b"], "azp": "b"},
        "another provider": {**claims, "iss": "https://id.example"},
        "has run out": {**claims, "exp": now - 600, "iat": now - 900},
        "from the future": {**claims, "iat": now + 600},
        "another request": {**claims, "nonce": "of some other day, and long enough"},
        "another request ": {k: v for k, v in claims.items() if k != "nonce"},
        "is missing": {k: v for k, v in claims.items() if k != "exp"},
        "who you are": {**claims, "sub": ""},
        "does not read": "no token at all",
    }


async def test_no_false_token_is_taken_and_a_clock_a_minute_off_is(
    company: Company, peer: OidcPeer
) -> None:
    code = await company.invite(role="player")
    kinds = list(_forged(peer, peer.claims("n")))
    browser = await company.client()
    for says in kinds:
        peer.lies = lambda claims, says=says: _forged(peer, claims)[says]  # type: ignore[misc]
        refused = await there_and_back(browser, code=code)
        assert refused.status_code == 403, (says, refused.text)
        assert says.strip() in refused.text and "nobody was signed in" in refused.text, says
        assert (await account(browser))["name"] == ""
    for drift in (-60, 60):
        peer.lies = lambda claims, by=drift: {  # type: ignore[misc]
            **claims,
            "iat": claims["iat"] + by,
            "exp": claims["iat"] + by + 5,
        }
        assert (await there_and_back(browser, code=code)).status_code == 303


async def test_when_the_provider_is_gone_it_is_said_and_nothing_is_lost(
    company: Company, peer: OidcPeer
) -> None:
    code = await company.invite(role="player")
    browser = await company.client()
    assert (await there_and_back(browser, code=code)).status_code == 303
    wish = {"code": code, "name": "Ben", "hero": {"name": "Sparrow"}}
    assert (await browser.post("/api/join", json=wish)).status_code == 201
    late = await company.client()
    sent = await late.post("/api/account/oidc", json={})
    back = await sent_back(late, sent.json()["url"])
    peer.broken = True
    gone = await late.get(back)
    assert gone.status_code == 503 and "Example does not answer" in gone.text
    provider_known = company.served.room.house.accounts.provider
    provider_known._known.clear()  # type: ignore[union-attr]  # as after a start of the server
    refused = await late.post("/api/account/oidc", json={})
    assert refused.status_code == 503 and "every seat is kept" in refused.json()["error"]
    assert (await browser.get("/api/campaigns/a/company")).status_code == 200
    peer.broken = False
    peer.kid, peer.key = "second", other_key()  # its keys have changed, too
    assert (await there_and_back(late)).status_code == 303
    assert (await late.get("/api/campaigns/a/company")).status_code == 200
