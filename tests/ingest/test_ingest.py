"""The runner: what the stages write, what is skipped, what a change costs, and what a kill leaves behind."""

import errno
import json
import multiprocessing
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest
import yaml

from freeform.adapters.sqlite.file_lock import hold_file
from freeform.core.errors import BadFile, Conflict, UserError
from freeform.engine.authored.library import load_scenario, load_system
from freeform.ingest.checkpoint import read_meta
from freeform.ingest.config import (
    STAGES,
    IngestReport,
    StageNews,
    parse_pages,
    stage_name,
)
from freeform.packs.folder.load import load_pack
from tests.ingest.book import make_book
from tests.ingest.reading import Reading
from tests.patience import PATIENCE


def test_every_stage_leaves_what_the_design_lists_and_its_meta(
    read_once: tuple[Reading, IngestReport],
) -> None:
    work = Path(read_once[1].work)
    for stage in STAGES:
        meta = read_meta(work / stage)
        assert meta is not None and meta.stage == stage and meta.status == "done" and meta.inputs, (
            stage
        )
    assert (
        list((work / "extract" / "pages").glob("page_*.md"))
        and (work / "extract" / "page_map.json").is_file()
    )
    assert (work / "structure" / "structure.json").is_file() and list(
        (work / "structure" / "chapters").glob("*.md")
    )
    assert (work / "segment" / "segment_manifest.json").is_file() and list(
        (work / "segment" / "segments").glob("*.md")
    )
    assert all(row["content_type"] and row["route"] for row in _segments(work))
    assert list((work / "enrich" / "enriched" / "npc").glob("*.md"))
    assert (work / "enrich" / "entity_registry.json").is_file()
    for name in (
        "scenario_fragment",
        "entity_templates",
        "calibration_preset",
        "conditions_config",
        "resolution_mapping",
    ):
        assert (work / "systems" / "assemble" / f"{name}.yaml").is_file(), name
    health = yaml.safe_load((work / "systems" / "extract" / "health.yaml").read_text())
    assert 0 <= health["_extraction_metadata"]["confidence"] <= 1
    assert "config_patterns_matched" in health["_extraction_metadata"]
    assert "| resolution |" in (work / "systems" / "EXTRACTION_REPORT.md").read_text()


def _segments(work: Path) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(
        (work / "classify" / "segment_manifest.json").read_text()
    )["segments"]
    return rows


def test_the_pack_has_an_entry_for_each_thing_and_every_entry_cites_its_page(
    read_once: tuple[Reading, IngestReport],
) -> None:
    pack = load_pack(Path(read_once[1].path))
    assert not pack.errors
    found = {entry.name: entry for entry in pack.entries}
    wanted = {"Marsh Hound": "npc", "Reed Knight": "npc", "Ash Veil": "technology", "Held": "culture",
              "Harrow Quay": "location", "The Guild of Lamps": "faction", "Captain Ilse Varr": "npc"}  # fmt: skip
    assert {name: found[name].type for name in wanted} == wanted
    assert all(
        entry.extra["source"] == "The Drowned Coast Guide" and entry.extra["page"] >= 1
        for entry in pack.entries
    )
    numbers = found["Reed Knight"].extra["numbers"]
    assert (numbers["armor_class"], numbers["hit_points"], numbers["abilities"]["strength"]) == (
        16,
        45,
        16,
    )
    assert "coast:harrow_quay" in found["The Guild of Lamps"].related_locations
    pages = {e.name: e.extra["page"] for e in pack.entries}
    assert pages["Marsh Hound"] < pages["Held"] < pages["Harrow Quay"]


def test_a_second_run_does_nothing_and_says_the_same(
    read_once: tuple[Reading, IngestReport],
) -> None:
    reading, first = read_once
    again = reading.again()
    assert reading.done(again) == []
    same = {"stages", "seconds", "usage"}
    assert again.model_dump(exclude=same) == first.model_dump(exclude=same)


