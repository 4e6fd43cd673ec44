"""A person's word on a researched world: it counts at once, above every page, and after a new reading."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from freeform.adapters.sqlite.lore.store import SqliteLore
from freeform.core.clock import HandClock
from freeform.core.errors import NotFound, Unavailable, UserError
from freeform.evals.wiki.direct import WorldCrawler, WorldSearch
from freeform.evals.wiki.doc import Doc
from freeform.lore.daemon.daemon import advance, begin
from freeform.lore.daemon.validator import advance_validator
from freeform.lore.errand import LorePorts, ResearchLimits
from freeform.lore.model import NodeRow, ResearchPackage
from freeform.lore.person.acts import PersonAct
from freeform.lore.person.shown import all_conflicts
from freeform.lore.person.word import keep
from freeform.lore.ports import GraphWrite, StepCommit, WebPage
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
    settled = person.ConflictSettled(conflict_id=conflict.conflict_id, choice="b", note="I asked")
    said = await person.resolve(settings, GAME, settled, by="cli")
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


async def test_the_last_word_counts_also_when_it_was_said_before(
    ports: LorePorts, settings: Settings
) -> None:
    sides = ("Cinder Court", "Reed Folk", "Cinder Court", "Cinder Court")
    others = ("Reed Folk", "Cinder Court", "Reed Folk", "Reed Folk")
    for value, other in zip(sides, others, strict=True):
        fact = FactSaid(subject="Ashmoor", predicate="faction", value=value, instead=other)
        await person.correct(settings, GAME, fact, by="cli")
    zone = await _row(ports, "zone", "ashmoor")
    assert zone.data["faction_ids"] == ["cinder_court"]
    judged = await person.to_judge(settings, GAME)
    assert [act.value for act in judged.acts] == list(sides[:3]), "said twice at once is said once"
    [fact] = [
        f for f in await person.list_facts(settings, GAME, "Ashmoor") if f.predicate == "faction"
    ]
    assert fact.source.endswith(judged.acts[-1].act_id)


async def test_two_words_at_once_both_count(ports: LorePorts, settings: Settings) -> None:
    def refused(way: str) -> person.Said:
        fact = FactSaid(subject="Ashmoor", predicate="connects_to", value=way)
        return asyncio.run(person.reject(settings, GAME, fact, by=way))

    await asyncio.gather(*(asyncio.to_thread(refused, way) for way in ("Greyford", "Tarn Heights")))
    zone = await _row(ports, "zone", "ashmoor")
    assert zone.data["connected_zones"] == ["sunken_vale"]
    assert len((await person.to_judge(settings, GAME)).acts) == 2


async def test_a_word_on_packages_made_before_somebody_elses_is_made_again(
    ports: LorePorts,
) -> None:
    """The same without threads: the first commit finds that another word came before it."""
    way = {"what": "reject", "kind": "zone", "subject_id": "ashmoor", "predicate": "connects_to"}
    first = PersonAct(act_id="1" * 8, instead="greyford", **way)
    second = PersonAct(act_id="2" * 8, instead="tarn_heights", **way)

    class Slow(SqliteLore):
        """Somebody else speaks just before its first commit."""

        late: PersonAct | None = second

        async def commit_step(self, commit: StepCommit) -> bool:
            if said := self.late:
                self.late = None
                await keep(ports.store, GAME, said)
            return await super().commit_step(commit)

    slow = Slow(ports.store._path)  # type: ignore[attr-defined]
    await keep(slow, GAME, first)
    await slow.close()
    zone = await _row(ports, "zone", "ashmoor")
    assert zone.data["connected_zones"] == ["sunken_vale"]


async def test_what_is_taken_back_is_in_no_later_zone(tmp_path: Path, settings: Settings) -> None:
    ports = ports_on(tmp_path / "lore.db", limits=ResearchLimits(ask_at_forks=False))
    await begin(GAME, ["Ashmoor"], ports)
    while await ports.store.package(GAME, "ashmoor") is None:
        await advance(GAME, ports)
        await advance_validator(ports)
    label = "127.0.0.1|zone|controlled by"
    said = [
        await person.correct(settings, GAME, FactSaid(subject="Mara Vell", predicate="role", value="Queen"), by="cli"),
        await person.correct(settings, GAME, FactSaid(subject="Ashmoor", predicate="connects_to", value="Greyford"), by="cli"),
        await person.say_label(settings, GAME, label, "nothing", by="cli"),
    ]  # fmt: skip
    refuse = FactSaid(subject="Ashmoor", predicate="connects_to", value="Sunken Vale")
    for _ in range(200):
        outcome = await advance(GAME, ports)
        point = await ports.store.load_checkpoint(GAME)
        if point and point.awaiting and point.zone_name == "Sunken Vale":
            # Packed already and not yet accepted: what is said now counts all the same.
            await person.reject(settings, GAME, refuse, by="cli")
        if not await advance_validator(ports) and outcome.what == "idle":
            break
    assert (await _row(ports, "zone", "sunken_vale")).data["connected_zones"] == []
    assert "sunken_vale" not in (await _row(ports, "zone", "ashmoor")).data["connected_zones"]
    for each in said:
        await person.withdraw(settings, GAME, each.act.act_id, by="cli")
    facts = await person.list_facts(settings, GAME)
    assert [fact for fact in facts if fact.source.startswith("desk:")] == []
    labels = {use.label: use for use in (await person.to_judge(settings, GAME)).labels}
    assert (labels[label].means, labels[label].because) == ("faction", "known word")


async def test_a_correction_never_deletes_what_it_is_about(
    ports: LorePorts, settings: Settings
) -> None:
    [tale] = await ports.store.claims(GAME, "history_of_ashmoor")
    fact = FactSaid(
        subject=tale.subject,
        kind="lore",
        predicate="content",
        value="It was lit.",
        instead=tale.value,
    )
    await person.correct(settings, GAME, fact, by="cli")
    assert [c.value for c in await ports.store.claims(GAME, tale.subject_id)] == ["It was lit."]


async def test_who_is_merged_has_no_ties_to_themselves(
    ports: LorePorts, settings: Settings
) -> None:
    await person.merge(settings, GAME, MergeSaid(name="Old Tam", into="Mara Vell"), by="cli")
    both = MergeSaid(name="Reed Folk", into="Cinder Court", kind="faction")
    await person.merge(settings, GAME, both, by="cli")
    edges = (await ports.store.graph(GAME)).edges
    assert (
        edges
        and [e for e in edges if (e.source_kind, e.source_id) == (e.target_kind, e.target_id)] == []
    )


async def test_a_package_of_an_earlier_version_keeps_names_and_disputes(
    ports: LorePorts, settings: Settings
) -> None:
    before = [(c.subject_id, c.predicate, c.zones) for c in await all_conflicts(ports.store, GAME)]
    zones = [row.id for row in await ports.store.rows(GAME, "zone")]
    held = [package for id in zones if (package := await ports.store.package(GAME, id))]
    old = [package.model_copy(update={"basis": {}}) for package in held]
    write = GraphWrite(package=old[0], also=old[1:], anew=True)
    await ports.store.commit_step(StepCommit(key="old", agent="test", game=GAME, graph=write))
    for value in ("Queen", "Regent"):
        fact = FactSaid(subject="Mara Vell", predicate="role", value=value)
        await person.correct(settings, GAME, fact, by="cli")
    assert (await _row(ports, "zone", "ashmoor")).data["aliases"] == ["ash_moor"]
    after = [(c.subject_id, c.predicate, c.zones) for c in await all_conflicts(ports.store, GAME)]
    assert after == before


async def test_pages_that_cannot_be_had_again_hold_no_other_zone_up(
    ports: LorePorts, settings: Settings
) -> None:
    class Dead:
        async def crawl(self, url: str) -> WebPage:
            raise Unavailable("no such host")

    clock = HandClock()
    told: list[str] = []
    log = lambda event, level="info", **fields: told.append(str(fields.get("error_type")))  # noqa: E731
    dead = replace(ports, crawler=Dead(), clock=clock, log=log)
    await person.ask_again(settings, GAME, "refresh", [])
    for _ in range(40):
        if (await advance(GAME, dead)).what == "idle":
            break
        clock.advance(7200)
    point = await ports.store.load_checkpoint(GAME)
    assert point is not None and (point.refresh_zones, len(point.completed_zones)) == ([], 4)
    assert told.count("refresh_dropped") == 4


@pytest.mark.parametrize(
    ("fact", "why"),
    [
        (FactSaid(subject="Ashmoor", predicate="capital", value="X", note="y" * 3_000), "at most"),
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
    settled = person.ConflictSettled(conflict_id="none", choice="a")
    with pytest.raises(NotFound):
        await person.resolve(settings, GAME, settled, by="cli")
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


async def test_a_merge_that_is_taken_back_leaves_no_renamed_claim_in_a_later_zone(
    tmp_path: Path, settings: Settings
) -> None:
    apart = (
        ("Adjacent zones", ("[[Greyford]]", "[[Tarn Heights]]")),
        ("Roads", ("[[Sunken Vale]]",)),
    )
    search, crawler = _rewritten(
        "Ashmoor", lambda doc: replace(doc, facts=(*doc.facts[:2], *apart))
    )
    own = ports_on(tmp_path / "lore.db", limits=ResearchLimits(ask_at_forks=False))
    ports = replace(own, search=search, crawler=crawler)

    async def worked(zone: str) -> ResearchPackage:
        while (package := await ports.store.package(GAME, zone)) is None:
            await advance(GAME, ports)
            await advance_validator(ports)
        return package

    await begin(GAME, ["Ashmoor"], ports)
    await worked("ashmoor")
    both = MergeSaid(name="Sunken Vale", into="Greyford", kind="zone")
    said = await person.merge(settings, GAME, both, by="cli")
    merged = await worked("greyford")
    renamed = [claim for claim in merged.claims if claim.quote == "Roads: Sunken Vale"]
    assert [claim.value for claim in renamed] == ["Greyford"]
    await person.withdraw(settings, GAME, said.act.act_id, by="cli")
    package = await worked("greyford")
    assert [claim for claim in package.claims if claim.quote == "Roads: Sunken Vale"] == []
