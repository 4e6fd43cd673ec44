"""Ten minutes without an answer from a real peer on loopback: nothing fails, and little is asked."""

import json
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from freeform.core.clock import HandClock
from freeform.settings import Settings
from freeform.wiring.lore_servers import Web
from tests.lore.emberfall import GAME, ports_on, run
from tests.web_site import Answer, Asked, serving

OUTAGE_S = 600
PAGE = """<html><head><title>Greyford</title></head><body><h1>Greyford</h1>
<table class="infobox"><tr><th>Type</th><td>Region</td></tr>
<tr><th>Borders</th><td><a href="/wiki/Ashmoor">Ashmoor</a></td></tr></table>
<p>Greyford is a region of wet meadows and old mills. The mill of Greyford grinds for all of Ashmoor.</p>
</body></html>"""


@pytest.mark.parametrize("away", ["/search", "/wiki/Greyford"])
async def test_a_zone_waits_out_ten_minutes_without_its_search_or_its_site(
    tmp_path: Path, away: str
) -> None:
    clock = HandClock()

    def answering(asked: Asked) -> Answer:
        if asked.path == away and clock.ticks() < OUTAGE_S:
            return Answer("down", 503, headers={"retry-after": str(OUTAGE_S)})
        if asked.path == "/search":
            hits = [{"url": f"{site.url}/wiki/Greyford", "title": "Greyford", "content": ""}]
            return Answer(json.dumps({"results": hits}), type="application/json")
        return Answer(PAGE) if asked.path == "/wiki/Greyford" else Answer("no", 404)

    async with serving({"*": answering}) as site:
        sources = tmp_path / "sources.yml"
        sources.write_text(f"sites:\n  - {{domain: '127.0.0.1:{site.port}', tier: 1}}\n")
        web = Web(
            Settings(
                home=tmp_path,
                lore_sources=sources,
                lore_search_url=site.url,
                lore_allow_private=True,
                lore_requests_per_minute=0,
                lore_host_pause_s=0.0,
            ),
            clock,
        )
        own = ports_on(tmp_path / "lore.db", clock=clock)
        limits = own.limits.model_copy(update={"roam": False})
        ports = replace(own, search=web.search, crawler=web.crawler, limits=limits)
        waits: list[float] = []
        outcome = await run(ports, ["Greyford"])
        while outcome.what == "sleeps" and len(waits) < 10:
            point = await ports.store.load_checkpoint(GAME)
            assert point is not None and not point.failed_zones and not point.completed_zones
            until = datetime.fromisoformat(outcome.until)
            waits.append((until - clock.now()).total_seconds())
            clock.advance(waits[-1])
            outcome = await run(ports, [])
        refused = site.paths().count(away)
        await web.close()
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and point.completed_zones == ["Greyford"] and not point.failed_zones
    assert waits == [60.0, 120.0, 240.0, 480.0]
    # Four tries: each asks in a few words, or once for the page.
    assert refused <= 4 * 8
    package = await ports.store.package(GAME, "greyford")
    assert package is not None and package.zone_data.connected_zones == ["ashmoor"]
