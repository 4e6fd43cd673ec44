"""A web site on loopback whose every byte a test decides: redirects, drips, bombs, rules and wikis."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from urllib.parse import parse_qs, urlsplit


@dataclass
class Asked:
    """A request as it came."""

    path: str
    query: dict[str, str]
    headers: dict[str, str]


@dataclass
class Answer:
    """What to send. `drip`: seconds between single bytes of the body; `chunks` is sent instead of the body."""

    body: bytes | str = b""
    status: int = 200
    type: str = "text/html; charset=utf-8"
    headers: dict[str, str] = field(default_factory=dict)
    drip: float = 0.0
    chunks: Callable[[], AsyncIterator[bytes]] | None = None


Route = Callable[[Asked], Answer]


class WebSite:
    """Routes by path; '*' answers the rest. Everything asked is written down."""

    def __init__(self, routes: dict[str, Route]) -> None:
        self.routes, self.asked = routes, list[Asked]()
        self.port = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def paths(self) -> list[str]:
        """What was asked for, robots.txt left out."""
        return [each.path for each in self.asked if each.path != "/robots.txt"]

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
            parts = urlsplit(head[0].split(" ")[1])
            headers = {
                k.lower(): v.strip()
                for k, _, v in (line.partition(":") for line in head[1:] if line)
            }
            asked = Asked(parts.path, {k: v[0] for k, v in parse_qs(parts.query).items()}, headers)
            self.asked.append(asked)
            route = (
                self.routes.get(asked.path) or self.routes.get("*") or (lambda _: Answer("no", 404))
            )
            await self._send(route(asked), writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _send(self, answer: Answer, writer: asyncio.StreamWriter) -> None:
        body = answer.body.encode() if isinstance(answer.body, str) else answer.body
        lines = [
            f"HTTP/1.1 {answer.status} OK",
            f"content-type: {answer.type}",
            "connection: close",
        ]
        if answer.chunks is None:
            lines.append(f"content-length: {len(body)}")
        lines += [f"{name}: {value}" for name, value in answer.headers.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        if answer.chunks:
            async for piece in answer.chunks():
                writer.write(piece)
                await writer.drain()
        elif answer.drip:
            for n in range(len(body)):
                writer.write(body[n : n + 1])
                await writer.drain()
                await asyncio.sleep(answer.drip)
        else:
            writer.write(body)
        await writer.drain()


@asynccontextmanager
async def serving(routes: dict[str, Route]) -> AsyncIterator[WebSite]:
    """The site while the block runs."""
    site = WebSite(routes)
    server = await asyncio.start_server(site._talk, "127.0.0.1", 0)
    site.port = server.sockets[0].getsockname()[1]
    try:
        yield site
    finally:
        server.close()
