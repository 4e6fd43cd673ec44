"""Requests about what one process alone has in hand go on to it: long work, MCP sessions."""

import asyncio
import json
import logging
import re
from collections.abc import AsyncIterator

import httpx2
from starlette.types import ASGIApp, Receive, Scope, Send

from freeform.core.log import tell

_LOG = logging.getLogger("freeform.web")
AT_THE_DESK = ("/api/parties", "/api/ingests", "/api/research", "/api/lore", "/api/jobs", "/mcp")
"""Where runs and sessions live in the memory of the process that began them."""
_PICTURES = re.compile(r"/api/campaigns/[^/]+/pictures(/stop)?")
"""One is made at a time for a table, and can be stopped; those that are there anyone shows."""
CONNECT_S = 30.0
"""For how long a desk that is being started anew is waited for."""
NOT_PASSED = frozenset({b"connection", b"keep-alive", b"transfer-encoding", b"x-forwarded-for"})


class PassedOn:
    """An app whose requests about long work are answered by the process at that address."""

    def __init__(self, app: ASGIApp, desk: str) -> None:
        self._app = app
        # Whatever the work takes, its answer is waited for; a process that died hangs up.
        # A connection for each: one that was kept may be to a process that is no more.
        self._http = httpx2.AsyncClient(
            base_url=desk,
            timeout=httpx2.Timeout(None, connect=CONNECT_S),
            limits=httpx2.Limits(max_keepalive_connections=0),
            trust_env=False,
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path", ""))
        theirs = any(path == each or path.startswith(f"{each}/") for each in AT_THE_DESK)
        theirs = theirs or bool(_PICTURES.fullmatch(path))
        if scope["type"] != "http" or not theirs:
            await self._app(scope, receive, send)
            return
        body = _PassedBody(receive)
        tasks = [
            asyncio.create_task(self._pass_on(scope, body, send)),
            asyncio.create_task(body.is_left()),
        ]
        try:
            # Whoever leaves is gone for the desk, too: a stream would be told to nobody for ever.
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            ended, _ = await asyncio.gather(*tasks, return_exceptions=True)
        if isinstance(ended, Exception):
            raise ended

    async def _pass_on(self, scope: Scope, body: "_PassedBody", send: Send) -> None:
        began = False
        try:
            async with self._http.stream(
                scope["method"],
                scope["raw_path"].decode("latin-1")
                + (f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""),
                headers=_headers(scope),
                content=body.pieces(),
            ) as answer:
                headers = [
                    (name, value) for name, value in answer.headers.raw if _passes(name.lower())
                ]
                start = {"type": "http.response.start", "status": answer.status_code}
                await send({**start, "headers": headers})
                began = True
                async for piece in answer.aiter_raw():
                    await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
        except httpx2.HTTPError as wrong:
            tell(_LOG, logging.WARNING, "desk_gone", why=type(wrong).__name__)
            if not began:
                await _say_again(send)


def _passes(name: bytes) -> bool:
    return name not in NOT_PASSED


def _headers(scope: Scope) -> list[tuple[bytes, bytes]]:
    client = str((scope.get("client") or ("?", 0))[0]).encode()
    passed = [(name, value) for name, value in scope["headers"] if _passes(name)]
    return [*passed, (b"x-forwarded-for", client)]


class _PassedBody:
    """What a client sends, and that it has left."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._read, self._left = asyncio.Event(), asyncio.Event()

    async def pieces(self) -> AsyncIterator[bytes]:
        """To its end; half of one is not passed on as if it were all."""
        more = True
        while more:
            message = await self._receive()
            if message["type"] != "http.request":
                self._left.set()
                self._read.set()
                await asyncio.Event().wait()  # it is being cancelled
            more = bool(message.get("more_body"))
            yield message.get("body", b"")
        self._read.set()

    async def is_left(self) -> None:
        """Returns once the client is gone."""
        await self._read.wait()
        while not self._left.is_set():
            if (await self._receive())["type"] == "http.disconnect":
                self._left.set()


async def _say_again(send: Send) -> None:
    told = "the process that does long work is being started anew; send this again in a moment"
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"2")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    body = json.dumps({"error": told, "kind": "unavailable"}).encode()
    await send({"type": "http.response.body", "body": body})
