"""The verbs of AI players, as a script uses them."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from freeform.apps.cli.app import app
from freeform.apps.cli.main import to_the_front
from tests.apps.program import Home

ROUND = {"round", "phases", "ooc", "consensus", "directives", "actions", "validation", "narration"}
MEMORY = {"fact_id", "believed", "confidence", "valid_at", "invalid_at", "corruption_type"}


def said(home: Path, *args: str, plain: bool = False) -> Any:
    """What a verb prints; in this process, since LangGraph takes seconds to import."""
    options = ["--home", str(home), "--model", "offline", *([] if plain else ["--json"])]
    ran = CliRunner().invoke(app, to_the_front([*options, *args]), catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.stdout if plain else json.loads(ran.stdout)


@pytest.fixture(scope="module")
def party(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], dict[str, Any]]:
    """A home with a party that has played two rounds."""
    home = tmp_path_factory.mktemp("home")
    made = said(
        home,
        "party",
        "new",
        "--scenario",
        "dead_drop",
        "--players",
        "3",
        "--seed",
        "7",
        "--strength",
        "1",
    )
    return home, made, said(home, "party", "run", made["party"], "--rounds", "2")


def test_a_party_is_made_and_played_with_the_keys_of_the_contract(
    party: tuple[Path, Any, Any],
) -> None:
    _, made, run = party
    assert made["party"] == "dead_drop_party" and [s["agent"] for s in made["seats"]] == [
        "alex",
        "bea",
        "cato",
    ]
    assert len(run["rounds"]) == 2 and run["waiting"] is None
    for record in run["rounds"]:
        assert set(record) >= ROUND
        assert all(
            set(row) >= {"attempts", "valid", "warning"} for row in record["validation"].values()
        )


def test_with_a_seed_a_party_is_played_from_the_start_and_comes_out_the_same(
    party: tuple[Path, Any, Any],
) -> None:
    home, made, run = party
    again = said(home, "party", "run", made["party"], "--rounds", "2", "--seed", "7")
    assert again["party"] == "dead_drop_party_2" and again["rounds"] == run["rounds"]
    compared = said(home, "party", "compare", made["party"], again["party"])
    assert compared["parted_at"] is None and len(compared["rounds"]) == 2
    listed = said(home, "party", "list")["parties"]
    assert {row["party"]: row["again_of"] for row in listed} == {
        "dead_drop_party": "",
        "dead_drop_party_2": "dead_drop_party",
    }


def test_a_character_is_shown_no_talk_of_players(party: tuple[Path, Any, Any]) -> None:
    home, made, _ = party
    for viewer in ("wren_calder", "Wren", "character_wren_calder"):
        heard = said(home, "party", "channels", made["party"], "--as", viewer)
        assert heard["layer"] == "character"
        assert {m["channel"] for m in heard["messages"]} == {"in_character", "player_to_character"}
    heard = said(home, "party", "channels", made["party"], "--as", "alex")
    assert heard["layer"] == "base_persona"
    assert {m["channel"] for m in heard["messages"]} == {"in_character", "out_of_character"}


def test_memory_is_shown_without_the_truth_and_with_it_when_asked_to_explain(
    party: tuple[Path, Any, Any],
) -> None:
    home, made, _ = party
    name = made["party"]
    plain = said(home, "party", "memory", name, "cato", "--at", "90", "--own-words")["memories"]
    assert plain and all(set(row) >= MEMORY and "truth" not in row for row in plain)
    assert all(row["believed"] in row["own_words"] for row in plain), (
        "another voice, the same belief"
    )
    explained = said(home, "party", "memory", name, "cato", "--at", "90", "--explain")["memories"]
    assert [row["believed"] for row in explained] == [row["believed"] for row in plain]
    assert any(row["believed"] != row["truth"] for row in explained), (
        "after ninety days something is wrong"
    )
    perfect = said(
        home, "party", "memory", name, "cato", "--at", "90", "--explain", "--strength", "0"
    )["memories"]
    assert all(row["believed"] == row["truth"] for row in perfect)
    assert "in truth" in said(
        home, "party", "memory", name, "cato", "--at", "90", "--explain", plain=True
    )


def test_figures_and_rows_can_be_taken_away(party: tuple[Path, Any, Any], tmp_path: Path) -> None:
    home, made, run = party
    found = said(home, "party", "stats", made["party"])
    assert (
        found["rounds"] == 2
        and set(found["agents"]) == {"alex", "bea", "cato"}
        and found["overreach"]["checked"] == 6
    )
    jsonl, parquet = tmp_path / "run.jsonl", tmp_path / "run.parquet"
    rows = said(home, "party", "export", made["party"], str(jsonl))["rows"]
    assert (
        said(home, "party", "export", made["party"], str(parquet), "--format", "parquet")["rows"]
        == rows
    )
    import pyarrow.parquet as pq

    read = [json.loads(line) for line in jsonl.read_text(encoding="utf-8").splitlines()]
    assert pq.read_table(parquet).to_pylist() == read and len(read) == rows > 20
    held = tmp_path / "held.jsonl"
    details = said(home, "party", "export", made["party"], str(held), "--beliefs", "--at", "90")[
        "rows"
    ]
    kept = [json.loads(line) for line in held.read_text(encoding="utf-8").splitlines()]
    assert len(kept) == details and {row["agent"] for row in kept} == {"alex", "bea", "cato"}
    assert any(row["believed"] != row["truth"] for row in kept) and all(
        row["day"] == 90 for row in kept
    )
    talk = [row for row in read if row["channel"] == "out_of_character"]
    assert len(talk) == sum(len(record["ooc"]) for record in run["rounds"])


def test_a_round_can_be_read(party: tuple[Path, Any, Any]) -> None:
    home, made, _ = party
    text = said(home, "party", "run", made["party"], plain=True)
    assert text.startswith("Round 3") and "(Alex)" in text and "Wren Calder:" in text


def test_an_experiment_gives_a_row_for_each_combination_and_the_same_row_again(
    tmp_path: Path,
) -> None:
    grid = [
        "party",
        "grid",
        "--scenario",
        "dead_drop",
        "--seeds",
        "1,2",
        "--players",
        "2",
        "--rounds",
        "1",
    ]
    first = said(tmp_path, *grid, "--out", str(tmp_path / "rows.jsonl"))["runs"]
    assert [(row["seed"], row["strength"]) for row in first] == [(1, 0.3), (2, 0.3)]
    assert said(tmp_path, *grid)["runs"] == first and first[0]["digest"] != first[1]["digest"]
    assert len((tmp_path / "rows.jsonl").read_text().splitlines()) == 2


def test_a_person_rules_through_the_verbs(tmp_path: Path) -> None:
    name = said(
        tmp_path, "party", "new", "--scenario", "dead_drop", "--players", "1", "--seed", "3"
    )["party"]
    first = said(tmp_path, "party", "run", name, "--dm", "human")
    assert first["rounds"] == [] and first["waiting"]["who"] == "dm"
    said(tmp_path, "party", "answer", name, "Rain", "on", "the", "window.")
    second = said(tmp_path, "party", "run", name, "--dm", "human")
    assert (
        second["waiting"]["phase"] == "dm_adjudication"
        and "What comes of it?" in second["waiting"]["question"]
    )
    said(tmp_path, "party", "answer", name, "Nothing, yet.")
    (record,) = said(tmp_path, "party", "run", name, "--dm", "human")["rounds"]
    assert record["scene"] == "Rain on the window." and record["narration"] == "Nothing, yet."
    assert said(tmp_path, "party", "end", name)["session"] == 2


@pytest.mark.parametrize(
    ("args", "code", "says"),
    [
        (("party", "run", "nobody"), 1, "no party 'nobody'; there are none yet"),
        (("party", "new", "--scenario", "dead_drop", "--players", "zoe"), 1, "no persona 'zoe'"),
        (("party", "new", "--scenario", "dead_drop", "--strength", "2"), 2, "strength"),
        (("worker",), 1, "`players_redis` is empty"),
        (("party", "grid", "--scenario", "dead_drop", "--seeds", "4-1"), 1, "write --seeds 1-4"),
        (("party", "grid", "--scenario", "dead_drop", "--workers"), 1, "`players_redis` is empty"),
    ],
)
def test_wrong_words_are_answered_with_what_to_do(
    home: Home, args: tuple[str, ...], code: int, says: str
) -> None:
    ran = home.run(*args)
    assert ran.code == code and says in ran.err and "Traceback" not in ran.err
