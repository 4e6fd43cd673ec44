"""The crawler against real sockets: what it reads, what it refuses, what it survives."""

import asyncio
import gzip
import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from freeform.adapters.web.cache import PageCache
from freeform.adapters.web.crawler import PoliteCrawler
from freeform.adapters.web.fetch import FetchLimits, WebFetch
from freeform.adapters.web.guard import ForbiddenAddress, GuardedNetwork, is_public
from freeform.adapters.web.pace import CrawlPace
from freeform.adapters.web.tiers import Sources, SourceSite
from freeform.core.clock import SystemClock
from freeform.core.errors import NotFound, Unavailable
from tests.patience import PATIENCE
from tests.web_site import Answer, Asked, serving

LONG = (
    "The empire keeps order on the trade lanes, and the pirates keep their distance from its patrols. "
    * 6
)
PAGE = f"<html><head><title>Delta - Wiki</title></head><body><article><h1>Delta</h1><p>{LONG}</p></article></body></html>"
OPEN = {"/robots.txt": lambda _: Answer("no", 404)}


def crawler(
    file: Path | None = None,
    *,
    private: bool = True,
    tries: int = 1,
    fresh_s: float = 0.0,
    **limits: Any,
) -> PoliteCrawler:
    clock = SystemClock()
    fetch = WebFetch(clock, FetchLimits(**limits), allow_private=private)
    pace = CrawlPace(clock, per_minute=0, host_pause=0.0, tries=tries)
    sources = Sources(
        sites=[SourceSite(domain="127.0.0.1", tier=2, licence="CC0")], blocked=["localhost"]
    )
    return PoliteCrawler(fetch, pace, PageCache(file), sources, clock, fresh_s)


async def test_a_page_becomes_markdown_with_its_hash_tier_and_licence() -> None:
    async with serving({**OPEN, "/delta": lambda _: Answer(PAGE)}) as site:
        reader = crawler()
        page = await reader.crawl(f"{site.url}/delta#history")
        await reader.close()
    assert page.title == "Delta" and LONG.strip() in page.text
    assert page.sha256 == hashlib.sha256(page.text.encode()).hexdigest()
    assert (page.tier, page.licence, page.domain) == (2, "CC0", f"127.0.0.1:{site.port}")
    assert page.url == f"{site.url}/delta" and page.fetched_at
    agent = site.asked[-1].headers["user-agent"]
    assert agent.startswith("FreeformRPG-Lore/") and "robots.txt" in agent


async def test_robots_are_obeyed_for_pages_and_for_where_they_redirect() -> None:
    routes = {
        "/robots.txt": lambda _: Answer("User-agent: *\nDisallow: /secret\n", type="text/plain"),
        "/door": lambda _: Answer(status=302, headers={"location": "/secret/room"}),
        "*": lambda _: Answer(PAGE),
    }
    async with serving(routes) as site:
        reader = crawler()
        for path in ("/secret/room", "/door"):
            with pytest.raises(NotFound, match="robots.txt"):
                await reader.crawl(site.url + path)
        assert (await reader.crawl(f"{site.url}/open")).title == "Delta"
        await reader.close()
    assert site.paths() == ["/door", "/open"], "what is forbidden was never asked for"


