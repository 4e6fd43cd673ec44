"""The sites on loopback: api.php, rendered pages, robots.txt and a search that answers like
SearXNG.

Each site has a host of its own (127.0.0.1, .2, .3) and all share one port.
"""

import asyncio
import html
import json
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit

from freeform.evals.wiki.direct import WorldSearch
from freeform.evals.wiki.doc import Doc
from freeform.evals.wiki.sites import WikiSite, WikiWorld

SLOW_SECONDS = 30.0
Answer = tuple[int, str, bytes]


class WikiServer:
    """Answers for every site; counts what was asked."""

    def __init__(self, world: WikiWorld, slow: float = SLOW_SECONDS) -> None:
        self.world, self.slow = world, slow
        self.asked: Counter[str] = Counter()
        self._sites = {site.rendering.domain: site for site in world.sites}
        self._search = WorldSearch(world)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, kept for as long as the client likes."""
        try:
            while line := await reader.readline():
                headers: dict[str, str] = {}
                while (head := await reader.readline()).strip():
                    name, _, value = head.decode("latin-1").partition(":")
                    headers[name.strip().lower()] = value.strip()
                target = line.decode("latin-1").split(" ")[1]
                status, kind, body = await self.answer(
                    headers.get("host", "").split(":")[0], target
                )
                begin = f"HTTP/1.1 {status} .\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n\r\n"
                writer.write(begin.encode("latin-1") + body)
                await writer.drain()
        except (ConnectionError, IndexError, asyncio.IncompleteReadError, asyncio.CancelledError):
            return  # The client left, or the server ends while a slow page is being slow.
        finally:
            writer.close()

    async def answer(self, host: str, target: str) -> Answer:
        """One request."""
        parts = urlsplit(target)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        site = self._sites.get(host)
        self.asked[f"{host}{parts.path}"] += 1
        if parts.path == "/search":
            return self.search(query)
        if site is None:
            return _text(404, "no such site")
        if parts.path == "/robots.txt":
            return self.robots(site)
        if parts.path == "/api.php" and site.has_api:
            return await self.api(site, query)
        if parts.path.startswith("/wiki/"):
            return await self.rendered(site, unquote(parts.path.removeprefix("/wiki/")))
        return _text(404, "no such page")

    def search(self, query: dict[str, str]) -> Answer:
        hits = self._search.find(query.get("q", ""), 20)
        found = [{"url": hit.url, "title": hit.title, "content": hit.snippet} for hit in hits]
        return _json({"query": query.get("q", ""), "results": found})

    def robots(self, site: WikiSite) -> Answer:
        barred = [title for title, how in site.broken.items() if how == "forbidden"]
        rules = [f"Disallow: /wiki/{quote(title.replace(' ', '_'))}" for title in barred]
        return _text(200, "\n".join(["User-agent: *", *rules, ""]))

    async def api(self, site: WikiSite, query: dict[str, str]) -> Answer:
        if query.get("action") == "parse":
            return await self.parsed(site, query.get("page", ""))
        if query.get("meta") == "siteinfo":
            general = {
                "sitename": "Gold wiki",
                "articlepath": "/wiki/$1",
                "server": site.rendering.base,
            }
            return _json(
                {
                    "query": {
                        "general": general,
                        "rightsinfo": {"text": site.rendering.licence, "url": ""},
                    }
                }
            )
        if query.get("list") == "search":
            hits = self._search.find(query.get("srsearch", ""), 50)
            own = [
                {"title": hit.title, "snippet": hit.snippet}
                for hit in hits
                if hit.domain == site.rendering.domain
            ]
            return _json({"query": {"search": own}})
        return _json(
            {
                "query": {
                    "pages": [self.about(site, t) for t in query.get("titles", "").split("|")[:50]]
                }
            }
        )

    def about(self, site: WikiSite, title: str) -> dict[str, Any]:
        doc = site.find(title)
        if doc is None:
            return {"title": title, "missing": True}
        return {
            "title": doc.title,
            "redirects": [{"title": name} for name in doc.redirects],
            "revisions": [{"revid": int(doc.revision), "timestamp": "2026-01-01T00:00:00Z"}],
            "categories": [{"title": f"Category:{name}"} for name in doc.categories],
        }

    async def parsed(self, site: WikiSite, title: str) -> Answer:
        doc = site.find(title)
        if doc is None:
            return _json(
                {
                    "error": {
                        "code": "missingtitle",
                        "info": "The page you specified does not exist.",
                    }
                }
            )
        return await self.unless_broken(
            site, doc, lambda: _json({"parse": self.parse_of(site, doc)})
        )

    def parse_of(self, site: WikiSite, doc: Doc) -> dict[str, Any]:
        return {
            "title": doc.title,
            "revid": int(doc.revision),
            "text": site.rendering.html(doc),
            "categories": [{"category": name.replace(" ", "_")} for name in doc.categories],
            "redirects": [],
        }

    async def rendered(self, site: WikiSite, title: str) -> Answer:
        doc = site.find(title)
        if doc is None:
            return _text(404, "There is no page of that name.")
        name = html.escape(doc.title)
        # A real page's chrome: a reader that takes it for content fails.
        page = (
            f'<!doctype html><html lang="en"><head><title>{name} - Tales of pilots</title></head><body>'
            f'<nav><a href="/">Home</a> <a href="/about">About</a></nav><main><article><h1>{name}</h1>'
            f"{site.rendering.html(doc)}</article></main><footer>All rights reserved by nobody.</footer></body></html>"
        )
        return await self.unless_broken(
            site, doc, lambda: (200, "text/html; charset=utf-8", page.encode())
        )

    async def unless_broken(self, site: WikiSite, doc: Doc, make: Callable[[], Answer]) -> Answer:
        match site.broken.get(doc.title, ""):
            case "error":
                return _text(500, "The database is down.")
            case "slow":
                await asyncio.sleep(self.slow)
        return make()


@asynccontextmanager
async def serving(world: WikiWorld, server: WikiServer, port: int) -> AsyncIterator[WikiServer]:
    """The sites, up for as long as they are used."""
    hosts = [site.rendering.domain for site in world.sites]
    held = await asyncio.start_server(server.serve, hosts, port)
    try:
        yield server
    finally:
        held.close()


async def free_port(hosts: list[str]) -> int:
    """A port that is free on every host."""
    probe = await asyncio.start_server(_nothing, hosts[0], 0)
    port = int(probe.sockets[0].getsockname()[1])
    probe.close()
    await probe.wait_closed()
    return port


async def _nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.close()


def _json(document: Any) -> Answer:
    return 200, "application/json; charset=utf-8", json.dumps(document).encode()


def _text(status: int, text: str) -> Answer:
    return status, "text/plain; charset=utf-8", text.encode()
