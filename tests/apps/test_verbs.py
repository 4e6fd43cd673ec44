"""The verbs, as a script uses them: exact JSON keys, one document, global options anywhere."""

import json
import subprocess
import sys

import pytest

from freeform import __version__
from tests.apps.program import Home

TURN_RESULT = {
    "campaign", "branch", "turn_no", "player_input", "interpreter", "validator", "planner", "rolls", "engine_events",
    "state_diff", "final_text", "next_prompt", "suggested_actions", "clarification_question", "prompt_versions",
    "model", "usage", "timings_ms", "degraded",
}  # fmt: skip
STATE = {
    "scene", "entities", "facts", "threads", "clocks", "inventory", "relationships", "summaries", "turn_no", "branch",
}  # fmt: skip


def test_the_version_is_told_without_importing_anything_heavy() -> None:
    code = "import sys; sys.argv[1:] = ['--version']; from freeform.__main__ import main; main(); print(*sys.modules)"
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    version, _, modules = out.partition("\n")
    assert version == f"freeform-rpg {__version__}"
    assert not {"typer", "rich", "pydantic", "asyncio"} & set(modules.split())


def test_help_imports_neither_models_nor_databases() -> None:
    code = (
        "import sys\nfrom freeform.apps.cli.main import run\ntry: run(['--help'])\n"
        "finally: print('MODULES', *sys.modules)"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout
    modules = out.partition("MODULES")[2].split()
    assert not {"pydantic_ai", "openai", "anthropic", "sqlite3", "prompt_toolkit", "d20"} & set(
        modules
    )


def test_scenarios_are_listed(home: Home) -> None:
    rows = home.json("scenarios")["scenarios"]
    assert [{"id", "name", "genre", "packs", "description"} - set(row) for row in rows] == [
        set()
    ] * len(rows)
    assert "cellar" in {row["id"] for row in rows}


def test_a_new_game_says_where_it_begins(home: Home) -> None:
    begun = home.begin()
    assert {"campaign", "scenario", "seed", "opening"} <= set(begun)
    assert (begun["campaign"], begun["scenario"], begun["seed"]) == ("a", "cellar", 7)


def test_a_campaign_without_a_name_gets_the_next_free_one(home: Home) -> None:
    names = [home.json("new-game", "--scenario", "cellar")["campaign"] for _ in range(3)]
    assert names == ["cellar", "cellar-2", "cellar-3"]
    assert {row["id"] for row in home.json("campaigns")["campaigns"]} == set(names)


def test_a_seed_that_was_not_given_is_drawn(home: Home) -> None:
    seeds = {home.json("new-game", "--scenario", "cellar")["seed"] for _ in range(2)}
    assert len(seeds) == 2


def test_session_zero_is_read_from_a_file(home: Home) -> None:
    zero = {
        "hero": {"name": "Jo", "concept": "a thief"},
        "lines": ["spiders"],
        "risk": {"lethality": "low"},
    }
    (home.path / "zero.json").write_text(json.dumps(zero))
    home.json("new-game", "--scenario", "cellar", "--campaign", "a", "--answers", "zero.json")
    player = next(row for row in home.json("state", "a")["entities"] if row["id"] == "player")
    assert player["name"] == "Jo"
    calibration = home.json("context", "a", "I look")["calibration"]
    assert (calibration["lines"], calibration["risk"]["lethality"]) == (["spiders"], "low")


def test_a_turn_prints_a_whole_turn_result(home: Home) -> None:
    home.begin()
    result = home.json("turn", "a", "I", "look around")
    assert set(result) >= TURN_RESULT
    assert result["player_input"] == "I look around"
    assert (result["turn_no"], result["branch"]) == (1, "main")
    assert result["final_text"]


def test_the_same_seed_and_words_give_the_same_turns(home: Home) -> None:
    words = [
        "I look around",
        "I ask Orla about the brandy",
        "I try the cellar door",
        "I go to the yard",
    ]
    told = []
    for campaign, run in (("a", home.run), ("b", home.start)):
        home.begin(campaign)
        turns = [json.loads(run("--json", "turn", campaign, text).out) for text in words]
        told.append(
            [
                {key: t[key] for key in ("rolls", "engine_events", "state_diff", "final_text")}
                for t in turns
            ]
        )
    assert told[0] == told[1]


def test_the_state_after_an_undo_is_the_state_that_was(home: Home) -> None:
    home.begin()
    states = [home.run("--json", "state", "a").out]
    for text in ("I look around", "I go to the yard", "I wait"):
        home.json("turn", "a", text)
        states.append(home.run("state", "a", "--json").out)
    assert set(json.loads(states[0])) >= STATE
    assert [home.run("--json", "state", "a", "--turn", str(n)).out for n in range(4)] == states
    assert home.json("undo", "a", "2") == {"campaign": "a", "turn_no": 1, "branch": "main"}
    assert home.run("--json", "state", "a").out == states[1]
    assert home.json("redo", "a")["turn_no"] == 2
    assert home.run("--json", "state", "a").out == states[2]


def test_a_retry_is_another_take_on_the_same_turn(home: Home) -> None:
    home.begin()
    home.json("turn", "a", "I look around")
    again = home.json("retry", "a")
    assert (again["turn_no"], again["take"], again["player_input"]) == (1, 2, "I look around")


def test_branches_are_made_listed_and_switched(home: Home) -> None:
    home.begin()
    for text in ("I look around", "I wait"):
        home.json("turn", "a", text)
    made = home.json("branch", "a", "--turn", "1", "--name", "what-if")
    assert (made["branch"], made["turn_no"]) == ("what-if", 1)
    rows = home.json("branches", "a")["branches"]
    assert [set(row) >= {"name", "from_turn", "turn_no", "active"} for row in rows] == [True, True]
    assert {row["name"]: row["active"] for row in rows} == {"main": False, "what-if": True}
    assert home.json("switch", "a", "main")["turn_no"] == 2


def test_a_context_is_weighed_section_by_section(home: Home) -> None:
    home.begin()
    packet = home.json("context", "a", "I look around")
    tokens = packet.pop("tokens")
    total = tokens.pop("total")
    assert set(tokens) == set(packet)
    assert total == sum(tokens.values())
    assert home.json("state", "a")["turn_no"] == 0


def test_a_recorded_turn_can_be_shown(home: Home) -> None:
    home.begin()
    result = home.json("turn", "a", "I look around")
    row = home.json("show-event", "a", "--turn", "1")
    for key in ("player_input", "engine_events", "state_diff", "final_text"):
        assert row[key] == result[key]
    assert row["pass_outputs"]["interpreter"] == result["interpreter"]
    assert row["context_packet"]["scene"]


def test_a_fact_says_where_it_comes_from(home: Home) -> None:
    home.begin()
    found = home.json("why", "a", "f_door")
    assert found["fact"]["id"] == "f_door"
    assert found["chain"][0]["turn_no"] == 0
    assert home.run("why", "a", "f_door").out.startswith("The cellar door is locked.")


def test_every_call_to_a_model_is_on_tape(home: Home) -> None:
    home.begin()
    home.json("turn", "a", "I look around")
    rows = home.json("tapes", "a", "--turn", "1")["tapes"]
    assert [row["pass_id"] for row in rows] == [
        "engine/interpreter",
        "engine/planner",
        "engine/narrator",
    ]
    assert all(row["model"] == "offline" and row["output"] for row in rows)


def test_prompts_are_listed_shown_pinned_and_compared(home: Home) -> None:
    home.begin()
    ids = [row["id"] for row in home.json("prompts", "list")["prompts"]]
    assert "engine/narrator" in ids
    assert home.json("prompts", "show", "engine/narrator")["words"]
    assert home.json("prompts", "pin", "a", "engine/narrator", "0")["pins"] == {
        "engine/narrator": 0
    }
    assert home.json("prompts", "pin", "a", "engine/planner", "0")["pins"] == {
        "engine/narrator": 0,
        "engine/planner": 0,
    }
    result = home.json("turn", "a", "I look around")
    assert "engine/narrator@0#" in " ".join(result["prompt_versions"].values())
    assert home.json("prompts", "diff", "engine/narrator", "0", "0")["same"] is True


@pytest.mark.parametrize("args", [("--seed", "7", "roll", "2d6+1"), ("roll", "2d6+1", "--seed=7"),
                                  ("roll", "--seed", "7", "2d6", "+", "1")])  # fmt: skip
def test_global_options_may_stand_anywhere(home: Home, args: tuple[str, ...]) -> None:
    rolled = home.json(*args)
    assert {"total", "text", "dice"} <= set(rolled)
    assert rolled["dice"] == home.json("roll", "2d6+1", "--seed", "7")["dice"]
    assert rolled["total"] == sum(rolled["dice"]) + 1


def test_a_roll_without_a_seed_differs(home: Home) -> None:
    assert len({tuple(home.json("roll", "20d20")["dice"]) for _ in range(2)}) == 2


def test_settings_say_where_they_come_from_and_keep_secrets(home: Home) -> None:
    home.extra["ANTHROPIC_API_KEY"] = "sk-very-secret-key-9876"
    ran = home.run("settings", "--json")
    rows = {row["name"]: row for row in json.loads(ran.out)["settings"]}
    assert rows["home"]["from"] == "$FREEFORM_HOME"
    assert rows["model"] == {**rows["model"], "value": "offline", "from": "--model"}
    assert rows["anthropic_api_key"]["value"] == "…9876"
    assert (
        "very-secret" not in ran.out + ran.err + home.run("doctor").out + home.run("settings").out
    )


def test_models_and_doctor_say_what_is_there(home: Home) -> None:
    home.extra["FREEFORM_OLLAMA_URL"] = "http://127.0.0.1:1"
    listed = home.json("models")
    assert listed["chosen"] == "offline"
    assert [row["name"] for row in listed["models"]] == ["offline"]
    checked = home.json("doctor")
    assert checked["ok"] is True
    assert {"program", "home", "model"} <= {row["part"] for row in checked["parts"]}
    assert [row["ok"] for row in checked["parts"] if row["part"] == "ear"] == [True]


def test_a_key_alone_sends_nothing_anywhere(home: Home) -> None:
    home.extra |= {
        "ANTHROPIC_API_KEY": "sk-some-key-1234567",
        "FREEFORM_OLLAMA_URL": "http://127.0.0.1:1",
    }
    ran = home.run("models", "--json", model="auto")
    assert json.loads(ran.out)["chosen"] == "offline"


def test_a_model_elsewhere_is_never_said_to_be_on_this_machine(home: Home) -> None:
    model = "url:http://localhost@evil.example/v1#m"
    parts = {
        row["part"]: row
        for row in json.loads(home.run("--json", "doctor", model=model).out)["parts"]
    }
    assert "sent over the network" in parts["model"]["note"]
    assert "nothing leaves" not in parts["model"]["note"]
    shown = home.run("play", "--scenario", "cellar", model=model)
    assert "What you play is sent there" in shown.out
    assert "othing leaves" not in shown.out


def test_a_role_with_a_model_elsewhere_is_said_though_the_rest_is_offline(home: Home) -> None:
    home.extra |= {
        "FREEFORM_MODELS_CHEAP": "anthropic:m",
        "ANTHROPIC_API_KEY": "sk-some-key-1234567",
    }
    shown = home.run("play", "--scenario", "cellar")
    assert "othing leaves" not in shown.out and "is sent" in shown.out
