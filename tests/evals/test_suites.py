"""The other suites: fights, promises, golden transcripts, the nightly party."""

import json
from pathlib import Path
from typing import Any

import pytest

from freeform.core.errors import BadFile, NotFound
from freeform.core.llm.prompts import bundled
from freeform.engine.log import Changed
from freeform.engine.table import Table
from freeform.engine.turn import Say
from freeform.engine.world.model import FactUpdate, StateDiff
from freeform.evals.suites import nightly
from freeform.evals.suites.golden import (
    check_golden,
    read_golden,
    record_golden,
    run_golden,
    write_golden,
)
from freeform.evals.suites.nightly import NightJob, play_night, run_nightly
from freeform.evals.suites.promises import campaign as probe
from freeform.evals.suites.promises.campaign import KINDS, SOONEST, PromiseJob, plan, play_campaign
from freeform.evals.suites.promises.suite import run_promises
from freeform.evals.suites.promises.town import build_town
from freeform.evals.suites.registry import SUITES, suite
from freeform.evals.suites.state_transitions import (
    condition_of,
    read_triples,
    run_state_transitions,
    targets_of,
)
from tests.engine.cellar import scenario
from tests.evals.played import memory_table, with_second_narrator


def fighter(name: str, hp: str, effects: str = "", role: str = "Rogue 3") -> dict[str, Any]:
    return {"name": name, "hp": hp, "effects": effects, "class": role}


def a_fight(folder: Path, **changes: Any) -> Path:
    """Kes hits a slime for 6 of its 9 points, and the slime is frightened."""
    row = {
        "combat_state_before": [
            fighter("Kes", "<10/12 HP; Injured>"),
            fighter("SL1", "<9/20 HP; Bloodied>", "", ""),
        ],
        "commands_norm": ["!a dagger -t sl"],
        "automation_results": [
            "Kes attacks with a Dagger!\nSL1 took 6 damage.\nSL1 gained Frightened."
        ],
        "targets_after": [fighter("SL1", "<3/20 HP; Critical>", "Frightened", "")],
        "combat_state_after": [
            fighter("Kes", "<10/12 HP; Injured>"),
            fighter("SL1", "<3/20 HP; Critical>", "Frightened", ""),
        ],
        **changes,
    }
    path = folder / "filtered_triples.jsonl"
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    return path


def test_a_fight_comes_out_as_the_record_has_it(tmp_path: Path) -> None:
    a_fight(tmp_path)
    figures = run_state_transitions(tmp_path).metrics
    assert [
        figures[n] for n in ("state_accuracy", "changed_accuracy", "turn_order", "target_accuracy")
    ] == [1.0] * 4
    assert figures["untouched_baseline"] == 0.5


def test_a_record_that_says_otherwise_lowers_the_figure(tmp_path: Path) -> None:
    a_fight(
        tmp_path,
        combat_state_after=[
            fighter("Kes", "<4/12 HP; Bloodied>"),
            fighter("SL1", "<3/20 HP; Critical>", "Frightened", ""),
        ],
    )
    report = run_state_transitions(tmp_path)
    assert report.metrics["state_accuracy"] == round(4 / 6, 4)
    assert {row["field"] for row in report.cases[0]["wrong"]} == {"hp", "condition"}


@pytest.mark.parametrize(
    ("hp", "word"),
    [
        (20, "Healthy"),
        (19, "Injured"),
        (10, "Bloodied"),
        (3, "Critical"),
        (0, "Dead"),
        (-2, "Dead"),
    ],
)
def test_how_hurt_someone_looks(hp: int, word: str) -> None:
    assert condition_of(hp, 20) == word


def test_targets_are_found_by_the_beginning_of_their_names() -> None:
    assert targets_of('!a x -t moz -t "sh1"', ["Mozzie Urahaka", "SH1", "Amoz"]) == [
        "Mozzie Urahaka",
        "SH1",
    ]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = a_fight(tmp_path)
    path.write_text(path.read_text(encoding="utf-8") + '{"speaker_id": 3}\n', encoding="utf-8")
    with pytest.raises(BadFile, match=r"filtered_triples.jsonl:2: is no FIREBALL triple"):
        read_triples(path)
    with pytest.raises(NotFound, match="put filtered_triples.jsonl into"):
        run_state_transitions(tmp_path / "nowhere")


def test_the_real_fight_comes_out_better_than_if_nothing_happened(data: Path) -> None:
    report = run_state_transitions(data)
    assert report.n == 25
    assert report.metrics["state_accuracy"] > 0.99 > report.metrics["untouched_baseline"]
    assert report.metrics["changed_accuracy"] > 0.8


def test_every_plant_has_room_and_is_probed_long_after() -> None:
    for seed in range(30):
        script = plan(build_town(seed), PromiseJob(seed=seed, turns=200))
        assert {plant.kind for plant in script.plants} >= set(KINDS) - {"promise"}
        for plant in script.plants:
            assert SOONEST <= plant.probed - plant.planted <= 151
            assert script.lines[plant.planted] == plant.say
            assert script.lines[plant.probed] == plant.ask


