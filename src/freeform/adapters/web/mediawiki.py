"""A wiki's own door, api.php: the rendered page with its revision, categories, aliases and licence,
in two requests."""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlencode, urljoin, urlsplit

from freeform.adapters.web.blocks import PageWriter
from freeform.adapters.web.fetch import Fetched
from freeform.adapters.web.html_page import HtmlReader, notices_in, parse
from freeform.core.errors import FreeformError, NotFound, Unavailable
from freeform.lore.ports import WebPage

Ask = Callable[[str], Awaitable[Fetched]]
"""Fetches an address politely."""
_EDIT_URI = re.compile(r"""<link[^>]+rel=["']EditURI["'][^>]+href=["']([^"']+)""", re.I)
MAX_LAG_S = 5


class Wiki:
    """One wiki: its api.php and what it says of itself."""

    def __init__(self, api: str, general: dict[str, Any], licence: str) -> None:
        self.api, self.licence = api, licence
        self._article = str(general.get("articlepath") or "/wiki/$1")
        self._base = str(general.get("server") or "")
        self.notices: list[str] = []
        """What the site says above every page; only its rendered pages show it."""

    def title_of(self, url: str) -> str:
        """The title that an address asks for; '' where it is not a page of the wiki."""
        parts = urlsplit(url)
        if asked := parse_qs(parts.query).get("title"):
            return asked[0].replace("_", " ")
        before, _, after = self._article.partition("$1")
        path = parts.path
        if path.startswith(before) and path.endswith(after) and len(path) > len(before):
            return unquote(path[len(before) : len(path) - len(after) or None]).replace("_", " ")
        return ""

    def url_of(self, title: str, like: str) -> str:
        """The address of a title, on the host that was asked."""
        path = self._article.replace("$1", quote(title.replace(" ", "_"), safe="/:(),'!~*-._"))
        return urljoin(like, path)


async def find_wiki(url: str, known_api: str, ask: Ask) -> Wiki | None:
    """The wiki that an address belongs to, found by the places where api.php usually is."""
    path = urlsplit(url).path
    usual = ["/api.php", "/w/api.php"]
    if not known_api and not (
        path.startswith(("/wiki/", "/w/")) or "index.php" in path or "title=" in url
    ):
        return None
    for api in [known_api] if known_api else [urljoin(url, each) for each in usual]:
        try:
            said = await _query(
                api,
                ask,
                action="query",
                meta="siteinfo",
                siprop="general|rightsinfo",
                maxlag=MAX_LAG_S,
            )
        except (NotFound, Unavailable, NotAWiki):
            continue
        about = said.get("query", {})
        rights = about.get("rightsinfo", {})
        return Wiki(
            api, about.get("general", {}), str(rights.get("text") or rights.get("url") or "")
        )
    return None


def api_in(html: str, url: str) -> str:
    """The api.php that a rendered page names in its head."""
    found = _EDIT_URI.search(html[:20_000])
    return urljoin(url, found[1].split("?", 1)[0]) if found else ""


async def site_notices(url: str, ask: Ask) -> list[str]:
    """What a wiki's rendered page says above its own text: a mirror of an old version says so only
    there."""
    try:
        answer = await ask(url)
        root = parse(answer.body.decode("utf-8", errors="replace"))
    except FreeformError:
        return []
    outside = [each for each in root.xpath("//*[@id='siteNotice' or @id='sitenotice']")]
    said = [" ".join(each.text_content().split())[:300] for each in outside]
    return [text for text in said if text]


async def read_page(wiki: Wiki, url: str, ask: Ask) -> WebPage | None:
    """The page of an address. None where the address is no page of the wiki. Raises NotFound."""
    title = wiki.title_of(url)
    if not title:
        return None
    said = await _query(
        wiki.api, ask, action="parse", page=title, redirects=1, maxlag=MAX_LAG_S,
        prop="text|categories|revid|displaytitle|links",
    )  # fmt: skip
    if "error" in said:
        code = str(said["error"].get("code", ""))
        if code in ("missingtitle", "nosuchpageid", "pagecannotexist", "invalidtitle"):
            raise NotFound(f"{url} is not a page of that wiki")
        raise Unavailable(
            f"the wiki at {urlsplit(url).netloc} answered: {said['error'].get('info') or code}"
        )
    parsed = said.get("parse")
    if not isinstance(parsed, dict) or "text" not in parsed:
        raise NotAWiki(f"{wiki.api} does not answer like a wiki")
    html = parsed["text"]["*"] if isinstance(parsed["text"], dict) else parsed["text"]
    found = str(parsed.get("title") or title)
    where = wiki.url_of(found, url)
    # A page of megabytes takes seconds: nobody else waits for it.
    written, notices = await asyncio.to_thread(_written, html, where)
    aliases, changed = await _around(wiki, found, ask)
    return WebPage(
        url=where,
        asked_url=url,
        title=found,
        text=written.text,
        headings=written.headings,
        infobox=written.infobox,
        tables=written.tables,
        links=written.links,
        categories=[name for each in parsed.get("categories", []) if (name := _category(each))],
        redirects=aliases,
        notices=[*wiki.notices, *notices],
        revision=str(parsed.get("revid") or ""),
        revision_at=changed,
        sha256="",
        licence=wiki.licence,
    )


def _written(html: str, where: str) -> tuple[PageWriter, list[str]]:
    root = parse(html)
    return HtmlReader(where).read(root), notices_in(root)


async def _around(wiki: Wiki, title: str, ask: Ask) -> tuple[list[str], str]:
    """Titles that lead to the page, and when it was changed. A wiki that will not say is no reason
    to fail."""
    try:
        said = await _query(
            wiki.api, ask, action="query", titles=title, prop="redirects|revisions", rdlimit=50, rvprop="ids|timestamp",
            maxlag=MAX_LAG_S,
        )  # fmt: skip
    except FreeformError:
        return [], ""
    pages = said.get("query", {}).get("pages", [])
    page: dict[str, Any] = next(iter(pages.values() if isinstance(pages, dict) else pages), {})
    revisions = page.get("revisions") or [{}]
    names = [str(each["title"]) for each in page.get("redirects", []) if "title" in each]
    return names, str(revisions[0].get("timestamp") or "")


class NotAWiki(FreeformError):
    """Something else answers there."""


async def _query(api: str, ask: Ask, **asked: Any) -> dict[str, Any]:
    url = f"{api}?{urlencode({'format': 'json', 'formatversion': 2, **asked})}"
    answer = await ask(url)
    try:
        said = json.loads(answer.body)
    except ValueError:
        raise NotAWiki(f"{api} does not answer in JSON") from None
    if not isinstance(said, dict):
        raise NotAWiki(f"{api} does not answer like a wiki")
    if said.get("error", {}).get("code") == "maxlag":
        raise Unavailable(
            f"the wiki at {urlsplit(api).netloc} is busy", retry_after=float(MAX_LAG_S)
        )
    if not {"query", "parse", "error"} & set(said):
        raise NotAWiki(f"{api} does not answer like a wiki")
    return said


def _category(each: Any) -> str:
    if not isinstance(each, dict) or each.get("hidden") or "hidden" in each.get("*hidden", ""):
        return ""
    return str(each.get("category") or each.get("*") or "").replace("_", " ")
