"""A rendered page without an api: a wiki's content as it is, any other page's main text as
trafilatura finds it."""

import logging
import re
from typing import Any
from urllib.parse import urljoin, urlsplit

from freeform.adapters.web.html_page import HtmlReader, is_fact_list, notices_in, parse
from freeform.core.errors import UserError
from freeform.lore.ports import WebPage

_TEI = {
    "head": "h2",
    "list": "ul",
    "item": "li",
    "row": "tr",
    "cell": "td",
    "quote": "blockquote",
    "hi": "b",
    "lb": "br",
}
"""trafilatura's own element names, as HTML calls them."""
LEAST_TEXT = 200
LEAST_WORDS = 5
_FREE = re.compile(
    r"\bCC[ -]BY(?:[ -](?:SA|NC|ND))*(?:[ -]\d\.\d)?\b|\bCC0\b|\bpublic domain\b", re.I
)


def main_content(text: str, url: str, content_type: str = "text/html") -> WebPage:
    """The page's text with its structure. The caller adds the hash, the tier and the time."""
    if content_type.split(";", 1)[0].strip().lower() in ("text/plain", "text/markdown"):
        return WebPage(url=url, text=text.strip(), sha256="", title=_first_line(text))
    root = parse(text)
    content = _wiki_content(root)
    if content is None:
        content = _main_part(root)
    if content is None:
        content = _article(text, url, root)
    written = HtmlReader(url).read(content)
    return WebPage(
        url=_canonical(root, url),
        title=_title(root),
        text=written.text,
        headings=written.headings,
        infobox=written.infobox,
        tables=written.tables,
        links=written.links,
        categories=_categories(root),
        notices=notices_in(root),
        sha256="",
        licence=_licence(root),
    )


def _wiki_content(root: Any) -> Any:
    """Where a wiki, or a page with an infobox, keeps what it says."""
    for path in (
        "//*[contains(concat(' ', @class, ' '), ' mw-parser-output ')]",
        "//*[@id='mw-content-text']",
        "//*[contains(@class,'infobox')]/ancestor::*[self::main or self::article or self::body][1]",
    ):
        found = root.xpath(path)
        if found:
            return found[0]
    # Another kind of wiki: its pages have categories, or begin with a list or table of facts.
    for path in ("//article", "//main", "//*[@id='content']", "//body"):
        for part in root.xpath(path):
            if _categories(part) or any(is_fact_list(each) for each in part.iter("dl", "table")):
                return part
    return None


def _main_part(root: Any) -> Any:
    """The one part that a page itself marks as its content, where it holds lists, tables or
    sections: read as they stand."""
    for path in (
        "//article",
        "//main",
        "//*[@role='main']",
        "//*[@itemprop='articleBody']",
        "//*[@id='bodyContent']",
    ):
        found = root.xpath(path)
        if len(found) == 1 and len(found[0].text_content().split()) >= LEAST_WORDS:
            return found[0]
    return None


def _categories(root: Any) -> list[str]:
    """The page's categories, as lists or as plain links to them."""
    listed = [
        _said(each)
        for each in root.xpath(
            ".//*[@id='mw-normal-catlinks' or @id='catlinks' or contains(@class,'catlinks')]//li"
        )
    ]
    linked = [
        _said(each)
        for each in root.xpath(
            ".//a[contains(@href, 'Category:') or contains(@href, '/category/') or @rel='tag']"
        )
    ]
    return list(dict.fromkeys(said for said in listed or linked if said))


def _article(text: str, url: str, root: Any) -> Any:
    """The main part of any page: menus, adverts and footers left out."""
    whole = next(
        (found for path in ("//main", "//article", "//body") for found in root.xpath(path)), root
    )
    if len(whole.text_content().strip()) < LEAST_TEXT:
        # A short page has no main part: all of it is.
        return whole
    try:
        from trafilatura import bare_extraction
    except ImportError:
        raise UserError(
            'reading pages needs the packages of the extra: pip install "freeform-rpg[lore]"'
        ) from None
    # It complains on standard error about pages that it cannot read; we read those ourselves.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    found = bare_extraction(
        text, url=url, include_links=True, include_tables=True, favor_recall=True
    )
    body = getattr(found, "body", None)
    if body is None or len("".join(body.itertext()).strip()) < LEAST_TEXT:
        return whole
    for element in body.iter():
        if element.tag == "head" and re.fullmatch(r"h[1-6]", str(element.get("rend") or "")):
            element.tag = element.get("rend")
        elif element.tag == "cell" and element.get("role") == "head":
            element.tag = "th"
        elif element.tag == "ref":
            element.tag = "a"
            element.set("href", str(element.get("target") or ""))
        else:
            element.tag = _TEI.get(element.tag, element.tag)
    return body


def _title(root: Any) -> str:
    for path in (
        "//*[@id='firstHeading']",
        "//meta[@property='og:title']/@content",
        "//article//h1 | //main//h1",
        "//*[@role='main']//ancestor-or-self::html//title",
        "//h1",
        "//title",
    ):
        for each in root.xpath(path):
            if said := (str(each).strip() if isinstance(each, str) else _said(each)):
                # "Delta Polaris - Naev Wiki" is Delta Polaris.
                named = path.endswith("title") or "og:" in path
                return re.split(r"\s+[-–—|]\s+", said)[0] if named else said
    return ""


def _licence(root: Any) -> str:
    for path in (
        "//*[@id='footer-info-copyright']//a",
        "//a[contains(concat(' ', @rel, ' '), ' license ')]",
        "//link[contains(concat(' ', @rel, ' '), ' license ')]",
    ):
        for each in root.xpath(path):
            if said := _said(each) or str(each.get("href") or ""):
                return said
    for each in root.xpath("//footer | //*[contains(@class,'footer') or contains(@id,'footer')]"):
        if found := _FREE.search(_said(each)):
            return found[0]
    return ""


def _canonical(root: Any, url: str) -> str:
    """The page's own idea of its address, where it stays on the same host."""
    for each in root.xpath("//link[@rel='canonical']/@href"):
        address = urljoin(url, str(each))
        if urlsplit(address).netloc == urlsplit(url).netloc and urlsplit(address).scheme in (
            "http",
            "https",
        ):
            return address
    return url


def _said(element: Any) -> str:
    return " ".join(element.text_content().split())


def _first_line(text: str) -> str:
    return next((line.strip("# ").strip() for line in text.splitlines() if line.strip()), "")[:200]
