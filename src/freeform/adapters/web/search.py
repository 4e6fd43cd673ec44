"""Search engines: SearXNG's JSON and Brave's API. Results carry the tier of their site, the best
tiers first."""

import json
from typing import Any
from urllib.parse import urlencode

from freeform.adapters.web.fetch import WebFetch
from freeform.adapters.web.pace import CrawlPace
from freeform.adapters.web.tiers import Sources, domain_of
from freeform.core.errors import NotFound, Unavailable
from freeform.lore.ports import SearchHit


class SearxngSearch:
    """A SearXNG server, asked for JSON (its settings must list `json` under `search.formats`)."""

    def __init__(self, url: str, fetch: WebFetch, pace: CrawlPace, sources: Sources) -> None:
        self._url, self._fetch, self._pace, self._sources = url.rstrip("/"), fetch, pace, sources

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The best pages first."""
        asked = f"{self._url.removesuffix('/search')}/search?{urlencode({'q': query, 'format': 'json'})}"
        answer = await _ask(self._fetch, self._pace, asked, {})
        return ranked(
            [_hit(each, "content", self._sources) for each in _list(answer, "results")],
            self._sources,
            limit,
        )


class BraveSearch:
    """Brave's web search, or a server that speaks like it."""

    def __init__(
        self, url: str, key: str, fetch: WebFetch, pace: CrawlPace, sources: Sources
    ) -> None:
        self._url, self._key, self._fetch, self._pace, self._sources = (
            url.rstrip("/"),
            key,
            fetch,
            pace,
            sources,
        )

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The best pages first."""
        asked = f"{self._url}/res/v1/web/search?{urlencode({'q': query, 'count': min(20, max(1, limit))})}"
        answer = await _ask(self._fetch, self._pace, asked, {"X-Subscription-Token": self._key})
        web = answer.get("web") if isinstance(answer, dict) else None
        found = [_hit(each, "description", self._sources) for each in _list(web or {}, "results")]
        return ranked(found, self._sources, limit)


def ranked(found: list[SearchHit | None], sources: Sources, limit: int) -> list[SearchHit]:
    """Better tiers first, else as the engine ranked them; each address once, blocked sites
    never."""
    kept = {hit.url: hit for hit in reversed(found) if hit and not sources.is_blocked(hit.url)}
    in_order = [hit for hit in found if hit and kept.get(hit.url) is hit]
    return sorted(in_order, key=lambda hit: hit.tier)[:limit]


async def _ask(fetch: WebFetch, pace: CrawlPace, url: str, headers: dict[str, str]) -> Any:
    async def once() -> Any:
        await pace.turn(domain_of(url))
        answer = await fetch.get(url, {"accept": "application/json", **headers})
        try:
            return json.loads(answer.body)
        except ValueError:
            raise Unavailable(
                f"the search at {domain_of(url)} did not answer in JSON; allow the format `json` in its settings",
                passing=False,
            ) from None

    try:
        return await pace.patiently(once)
    except NotFound as wrong:
        # A search that is not there is trouble of the set-up, not "nothing found".
        raise Unavailable(
            f"the search cannot be used: {wrong}; check `lore_search_url`", passing=False
        ) from None


def _list(answer: Any, name: str) -> list[Any]:
    found = answer.get(name) if isinstance(answer, dict) else None
    return found if isinstance(found, list) else []


def _hit(each: Any, snippet: str, sources: Sources) -> SearchHit | None:
    url = each.get("url") if isinstance(each, dict) else None
    if not isinstance(url, str) or not url.startswith(("http://", "https://")):
        return None
    return SearchHit(
        url=url,
        title=str(each.get("title") or ""),
        snippet=str(each.get(snippet) or ""),
        domain=domain_of(url),
        tier=sources.site(url).tier,
    )
