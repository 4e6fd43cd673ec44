"""The measuring verbs as a person or a script meets them: exact JSON, exit codes, one sentence for what is wrong."""

import asyncio
import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from freeform import wiring
from freeform.engine.campaign.begin import Answers, begin
from freeform.engine.turn import Say, take_turn
from freeform.settings import Settings
from tests.apps.program import Home
from tests.engine.cellar import scenario
from tests.evals.test_textworld import a_game

LINES = (
    "look around",
    "ask Orla about the cellar",
    "I threaten Orla",
    "go to the yard",
    "wait",
    "talk to Finn",
)
METRICS = {
    "contradiction_rate", "invalid_action_acceptance", "clarification_rate", "length_stats", "lore_relevance_rate",
    "lore_cache_hit_rate",
}  # fmt: skip


async def _play(home: Path) -> None:
    async with wiring.opened(Settings.model_validate({"home": home, "model": "offline"})) as table:
        await begin(scenario(), "a", 7, Answers(), table)
        for line in LINES:
            await take_turn(Say(campaign="a", text=line), table)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a campaign `a` of six turns."""
    home = tmp_path_factory.mktemp("played")
    asyncio.run(_play(home))
    return home


@pytest.fixture
def played(home: Home, original: Path) -> Home:
    """A copy of it, to damage."""
    shutil.copytree(original, home.path, dirs_exist_ok=True)
    return home


def untold(home: Home, *args: str) -> "tuple[int, str, str]":
    """A command without the harness's own --model, since for a replay that is an override."""
    ran = home.run(*args, model=None)
    return ran.code, ran.out, ran.err


def test_replay_prints_the_contracts_document(played: Home, tmp_path: Path) -> None:
    code, out, _ = untold(played, "replay", "a", "--json", "--report", str(tmp_path / "r.html"))
    report = json.loads(out)
    assert code == 0
    assert [(turn["turn_no"], turn["same"], turn["diffs"]) for turn in report["turns"]] == [
        (number, True, []) for number in range(1, 7)
    ]
    assert set(report["metrics"]) >= METRICS
    assert set(report["metrics"]["length_stats"]) == {"min", "avg", "max"}
    assert report["side_by_side"] == []
    assert "all the same" in (tmp_path / "r.html").read_text(encoding="utf-8")


def test_replay_with_another_seed_names_the_turns_that_change(played: Home) -> None:
    code, out, _ = untold(played, "replay", "a", "--seed", "99", "--turns", "2-4", "--json")
    report = json.loads(out)
    assert code == 0
    assert [turn["turn_no"] for turn in report["turns"]] == [2, 3, 4]
    assert [side["turn_no"] for side in report["side_by_side"]] == [2, 3, 4]


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("replay", "nope"), "no campaign 'nope'"),
        (("replay", "a", "--prompt", "engine/narrator=99"), "has no version 99; it has 0"),
        (("replay", "a", "--prompt", "engine/nobody=0"), "no prompt 'engine/nobody'"),
        (("replay", "a", "--prompt", "narrator"), "write e.g. --prompt engine/narrator=0"),
        (("replay", "a", "--turns", "4-9"), "choose from 1 to 6"),
        (("replay", "a", "--turns", "x"), "is no range of turns"),
        (("replay", "a", "--report", "no/such/folder/r.html"), "cannot be written"),
        (("bisect", "a", "make it so"), "is no check; write one like"),
        (("bisect", "a", "clock nope <= 3"), "no clock 'nope'; there are"),
        (("eval", "nope"), "no suite 'nope'; there are: textworld"),
        (("eval", "textworld"), "no data folder: give --data DIR, or set FREEFORM_DATA"),
        (("eval", "state-transitions", "--data", "."), "put filtered_triples.jsonl into"),
        (("eval", "textworld", "--data", "no/such/folder"), "there is no folder no/such/folder"),
        (("eval", "retrieval", "--data", "."), "no retrieval collection in"),
        (("eval", "hearing", "--set", "development"), "the development inputs go into DIR/hearing"),
        (("eval", "safety", "--set", "nope"), "no set 'nope'; there are: development"),
    ],
)
def test_what_is_wrong_is_one_sentence_and_exit_1(
    played: Home, args: tuple[str, ...], says: str
) -> None:
    code, out, err = untold(played, *args, "--json")
    assert (code, says in json.loads(out)["error"]["message"]) == (1, True)
    assert says in err
    assert err.count("\n") == 1 and "Traceback" not in err


