"""Search engines, and the tiers of `sources.yml`."""

import json
from pathlib import Path
from typing import Any

import pytest

from freeform.adapters.web.fetch import WebFetch
from freeform.adapters.web.pace import CrawlPace
from freeform.adapters.web.search import BraveSearch, SearxngSearch
from freeform.adapters.web.tiers import Sources, SourceSite, read_sources
from freeform.core.clock import SystemClock
from freeform.core.errors import BadFile, Unavailable
from tests.web_site import Answer, Asked, serving

SOURCES = Sources(
    sites=[
        SourceSite(domain="wiki.test", tier=1),
        SourceSite(domain="fan.test", tier=2),
        SourceSite(domain="old.wiki.test", tier=5),
    ],
    blocked=["spam.test"],
)
FOUND = [
    {"url": "https://blog.test/a", "title": "A blog"},
    {
        "url": "https://www.wiki.test/Delta",
        "title": "Delta",
        "content": "A system.",
        "description": "A system.",
    },
    {"url": "https://old.wiki.test/Delta"},
    {"url": "https://evil.spam.test/x"},
    {"url": "https://fan.test/d"},
    {"url": "https://fan.test/d"},
    {"url": "javascript:alert(1)"},
    "nonsense",
]


def parts() -> tuple[WebFetch, CrawlPace, Sources]:
    clock = SystemClock()
    return (
        WebFetch(clock, allow_private=True),
        CrawlPace(clock, per_minute=0, host_pause=0.0, tries=2),
        SOURCES,
    )


ORDER = [
    "https://www.wiki.test/Delta",
    "https://fan.test/d",
    "https://blog.test/a",
    "https://old.wiki.test/Delta",
]


async def test_searxng_results_come_by_tier_without_blocked_or_doubled_ones() -> None:
    def search(asked: Asked) -> Answer:
        assert asked.query == {"q": "Delta Polaris Naev", "format": "json"}
        return Answer(json.dumps({"results": FOUND}), type="application/json")

    async with serving({"/search": search}) as site:
        hits = await SearxngSearch(site.url + "/", *parts()).search("Delta Polaris Naev")
    assert [hit.url for hit in hits] == ORDER
    assert (hits[0].tier, hits[0].title, hits[0].snippet, hits[0].domain) == (
        1,
        "Delta",
        "A system.",
        "www.wiki.test",
    )
    assert [hit.tier for hit in hits] == [1, 2, 4, 5]


async def test_brave_is_asked_with_its_key() -> None:
    def search(asked: Asked) -> Answer:
        assert asked.headers["x-subscription-token"] == "k1" and asked.query["count"] == "2"
        return Answer(json.dumps({"web": {"results": FOUND}}), type="application/json")

    async with serving({"/res/v1/web/search": search}) as site:
        hits = await BraveSearch(site.url, "k1", *parts()).search("Delta", limit=2)
    assert [hit.url for hit in hits] == ORDER[:2]


@pytest.mark.parametrize("body", [{}, {"results": None}, [], {"web": {}}])
async def test_nothing_found_is_an_empty_list(body: Any) -> None:
    async with serving({"*": lambda _: Answer(json.dumps(body), type="application/json")}) as site:
        assert await SearxngSearch(site.url, *parts()).search("x") == []
        assert await BraveSearch(site.url, "k", *parts()).search("x") == []


async def test_trouble_is_said_and_passing_trouble_is_tried_again() -> None:
    busy = [
        Answer("", 429, headers={"retry-after": "0"}),
        Answer('{"results": []}', type="application/json"),
    ]
    async with serving({"/search": lambda _: busy.pop(0)}) as site:
        assert await SearxngSearch(site.url, *parts()).search("x") == []
    async with serving({"/search": lambda _: Answer("<html>")}) as site:
        with pytest.raises(Unavailable, match="did not answer in JSON"):
            await SearxngSearch(site.url, *parts()).search("x")
    async with serving({"/search": lambda _: Answer("", 403)}) as site:
        with pytest.raises(Unavailable, match="lore_search_url"):
            await SearxngSearch(site.url, *parts()).search("x")


def test_a_sources_file_is_read_and_its_mistakes_are_named(tmp_path: Path) -> None:
    file = tmp_path / "sources.yml"
    file.write_text(
        "default_tier: 5\nsites:\n  - {domain: wiki.test, tier: 1, licence: CC-BY-SA}\n"
    )
    read = read_sources(file)
    assert (
        read.site("https://en.wiki.test/x").licence,
        read.site("https://notwiki.test").tier,
    ) == ("CC-BY-SA", 5)
    assert read_sources(None).site("https://x.test").tier == 4
    for text, said in (
        ("sites: [{tier: 1}]", "sites.0.domain"),
        ("{", "YAML"),
        ("sites: [{domain: a, tier: 0}]", "tier"),
    ):
        file.write_text(text)
        with pytest.raises(BadFile, match=said):
            read_sources(file)
    with pytest.raises(BadFile, match="lore_sources"):
        read_sources(tmp_path / "none.yml")
