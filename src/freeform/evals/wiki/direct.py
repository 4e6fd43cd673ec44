"""The sites read without a network: the same pages as through the server, for quick runs."""

from collections import defaultdict
from collections.abc import Callable
from urllib.parse import unquote

from freeform.core.errors import NotFound, Unavailable
from freeform.core.text import plain_form, slug
from freeform.evals.wiki.sites import WikiSite, WikiWorld
from freeform.lore.ports import SearchHit, WebPage


class WorldSearch:
    """Finds pages of all sites by their words, titles first. Implements `WebSearch`."""

    def __init__(self, world: WikiWorld) -> None:
        self._pages: list[tuple[WikiSite, str, set[str]]] = []
        self._words: dict[str, list[int]] = defaultdict(list)
        for site in world.sites:
            for title, doc in site.docs.items():
                number = len(self._pages)
                body = set(slug(doc.wikitext()).split("_"))
                self._pages.append((site, title, set(slug(title).split("_"))))
                for word in body | self._pages[-1][2]:
                    self._words[word].append(number)

    async def search(self, query: str, limit: int = 10) -> list[SearchHit]:
        """The hits."""
        return self.find(query, limit)

    def find(self, query: str, limit: int) -> list[SearchHit]:
        """Each shared word counts, rare words more, words of the title most."""
        asked = list(dict.fromkeys(slug(query).split("_")))
        scores: dict[int, float] = defaultdict(float)
        for word in asked:
            found = self._words.get(word, [])
            for number in found:
                weight = 1 / (1 + len(found)) ** 0.5
                scores[number] += weight * (6 if word in self._pages[number][2] else 1)
        for number in list(scores):
            title = self._pages[number][2]
            scores[number] *= 1 + sum(word in asked for word in title) / max(1, len(title))
        best = sorted(scores, key=lambda number: (-scores[number], number))[:limit]
        return [self._hit(*self._pages[number][:2]) for number in best]

    @staticmethod
    def _hit(site: WikiSite, title: str) -> SearchHit:
        made = site.rendering
        doc = site.docs[title]
        snippet = (
            next((block.text for block in doc.blocks if block.text), "")[:200]
            .replace("[[", "")
            .replace("]]", "")
        )
        return SearchHit(
            url=made.url(title), title=title, snippet=snippet, domain=made.domain, tier=made.tier
        )


class WorldCrawler:
    """Reads pages of all sites, as robots allow. Implements `WebCrawler`."""

    def __init__(self, world: WikiWorld, now: Callable[[], str] = lambda: "") -> None:
        self._sites = {site.rendering.base: site for site in world.sites}
        self._now = now
        self.asked: list[str] = []

    async def crawl(self, url: str) -> WebPage:
        """The page."""
        self.asked.append(url)
        base, _, path = url.partition("/wiki/")
        site = self._sites.get(base)
        title = unquote(path).replace("_", " ")
        doc = site.find(title) if site else None
        if site is None or doc is None:
            raise NotFound(f"there is no page {url}")
        match site.broken.get(doc.title, ""):
            case "forbidden":
                raise NotFound(f"robots.txt forbids {url}")
            case "":
                return site.rendering.page(doc, self._now())
            case how:
                raise Unavailable(f"{plain_form(url)} fails ({how})", passing=False)
