"""Search without a search engine: the own search of each wiki in sources.yml, through its
api.php."""

import json
from urllib.parse import quote, urlencode, urljoin

from freeform.adapters.web.fetch import WebFetch
from freeform.adapters.web.pace import CrawlPace
from freeform.adapters.web.search import ranked
from freeform.adapters.web.tiers import Sources, SourceSite, domain_of
from freeform.core.errors import Unavailable, UserError
from freeform.lore.ports import SearchHit


class WikiSearch:
    """Asks every listed wiki that names its api.php. A wiki that fails is left out of the
    answer."""

    def __init__(self, fetch: WebFetch, pace: CrawlPace, sources: Sources) -> None:
        self._fetch, self._pace, self._sources = fetch, pace, sources

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The best pages first. Unavailable where no wiki answers at all."""
        wikis = [site for site in self._sources.sites if site.api]
        if not wikis:
            raise UserError(
                "nothing to search: set `lore_search_url` to a SearXNG server, or `lore_sources` to a sources.yml "
                "whose sites name their api.php"
            )
        found: list[SearchHit | None] = []
        failed: Unavailable | None = None
        for site in wikis:
            try:
                found += await self._pace.patiently(lambda site=site: self._ask(site, query, limit))  # type: ignore[misc]
            except Unavailable as wrong:
                failed = wrong
        if failed and not found:
            raise failed
        return ranked(found, self._sources, limit)

    async def _ask(self, site: SourceSite, query: str, limit: int) -> list[SearchHit]:
        asked = {
            "action": "query",
            "list": "search",
            "srsearch": query,
            "srlimit": limit,
            "format": "json",
        }
        url = f"{site.api}?{urlencode({**asked, 'formatversion': 2})}"
        await self._pace.turn(domain_of(url))
        answer = await self._fetch.get(url, {"accept": "application/json"})
        try:
            rows = json.loads(answer.body)["query"]["search"]
        except (ValueError, KeyError, TypeError):
            raise Unavailable(f"{site.api} does not answer like a wiki", passing=False) from None
        return [
            SearchHit(
                url=urljoin(site.api, f"/wiki/{quote(str(row['title']).replace(' ', '_'))}"),
                title=str(row["title"]),
                snippet=str(row.get("snippet") or ""),
                domain=domain_of(site.api),
                tier=site.tier,
            )
            for row in rows
            if isinstance(row, dict) and row.get("title")
        ]
