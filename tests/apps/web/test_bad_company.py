"""Those who spoil an evening, meaning to or not: who watches and posts, who floods, a host who vanishes, clocks that are wrong."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from freeform.apps.web.guard import COOKIE, cookie_of
from freeform.apps.web.serve import alone
from freeform.apps.web.visitors import ACCOUNT, RULES
from freeform.core.clock import SystemClock
from freeform.players.people.accounts import SIGNED_IN
from tests.apps.web.guests import Company, gathered
from tests.apps.web.serving import serving

KEY = "open-sesame-42"


@dataclass
class MovedClock:
    """The date stands still unless it is moved; spans go on by themselves, and move with it."""

    ahead: float = 0.0

    def now(self) -> datetime:
        return datetime(2091, 3, 15, 19, tzinfo=UTC) + timedelta(seconds=self.ahead)

    def ticks(self) -> float:
        return SystemClock().ticks() + self.ahead


@asynccontextmanager
async def at_a_table(home: Path, clock: MovedClock, **settings: Any) -> AsyncIterator[Company]:
    async with serving(home, beside=alone, serve_key=KEY, **settings) as served:
        served.room.house.table = replace(served.room.house.table, clock=clock)
        served.http.headers["authorization"] = f"Bearer {KEY}"
        await served.begin()
        async with gathered(served, KEY) as made:
            yield made


async def test_a_spectator_who_posts_changes_nothing_by_any_route(tmp_path: Path) -> None:
    async with at_a_table(tmp_path / "home", MovedClock()) as company:
        wim = await company.guest("Wim", "spectator")

        async def standing() -> list[str]:
            looked = ("export?format=jsonl", "company", "company/talk", "company/rolls")
            return [(await company.owner.get(f"/api/campaigns/a/{each}")).text for each in looked]

        before = await standing()
        shut = [(m, path) for m, path, who in RULES if m != "GET" and "spectator" not in who]
        assert len(shut) > 25
        for method, path in shut:
            named = (
                path.replace("{campaign}", "a").replace("{person}", "p1").replace("{invite}", "x")
            )
            body = {"text": "I wait", "seat": "player", "person": "p1", "mode": "rounds"}
            answer = await wim.http.request(method, named, json=body)
            assert answer.status_code == 403, (method, path, answer.text)
        assert await standing() == before


async def test_who_floods_waits_and_the_others_play_on(tmp_path: Path) -> None:
    async with at_a_table(tmp_path / "home", MovedClock(), serve_per_minute=30) as company:
        ben = await company.guest("Ben", hero={"name": "Sparrow"})
        cleo = await company.guest("Cleo", hero={"name": "Wren"})
        said = [await ben.ask("POST", "/company/talk", {"text": f"{n}!"}) for n in range(11)]
        assert [each.status_code for each in said] == [201] * 10 + [503]
        assert (await cleo.ask("POST", "/company/talk", {"text": "Ben, please"})).status_code == 201
        asked = [
            await ben.ask("GET", "/company") for _ in range(90)
        ]  # half a one comes back a second
        assert asked[-1].status_code == 429 and "wait a moment" in asked[-1].json()["error"]
        assert asked[-1].headers["retry-after"]
        assert (await cleo.ask("GET", "/story")).status_code == 200
        assert (await company.owner.get("/api/campaigns/a/company")).status_code == 200


async def test_who_guesses_at_one_process_has_guessed_at_the_others_too(tmp_path: Path) -> None:
    """Invitations, keys and passwords, from one address: ten in all, whoever of several is asked."""
    settings = {"serve_key": KEY, "accounts": "open"}
    home = tmp_path / "home"
    async with (
        serving(home, beside=alone, several=True, **settings) as one,
        serving(home, beside=alone, several=True, **settings) as other,
    ):
        guess = {"code": f"a.in_1.{'x' * 32}", "name": "Eve"}
        wrong = {"name": "Ben", "password": "not that one"}
        for served in (one, other, one):
            assert (await served.http.post("/api/join", json=guess)).status_code == 404
            stolen = {"authorization": "Bearer of another house"}
            assert (await served.http.get("/api/campaigns", headers=stolen)).status_code == 401
            assert (await served.http.post("/api/account/sign-in", json=wrong)).status_code == 403
        assert (await other.http.post("/api/join", json=guess)).status_code == 404
        for served in (one, other):
            answer = await served.http.post("/api/join", json=guess)
            assert answer.status_code == 503 and "wait a minute" in answer.json()["error"]
            key = {"authorization": f"Bearer {KEY}"}
            assert (await served.http.get("/api/campaigns", headers=key)).status_code == 429


async def test_a_damaged_file_of_accounts_shuts_no_owner_out(tmp_path: Path) -> None:
    settings = {"serve_key": KEY, "accounts": "open"}
    home = tmp_path / "home"
    home.mkdir()
    async with serving(home, beside=alone, several=True, **settings) as served:
        (home / "accounts.db").write_bytes(b"no database at all " * 200)
        session = f"{ACCOUNT}={SIGNED_IN}.ac_1.whatever-it-is"
        keys = (
            {"authorization": f"Bearer {KEY}"},
            {"cookie": f"{COOKIE}={cookie_of(KEY)}; {session}"},
        )
        for key in keys:
            assert (await served.http.get("/api/campaigns", headers=key)).status_code == 200
        stolen = {"authorization": "Bearer of another house"}
        for _ in range(10):
            assert (await served.http.get("/api/campaigns", headers=stolen)).status_code == 401
        assert (await served.http.get("/api/campaigns", headers=stolen)).status_code == 429
        guest = await served.http.get("/api/campaigns", headers={"cookie": session})
        assert guest.status_code == 503 and "cannot be read just now" in guest.json()["error"]


async def test_a_host_who_vanishes_is_followed_by_who_plays_and_comes_back_as_a_player(
    tmp_path: Path,
) -> None:
    clock = MovedClock()
    async with at_a_table(tmp_path / "home", clock) as company:
        ben = await company.guest("Ben", hero={"name": "Sparrow"})
        cleo = await company.guest("Cleo", hero={"name": "Wren"})
        handed = await company.owner.post("/api/campaigns/a/company/host", json={"person": "Cleo"})
        assert handed.status_code == 200
        early = await ben.ask("POST", "/company/host", {"person": "Ben"})
        assert early.status_code == 409 and "not gone for 5 minutes yet" in early.json()["error"]
        clock.ahead = 301
        taken = await ben.ask("POST", "/company/host", {"person": "Ben"})
        assert taken.status_code == 200 and taken.json()["company"]["you"]["host"]
        invites = [await each.ask("POST", "/company/invites", {}) for each in (ben, cleo)]
        assert [each.status_code for each in invites] == [201, 403]
        acted = await cleo.ask("POST", "/turns", {"text": "I look around"})
        assert acted.status_code == 202


async def test_a_device_whose_clock_is_days_off_sits_as_long_as_the_others(tmp_path: Path) -> None:
    """Only the server's clock counts: nothing that a device keeps or is told names a moment of its own."""
    clock = MovedClock()
    async with at_a_table(tmp_path / "home", clock) as company:
        code = await company.invite(role="player", uses=3)
        for off, name in ((-900, "Ben"), (900, "Cleo")):
            device = await company.client()
            wrong = clock.now() + timedelta(days=off)
            device.headers["date"] = wrong.strftime("%a, %d %b %Y %H:%M:%S GMT")
            wish = {"code": code, "name": name, "hero": {"name": f"{name} Two"}}
            came = await device.post("/api/join", json=wish)
            cookie = came.headers["set-cookie"].lower()
            assert came.status_code == 201 and "max-age" in cookie and "expires" not in cookie
            said = await device.post("/api/campaigns/a/company/talk", json={"text": "hello"})
            assert said.json()["lines"][0]["at"].startswith("2091-03-15T")
            clock.ahead += 3600
        clock.ahead = 49 * 3600
        late = await company.client()
        late.headers["date"] = "Thu, 15 Mar 2091 19:00:00 GMT"
        assert (await late.post("/api/join/look", json={"code": code})).status_code == 404
