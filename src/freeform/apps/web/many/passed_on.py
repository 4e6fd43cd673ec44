"""Requests about what one process alone has in hand go on to it: long work, MCP sessions."""

import json
import logging
from collections.abc import AsyncIterator

import httpx2
from starlette.types import ASGIApp, Receive, Scope, Send

from freeform.core.log import tell

_LOG = logging.getLogger("freeform.web")
AT_THE_DESK = ("/api/parties", "/api/ingests", "/api/research", "/api/lore", "/api/jobs", "/mcp")
"""Where runs and sessions live in the memory of the process that began them."""
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
        if scope["type"] != "http" or not theirs:
            await self._app(scope, receive, send)
            return
        began = False
        try:
            async with self._http.stream(
                scope["method"],
                scope["raw_path"].decode("latin-1")
                + (f"?{scope['query_string'].decode('latin-1')}" if scope["query_string"] else ""),
                headers=_headers(scope),
                content=_body(receive),
            ) as answer:
                headers = [
                    (name, value) for name, value in answer.headers.raw if _passes(name.lower())
                ]
                start = {"type": "http.response.start", "status": answer.status_code}
                await send({**start, "headers": headers})
                began = True
                async for piece in answer.aiter_raw():
                    body = {"type": "http.response.body", "body": piece, "more_body": True}
                    await send(body)
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


async def _body(receive: Receive) -> AsyncIterator[bytes]:
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return
        yield message.get("body", b"")
        if not message.get("more_body"):
            return


async def _say_again(send: Send) -> None:
    told = "the process that does long work is being started anew; send this again in a moment"
    headers = [(b"content-type", b"application/json"), (b"retry-after", b"2")]
    await send({"type": "http.response.start", "status": 503, "headers": headers})
    body = json.dumps({"error": told, "kind": "unavailable"}).encode()
    await send({"type": "http.response.body", "body": body})
