"""The suite `hearing`: cases played on a small scene, sets chosen, first runs kept for good."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from freeform.core.errors import BadFile, NotFound, UserError
from freeform.evals.processes import in_processes
from freeform.evals.report import SuiteReport
from freeform.evals.suites.first_runs import FILE, SetWish
from freeform.evals.suites.hearing.gold import GoldCase, read_cases
from freeform.evals.suites.hearing.judge import CaseVerdict
from freeform.evals.suites.hearing.play import MOST_CASES, HearingJob, jobs_of, play_cases
from freeform.evals.suites.hearing.suite import run_hearing
from tests.engine.cellar import scenario
from tests.evals.played import memory_table

FIRST = SetWish(names=("novice",), first_run=True, date="2026-11-17", commit="abc123")
SAFE = ["violence", "move", "loss", "dice", "refusal", "time"]


def case(id: str, input: str, *actions: str, **more: Any) -> dict[str, Any]:
    """A gold case on the small scene, as a file holds it."""
    accept = {"actions": [list(actions)], "ask_ok": False}
    told = {"id": id, "kind": "novice", "scenario": "cellar.yaml", "setup": [], "at": "t:taproom"}
    return {**told, "input": input, "accept": accept, "forbid": SAFE, **more}


CASES = [
    case("a1", "look around", "look"),
    case("a2", "talk to Orla", "talk@t:orla"),
    case("a3", "ask Orla about the rain", "ask@t:orla#rain", answer_any="Sunday"),
    case("a4", "take the mug", "take@t:mug"),
    case("a5", "go to the yard", "move@t:yard", move_ok=["t:yard"], time_limit=19),
    case("a6", "attack Orla", "talk@t:orla"),
    case("a7", "wait for two hours", "wait"),
    case("a8", "give the lamp to Orla", "show@t:lamp|t:orla"),
    case("a9", "go to the cellar", "move@t:cellar", refuse_ok="locked"),
    case("b1", "take the mug", "ask@t:orla", forbid=["violence"]),
    case("b2", "talk to Finn", "talk@t:finn", setup=["go to the yard"], at="t:yard"),
    case("b3", "talk to Finn", "talk@t:finn", setup=["go to the yard"], at="t:well"),
]
CLASSES = {
    "a1": "understood",
    "a2": "understood",
    "a3": "understood",
    "a4": "understood",
    "a5": "understood",
    "a6": "costly",
    "a7": "costly",
    "a8": "costly",
    "a9": "understood",
    "b1": "harmless",
    "b2": "understood",
    "b3": "not_scored",
}


def written(path: Path, rows: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


async def play(rows: Sequence[dict[str, Any]]) -> dict[str, CaseVerdict]:
    found = {}
    for job in jobs_of(GoldCase.model_validate(row) for row in rows):
        for verdict in await play_cases(job, scenario(), memory_table()):
            found[verdict.id] = verdict
    return found


def all_understood(jobs: Sequence[HearingJob]) -> list[list[CaseVerdict]]:
    """As if everything were understood, but inputs that say otherwise."""
    return [[_as_typed(each) for each in job.cases] for job in jobs]


def _as_typed(each: GoldCase) -> CaseVerdict:
    judged = "costly" if each.input == "attack Orla" else "understood"
    return CaseVerdict.model_validate({"id": each.id, "judged": judged, "reason": "violence"})


async def test_a_dozen_cases_come_out_as_they_should() -> None:
    found = await play(CASES)
    assert {id: verdict.judged for id, verdict in found.items()} == CLASSES
    assert "violence" in found["a6"].reason
    assert "loss (lamp)" in found["a8"].reason
    assert found["b3"].reason == "the set-up ended at t:yard, not t:well"


async def test_a_case_does_not_see_what_another_did() -> None:
    again = [case("c1", "take the mug", "take@t:mug"), case("c2", "take the mug", "take@t:mug")]
    found = await play(again)
    assert found["c1"].model_copy(update={"id": "c2"}) == found["c2"]
    assert found["c1"].judged == "understood"


def test_cases_are_shared_out_by_scene_and_in_pieces() -> None:
    rows = [case(f"d{n}", "wait", "wait") for n in range(MOST_CASES + 1)]
    rows.append(case("e1", "wait", "wait", setup=["go to the yard"]))
    jobs = jobs_of(GoldCase.model_validate(row) for row in rows)
    assert [(job.setup, len(job.cases)) for job in jobs] == [
        ([], MOST_CASES),
        ([], 1),
        (["go to the yard"], 1),
    ]


@pytest.fixture
def blind(tmp_path: Path) -> Path:
    """Two blind sets of one day."""
    folder = tmp_path / "blind"
    written(folder / "2026-11-16" / "gold_novice.jsonl", CASES[:8])
    written(folder / "2026-11-16" / "gold_joker.jsonl", CASES[:2])
    return folder


def run(data: Path | None, wish: SetWish, blind: Path) -> SuiteReport:
    return run_hearing(data, wish, all_understood, blind)


def test_the_development_set_is_found_in_the_data_folder(tmp_path: Path, blind: Path) -> None:
    written(tmp_path / "data" / "hearing" / "dev_inputs.jsonl", CASES[:6])
    for data in (tmp_path / "data", tmp_path / "data" / "hearing"):
        report = run(data, SetWish(), blind)
        assert (report.n, list(report.metrics)) == (6, ["development"])
        assert report.metrics["development"]["understood"] == 0.8333
        assert report.metrics["development"]["costly"] == 0.1667
        assert report.metrics["development"]["costly_by"] == {"violence": 1}
        assert report.metrics["development"]["first_run"] is False
        assert report.metrics["development"]["by_scenario"]["cellar"]["n"] == 6
        assert len(report.cases) == 6
    assert "2026-11-16/joker, 2026-11-16/novice: not run yet" in report.notes[0]


def test_without_data_one_is_told_where_it_goes(tmp_path: Path, blind: Path) -> None:
    with pytest.raises(NotFound, match="the development inputs go into DIR/hearing"):
        run(None, SetWish(), blind)
    with pytest.raises(NotFound, match=r"put dev_inputs\.jsonl into"):
        run(tmp_path, SetWish(names=("development",)), blind)


def test_a_blind_set_waits_for_its_first_run(blind: Path) -> None:
    with pytest.raises(UserError, match="not run yet; --set NAME --first-run"):
        run(None, SetWish(names=("novice",)), blind)
    with pytest.raises(UserError, match="--first-run needs --set NAME"):
        run(None, SetWish(first_run=True), blind)
    with pytest.raises(NotFound, match="no set 'poet'; there are: 2026-11-16/joker"):
        run(None, SetWish(names=("poet",)), blind)


def test_the_figures_of_a_first_run_stand_for_good(blind: Path) -> None:
    first = run(None, FIRST, blind).metrics["2026-11-16/novice"]
    assert (first["first_run"], first["n"], first["costly"]) == (True, 8, 0.125)
    assert first["standing"] == {
        "date": "2026-11-17",
        "commit": "abc123",
        "n": 8,
        "figures": {
            "understood": 0.875,
            "asked_fairly": 0.0,
            "asked_needlessly": 0.0,
            "harmless": 0.0,
            "costly": 0.125,
            "understood_or_asked": 0.875,
        },
    }
    kept = (blind / "2026-11-16" / FILE).read_bytes()
    written(blind / "2026-11-16" / "gold_novice.jsonl", CASES[:2])
    later = SetWish(names=("2026-11-16/novice",), first_run=True, date="2027-01-01", commit="def")
    again = run(None, later, blind).metrics["2026-11-16/novice"]
    assert (again["first_run"], again["understood"]) == (False, 1.0)
    assert again["standing"] == first["standing"]
    assert (blind / "2026-11-16" / FILE).read_bytes() == kept


def test_another_set_is_written_beside_it(blind: Path) -> None:
    run(None, FIRST, blind)
    run(None, SetWish(names=("joker",), first_run=True, date="2026-11-18", commit="b"), blind)
    report = run(None, SetWish(), blind)
    assert [found["standing"]["date"] for found in report.metrics.values()] == [
        "2026-11-18",
        "2026-11-17",
    ]
    assert report.notes == []


def test_a_scenario_that_lies_beside_the_set_is_named_by_its_path(blind: Path) -> None:
    seen = []

    def look(jobs: Sequence[HearingJob]) -> list[list[CaseVerdict]]:
        seen.extend(job.scenario for job in jobs)
        return all_understood(jobs)

    run_hearing(None, FIRST, look, blind)
    assert seen == [str(blind / "2026-11-16" / "cellar.yaml")]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "g.jsonl:2: is no gold case"),
        ('{"id": "x"}', "g.jsonl:2: is no gold case: scenario: Field required"),
        (json.dumps(case("x", "wait", "wait", forbid=["rain"])), "forbid.0"),
        (json.dumps(case("x", "wait", "wait", answer_any="(")), "is no gold case"),
        (json.dumps(CASES[0]), "has 2 cases called a1"),
    ],
)
def test_a_line_that_is_no_case_is_named(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "g.jsonl"
    path.write_text(json.dumps(CASES[0]) + "\n" + line + "\n\n", encoding="utf-8")
    with pytest.raises(BadFile) as wrong:
        read_cases(path)
    assert says in str(wrong.value)


@pytest.mark.parametrize("processes", [1, 2])
def test_work_that_is_shared_tells_how_far_it_is(processes: int) -> None:
    told: list[tuple[int, int]] = []
    lengths = in_processes(len, ["a", "bb", "ccc"], processes, lambda *done: told.append(done))
    assert lengths == [1, 2, 3]
    assert told == [(1, 3), (2, 3), (3, 3)]
