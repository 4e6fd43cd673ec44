"""Every bundled pack reads well: valid, complete, and with its secrets where only a game master looks."""

import re
from pathlib import Path

import pytest

from freeform.engine.authored.library import content_folder, load_scenario, scenario_files
from freeform.engine.authored.scenario import Scenario
from freeform.engine.rules.safety import SafetyLimits
from freeform.packs.folder.check import validate_pack
from freeform.packs.folder.load import load_pack
from freeform.packs.model import TYPES, Entry, Pack
from freeform.retrieval.scope import role_of

FOLDERS = sorted(file.parent for file in content_folder("packs").glob("*/pack.yaml"))
GM_ROLES = ("knows", "withholds", "discoverable", "threads")


@pytest.fixture(params=FOLDERS, ids=lambda folder: folder.name, scope="module")
def folder(request: pytest.FixtureRequest) -> Path:
    found: Path = request.param
    return found


@pytest.fixture(scope="module")
def neo_seattle() -> Pack:
    return load_pack(content_folder("packs") / "neo_seattle")


def test_a_bundled_pack_has_nothing_to_mend(folder: Path) -> None:
    result = validate_pack(folder)
    assert [str(problem) for problem in (*result.errors, *result.warnings)] == []


def test_a_bundled_pack_says_who_may_use_it(folder: Path) -> None:
    license = load_pack(folder).manifest.license
    assert license is not None and license.type and license.publisher


def test_neo_seattle_is_a_small_sourcebook(neo_seattle: Pack) -> None:
    assert len(neo_seattle.entries) >= 44
    assert {entry.type for entry in neo_seattle.entries} == set(TYPES)
    thin = [entry.id for entry in neo_seattle.entries if len(_words(entry)) < 120]
    short = [entry.id for entry in neo_seattle.entries if len(_headings(entry)) < 3]
    assert (thin, short) == ([], [])


def test_people_and_places_can_be_briefed_from(neo_seattle: Pack) -> None:
    wanted = {"npc": {"Disposition", "Voice"}, "location": {"Atmosphere"}}
    lacking = {
        entry.id: missing
        for entry in neo_seattle.entries
        if (missing := wanted.get(entry.type, set()) - set(_headings(entry)))
    }
    assert lacking == {}


def test_one_section_says_who_owns_the_neon_dragon(neo_seattle: Pack) -> None:
    dragon = neo_seattle.entry("neon_dragon")
    assert dragon
    (owned,) = [section for section in dragon.sections if section.heading == "Ownership"]
    assert owned.text.strip().startswith("Viktor owns the Neon Dragon.") and not owned.gm_only


@pytest.mark.parametrize("scenario_id", sorted(scenario_files()))
def test_what_a_scenario_takes_from_a_pack_is_in_it(scenario_id: str) -> None:
    scenario = load_scenario(scenario_id)
    lost = []
    for entity in scenario.entities:
        if entity.id.partition(":")[0] in scenario.packs or entity.pack_id:
            entry = (
                _pack(entity.pack_id or "").entry(entity.pack_entity_id or "")
                if entity.pack_id
                else None
            )
            kind = {"object": "item"}.get(entity.type, entity.type)
            if (
                entry is None
                or entry.id != entity.id
                or entity.origin != "pack"
                or entry.type != kind
            ):
                lost.append(entity.id)
    assert lost == []


@pytest.mark.parametrize("scenario_id", sorted(scenario_files()))
def test_no_open_page_tells_what_play_should_find_out(scenario_id: str) -> None:
    scenario = load_scenario(scenario_id)
    secrets = _secrets(scenario)
    spilt = [
        (entry.id, section.heading, fact)
        for pack_id in scenario.packs
        for entry in _pack(pack_id).entries
        for section in entry.sections
        if not (entry.gm_only or section.gm_only or role_of(section.heading) in GM_ROLES)
        for sentence in re.split(r"[.!?]\s", section.text)
        for fact, limits in secrets.items()
        if limits.leaks(sentence)
    ]
    assert spilt == []


@pytest.mark.parametrize("pack_id", sorted(path.name for path in content_folder("packs").iterdir()))
def test_how_someone_seems_names_nobody_else(pack_id: str) -> None:
    """Whoever narrates for the player reads it."""
    pack = _pack(pack_id)
    people = {entry.name: entry.id for entry in pack.entries if entry.type == "npc"}
    named = [
        (entry.id, name)
        for entry in pack.entries
        for section in entry.sections
        if role_of(section.heading) == "disposition"
        for name, id in people.items()
        if id != entry.id and re.search(rf"\b{re.escape(name)}\b", section.text)
    ]
    assert named == []


def _pack(pack_id: str) -> Pack:
    return load_pack(content_folder("packs") / pack_id)


def _secrets(scenario: Scenario) -> dict[str, SafetyLimits]:
    hidden = [fact for fact in scenario.facts if fact.visibility == "hidden"]
    return {fact.id: SafetyLimits([], [], [str(fact.object.get("text", ""))]) for fact in hidden}


def _words(entry: Entry) -> list[str]:
    return " ".join(section.text for section in entry.sections).split()


def _headings(entry: Entry) -> list[str]:
    return [section.heading for section in entry.sections if section.level == 2]