@pytest.mark.parametrize("path", ["/secret/room?q=swordfish", "blocked", "inside"])
async def test_what_is_not_fetched_leaves_a_line_without_the_address(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    rules = "User-agent: *\nDisallow: /secret\n"
    async with serving({"/robots.txt": lambda _: Answer(rules, type="text/plain")}) as site:
        urls = {
            "blocked": f"http://localhost:{site.port}/swordfish",
            "inside": f"http://127.0.0.1:{site.port}/swordfish",
        }
        reader = crawler(private=path != "inside")
        with caplog.at_level("INFO", "freeform"), pytest.raises(NotFound):
            await reader.crawl(urls.get(path, f"{site.url}{path}"))
        await reader.close()
    (line,) = [record for record in caplog.records if record.name == "freeform.fetch"]
    assert line.event == "fetch_refused" and line.levelname == "WARNING"  # type: ignore[attr-defined]
    assert line.fields["site"] in ("127.0.0.1", "localhost")  # type: ignore[attr-defined]
    assert "swordfish" not in str(line.fields)  # type: ignore[attr-defined]


async def test_where_robots_cannot_be_read_nothing_is() -> None:
    async with serving(
        {"/robots.txt": lambda _: Answer("", 503), "*": lambda _: Answer(PAGE)}
    ) as site:
        reader = crawler()
        with pytest.raises(Unavailable, match="robots.txt .* cannot be read"):
            await reader.crawl(f"{site.url}/open")
        await reader.close()
    assert site.paths() == []


async def test_an_unchanged_page_is_not_sent_again_even_by_another_run(tmp_path: Path) -> None:
    def page(asked: Asked) -> Answer:
        if asked.headers.get("if-none-match") == '"v1"':
            return Answer(status=304)
        return Answer(
            PAGE, headers={"etag": '"v1"', "last-modified": "Sun, 01 Mar 2026 10:00:00 GMT"}
        )

    async with serving({**OPEN, "/delta": page}) as site:
        pages = []
        for _ in range(2):
            reader = crawler(tmp_path / "cache.db")
            pages.append(await reader.crawl(f"{site.url}/delta"))
            await reader.close()
        assert [
            each.headers.get("if-none-match") for each in site.asked if each.path == "/delta"
        ] == [None, '"v1"']
        assert pages[0].sha256 == pages[1].sha256 and pages[1].revision == "v1"
        assert pages[1].revision_at == "2026-03-01T10:00:00+00:00"
        asked = len(site.asked)
        reader = crawler(tmp_path / "cache.db", fresh_s=3600)
        await reader.crawl(f"{site.url}/delta")
        await reader.close()
        assert [each.path for each in site.asked[asked:]] == ["/robots.txt"], (
            "young enough: not asked at all"
        )


# ── bad input ──


async def _endless() -> AsyncIterator[bytes]:
    for _ in range(50):
        yield b"x" * 1_000_000


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer(b"\x89PNG\r\n\x1a\n" + b"\0" * 500, type="image/png"), "image/png, not text"),
        (Answer(b"\x89PNG\r\n\x1a\n" + b"\0" * 500), "says that it is text and is not"),
        (
            Answer(b"x", headers={"location": "x"}, type="text/html", chunks=_endless),
            "larger than 1 MB",
        ),
        (
            Answer(gzip.compress(b"\0" * 60_000_000, 1), headers={"content-encoding": "gzip"}),
            "larger than 1 MB",
        ),
        (Answer(b"not packed", headers={"content-encoding": "gzip"}), "packed and is not"),
        (Answer("gone", 410), "not there"),
    ],
    ids=["a picture", "a picture in disguise", "50 MB", "a gzip bomb", "a broken pack", "gone"],
)
async def test_what_cannot_be_read_is_left_out(answer: Answer, said: str) -> None:
    async with serving({**OPEN, "/x": lambda _: answer}) as site:
        reader = crawler(megabytes=1)
        with pytest.raises(NotFound, match=said):
            await reader.crawl(f"{site.url}/x")
        await reader.close()


async def test_a_page_that_declares_fifty_megabytes_is_not_begun() -> None:
    async with serving({**OPEN, "/x": lambda _: Answer(b"y" * 2_000_000, drip=0.0)}) as site:
        reader = crawler(megabytes=1)
        with pytest.raises(NotFound, match="larger than"):
            await reader.crawl(f"{site.url}/x")
        await reader.close()


async def test_endless_redirects_end() -> None:
    def away(asked: Asked) -> Answer:
        return Answer(status=302, headers={"location": f"/hop{len(asked.path)}{asked.path}"})

    async with serving(
        {**OPEN, "/loop": lambda _: Answer(status=301, headers={"location": "/loop"}), "*": away}
    ) as site:
        reader = crawler()
        for path in ("/loop", "/start"):
            with pytest.raises(NotFound, match="redirects without end"):
                await reader.crawl(site.url + path)
        await reader.close()
    assert len(site.paths()) <= 8


async def test_a_server_that_drips_is_given_up_in_time() -> None:
    async with serving({**OPEN, "/slow": lambda _: Answer("<p>" + "x" * 1000, drip=0.05)}) as site:
        reader = crawler(seconds=0.5)
        with pytest.raises(Unavailable, match="longer than 0.5 s"):
            await reader.crawl(f"{site.url}/slow")
        await reader.close()