def test_a_tape_that_is_gone_is_named(played: Home) -> None:
    (file,) = played.path.glob("campaigns/a/*.db")
    with sqlite3.connect(file) as db:
        for (name,) in db.execute(
            "select name from sqlite_master where type = 'trigger'"
        ).fetchall():
            db.execute(f"drop trigger {name}")
        db.execute("delete from tapes where turn_no = 4 and pass_id = 'engine/narrator'")
    code, _, err = untold(played, "replay", "a")
    assert code == 1
    assert "no tape answers pass 'engine/narrator' of turn 4" in err


def test_a_log_of_another_format_is_refused_with_a_reason(played: Home) -> None:
    (file,) = played.path.glob("campaigns/a/*.db")
    with sqlite3.connect(file) as db:
        for (name,) in db.execute(
            "select name from sqlite_master where type = 'trigger'"
        ).fetchall():
            db.execute(f"drop trigger {name}")
        db.execute(
            "update log set body = json_remove(body, '$.planner') where kind = 'resolved' and turn_no = 2"
        )
    for verb in ("replay", "metrics"):
        code, _, err = untold(played, verb, "a")
        assert code == 1
        assert "does not read (resolved.planner: Field required)" in err
    with sqlite3.connect(file) as db:
        db.execute("pragma user_version = 999")
    code, _, err = untold(played, "replay", "a")
    assert code == 1
    assert "update Freeform RPG" in err


def test_bisect_names_the_turn_and_the_pass(played: Home) -> None:
    found = played.json("bisect", "a", "at t:taproom")
    assert (found["broken"], found["turn_no"], found["by"], found["player_input"]) == (
        True,
        4,
        "rules",
        LINES[3],
    )
    assert "broke in turn 4, by the rules" in played.run("bisect", "a", "at t:taproom").out


def test_metrics_gives_every_turn_what_it_adds(played: Home) -> None:
    document = played.json("metrics", "a")
    assert set(document["metrics"]) >= METRICS | {
        "secret_leak_rate",
        "refusal_precision",
        "repetition_rate",
    }
    assert [turn["turn_no"] for turn in document["turns"]] == [1, 2, 3, 4, 5, 6]


def test_eval_lists_and_runs_suites(home: Home, tmp_path: Path) -> None:
    names = [row["name"] for row in home.json("eval", "list")["suites"]]
    assert names[:4] == ["textworld", "state-transitions", "promises", "golden"]
    folder = tmp_path / "data"
    folder.mkdir()
    a_game(folder)
    report = home.json("eval", "textworld", "--data", str(folder))
    assert (report["suite"], report["n"]) == ("textworld", 1)
    assert {"acceptance", "refusal_precision", "refusal_recall", "state_accuracy"} <= set(
        report["metrics"]
    )
    report = home.json("eval", "promises", "--campaigns", "2", "--turns", "70")
    assert report["metrics"]["kept"] == 1.0


def test_eval_hears_what_is_typed_and_holds_sentences_against_lines(
    home: Home, tmp_path: Path
) -> None:
    inputs = tmp_path / "data" / "hearing" / "dev_inputs.jsonl"
    inputs.parent.mkdir(parents=True)
    shutil.copy(home.path / "scenarios" / "cellar.yaml", inputs.parent)
    row = {"id": "n1", "scenario": "cellar.yaml", "input": "talk to Orla", "forbid": ["violence"]}
    row["accept"] = {"actions": [["talk@t:orla"]]}
    inputs.write_text(json.dumps(row) + "\n", encoding="utf-8")
    data = str(tmp_path / "data")
    report = home.json("eval", "hearing", "--data", data, "--set", "development")
    figures = report["metrics"]["development"]
    assert (report["n"], figures["understood"], figures["first_run"]) == (1, 1.0, False)
    assert {"asked_fairly", "costly", "asked_needlessly"} <= set(figures)
    report = home.json("eval", "safety", "--set", "development")
    assert {"missed", "false_alarm"} <= set(report["metrics"]["development"])


def test_the_data_folder_may_come_from_the_environment(home: Home, tmp_path: Path) -> None:
    (tmp_path / "data" / "textworld").mkdir(parents=True)
    a_game(tmp_path / "data" / "textworld")
    home.extra["FREEFORM_DATA"] = str(tmp_path / "data")
    assert home.json("eval", "textworld")["n"] == 1
