"""What wikis are like on a bad day: a site that is away, vandals, two languages on one page, pages
that only tell names apart. Loops of redirects and broken APIs are the crawler's (tests/adapters)."""

from dataclasses import replace
from pathlib import Path

import pytest

from freeform.core.errors import Unavailable
from freeform.evals.wiki.doc import Doc, WikiBlock
from freeform.evals.wiki.sites import WikiWorld
from freeform.lore.model import ResearchPackage
from freeform.lore.ports import WebCrawler, WebPage
from freeform.lore.read.kinds import tells_apart
from tests.lore.emberfall import GAME, HERE, emberfall, ports_on, run
from tests.lore.test_any_world import page
from tests.lore.test_prose_read import told


class SiteDown:
    """A web of which one site is away."""

    def __init__(self, crawler: WebCrawler, host: str) -> None:
        self.when_up, self.host = crawler, host

    async def crawl(self, url: str) -> WebPage:
        if self.host in url:
            raise Unavailable(f"{self.host} is away", passing=False)
        return await self.when_up.crawl(url)


@pytest.mark.parametrize("away", HERE)
async def test_a_zone_is_read_from_the_site_that_is_there(tmp_path: Path, away: str) -> None:
    ports = ports_on(tmp_path / "l.db")
    ports = replace(ports, crawler=SiteDown(ports.crawler, away))
    await run(ports, ["Ashmoor"])
    point = await ports.store.load_checkpoint(GAME)
    assert point and "Ashmoor" in point.completed_zones and not point.failed_zones
    package = await ports.store.package(GAME, "ashmoor")
    assert package and {source.domain for source in package.sources} == set(HERE) - {away}


async def test_a_zone_that_only_a_site_that_is_away_tells_of_waits(tmp_path: Path) -> None:
    ports = ports_on(tmp_path / "l.db")
    outcome = await run(replace(ports, crawler=SiteDown(ports.crawler, HERE[0])), ["Tarn Heights"])
    point = await ports.store.load_checkpoint(GAME)
    assert outcome.what == "sleeps" and point and not point.failed_zones


async def researched(world: WikiWorld, db: Path, zone: str) -> ResearchPackage:
    ports = ports_on(db, world)
    await run(ports, [zone])
    package = await ports.store.package(GAME, zone.lower())
    assert package is not None
    return package


VANDALISED = Doc(
    "Ashmoor", "Zone",
    (
        ("Level", ("over 9000!!!!1",)),
        ("Controlled by", ("MY MUM",)),
        ("Adjacent zones", ("[[Greyford]]", "lol " * 900, "<script>alert(1)</script>", "]]]] [[")),
        ("", ("x",)),
        ("Population", ("-1e999",)),
    ),
    (WikiBlock("text", "Ashmoor is a burnt moor at the foot of the mountains."),), ("Zones",),
)  # fmt: skip


async def test_a_vandalised_infobox_contradicts_the_others_and_costs_nothing_else(
    tmp_path: Path,
) -> None:
    world = emberfall()
    world.sites[0].add(VANDALISED)
    package = await researched(world, tmp_path / "l.db", "Ashmoor")
    zone = package.zone_data
    assert zone.connected_zones == ["greyford", "sunken_vale", "tarn_heights"]
    told_of = {conflict.predicate for conflict in package.conflicts if conflict.kind == "error"}
    assert {"faction", "level_range"} <= told_of


@pytest.mark.parametrize(
    "text",
    [
        "Nell Orrin wohnt nicht in Mere.",
        "Nell Orrin n'habite plus à Mere.",
        "Nell Orrin nie mieszka w Mere.",
    ],
)
def test_what_another_language_denies_is_not_told(text: str) -> None:
    both = f"{text} Oda Brack lives in the Mere."
    assert {fact[1] for fact in told(both) if fact[3] == "Mere"} == {"Oda Brack"}


async def test_a_page_that_tells_names_apart_leads_to_what_is_meant(tmp_path: Path) -> None:
    world = emberfall()
    site = world.sites[0]
    town = site.docs.pop("Greyford")
    song = (WikiBlock("text", "Greyford is a song about Old Tam, who lives in the Tarn Heights."),)
    site.add(replace(town, title="Greyford (town)"))
    site.add(Doc("Greyford (song)", "Item", (), song, ("Artifacts",)))
    items = ("[[Greyford (town)]], on a grey river", "[[Greyford (song)]]", "[[Old Tam]]'s boat")
    lines = (WikiBlock("text", "Greyford may refer to:"), WikiBlock("list", items=items))
    site.add(Doc("Greyford", "", (), lines))
    package = await researched(world, tmp_path / "l.db", "Greyford")
    assert package.zone_data.connected_zones == ["ashmoor", "tarn_heights"]
    assert not [claim for claim in package.claims if claim.url.endswith("/Greyford")]


def test_pages_that_tell_names_apart_are_known_by_title_category_or_first_words() -> None:
    assert tells_apart(page("Fen (disambiguation)", {}))
    assert not tells_apart(page("Fen", {}, notices=["It may refer to the fen."]))