async def test_a_broken_connection_is_passing_trouble() -> None:
    async with serving(OPEN) as site:
        port = site.port
    reader = crawler()
    with pytest.raises(Unavailable, match="127.0.0.1"):
        await reader.crawl(f"http://127.0.0.1:{port}/x")
    await reader.close()


@pytest.mark.parametrize(
    ("body", "type_"),
    [
        ("<p>Çà et là</p>".encode("cp1252"), "text/html; charset=utf-8"),
        ("<p>Çà et là</p>".encode(), "text/html; charset=iso-8859-15-nonsense"),
        ('<meta charset="windows-1252"><p>Çà et là</p>'.encode("cp1252"), "text/html"),
        ("<p>Çà et là</p>".encode("utf-16"), "text/html"),
        ("\ufeff<p>Çà et là</p>".encode(), "text/html; charset=latin-1"),
    ],
    ids=["says utf-8, is not", "an unknown name", "said inside", "utf-16", "a mark wins"],
)
async def test_letters_survive_a_wrong_charset(body: bytes, type_: str) -> None:
    async with serving({**OPEN, "/x": lambda _: Answer(body, type=type_)}) as site:
        reader = crawler()
        page = await reader.crawl(f"{site.url}/x")
        await reader.close()
    assert page.text == "Çà et là\n\n"


async def test_trouble_is_tried_again_when_the_server_says_when() -> None:
    answers = [Answer("", 503, headers={"retry-after": "0"}), Answer("", 429), Answer(PAGE)]
    async with serving({**OPEN, "/busy": lambda _: answers.pop(0)}) as site:
        reader = crawler(tries=3)
        assert (await reader.crawl(f"{site.url}/busy")).title == "Delta"
        await reader.close()
    assert site.paths() == ["/busy"] * 3


# ── private addresses ──


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.5.5", "169.254.169.254", "0.0.0.0", "100.64.0.1", "::1", "fe80::1%eth0",
     "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "224.0.0.1", "::", "255.255.255.255"],
)  # fmt: skip
def test_inside_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946"])
def test_outside_addresses_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "host", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]", "127.1"]
)
async def test_private_hosts_are_refused_however_they_are_written(host: str) -> None:
    async with serving({**OPEN, "*": lambda _: Answer(PAGE)}) as site:
        fetch = WebFetch(SystemClock())
        with pytest.raises(ForbiddenAddress, match="not on the open web"):
            await fetch.get(f"http://{host}:{site.port}/")
        await fetch.close()
    assert site.asked == []


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd",
        "ftp://a.test/x",
        "http://",
        "http://u:p@a.test/",
        "gopher://x",
        "x",
        "http://[::1",
    ],
)
async def test_what_is_not_the_web_is_refused(url: str) -> None:
    reader = crawler()
    with pytest.raises(ForbiddenAddress):
        await reader.crawl(url)
    await reader.close()


async def test_the_crawler_asks_nothing_of_a_private_site() -> None:
    async with serving({**OPEN, "*": lambda _: Answer(PAGE)}) as site:
        reader = crawler(private=False)
        with pytest.raises(NotFound, match="127.0.0.1 is not on the open web"):
            await reader.crawl(f"{site.url}/wiki/Delta")
        await reader.close()
    assert site.asked == []


