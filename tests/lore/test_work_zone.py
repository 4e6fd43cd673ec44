"""A zone is worked in ten committed steps, and what comes out is what the pages say."""

from pathlib import Path

import pytest

from freeform.lore.daemon.daemon import advance, begin
from freeform.lore.daemon.work_zone import STEPS
from freeform.lore.event_log import EVENTS
from freeform.lore.model import FactionRelation, LevelRange
from tests.lore.emberfall import GAME, SAID_BUT_MISSING, after_ashmoor, ports_on, run


@pytest.fixture
async def worked(tmp_path: Path):
    return after_ashmoor(tmp_path / "lore.db")


async def test_the_five_tables_hold_what_the_pages_say(worked) -> None:
    package = await worked.store.package(GAME, "ashmoor")
    zone = package.zone_data
    assert zone.connected_zones == ["greyford", "sunken_vale", "tarn_heights"]
    assert zone.level_range == LevelRange(min=10, max=20)
    assert zone.faction_ids == ["cinder_court"]
    assert zone.places == ["The Kiln", "Saltgate"]
    assert zone.narrative_arc.startswith("The heroes of Ashmoor learn")
    assert zone.political_climate.startswith("The Cinder Court rules by fear")
    mara = next(npc for npc in package.npcs if npc.id == "mara_vell")
    assert (mara.role, mara.zone_id, mara.faction_ids) == ("Steward", "ashmoor", ["cinder_court"])
    assert [(r.npc_id, r.type) for r in mara.relationships] == [("old_tam", "rival")]
    assert mara.motivations == ["to end the long drought"]
    assert mara.quest_threads == ["to find the lost keys of the Kiln"]
    court = next(faction for faction in package.factions if faction.id == "cinder_court")
    assert court.inter_faction == [FactionRelation(faction_id="reed_folk", stance="hostile")]
    assert "fire cleans all debts" in court.ideology
    crown = package.narrative_items[0]
    assert (crown.id, crown.significance, crown.zone_id) == (
        "the_ember_crown",
        "legendary",
        "ashmoor",
    )
    assert crown.wielder_lineage == ["Queen Isolde", "Mara Vell"]
    assert {"the_kiln", "farreach"} <= {lore.id for lore in package.lore}


async def test_a_faction_named_only_in_the_story_is_in_the_package(worked) -> None:
    package = await worked.store.package(GAME, "ashmoor")
    assert "reed_folk" in {faction.id for faction in package.factions}


async def test_what_is_named_and_unread_is_a_gap_and_costs_confidence(worked) -> None:
    package = await worked.store.package(GAME, "ashmoor")
    assert {gap.name: gap.why for gap in package.gaps} == {
        SAID_BUT_MISSING: "dead link",
        "Queen Isolde": "no page known",
    }
    assert 0 < package.completeness < 1
    assert package.zone_data.confidence < 0.9


async def test_two_sources_of_one_time_that_disagree_are_a_conflict(worked) -> None:
    package = await worked.store.package(GAME, "ashmoor")
    [conflict] = [c for c in package.conflicts if c.data_point == "ashmoor.faction"]
    assert (conflict.kind, conflict.kept) == ("error", "Cinder Court")
    assert (conflict.source_a.value, conflict.source_b.value) == ("Cinder Court", "Reed Folk")
    assert package.confidence["ashmoor.faction"] < package.confidence["ashmoor.level_range"]


async def test_two_names_for_one_faction_are_no_conflict(worked) -> None:
    package = await worked.store.package(GAME, "ashmoor")
    assert not [c for c in package.conflicts if c.subject_id == "mara_vell"]


async def test_an_order_in_a_page_is_neither_followed_nor_kept(worked) -> None:
    package = await worked.store.package(GAME, "ashmoor")
    stored = package.model_dump_json().lower()
    assert "ignore all previous" not in stored
    assert "wild_ones" not in stored


async def test_each_page_is_fetched_once(worked) -> None:
    asked = worked.crawler.asked
    assert len(asked) == len(set(asked))


async def test_every_step_is_committed_once_and_logged(tmp_path: Path) -> None:
    heard: list[tuple[str, dict[str, object]]] = []
    ports = ports_on(
        tmp_path / "lore.db", log=lambda event, level="info", **f: heard.append((event, f))
    )
    await run(ports, ["Ashmoor"])
    steps = [
        step
        for step in await ports.store.steps_done(GAME)
        if step.step and step.zone_name == "Ashmoor"
    ]
    assert [step.name for step in steps] == [name for name, _ in STEPS]
    assert {event for event, _ in heard} <= EVENTS
    numbers = [
        fields["step_number"] for event, fields in heard if event == "pipeline_step_completed"
    ]
    assert numbers == list(range(1, 11)) * 4


async def test_a_zone_nobody_writes_about_fails_after_the_last_attempt_and_the_next_goes_on(
    tmp_path: Path,
) -> None:
    ports = ports_on(tmp_path / "lore.db")
    await run(ports, ["Nowhere At All", "Greyford"])
    point = await ports.store.load_checkpoint(GAME)
    assert [(failed.zone_name, failed.iterations) for failed in point.failed_zones] == [
        ("Nowhere At All", 3)
    ]
    assert "Greyford" in point.completed_zones


async def test_a_second_attempt_searches_for_what_the_validator_missed(tmp_path: Path) -> None:
    heard: list[str] = []

    def log(event: str, level: str = "info", **fields: object) -> None:
        if event == "search_executed":
            heard.append(str(fields["query"]))

    ports = ports_on(tmp_path / "lore.db", log=log)
    await run(ports, ["Nowhere At All"])
    assert "Nowhere At All map location" in heard


async def test_a_restart_goes_on_after_the_last_finished_step(tmp_path: Path) -> None:
    first = ports_on(tmp_path / "lore.db")
    await begin(GAME, ["Ashmoor"], first)
    for _ in range(4):
        await advance(GAME, first)
    again = ports_on(tmp_path / "lore.db")
    point = await begin(GAME, ["Ashmoor"], again)
    assert (point.zone_name, point.current_step) == ("Ashmoor", 4)
    await run(again, [])
    assert len([step for step in await again.store.steps_done(GAME) if step.step]) == 10 * 4