@pytest.mark.parametrize(
    ("change", "redone"),
    [
        ({"license": {"type": "cc-by"}}, ["assemble", "validate"]),
        ({"system_hint": "osr"}, ["enrich", "assemble", "validate", "systems"]),
        ({"page_ranges": ((1, 2),)}, list(STAGES)),
        ({"draft": True}, []),
    ],
)
def test_a_changed_setting_costs_what_follows_from_it_and_nothing_else(
    small_book: Path,
    read_once: tuple[Reading, IngestReport],
    tmp_path: Path,
    change: dict[str, Any],
    redone: list[str],
) -> None:

    reading = Reading(small_book, tmp_path / "out")
    shutil.copytree(Path(read_once[1].work), tmp_path / "out" / "work" / "coast")
    assert reading.done(reading.again(**change)) == redone


def test_from_stage_does_that_stage_and_all_that_need_it_again(
    read_once: tuple[Reading, IngestReport],
) -> None:
    reading, _ = read_once
    assert reading.done(reading.again(from_stage="assemble")) == ["assemble", "validate"]


def test_another_book_under_the_same_id_is_read_from_the_start(
    tmp_path: Path, small_book: Path
) -> None:
    reading = Reading(small_book, tmp_path)
    reading.again(systems=False)
    reading.pdf = make_book(tmp_path / "other.pdf", dropped="Spells")
    report = reading.again(systems=False)
    assert reading.done(report) == [name for name in STAGES if name != "systems"]
    assert not list((Path(report.path) / "technology").glob("*.md"))


class _Dying(list[StageNews]):
    def __init__(self, stage: str) -> None:
        super().__init__()
        self.stage = stage

    def append(self, news: StageNews) -> None:
        if news.stage == self.stage and news.status == "working":
            os.kill(os.getpid(), signal.SIGKILL)


def test_a_kill_in_any_stage_loses_that_stage_alone(
    small_book: Path, read_once: tuple[Reading, IngestReport], tmp_path: Path
) -> None:
    work = tmp_path / "work" / "coast"
    for number, stage in enumerate(STAGES):
        child = multiprocessing.get_context("fork").Process(
            target=Reading(small_book, tmp_path, _Dying(stage)).again, daemon=True
        )
        child.start()
        child.join(PATIENCE)
        assert child.exitcode == -signal.SIGKILL, stage
        finished = [name for name in STAGES if read_meta(work / name)]
        assert finished == list(STAGES[:number]), "a killed stage is not taken for a finished one"
    reading = Reading(small_book, tmp_path)
    report = reading.again()
    assert reading.done(report) == ["systems"], "all that was finished before the last kill is kept"
    assert load_pack(Path(report.path)).digest == load_pack(Path(read_once[1].path)).digest, (
        "as if nothing had happened"
    )


def test_a_second_run_in_the_same_folder_is_told_and_touches_nothing(
    small_book: Path, read_once: tuple[Reading, IngestReport], tmp_path: Path
) -> None:
    work = tmp_path / "work" / "coast"
    shutil.copytree(Path(read_once[1].work), work)
    before = {
        path: path.stat().st_mtime_ns
        for path in work.rglob("*")
        if path.is_file() and path.name != ".lock"
    }
    held = hold_file(work / ".lock", "taken by this test")
    with held, pytest.raises(Conflict, match="another run is at work") as wrong:
        Reading(small_book, tmp_path).again(from_stage="extract")
    assert "--out" in str(wrong.value)
    assert before == {path: path.stat().st_mtime_ns for path in before}
    assert all(row.skipped for row in Reading(small_book, tmp_path).again().stages), (
        "the lock ends with its run"
    )


