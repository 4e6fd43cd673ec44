"""Signed interactions over real HTTP: what Discord did not sign is refused, what it did is answered by edits."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from aiohttp import web
from nacl.signing import SigningKey

from tests.apps.discord.rooms import LARDER
from tests.apps.web.serving import Served, serving
from tests.patience import PATIENCE

KEY = SigningKey(b"k" * 32)
PUBLIC = KEY.verify_key.encode().hex()


class FakeRest:
    """Discord's REST API on loopback: keeps what it is sent, and asks once to slow down."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.slow_down = 1
        self.answered = asyncio.Event()

    def answers(self, word: str) -> list[tuple[str, str, Any]]:
        """Edits that are whole answers and hold that word."""
        return [
            call
            for call in self.calls
            if word in call[2].get("content", "") and call[2].get("components")
        ]

    async def answer(self, request: web.Request) -> web.Response:
        if self.slow_down:
            self.slow_down -= 1
            return web.json_response(
                {"retry_after": 0.05}, status=429, headers={"Retry-After": "0.05"}
            )
        body = await request.json()
        self.calls.append((request.method, request.path, body))
        if body.get("components"):
            self.answered.set()
        return web.json_response({"id": "1"})


@pytest.fixture
async def rest() -> AsyncIterator[tuple[FakeRest, str]]:
    fake, app = FakeRest(), web.Application()
    app.router.add_route("*", "/{tail:.*}", fake.answer)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = runner.addresses[0][1]
    yield fake, f"http://127.0.0.1:{port}"
    await runner.cleanup()


async def send(
    served: Served,
    body: dict[str, Any],
    *,
    key: SigningKey = KEY,
    age: float = 0,
    spoil: bool = False,
) -> Any:
    raw = json.dumps(body).encode()
    stamp = str(int(served.room.table.clock.now().timestamp() - age))
    signature = key.sign(stamp.encode() + raw).signature.hex()
    headers = {
        "X-Signature-Ed25519": signature,
        "X-Signature-Timestamp": stamp,
        "Content-Type": "application/json",
    }
    return await served.http.post(
        "/discord/interactions", content=raw + b" " if spoil else raw, headers=headers
    )


def asked(id: str, name: str, **options: str) -> dict[str, Any]:
    told = [{"name": key, "value": value} for key, value in options.items()]
    return {
        "id": id, "type": 2, "token": f"tok{id}", "channel_id": "c", "member": {"user": {"id": "u"}},
        "data": {"name": name, "options": told},
    }  # fmt: skip


async def test_only_what_discord_signed_just_now_is_heard(tmp_path: Path) -> None:
    async with serving(tmp_path, discord_public_key=PUBLIC, discord_application="app") as served:
        assert (await send(served, {"type": 1})).json() == {"type": 1}
        for wrong in (
            {"key": SigningKey(b"x" * 32)},
            {"spoil": True},
            {"age": 4000},
            {"age": -4000},
        ):
            assert (await send(served, {"type": 1}, **wrong)).status_code == 401  # type: ignore[arg-type]
        bare = await served.http.post("/discord/interactions", json={"type": 1})
        assert bare.status_code == 401
        assert (await send(served, {"type": 99})).status_code == 400
        assert (await send(served, {"type": 2})).status_code == 400


async def test_without_an_application_the_door_says_how_to_set_it_up(tmp_path: Path) -> None:
    async with serving(tmp_path) as served:
        answer = await send(served, {"type": 1})
        assert answer.status_code == 404 and "discord --check" in answer.text


async def test_a_command_is_promised_at_once_answered_by_edits_and_never_done_twice(
    tmp_path: Path, rest: tuple[FakeRest, str]
) -> None:
    fake, url = rest
    wanted = {"discord_public_key": PUBLIC, "discord_application": "app", "discord_api": url}
    async with serving(tmp_path, **wanted) as served:
        served.room.books.shelf.install(LARDER)
        body = asked("7", "research", question="compare Cinder Stew and Iron Broth")
        promised = await send(served, body)
        assert promised.json() == {"type": 5, "data": {"flags": 0}}
        assert (await send(served, body)).json()["type"] == 5  # Discord asks again
        async with asyncio.timeout(PATIENCE):
            await fake.answered.wait()
        final = fake.answers("Iron Broth")
        assert len(final) == 1 and final[0][:2] == (
            "PATCH",
            "/webhooks/app/tok7/messages/@original",
        )
        assert final[0][2]["allowed_mentions"] == {"parse": []}
        key = final[0][2]["components"][0]["components"][0]["custom_id"]
        shown = await send(served, {"id": "8", "type": 3, "token": "t", "data": {"custom_id": key}})
        assert (
            "cinder_stew.md" in shown.json()["data"]["content"]
            and shown.json()["data"]["flags"] == 64
        )
        typed = {
            "name": "play",
            "options": [{"name": "scenario", "value": "dead", "focused": True}],
        }
        near = await send(served, {"id": "9", "type": 4, "token": "t", "data": typed})
        assert {"name": "Dead Drop", "value": "dead_drop"} in near.json()["data"]["choices"]
        private = await send(served, asked("10", "x"))
        assert private.json()["data"]["flags"] == 64
    # A server that stops gives what it promised first: by now the second asking is done with, too.
    assert len(fake.answers("Iron Broth")) == 1
