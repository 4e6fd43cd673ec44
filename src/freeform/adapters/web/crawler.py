"""The crawler: robots.txt first, api.php where there is one, else the page itself; each page
fetched once while unchanged."""

import asyncio
import codecs
import hashlib
import logging
import re
from typing import Any
from urllib.parse import urldefrag, urljoin, urlsplit

from freeform.adapters.web.cache import PageCache
from freeform.adapters.web.fetch import PRODUCT, Fetched, WebFetch, iso, last_modified
from freeform.adapters.web.guard import ForbiddenAddress, check_url
from freeform.adapters.web.main_content import main_content
from freeform.adapters.web.mediawiki import (
    NotAWiki,
    Wiki,
    api_in,
    find_wiki,
    read_page,
    site_notices,
)
from freeform.adapters.web.pace import CrawlPace
from freeform.adapters.web.tiers import Sources, domain_of
from freeform.core.clock import Clock
from freeform.core.errors import NotFound, Unavailable
from freeform.core.log import kind_of, tell
from freeform.lore.ports import WebPage
from freeform.lore.read.robots import MOST_BYTES, Robots

_LOG = logging.getLogger("freeform.fetch")
TEXTS = (
    "text/html",
    "application/xhtml+xml",
    "text/plain",
    "text/markdown",
    "application/json",
    "text/xml",
    "",
)
_META = re.compile(rb"""<meta[^>]{0,200}?charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
_CHARSET = re.compile(r"""charset\s*=\s*["']?\s*([\w.:-]{1,40})""", re.I)
LEAST_TO_GUESS = 1000
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def decode(body: bytes, content_type: str, url: str) -> str:
    """The text of a page. Raises NotFound where it is none."""
    kind = content_type.split(";", 1)[0].strip().lower()
    if kind not in TEXTS:
        raise NotFound(f"{url} is {kind}, not text; it is left out")
    mark = next((name for start, name in _MARKS if body.startswith(start)), "")
    # Every encoding but UTF-16 has no zero bytes in it; a picture with a wrong name has many.
    if not mark and b"\0" in body[:4096]:
        raise NotFound(f"{url} says that it is text and is not; it is left out")
    declared = _CHARSET.search(content_type)
    meta = _META.search(body[:4096])
    names = [
        mark,
        declared[1] if declared else "",
        meta[1].decode("ascii") if meta else "",
        "utf-8",
    ]
    for name in dict.fromkeys(filter(None, names)):
        try:
            # A page that says Latin-1 is read as browsers do.
            text = body.decode(
                "cp1252" if name.lower() in ("iso-8859-1", "latin-1", "latin1", "ascii") else name
            )
        except (LookupError, UnicodeError):
            continue
        return _tidy(text)
    return _tidy(body.decode(_guessed(body), errors="replace"))


def _guessed(body: bytes) -> str:
    """The encoding that fits best, by what the letters look like; of a short text nobody can tell,
    so as browsers do."""
    if len(body) < LEAST_TO_GUESS:
        return "cp1252"
    try:
        from charset_normalizer import from_bytes
    except ImportError:
        return "cp1252"
    best = from_bytes(body[:200_000]).best()
    return best.encoding if best else "cp1252"


def _tidy(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "")


ROBOTS_LAST_S = 24 * 3600.0
LONGEST_ROBOTS_PAUSE_S = 30.0


class PoliteCrawler:
    """Reads pages. `fresh_s`: an answer so young is used without asking again."""

    def __init__(
        self,
        fetch: WebFetch,
        pace: CrawlPace,
        cache: PageCache,
        sources: Sources,
        clock: Clock,
        fresh_s: float = 3600.0,
    ) -> None:
        self._fetch, self._pace, self._cache, self._sources, self._clock = (
            fetch,
            pace,
            cache,
            sources,
            clock,
        )
        self._fresh_s = fresh_s
        self._robots: dict[str, tuple[Robots | None, float]] = {}
        self._wikis: dict[str, Wiki | None] = {}
        self._looked: set[str] = set()

    async def crawl(self, url: str) -> WebPage:
        """The page of that address."""
        url = urldefrag(url)[0]
        try:
            check_url(url)
            if self._sources.is_blocked(url):
                raise Barred(f"{domain_of(url)} is blocked in sources.yml; it is left out")
            page = await self._pace.patiently(lambda: self._read(url))
        except (Barred, ForbiddenAddress) as wrong:
            # The site alone: an address may hold what someone asked.
            tell(_LOG, logging.WARNING, "fetch_refused", site=_site(url), kind=kind_of(wrong))
            raise
        site = self._sources.site(page.url)
        return page.model_copy(
            update={
                "sha256": hashlib.sha256(page.text.encode()).hexdigest(),
                "domain": domain_of(page.url),
                "tier": site.tier,
                "licence": page.licence or site.licence,
                "fetched_at": iso(self._clock.now()),
                "asked_url": url,
            }
        )

    async def _read(self, url: str) -> WebPage:
        # The page itself must be allowed, whichever door it is read through.
        await self._allowed(url)
        wiki = await self._wiki(url)
        if wiki and (page := await self._through_api(wiki, url)):
            return page
        answer = await self._get(url)
        text = decode(answer.body, answer.headers.get("content-type", ""), answer.url)
        site = domain_of(answer.url)
        if wiki is None and site not in self._looked and (api := api_in(text, answer.url)):
            self._looked.add(site)
            self._wikis[site] = found = await find_wiki(answer.url, api, self._get)
            if found and (page := await self._through_api(found, answer.url)):
                return page.model_copy(update={"asked_url": url})
        # A page of megabytes takes seconds: nobody else waits for it.
        kind = answer.headers.get("content-type", "")
        page = await asyncio.to_thread(main_content, text, answer.url, kind)
        return page.model_copy(
            update={
                "revision": _revision(text, answer),
                "revision_at": last_modified(answer.headers),
            }
        )

    async def _through_api(self, wiki: Wiki, url: str) -> WebPage | None:
        """The page as its wiki's API gives it; None where robots.txt allows the page and not the
        API, or where the API answers like no wiki: the page itself must do."""
        try:
            return await read_page(wiki, url, self._get)
        except (Barred, NotAWiki):
            return None

    async def _wiki(self, url: str) -> Wiki | None:
        site = domain_of(url)
        if site not in self._wikis:
            # None is remembered too; the page itself may still name its api.php.
            self._wikis[site] = wiki = await find_wiki(url, self._sources.site(url).api, self._get)
            if wiki and wiki.title_of(url):
                wiki.notices = await site_notices(url, self._get)
        return self._wikis[site]

    # ── one polite request ──

    async def _get(self, url: str) -> Fetched:
        """From the cache while it is fresh; else asked, with what we have, so that an unchanged
        page is not sent."""
        now = self._clock.now().timestamp()
        kept = self._cache.get(url)
        if kept and 0 <= now - kept[1] < self._fresh_s:
            return kept[0]
        headers = {}
        if kept:
            etag, changed = kept[0].headers.get("etag"), kept[0].headers.get("last-modified")
            headers = {
                k: v for k, v in (("if-none-match", etag), ("if-modified-since", changed)) if v
            }
        answer = await self._fetch.get(url, headers, self._hop)
        if answer.status == 304 and kept:
            self._cache.confirm(url, now)
            return kept[0]
        self._cache.put(url, answer, now)
        return answer

    async def _hop(self, url: str) -> None:
        await self._allowed(url)
        robots = await self._robots_of(url)
        pause = min(robots.delay(PRODUCT), LONGEST_ROBOTS_PAUSE_S) if robots else 0.0
        await self._pace.turn(domain_of(url), pause)

    async def _allowed(self, url: str) -> None:
        robots = await self._robots_of(url)
        if robots and not robots.allows(PRODUCT, url):
            raise Barred(f"the robots.txt of {domain_of(url)} does not allow {url}; it is left out")

    async def _robots_of(self, url: str) -> Robots | None:
        """A site's rules. None: it has none. Where they cannot be read, nothing of the site may be
        (RFC 9309)."""
        parts = urlsplit(url)
        site = f"{parts.scheme}://{parts.netloc}".lower()
        now = self._clock.now().timestamp()
        held = self._robots.get(site)
        if held and now - held[1] < ROBOTS_LAST_S:
            return held[0]
        try:
            await self._pace.turn(domain_of(url))
            answer = await self._fetch.get(urljoin(site, "/robots.txt"))
        except ForbiddenAddress:
            raise
        except NotFound:
            rules = None
        except Unavailable as wrong:
            raise Unavailable(
                f"the robots.txt of {parts.netloc} cannot be read, so nothing there is: {wrong}",
                retry_after=wrong.retry_after,
            ) from wrong
        else:
            rules = Robots(answer.body[:MOST_BYTES].decode("utf-8", errors="replace"))
        self._robots[site] = (rules, now)
        return rules

    async def close(self) -> None:
        """Closes connections and the cache."""
        await self._fetch.close()
        self._cache.close()


class Barred(NotFound):
    """robots.txt does not allow it."""


def _site(url: str) -> str:
    """The host of an address; '' where it has none that reads."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _revision(text: str, answer: Fetched) -> str:
    """A wiki's number of the revision, else the server's tag for the content."""
    found: Any = re.search(r'"wgRevisionId":\s*(\d+)', text)
    return found[1] if found else answer.headers.get("etag", "").strip('"')