async def test_the_checked_address_is_the_one_connected_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that answers differently the second time (DNS rebinding) gains nothing: it is asked once a connection."""
    lookups: list[str] = []

    async def rebinding(host: str, port: int) -> list[str]:
        lookups.append(host)
        return ["127.0.0.1"] if len(lookups) == 1 else ["10.0.0.1"]

    async with serving({**OPEN, "/x": lambda _: Answer(PAGE)}) as site:
        network = GuardedNetwork(allow_private=True)
        monkeypatch.setattr(network, "_look_up", rebinding)
        stream = await network.connect_tcp("rebind.test", site.port, timeout=PATIENCE)
        assert stream.get_extra_info("server_addr")[0] == "127.0.0.1" and lookups == ["rebind.test"]
        await stream.aclose()
        strict = GuardedNetwork()
        monkeypatch.setattr(strict, "_look_up", rebinding)
        with pytest.raises(ForbiddenAddress, match="rebind.test leads to 10.0.0.1"):
            await strict.connect_tcp("rebind.test", site.port, timeout=PATIENCE)


async def test_a_redirect_to_a_private_address_is_refused() -> None:
    """The guard looks at every connection; here the name `localhost` is blocked and the address is not."""
    async with serving(
        {**OPEN, "/out": lambda _: Answer(status=302, headers={"location": "file:///etc/passwd"})}
    ) as site:
        reader = crawler()
        with pytest.raises(ForbiddenAddress, match="not on the web"):
            await reader.crawl(f"{site.url}/out")
        with pytest.raises(NotFound, match="blocked in sources.yml"):
            await reader.crawl(f"http://localhost:{site.port}/x")
        await reader.close()


# ── pace ──


async def test_search_and_crawl_share_one_bucket_and_hosts_have_their_pause() -> None:
    clock = SystemClock()
    pace = CrawlPace(clock, per_minute=0, host_pause=0.1)
    start = clock.ticks()
    await asyncio.gather(*(pace.turn("a.test") for _ in range(3)), pace.turn("b.test"))
    assert clock.ticks() - start >= 0.19
    bucket = CrawlPace(clock, per_minute=2, host_pause=0.0)
    await bucket.turn("a.test")
    await bucket.turn("b.test")
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.2):
            await bucket.turn("c.test")


# ── a wiki ──

WIKITEXT = """<div class="mw-parser-output">
<table class="infobox infobox-system"><tr><th colspan="2">Delta Polaris</th></tr>
<tr><th>Faction</th><td><a href="/wiki/Empire" title="Empire">Empire</a></td></tr>
<tr><th>Jumps</th><td><ul><li><a href="/wiki/Gamma">Gamma</a></li><li><a href="/index.php?title=Kruger&amp;action=edit&amp;redlink=1"
 class="new" title="Kruger (page does not exist)">Kruger</a></li></ul></td></tr>