async def test_what_is_planted_is_kept(tmp_path: Path) -> None:
    probes = await play_campaign(PromiseJob(seed=2000, turns=150), memory_table())
    assert len(probes) >= 6
    assert [p for p in probes if not p.kept] == []


async def test_what_is_lost_in_between_lowers_the_figure_and_names_the_turn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    job = PromiseJob(seed=2000, turns=150)
    lost = next(p for p in plan(build_town(job.seed), job).plants if p.kind == "debt")
    at = lost.planted + 20
    take = probe.take_turn

    async def forgetful(say: Say, table: Table) -> Any:
        result = await take(say, table)
        if result.turn_no == at:
            gone = StateDiff(
                facts_update=[FactUpdate(id=f"{lost.who}#lent_you", object={"value": 0})]
            )
            head = await table.store.head(say.campaign)
            await table.store.append(
                say.campaign, [Changed(why="moth", state_diff=gone)], after=head
            )
        return result

    monkeypatch.setattr(probe, "take_turn", forgetful)
    probes = await play_campaign(job, memory_table())
    report = run_promises(1, 150, lambda jobs: [probes])
    assert report.metrics["kept"] < 1.0
    (broken,) = [case for case in report.cases if not case["kept"]]
    assert (broken["kind"], broken["broke_at"], broken["by"]) == ("debt", at, "person")


def test_the_same_seed_builds_the_same_town() -> None:
    assert build_town(5) == build_town(5) != build_town(6)


async def test_a_golden_transcript_comes_out_the_same_and_a_changed_word_is_found(
    tmp_path: Path,
) -> None:
    lines = ["look around", "ask Orla about the cellar", "I threaten Orla", "go to the yard"]
    golden = await record_golden("inn", scenario(), 7, lines, bundled(), memory_table())
    write_golden(tmp_path / "inn.json", golden)
    assert read_golden(tmp_path / "inn.json") == golden
    report = await run_golden(
        [tmp_path / "inn.json"], lambda _: scenario(), bundled(), memory_table
    )
    assert report.metrics == {"same": 1.0, "turns_same": 1.0, "turns": 4}
    other = golden.turns[2].model_copy(update={"final_text": "Something else."})
    changed = golden.model_copy(update={"turns": [*golden.turns[:2], other, golden.turns[3]]})
    found = await check_golden(changed, scenario(), bundled(), memory_table())
    assert [(number, diff.part) for number, diff in found] == [(3, "final_text")]
    found = await check_golden(
        golden.model_copy(update={"seed": 8}), scenario(), bundled(), memory_table()
    )
    assert 3 in {number for number, _ in found}, "other dice"


async def test_a_golden_transcript_keeps_to_its_prompts(tmp_path: Path) -> None:
    golden = await record_golden("inn", scenario(), 7, ["look around"], bundled(), memory_table())
    newer = with_second_narrator(tmp_path / "prompts")
    assert await check_golden(golden, scenario(), newer, memory_table(prompts=newer)) == []
    unknown = golden.model_copy(update={"prompts": {"engine/narrator": "engine/narrator@7#aa"}})
    with pytest.raises(NotFound, match="has no version 7"):
        await check_golden(unknown, scenario(), bundled(), memory_table())


@pytest.mark.parametrize("text", ["{", "[]", '{"name": "x"}'])
def test_a_damaged_transcript_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadFile, match=r"x.json: is no golden transcript"):
        read_golden(path)


async def test_the_nightly_party_plays_and_counts() -> None:
    result = await play_night(
        NightJob(scenario="cellar", seed=1, turns=15), scenario(), memory_table()
    )
    assert (len(result.found), result.problem) == (15, "")
    report = run_nightly(["cellar"], 1, 15, lambda jobs: [result])
    assert report.metrics["turns"] == 15
    assert report.metrics["stopped_early"] == 0
    bad = result.found[3].model_copy(update={"contradicted": ["f_door"]})
    worse = result.model_copy(update={"found": [*result.found[:3], bad, *result.found[4:]]})
    report = run_nightly(["cellar"], 1, 15, lambda jobs: [worse])
    assert report.metrics["contradiction_rate"] == round(1 / 15, 4)
    assert report.cases[0]["faults"] == [{"turn_no": 4, "contradicted": ["f_door"]}]


async def test_the_same_seed_plays_the_same_night() -> None:
    job = NightJob(scenario="cellar", seed=3, turns=12)
    first, second = [await play_night(job, scenario(), memory_table()) for _ in range(2)]
    assert first == second
    assert first != await play_night(job.model_copy(update={"seed": 4}), scenario(), memory_table())


def test_every_suite_is_listed_and_an_unknown_one_lists_them() -> None:
    assert {"textworld", "state-transitions", "promises", "golden", "retrieval", "nightly"} <= set(
        SUITES
    )
    with pytest.raises(NotFound, match="no suite 'nope'; there are: textworld"):
        suite("nope")
    assert nightly.SEED
