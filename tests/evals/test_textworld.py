"""TextWorld games as scenarios: the reader, the rules as affordances, and the suite on the real files."""

import json
from pathlib import Path
from typing import Any

import pytest

from freeform import wiring
from freeform.core.errors import BadFile, NotFound, UserError
from freeform.evals.suites.textworld.game import read_game, step
from freeform.evals.suites.textworld.logic import Atom, read_logic
from freeform.evals.suites.textworld.suite import figures, play_game, run_textworld
from freeform.settings import Settings
from tests.evals.played import memory_table

LOGIC = """
# a world of one box
type t { }
type o : t { }
type P { rules { look :: at(P, r) -> at(P, r); } inform7 { commands { look :: "look" :: "looking"; } } }
type c : t {
    predicates { open(c); shut(c); in(o, c); }
    rules {
        open/c :: $at(P, r) & $at(c, r) & shut(c) -> open(c);   # a remark; with marks { }
        shut/c :: $at(P, r) & $at(c, r) & open(c) -> shut(c);
    }
    inform7 {
        type { kind :: "container"; definition :: "containers are openable; lids { }."; }
        commands { open/c :: "open {c}" :: "opening"; shut/c :: "shut {c}" :: "shutting"; }
    }
}
type r {
    predicates { at(P, r); at(t, r); east_of(r, r); west_of(r, r') = east_of(r', r); }
    rules {
        go/east :: at(P, r) & $east_of(r', r) -> at(P, r');
        go/west :: at(P, r) & $west_of(r', r) -> at(P, r');
    }
    inform7 { commands { go/east :: "go east" :: "going"; go/west :: "go west" :: "going"; } }
}
type I {
    predicates { in(o, I); }
    rules {
        take :: $at(P, r) & at(o, r) -> in(o, I);
        take/c :: $at(P, r) & $at(c, r) & $open(c) & in(o, c) -> in(o, I);
        insert :: $at(P, r) & $at(c, r) & $open(c) & in(o, I) -> in(o, c);
    }
    inform7 { commands { take :: "take {o}" :: ""; take/c :: "take {o} from {c}" :: ""; insert :: "insert {o} into {c}" :: ""; } }
}
"""


def atom(name: str, *args: str) -> dict[str, Any]:
    return {"name": name, "arguments": [{"name": a, "type": a.split("_")[0]} for a in args]}


def a_game(folder: Path, **changes: Any) -> Path:
    """Two rooms, two boxes whose names begin alike, a coin and a pebble."""
    names = {
        "r_0": "hall",
        "r_1": "attic",
        "c_0": "box",
        "c_1": "red box",
        "o_0": "coin",
        "o_1": "pebble",
    }
    world = [
        atom("at", "P", "r_0"), atom("at", "c_0", "r_0"), atom("at", "c_1", "r_0"), atom("at", "o_1", "r_0"),
        atom("shut", "c_0"), atom("shut", "c_1"), atom("in", "o_0", "c_1"), atom("east_of", "r_1", "r_0"),
    ]  # fmt: skip
    ids = {"P": "", "I": "", **names}
    data = {
        "KB": {"logic": LOGIC},
        "world": world,
        "infos": [[id, {"type": id.split("_")[0], "name": name or None}] for id, name in ids.items()],
        "quests": [{"win_events": [{"commands": ["open red box"], "actions": [], "condition": {"preconditions": [atom("in", "o_0", "I")]}}]}],
        "metadata": {"walkthrough": ["open red box", "take coin from red box", "go east", "go west"]},
        **changes,
    }  # fmt: skip
    path = folder / "game.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_the_logic_of_a_game_reads_with_remarks_texts_and_kinds() -> None:
    logic = read_logic(LOGIC)
    assert set(logic.rules) == {
        "look",
        "open/c",
        "shut/c",
        "go/east",
        "go/west",
        "take",
        "take/c",
        "insert",
    }
    assert logic.is_a("c", "t") and not logic.is_a("t", "c")
    opening = logic.rules["open/c"]
    assert (opening.ends, opening.begins) == ((Atom("shut", ("c",)),), (Atom("open", ("c",)),))
    assert logic.rules["look"].ends == ()


@pytest.mark.parametrize(
    "text",
    [
        "type c {",
        "type c { rules { a :: b(c -> d(c); } }",
        "kind c { }",
        "type c { rules { a b } }",
    ],
)
def test_logic_that_does_not_read_says_where(text: str) -> None:
    with pytest.raises(UserError, match="the game's logic"):
        read_logic(text)


def test_rules_are_bound_to_what_can_ever_be_so(tmp_path: Path) -> None:
    game = read_game(a_game(tmp_path))
    commands = {deed.command for deed in game.bound}
    assert {
        "open box",
        "take coin from red box",
        "insert pebble into box",
        "go east",
        "go west",
    } <= commands
    east = [deed for deed in game.bound if deed.command == "go east"]
    assert [deed.needs for deed in east] == [
        {Atom("at", ("P", "r_0")), Atom("east_of", ("r_1", "r_0"))}
    ]
    assert step(game.facts, east[0]) >= {Atom("at", ("P", "r_1"))}


def test_a_game_is_played_by_our_validator_and_resolver_without_a_fault(tmp_path: Path) -> None:
    tally, reached = play_game(read_game(a_game(tmp_path)))
    found = figures([tally])
    assert tally.failures == []
    assert [
        found[n] for n in ("acceptance", "refusal_precision", "refusal_recall", "state_accuracy")
    ] == [1.0] * 4
    assert reached
    assert found["commands_tried"] > 300


def test_a_walkthrough_that_breaks_the_rules_lowers_acceptance(tmp_path: Path) -> None:
    steps = {
        "walkthrough": [
            "take coin from red box",
            "open red box",
            "take coin from red box",
            "take coin from red box",
        ]
    }
    tally, _ = play_game(read_game(a_game(tmp_path, metadata=steps)))
    assert figures([tally])["acceptance"] == 0.5
    assert tally.failures[0] == "no rule of the game fits 'take coin from red box' in that state"


@pytest.mark.parametrize(
    ("damage", "says"),
    [
        (lambda p: p.write_text("{", encoding="utf-8"), "does not read as a TextWorld game"),
        (lambda p: p.write_text("{}", encoding="utf-8"), "lacks 'KB' of a TextWorld game"),
        (
            lambda p: p.write_text(p.read_text().replace("type c", "tipe c"), encoding="utf-8"),
            "'tipe' where 'type'",
        ),
        (lambda p: p.write_bytes(b"\xff\xfe\x00"), "does not read as a TextWorld game"),
    ],
)
def test_a_damaged_game_is_named_with_what_is_wrong(tmp_path: Path, damage: Any, says: str) -> None:
    path = a_game(tmp_path)
    damage(path)
    with pytest.raises(BadFile, match=says):
        read_game(path)


async def test_a_folder_without_games_says_where_to_put_them(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="put .*json into .*textworld"):
        await run_textworld(tmp_path, memory_table)


async def test_the_real_games_are_played_to_their_goals(data: Path, tmp_path: Path) -> None:
    """With the ear, as anyone plays: what is typed must do what the same deed does outright."""
    settings = Settings.model_validate({"home": tmp_path, "model": "offline"})
    report = await run_textworld(data, lambda: wiring.headless(settings))
    assert report.n >= 5
    wanted = (
        "acceptance",
        "refusal_precision",
        "refusal_recall",
        "state_accuracy",
        "goal_reached",
        "quest_facts",
    )
    assert {name: report.metrics[name] for name in wanted} == dict.fromkeys(wanted, 1.0)
    assert report.metrics["typed_state_accuracy"] >= 0.95
