"""A person's word on a researched world: it counts at once, above every page, and after a new reading."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from freeform.core.errors import NotFound, UserError
from freeform.evals.wiki.direct import WorldCrawler, WorldSearch
from freeform.evals.wiki.doc import Doc
from freeform.lore.errand import LorePorts
from freeform.lore.model import NodeRow
from freeform.services.lore import person
from freeform.services.lore.person import FactSaid, MergeSaid
from freeform.settings import Settings
from tests.lore.emberfall import GAME, after_ashmoor, emberfall, ports_on, run


@pytest.fixture
def ports(tmp_path: Path) -> LorePorts:
    return after_ashmoor(tmp_path / "lore.db")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path)


async def _row(ports: LorePorts, kind: str, id: str) -> NodeRow:
    return next(row for row in await ports.store.rows(GAME) if (row.kind, row.id) == (kind, id))


def _rewritten(title: str, change: Callable[[Doc], Doc]) -> tuple[WorldSearch, WorldCrawler]:
    """The small world after somebody has edited a page of its first site."""
    world = emberfall()
    site = world.sites[0]
    site.docs[title] = change(site.docs[title])
    return WorldSearch(world), WorldCrawler(world, lambda: "2091-03-16T00:00:00+00:00")


async def test_a_settled_conflict_stays_settled_after_the_pages_have_changed(
    ports: LorePorts, settings: Settings
) -> None:
    [conflict] = (await person.to_judge(settings, GAME)).conflicts
    assert (conflict.source_b.value, conflict.kept) == ("Reed Folk", "Cinder Court")
    said = await person.resolve(settings, GAME, conflict.conflict_id, "b", by="cli", note="I asked")
    assert "Ashmoor" in said.zones
    assert (await person.to_judge(settings, GAME)).conflicts == []
    [fact] = [
        fact
        for fact in await person.list_facts(settings, GAME, "Ashmoor")
        if fact.predicate == "faction"
    ]
    assert (fact.value, fact.quote) == ("Reed Folk", "Ashmoor, faction: Reed Folk (I asked)")

    asked = await person.ask_again(settings, GAME, "refresh", ["ashmoor", "Greyford"])
    assert asked.zones == ["Ashmoor", "Greyford"]
    search, crawler = _rewritten(
        "Ashmoor", lambda doc: replace(doc, facts=(("Level", ("30-40",)), *doc.facts[1:]))
    )
    await run(replace(ports, search=search, crawler=crawler), [])
    looked = [step for step in await ports.store.steps_done(GAME) if step.name == "refresh"]
    assert [(step.zone_name, len(step.result["changed"])) for step in looked] == [
        ("Ashmoor", 1),
        ("Greyford", 1),
    ], "Ashmoor's page is one that Greyford was read from"
    zone = await _row(ports, "zone", "ashmoor")
    assert zone.data["level_range"] == {"min": 30, "max": 40}, "the old page no longer counts"
    assert (
        "reed_folk" in zone.data["faction_ids"] and "cinder_court" not in zone.data["faction_ids"]
    )
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and sorted(point.completed_zones) == [
        "Ashmoor", "Greyford", "Sunken Vale", "Tarn Heights",
    ]  # fmt: skip


async def test_pages_that_say_the_same_are_not_read_again(
    ports: LorePorts, settings: Settings
) -> None:
    await person.ask_again(settings, GAME, "refresh", [])
    before = len(await ports.store.steps_done(GAME))
    await run(ports, [])
    steps = (await ports.store.steps_done(GAME))[before:]
    assert {step.name for step in steps} == {"request", "refresh"}
    assert all(step.result["changed"] == [] for step in steps if step.name == "refresh")


async def test_what_is_corrected_refused_and_merged_shows_in_rows_and_can_be_taken_back(
    ports: LorePorts, settings: Settings
) -> None:
    wrong = FactSaid(subject="Old Tam", predicate="role", value="Pilot", instead="Ferryman")
    await person.correct(settings, GAME, wrong, by="cli")
    trades = (await _row(ports, "npc", "old_tam")).data["role"]
    assert "Pilot" in trades and "Ferryman" not in trades
    way = FactSaid(subject="Ashmoor", predicate="connects to", value="Tarn Heights")
    refused = await person.reject(settings, GAME, way, by="cli")
    assert (await _row(ports, "zone", "ashmoor")).data["connected_zones"] == [
        "greyford",
        "sunken_vale",
    ]
    assert "ashmoor" not in (await _row(ports, "zone", "tarn_heights")).data["connected_zones"]
    both = MergeSaid(name="Old Tam", into="Mara Vell")
    merged = await person.merge(settings, GAME, both, by="web")
    assert {row.id for row in await ports.store.rows(GAME, "npc")} == {"mara_vell"}
    assert "Pilot" in (await _row(ports, "npc", "mara_vell")).data["role"]
    for said in (merged, refused):
        await person.withdraw(settings, GAME, said.act.act_id[:10], by="cli")
    assert {row.id for row in await ports.store.rows(GAME, "npc")} == {"mara_vell", "old_tam"}
    zone = await _row(ports, "zone", "ashmoor")
    assert "tarn_heights" in zone.data["connected_zones"]
    assert [act.what for act in (await person.to_judge(settings, GAME)).acts] == ["correct"]


async def test_a_label_means_what_a_person_says(ports: LorePorts, settings: Settings) -> None:
    labels = {use.label: use for use in (await person.to_judge(settings, GAME)).labels}
    label = "127.0.0.1|zone|adjacent zones"
    assert (labels[label].means, labels[label].because) == ("connects_to", "known word")
    await person.say_label(settings, GAME, label, "nothing", by="cli")
    ways = (await _row(ports, "zone", "tarn_heights")).data["connected_zones"]
    assert "greyford" not in ways, "that way was told under this label alone"
    labels = {use.label: use for use in (await person.to_judge(settings, GAME)).labels}
    assert (labels[label].means, labels[label].because) == ("nothing", "a person")


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (FactSaid(subject="Narnia", predicate="capital", value="X"), "nothing is known"),
        (FactSaid(subject="Ashmoor", predicate="taste", value="X"), "it may have: connects_to"),
        (FactSaid(subject="Ashmoor", predicate="population", value="many"), "is a number"),
        (FactSaid(subject="Ashmoor", predicate="capital", value=" "), "1 to"),
    ],
)
async def test_what_cannot_be_said_is_told_with_what_can(
    ports: LorePorts, settings: Settings, fact: FactSaid, why: str
) -> None:
    with pytest.raises(UserError, match=why):
        await person.correct(settings, GAME, fact, by="cli")
    with pytest.raises(NotFound):
        await person.resolve(settings, GAME, "none", "a", by="cli")
    with pytest.raises(UserError, match="no zone"):
        await person.ask_again(settings, GAME, "retry", [])


async def test_a_failed_zone_is_tried_again_when_asked(tmp_path: Path, settings: Settings) -> None:
    world = emberfall()
    for site in world.sites:
        site.docs.clear()
    ports = ports_on(tmp_path / "lore.db", world)
    await run(ports, ["Ashmoor"])
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and [zone.zone_name for zone in point.failed_zones] == ["Ashmoor"]
    await person.ask_again(settings, GAME, "retry", ["Ashmoor"])
    await run(ports_on(tmp_path / "lore.db"), [])
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and point.failed_zones == []
    assert point.completed_zones[0] == "Ashmoor"
