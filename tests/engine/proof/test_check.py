"""`scenario check`: every planted mistake is named, all at once, with its line; what holds together is clean."""

from collections.abc import Sequence
from copy import deepcopy
from pathlib import Path

import pytest
import yaml

from freeform.engine.authored.library import content_folder, scenario_files
from freeform.engine.proof.check import check_file
from freeform.engine.proof.report import ScenarioReport
from tests.engine.proof import blind, planted
from tests.engine.proof.planted import Data, Mistake

SMALL = """
id: lamp_room
name: The Lamp Room
genre: mystery
description: A lighthouse in a storm.
system: pbta
opening: The great lamp is dark.
start: {location: lamp_room}
heroes: [{id: nan, name: Nan, concept: the keeper's daughter, items: [matches]}]
entities:
  - {id: lamp_room, type: location, name: the lamp room}
  - {id: cellar, type: location, name: the cellar}
  - {id: lamp, type: item, name: great lamp, attrs: {portable: false}}
  - {id: matches, type: item, name: box of matches}
inventory: [{owner_id: lamp_room, item_id: lamp}]
places:
  lamp_room: {description: A round room., exits: [{to: cellar}]}
  cellar: {description: A damp hole., exits: [{to: lamp_room}]}
affordances:
  - id: relight
    action: use
    target: lamp
    using: matches
    at: lamp_room
    outcomes: {success: {effects: [{set: {subject: lamp, predicate: state, value: lit}}]}}
endings: [{id: safe, title: Safe, when: [{fact: [lamp, state, lit]}], text: The horn answers.}]
"""


@pytest.fixture(scope="module")
def bundled() -> dict[str, Data]:
    """The bundled scenarios as plain data, read once."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    names = ("dead_drop", "drowned_bell")
    texts = {name: (content_folder("scenarios") / f"{name}.yaml").read_bytes() for name in names}
    return {name: yaml.load(text, loader) for name, text in texts.items()}


def checked(
    data: Data, mistakes: Sequence[Mistake], folder: Path, *, budget: int = 0
) -> tuple[ScenarioReport, list[str]]:
    """The report on a copy with mistakes in it, and the lines of that copy."""
    copy = deepcopy(data)
    for mistake in mistakes:
        mistake.plant(copy)
    file = folder / "planted.yaml"
    dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)
    text = yaml.dump(copy, Dumper=dumper, sort_keys=False, allow_unicode=True)
    file.write_text(text, encoding="utf-8")
    return check_file(file, budget=budget, play=budget > 0), text.splitlines()


def unnamed(mistakes: Sequence[Mistake], report: ScenarioReport) -> list[str]:
    """The mistakes that no error or warning names."""
    said = [each.message for each in report.findings if each.severity != "note"]
    return [m.name for m in mistakes if not any(m.says in message for message in said)]


def test_every_planted_mistake_is_named_at_once(bundled: dict[str, Data], tmp_path: Path) -> None:
    report, lines = checked(bundled["dead_drop"], planted.FORM, tmp_path)
    assert len(planted.FORM) >= 22
    assert unnamed(planted.FORM, report) == []
    assert not report.ok
    named = {each.message: each.line for each in report.findings}
    for misspelt in ("f_sabine_hid_jim", "heet", "neo_seattle:victor", "neo_tacoma", "finese"):
        line = next(line for message, line in named.items() if f"'{misspelt}'" in message)
        assert misspelt in lines[line - 1]


def test_an_author_s_other_mistakes_are_named(bundled: dict[str, Data], tmp_path: Path) -> None:
    apart = {"stats as a list", "an ending at once", "two keys in one condition"}
    together = [m for m in blind.FORM if m.name not in apart]
    report, _ = checked(bundled["dead_drop"], together, tmp_path)
    assert unnamed(together, report) == []


def test_what_shows_only_in_play_is_named(bundled: dict[str, Data], tmp_path: Path) -> None:
    mistakes = [m for m in planted.PLAYED if m.name != "a dead end"]
    report, _ = checked(bundled["drowned_bell"], mistakes, tmp_path, budget=1_400)
    assert unnamed(mistakes, report) == []
    assert report.played and report.turns <= 1_500
    assert "saltmarch:scriptorium" in report.reach.places.missing


@pytest.mark.parametrize("name", sorted(scenario_files()))
def test_bundled_scenarios_have_no_mistake(name: str) -> None:
    report = check_file(scenario_files()[name], play=False)
    assert [str(each) for each in report.findings if each.severity != "note"] == []


def small(folder: Path, *changes: tuple[str, str]) -> ScenarioReport:
    text = SMALL
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = folder / "lamp_room.yaml"
    file.write_text(text, encoding="utf-8")
    return check_file(file)


def test_a_small_scenario_is_reached_in_full(tmp_path: Path) -> None:
    report = small(tmp_path)
    assert report.ok and report.findings == []
    assert report.reach.endings.reachable == report.reach.endings.all == 1
    assert report.reach.places.reachable == 2
    assert report.turns < 200


def test_a_place_one_cannot_leave_is_a_dead_end(tmp_path: Path) -> None:
    report = small(tmp_path, ("exits: [{to: lamp_room}]", "exits: []"))
    assert any("a dead end: from 'cellar'" in each.message for each in report.findings)


def test_an_ending_at_once_is_named(tmp_path: Path) -> None:
    report = small(tmp_path, ("when: [{fact: [lamp, state, lit]}]", "when: [{has: matches}]"))
    assert any("holds from the start" in each.message for each in report.findings)


def test_a_deed_whose_tool_nobody_has_keeps_the_ending_out_of_reach(tmp_path: Path) -> None:
    report = small(tmp_path, ("items: [matches]", "items: []"))
    assert report.reach.endings.missing == ["safe"]
    assert any("never holds" in each.message for each in report.findings)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 200_000, "levels deep"),
        ("- a\n- b\n", "mapping of names to values"),
        ("id: a\nid: b\n", "stands here twice"),
        ("a: &a [*a]\n", "without end"),
        ("id: a\n  name: b\n", "mapping"),
        ("", "mapping of names to values"),
        ("name: \x00", ""),
    ],
)
def test_what_is_no_scenario_gets_a_sentence(text: str, says: str, tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text, encoding="utf-8")
    report = check_file(file)
    assert not report.ok and not report.played
    assert any(says in each.message for each in report.findings)
    assert all(len(each.message) < 400 for each in report.findings)


def test_a_file_that_is_no_text_gets_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "odd.yaml"
    file.write_bytes(b"\xff\xfe\x00\x01" * 50)
    assert "not UTF-8" in check_file(file).findings[0].message