<tr><th>Presence</th><td>Empire 40<br>Pirate 10</td></tr></table>
<p><b>Delta Polaris</b> is a system of the <a href="/wiki/Empire" title="Empire">Great  Empire</a>.<sup class="reference">[1]</sup></p>
<div id="toc" class="toc">Contents</div>
<div class="mw-heading"><h2 id="Planets">Planets</h2><span class="mw-editsection">[edit]</span></div>
<table class="wikitable"><caption>Worlds</caption><tr><th>Name</th><th>Class</th></tr>
<tr><td><a href="/wiki/Em_5">Em 5</a></td><td>M</td></tr><tr><td>Nougat</td><td>K</td></tr></table>
<h3>People</h3><ul><li><a href="/wiki/Mira">Mira</a> – a courier<ul><li>of the Guild</li></ul></li></ul>
<h2>History</h2><p>It burned. <a href="https://other.test/x">Elsewhere</a> <a href="/wiki/File:Map.png">map</a></p></div>"""


def wiki(asked: Asked) -> Answer:
    q = asked.query
    if q.get("meta") == "siteinfo":
        said: Any = {
            "query": {
                "general": {"articlepath": "/wiki/$1"},
                "rightsinfo": {"text": "CC BY-SA 4.0"},
            }
        }
    elif q.get("action") == "parse" and q["page"] in ("Delta Polaris", "Delta"):
        cats = [{"category": "Star_systems"}, {"category": "Stubs", "hidden": True}]
        said = {
            "parse": {"title": "Delta Polaris", "revid": 77, "text": WIKITEXT, "categories": cats}
        }
    elif q.get("action") == "parse":
        said = {"error": {"code": "missingtitle", "info": "no"}}
    else:
        said = {"query": {"pages": [{"title": "Delta Polaris", "redirects": [{"title": "Delta"}, {"title": "DP"}],
                                     "revisions": [{"revid": 77, "timestamp": "2026-02-03T04:05:06Z"}]}]}}  # fmt: skip
    return Answer(json.dumps(said), type="application/json")


async def test_a_wiki_is_read_through_its_api_and_every_offset_is_true() -> None:
    async with serving({**OPEN, "/api.php": wiki, "*": lambda _: Answer(PAGE)}) as site:
        reader = crawler()
        page = await reader.crawl(f"{site.url}/wiki/Delta")
        with pytest.raises(NotFound, match="not a page of that wiki"):
            await reader.crawl(f"{site.url}/wiki/Nowhere")
        await reader.close()
    assert site.paths().count("/wiki/Delta") == 1, "once, for what the site says above its pages"
    assert (page.title, page.revision, page.revision_at) == (
        "Delta Polaris",
        "77",
        "2026-02-03T04:05:06Z",
    )
    assert (page.url, page.asked_url) == (
        f"{site.url}/wiki/Delta_Polaris",
        f"{site.url}/wiki/Delta",
    )
    assert (
        page.redirects == ["Delta", "DP"]
        and page.categories == ["Star systems"]
        and page.licence == "CC BY-SA 4.0"
    )
    assert page.infobox and page.infobox.kind == "system"
    rows = {row.label: row for row in page.infobox.rows}
    assert rows["Jumps"].parts == ["Gamma", "Kruger"] and [
        each.exists for each in rows["Jumps"].links
    ] == [
        True,
        False,
    ]
    assert rows["Presence"].parts == ["Empire 40", "Pirate 10"]
    for row in page.infobox.rows:
        assert page.text[row.start : row.end] == row.value
        assert page.text[row.row_start : row.end] == f"{row.label}: {row.value}"
    for link in page.links:
        assert page.text[link.start : link.start + len(link.text)] == link.text
    assert {link.title for link in page.links} == {"Empire", "Gamma", "Kruger", "Em 5", "Mira"}
    (table,) = page.tables
    assert (table.caption, table.header, table.section) == ("Worlds", ["Name", "Class"], "Planets")
    assert [page.text[start:].split("\n", 1)[0] for start in table.starts] == [
        "| Em 5 | M |",
        "| Nougat | K |",
    ]
    planets, people, history = page.headings
    assert page.text[people.start : people.end] == "- Mira – a courier\n  - of the Guild\n\n"
    assert planets.end == page.text.index("## History") and history.end == len(page.text)
    assert "Great Empire." in page.text and "[1]" not in page.text and "Contents" not in page.text


async def test_where_robots_bar_the_api_the_page_itself_is_read() -> None:
    html = f'<html><head><link rel="EditURI" href="/api.php?action=rsd"><title>Delta</title></head><body>{WIKITEXT}</body></html>'
    robots = Answer("User-agent: *\nDisallow: /api.php\nDisallow: /w/\n", type="text/plain")
    async with serving(
        {"/robots.txt": lambda _: robots, "/api.php": wiki, "*": lambda _: Answer(html)}
    ) as site:
        reader = crawler()
        page = await reader.crawl(f"{site.url}/wiki/Delta")
        await reader.close()
    assert site.paths() == ["/wiki/Delta"]
    assert page.infobox and page.infobox.kind == "system" and page.title == "Delta"


@pytest.mark.parametrize(
    "trouble",
    [
        Answer("<html><body>Fatal exception of type DBError</body></html>"),
        Answer("[1, 2]", type="application/json"),
        Answer(json.dumps({"query": {}}), type="application/json"),
        Answer(json.dumps({"parse": {"title": "Delta"}}), type="application/json"),
    ],
    ids=["HTML", "a list", "another answer", "no text"],
)
async def test_where_the_api_answers_errors_as_if_all_were_well_the_page_itself_is_read(
    trouble: Answer,
) -> None:
    def api(asked: Asked) -> Answer:
        return wiki(asked) if asked.query.get("meta") == "siteinfo" else trouble

    html = f"<html><head><title>Delta</title></head><body>{WIKITEXT}</body></html>"
    async with serving({**OPEN, "/api.php": api, "*": lambda _: Answer(html)}) as site:
        reader = crawler()
        page = await reader.crawl(f"{site.url}/wiki/Delta")
        await reader.close()
    assert page.infobox and page.infobox.kind == "system" and page.title == "Delta"


async def test_a_wiki_in_an_odd_place_is_found_by_what_its_page_says() -> None:
    html = '<html><head><link rel="EditURI" href="/odd/api.php?action=rsd"></head><body><p>x</p></body></html>'
    async with serving(
        {
            **OPEN,
            "/odd/api.php": wiki,
            "*": lambda _: Answer(html),
            "/api.php": lambda _: Answer("", 404),
        }
    ) as site:
        reader = crawler()
        page = await reader.crawl(f"{site.url}/wiki/Delta")
        await reader.close()
    assert page.revision == "77"
