"""A small Discord on loopback: a gateway that says hello and sends interactions, and a REST API that keeps what it gets."""

import asyncio
import json
import zlib
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import WSMsgType, web

from tests.patience import PATIENCE

ME = {
    "id": "100",
    "username": "keeper",
    "discriminator": "0",
    "avatar": None,
    "bot": True,
    "global_name": None,
}
USER = {"id": "200", "username": "ann", "discriminator": "0", "avatar": None, "global_name": "Ann"}


class FakeDiscord:
    """Keeps every call; asks once to slow down, at the first edit of an answer."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, Any]] = []
        self.slowed = 0
        self.ready, self.commands = asyncio.Event(), list[Any]()
        self._socket: web.WebSocketResponse | None = None
        self._sequence = 0

    async def rest(self, request: web.Request) -> web.Response:
        """Answers exactly `application/json`: discord.py reads no other kind as JSON."""
        raw = await request.read()
        body = json.loads(raw) if raw and request.content_type == "application/json" else None
        path = request.path
        if request.method == "PATCH" and "@original" in path and not self.slowed:
            self.slowed += 1
            return said(
                {"message": "slow", "retry_after": 0.05, "global": False},
                429,
                {"Retry-After": "0.05"},
            )
        self.calls.append((request.method, path, body))
        if path == "/users/@me":
            return said(ME)
        if path.endswith("/applications/@me"):
            return said(
                {
                    "id": "100",
                    "name": "keeper",
                    "bot_public": True,
                    "bot_require_code_grant": False,
                    "verify_key": "",
                    "description": "",
                    "icon": None,
                    "summary": "",
                    "owner": USER,
                    "rpc_origins": [],
                    "flags": 0,
                }
            )
        if path.endswith("/commands"):
            self.commands = [
                {**each, "id": str(n), "application_id": "100", "version": "1"}
                for n, each in enumerate(body, 1)
            ]
            return said(self.commands)
        if path.endswith("/callback"):
            return said(
                {"interaction": {"id": path.split("/")[2], "type": 2, "response_message_id": "900"}}
            )
        return said({"id": "900", "channel_id": "300", "content": (body or {}).get("content", ""), "author": ME, "embeds": [],
                     "attachments": [], "mentions": [], "mention_roles": [], "pinned": False, "mention_everyone": False,
                     "tts": False, "timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "type": 0})  # fmt: skip

    async def gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        self._socket, self._squeeze = socket, squeezing(request.query.get("compress", ""))
        await self._send(10, {"heartbeat_interval": 45_000})
        async for message in socket:
            if message.type is not WSMsgType.TEXT:
                continue
            told = json.loads(message.data)
            if told["op"] == 1:
                await self._send(11, None)
            elif told["op"] == 2:
                await self._send(0, {"v": 10, "user": ME, "guilds": [], "session_id": "s", "application": {"id": "100", "flags": 0},
                                     "resume_gateway_url": str(request.url.origin())}, "READY")  # fmt: skip
                self.ready.set()
        return socket

    async def slash(self, id: str, name: str, **options: str) -> None:
        """A user sends a command in a direct message."""
        told = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
        number = next(c["id"] for c in self.commands if c["name"] == name)
        await self._send(0, {
            "id": id, "application_id": "100", "type": 2, "token": f"tok{id}", "version": 1, "user": USER, "channel_id": "300",
            "channel": {"id": "300", "type": 1, "recipients": [USER]}, "locale": "en-GB", "entitlements": [],
            "authorizing_integration_owners": {}, "context": 1, "app_permissions": "0", "attachment_size_limit": 1000,
            "data": {"id": number, "name": name, "type": 1, "options": told},
        }, "INTERACTION_CREATE")  # fmt: skip

    async def _send(self, op: int, data: Any, kind: str | None = None) -> None:
        assert self._socket is not None
        if kind:
            self._sequence += 1
        text = json.dumps({"op": op, "d": data, "s": self._sequence or None, "t": kind})
        await self._socket.send_bytes(self._squeeze(text.encode()))

    async def until(self, *words: str) -> tuple[str, str, Any]:
        """The first call whose content holds the words."""
        async with asyncio.timeout(PATIENCE):
            while True:
                for call in self.calls:
                    content = call[2].get("content") or "" if isinstance(call[2], dict) else ""
                    if all(word in content for word in words):
                        return call
                await asyncio.sleep(0.02)


def squeezing(kind: str) -> Callable[[bytes], bytes]:
    """The stream as the client asked for it: discord.py wants zstd where it has it."""
    if kind == "zstd-stream":
        import zstandard

        dense = zstandard.ZstdCompressor().compressobj()
        return lambda data: dense.compress(data) + dense.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)
    plain = zlib.compressobj()
    return lambda data: plain.compress(data) + plain.flush(zlib.Z_SYNC_FLUSH)


def said(body: Any, status: int = 200, headers: dict[str, str] | None = None) -> web.Response:
    return web.Response(
        body=json.dumps(body).encode(),
        status=status,
        headers={"Content-Type": "application/json", **(headers or {})},
    )


@asynccontextmanager
async def fake_discord() -> AsyncIterator[tuple[FakeDiscord, str]]:
    """Runs it on a free port; gives it and its address."""
    fake, app = FakeDiscord(), web.Application()
    app.router.add_get("/ws/", fake.gateway)
    app.router.add_get("/ws", fake.gateway)
    app.router.add_route("*", "/{tail:.*}", fake.rest)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield fake, f"127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()