def test_a_full_disk_is_told_and_finished_stages_stay(
    small_book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import freeform.ingest.run.classify_stage as stage

    def no_room(*args: object, **more: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(stage, "write_json", no_room)
        reading = Reading(small_book, tmp_path)
        with pytest.raises(UserError, match="no room left on the disk in stage 'classify'"):
            reading.again()
    assert (
        read_meta(tmp_path / "work" / "coast" / "segment")
        and not (tmp_path / "work" / "coast" / "classify").exists()
    )
    assert reading.done(Reading(small_book, tmp_path).again())[:1] == ["classify"]


def test_progress_tells_every_stage_with_its_rate(read_once: tuple[Reading, IngestReport]) -> None:
    news = read_once[0].news
    assert [n.stage for n in news if n.status == "done"][: len(STAGES)] == list(STAGES)
    working = [n for n in news if n.stage == "extract" and n.status == "working"]
    assert working and working[-1].done == working[-1].total and working[-1].rate > 0


def test_a_persons_word_on_a_segment_is_heeded_and_what_follows_is_redone(
    small_book: Path, read_once: tuple[Reading, IngestReport], tmp_path: Path
) -> None:
    from freeform.ingest.model import ContentType, Route
    from freeform.services.ingest.review import SegmentCorrection, correct_segments

    reading = Reading(small_book, tmp_path)
    shutil.copytree(Path(read_once[1].work), tmp_path / "work" / "coast")
    work = tmp_path / "work" / "coast"
    first = _segments(work)[0]["id"]
    said = SegmentCorrection(segment=first, content_type=ContentType.HISTORY, route=Route.LORE)
    correct_segments(work, [said])
    report = reading.again()
    assert reading.done(report) == ["classify", "enrich", "assemble", "validate", "systems"]
    row = next(row for row in _segments(work) if row["id"] == first)
    assert (row["content_type"], row["route"], row["confidence"]) == ("HISTORY", "LORE", 1.0)
    assert list((Path(report.path) / "history").glob("*.md")), (
        "and the pack has it where the person said"
    )


def test_a_draft_carries_its_papers_and_the_pack_does_not(small_book: Path, tmp_path: Path) -> None:
    from freeform.ingest.run.publish import MARKERS, promote

    draft = Reading(small_book, tmp_path).again(draft=True)
    folder = Path(draft.path)
    assert folder == tmp_path / "draft" / "coast"
    assert all((folder / name).is_file() for name in MARKERS)
    assert "Licence" in (folder / "REVIEW_NEEDED.md").read_text()
    assert "Keep the Tide Moving" in (folder / "gm_guidance_review.md").read_text(), (
        "advice for any table is listed"
    )
    left = promote(folder, tmp_path / "packs" / "coast")
    assert sorted(left) == sorted(MARKERS)
    promoted = load_pack(tmp_path / "packs" / "coast")
    assert not promoted.errors and not any(
        (tmp_path / "packs" / "coast" / name).exists() for name in MARKERS
    )
    with pytest.raises(BadFile, match="no draft of a pack"):
        promote(tmp_path / "work", tmp_path / "elsewhere")


def test_without_a_licence_the_pack_is_private(
    read_once: tuple[Reading, IngestReport], small_book: Path, tmp_path: Path
) -> None:
    private = load_pack(Path(read_once[1].path)).manifest
    assert read_once[1].private and "private" in private.tags and private.license is None
    report = Reading(small_book, tmp_path).again(
        license={"type": "cc-by", "attribution": "by us"}, systems=False
    )
    manifest = load_pack(Path(report.path)).manifest
    assert not report.private and manifest.license and manifest.license.attribution == "by us"
    assert "private" not in manifest.tags


def test_the_engine_reads_the_system_and_the_first_scenario(
    read_once: tuple[Reading, IngestReport], tmp_path: Path
) -> None:

    shutil.copytree(Path(read_once[1].path), tmp_path / "packs" / "coast" / "1.0.0")
    system = load_system("coast", tmp_path)
    assert (system.resolution.method, system.resolution.die_type) == ("target_number", 20)
    assert set(system.stats) >= {"strength", "dexterity"}
    assert load_scenario("coast", tmp_path).system == "coast"


@pytest.mark.parametrize(
    ("text", "ranges"), [("1-40,55", ((1, 40), (55, 55))), ("3-", ((3, 10**6),)), ("", ())]
)
def test_pages_are_read_as_people_write_them(
    text: str, ranges: tuple[tuple[int, int], ...]
) -> None:
    assert parse_pages(text) == ranges


@pytest.mark.parametrize("text", ["0", "x", "9-3", "1-2-3"])
def test_pages_that_make_no_sense_are_told(text: str) -> None:
    with pytest.raises(UserError, match="pages"):
        parse_pages(text)


def test_stages_go_by_name_by_number_and_as_the_design_calls_them() -> None:
    assert [stage_name(said) for said in ("Classify", "4", "S2")] == [
        "classify",
        "classify",
        "systems",
    ]
    with pytest.raises(UserError, match="the stages are extract"):
        stage_name("cook")
