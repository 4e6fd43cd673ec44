"""The same thing through every door: equal results, and one sentence when it cannot be done."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.services.doors import Doors, alike, begun, opened, refused_alike

TURN = (
    "turn_no", "take", "player_input", "final_text", "next_prompt", "suggested_actions", "rolls",
)  # fmt: skip
PLACE = ("turn_no", "branch")
NIGHT = ("id", "campaign_id", "turn_range_start", "turn_range_end", "summary")


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[Doors]:
    """Three doors, and behind each the same campaign, `a`."""
    async with opened(tmp_path) as made:
        await begun(made)
        yield made


async def turn(doors: Doors, text: str) -> Any:
    """One turn through each door; what they tell of it."""
    return alike(
        [
            await doors.cli("turn", "a", text),
            await doors.http.played("turns", {"text": text}),
            await doors.mcp("take_turn", campaign="a", text=text),
        ],
        *TURN,
    )


async def test_what_can_be_played_and_how_it_begins(doors: Doors) -> None:
    shelves = [
        await doors.cli("scenarios"),
        await doors.http("GET", "/api/scenarios"),
        await doors.mcp("list_scenarios"),
    ]
    rows = [
        [
            (row["id"], row["name"], row["genre"], row["packs"], row["description"])
            for row in shelf["scenarios"]
        ]
        for shelf in shelves
    ]
    assert rows[0] == rows[1] == rows[2]
    again = {"scenario": "cellar", "seed": 11}
    begun = alike(
        [
            await doors.cli("new-game", "--scenario", "cellar", "--seed", "11"),
            await doors.http("POST", "/api/campaigns", again),
            await doors.mcp("begin_campaign", **again),
        ],
        "campaign", "scenario", "seed", "opening", "suggested_actions",
    )  # fmt: skip
    assert begun["campaign"] == "cellar" and begun["seed"] == 11 and begun["opening"]
    listed = [
        await doors.cli("campaigns"),
        await doors.http("GET", "/api/campaigns"),
        await doors.mcp("list_campaigns"),
    ]
    named = [
        sorted((row["id"], row["name"], row["current_turn"]) for row in each["campaigns"])
        for each in listed
    ]
    assert named[0] == named[1] == named[2] and len(named[0]) == 2


async def test_the_oracle_says_the_same_through_every_door(doors: Doors) -> None:
    wanted = {"text": "is the bridge guarded? likely"}
    said = ("turn_no", "question", "answer", "odds", "chance", "rolled", "rolls", "twist", "text")
    bridge = alike(
        [
            await doors.cli("oracle", "a", wanted["text"]),
            await doors.http("POST", "/api/campaigns/a/oracle", wanted),
            await doors.mcp("ask_oracle", campaign="a", **wanted),
        ],
        *said,
    )
    assert (bridge["question"], bridge["chance"]) == ("is the bridge guarded?", 70)
    assert f"{bridge['rolled']} against 70" in bridge["text"]
    shelves = [
        await doors.cli("oracle", "a"),
        await doors.http("GET", "/api/campaigns/a/oracle"),
        await doors.mcp("ask_oracle", campaign="a"),
    ]
    assert len(alike(shelves, "tables")["tables"]) >= 10


async def test_a_scenario_is_checked_alike(doors: Doors) -> None:
    ran = await asyncio.to_thread(doors.cli.home.run, "--json", "scenario", "check", "cellar")
    told = ("ok", "findings", "reach", "turns", "budget")
    found = alike(
        [
            json.loads(ran.out),
            await doors.http("GET", "/api/scenarios/cellar/check"),
            await doors.mcp("check_scenario", scenario="cellar"),
        ],
        *told,
    )
    assert ran.code == 1 and found["ok"] is False
    assert found["reach"]["places"]["missing"] == ["t:well"]


async def test_turns_and_every_way_back_and_forth(doors: Doors) -> None:
    assert (await turn(doors, "look around"))["final_text"]
    assert (await turn(doors, "take the mug"))["turn_no"] == 2
    for verb, says in (("undo", (1, "main")), ("redo", (2, "main"))):
        place = alike(
            [
                await doors.cli(verb, "a"),
                await doors.http("POST", f"/api/campaigns/a/{verb}"),
                await doors.mcp(verb, campaign="a"),
            ],
            *PLACE,
        )
        assert (place["turn_no"], place["branch"]) == says
    again = alike(
        [
            await doors.cli("retry", "a"),
            await doors.http.played("retry"),
            await doors.mcp("retry_turn", campaign="a"),
        ],
        *TURN,
    )
    assert (again["turn_no"], again["take"], again["player_input"]) == (2, 2, "take the mug")
    alike(
        [
            await doors.cli("branch", "a", "--turn", "1", "--name", "what-if"),
            await doors.http("POST", "/api/campaigns/a/branch", {"turn_no": 1, "name": "what-if"}),
            await doors.mcp("start_branch", campaign="a", turn_no=1, name="what-if"),
        ],
        *PLACE,
    )
    await turn(doors, "wait")
    rows = alike(
        [
            await doors.cli("branches", "a"),
            await doors.http("GET", "/api/campaigns/a/branches"),
            await doors.mcp("list_branches", campaign="a"),
        ],
        "branches",
    )["branches"]
    assert [(row["name"], row["active"]) for row in rows] == [("main", False), ("what-if", True)]
    alike(
        [
            await doors.cli("switch", "a", "main"),
            await doors.http("POST", "/api/campaigns/a/switch", {"branch": "main"}),
            await doors.mcp("switch_branch", campaign="a", branch="main"),
        ],
        *PLACE,
    )
    taken_back = alike(
        [
            await doors.cli("x", "a", "spiders"),
            await doors.http("POST", "/api/campaigns/a/x", {"what": "spiders"}),
            await doors.mcp("x_card", campaign="a", what="spiders"),
        ],
        *PLACE,
    )
    assert taken_back == {"turn_no": 1, "branch": "main"}
    seen = await doors.http("GET", "/api/campaigns/a/table")
    assert seen["safety"]["excluded"] == ["spiders"]
    alike([seen, await doors.mcp("read_state", campaign="a")], *seen)


async def test_takes_and_other_words(doors: Doors) -> None:
    await turn(doors, "look around")
    await turn(doors, "take the mug")
    edited = alike(
        [
            await doors.cli("edit", "a", "1", "I wait"),
            await doors.http.played("edit", {"turn_no": 1, "text": "I wait"}),
        ],
        *TURN,
    )
    assert (edited["turn_no"], edited["player_input"]) == (1, "I wait")
    takes = alike(
        [
            await doors.cli("takes", "a", "1"),
            await doors.http("GET", "/api/campaigns/a/takes/1"),
        ],
        "takes",
    )["takes"]
    assert [row["chosen"] for row in takes] == [False, True]
    place = alike(
        [
            await doors.cli("choose", "a", "1", "1"),
            await doors.http("POST", "/api/campaigns/a/choose", {"turn_no": 1, "take": 1}),
        ],
        *PLACE,
    )
    assert place["turn_no"] == 1


async def test_game_nights(doors: Doors) -> None:
    alike(
        [
            await doors.cli("session", "start", "a"),
            await doors.http("POST", "/api/campaigns/a/sessions/start"),
            await doors.mcp("start_session", campaign="a"),
        ],
        *NIGHT,
    )
    await turn(doors, "take the mug")
    ended = alike(
        [
            await doors.cli("session", "end", "a"),
            await doors.http("POST", "/api/campaigns/a/sessions/end"),
            await doors.mcp("end_session", campaign="a"),
        ],
        *NIGHT,
    )
    assert (ended["turn_range_start"], ended["turn_range_end"]) == (1, 1) and ended["summary"]
    recap = alike(
        [
            await doors.cli("session", "recap", "a"),
            await doors.http("GET", "/api/campaigns/a/recap"),
            await doors.mcp("recap", campaign="a"),
        ],
        "recap",
    )
    assert recap["recap"]
    nights = [
        (await doors.cli("session", "list", "a"))["sessions"],
        (await doors.http("GET", "/api/campaigns/a/sessions"))["sessions"],
        await doors.mcp.read("freeform://campaigns/a/sessions"),
    ]
    assert [len(each) for each in nights] == [1, 1, 1]
    alike([each[0] for each in nights], *NIGHT)


async def test_where_a_fact_comes_from(doors: Doors) -> None:
    await turn(doors, "look around")
    known = (await doors.http("GET", "/api/campaigns/a/table"))["facts"]
    found = [
        await doors.cli("why", "a", known[0]["id"]),
        await doors.http("GET", f"/api/campaigns/a/why/{known[0]['id']}"),
        await doors.mcp("why", campaign="a", fact_id=known[0]["id"]),
    ]
    alike(found, "fact")
    for each in found:
        assert [(step["what"], step["turn_no"]) for step in each["chain"]] == [("scenario", 0)]
    hidden = next(
        fact["id"]
        for fact in (await doors.cli("state", "a"))["facts"]
        if fact["visibility"] == "hidden"
    )
    sentence = refused_alike(
        [
            await doors.http("GET", f"/api/campaigns/a/why/{hidden}"),
            await doors.mcp("why", campaign="a", fact_id=hidden),
        ]
    )
    nothing = await doors.http("GET", "/api/campaigns/a/why/zzzz")
    assert sentence.partition(";")[0] == nothing.sentence.partition(";")[0].replace("zzzz", hidden)


async def test_packs_and_what_they_say(doors: Doors) -> None:
    shelves = [
        (await doors.cli("pack", "list"))["packs"],
        (await doors.http("GET", "/api/packs"))["packs"],
        (await doors.mcp.read("freeform://packs"))["packs"],
    ]
    rows = [[(row["id"], row["version"], row["entries"]) for row in shelf] for shelf in shelves]
    assert rows[0] == rows[1] == rows[2] and rows[0]
    alike(
        [
            await doors.cli("pack", "info", "neo_seattle"),
            await doors.http("GET", "/api/packs/neo_seattle"),
            await doors.mcp.read("freeform://packs/neo_seattle"),
        ],
        "manifest", "digest", "counts", "contents", "errors", "warnings",
    )  # fmt: skip
    found = [
        await doors.cli("pack", "search", "Viktor", "--as", "player", "--k", "3"),
        await doors.http("GET", "/api/search?q=Viktor&view=player&k=3"),
        await doors.mcp("search_lore", query="Viktor", k=3),
    ]
    alike(found, "total_tokens")
    ids = [[chunk["chunk_id"] for chunk in each["chunks"]] for each in found]
    assert ids[0] == ids[1] == ids[2] and ids[0]


async def test_which_model_plays(doors: Doors) -> None:
    chosen = await doors.cli("models")
    status = await doors.http("GET", "/api/status")
    rows = [{"name": row["name"], "note": row["note"]} for row in chosen["models"]]
    assert (status["model"], status["models"]) == (chosen["chosen"], rows)
    assert status["stays_here"] is True


LONG = "x" * 5000
WRONG: dict[str, tuple[Any, Any, Any]] = {
    "no such campaign": (
        ("turn", "nobodys", "wait"),
        ("POST", "/api/campaigns/nobodys/turns", {"text": "wait"}),
        ("take_turn", {"campaign": "nobodys", "text": "wait"}),
    ),
    "a name that cannot be one": (
        ("turn", "..a", "wait"),
        ("POST", "/api/campaigns/..a/turns", {"text": "wait"}),
        ("take_turn", {"campaign": "..a", "text": "wait"}),
    ),
    "nothing said": (
        ("turn", "a", "  "),
        ("POST", "/api/campaigns/a/turns", {"text": "  "}),
        ("take_turn", {"campaign": "a", "text": "  "}),
    ),
    "far too much said": (
        ("turn", "a", LONG),
        ("POST", "/api/campaigns/a/turns", {"text": LONG}),
        ("take_turn", {"campaign": "a", "text": LONG}),
    ),
    "no such scenario": (
        ("new-game", "--scenario", "celar"),
        ("POST", "/api/campaigns", {"scenario": "celar"}),
        ("begin_campaign", {"scenario": "celar"}),
    ),
    "no such file of a scenario": (
        ("new-game", "--scenario", "missing.yaml"),
        ("POST", "/api/campaigns", {"scenario": "missing.yaml"}),
        ("begin_campaign", {"scenario": "missing.yaml"}),
    ),
    "a campaign that is there": (
        ("new-game", "--scenario", "cellar", "--campaign", "a"),
        ("POST", "/api/campaigns", {"scenario": "cellar", "campaign": "a"}),
        ("begin_campaign", {"scenario": "cellar", "campaign": "a"}),
    ),
    "a campaign that leaves its folder": (
        ("new-game", "--scenario", "cellar", "--campaign", "../x"),
        ("POST", "/api/campaigns", {"scenario": "cellar", "campaign": "../x"}),
        ("begin_campaign", {"scenario": "cellar", "campaign": "../x"}),
    ),
    "undo at the beginning": (
        ("undo", "a"),
        ("POST", "/api/campaigns/a/undo", None),
        ("undo", {"campaign": "a"}),
    ),
    "redo of nothing": (
        ("redo", "a"),
        ("POST", "/api/campaigns/a/redo", None),
        ("redo", {"campaign": "a"}),
    ),
    "retry of nothing": (
        ("retry", "a"),
        ("POST", "/api/campaigns/a/retry", None),
        ("retry_turn", {"campaign": "a"}),
    ),
    "no such branch": (
        ("switch", "a", "nowhere"),
        ("POST", "/api/campaigns/a/switch", {"branch": "nowhere"}),
        ("switch_branch", {"campaign": "a", "branch": "nowhere"}),
    ),
    "a branch from a turn that is not there": (
        ("branch", "a", "--turn", "7"),
        ("POST", "/api/campaigns/a/branch", {"turn_no": 7}),
        ("start_branch", {"campaign": "a", "turn_no": 7}),
    ),
    "a branch whose name is taken": (
        ("branch", "a", "--name", "main"),
        ("POST", "/api/campaigns/a/branch", {"name": "main"}),
        ("start_branch", {"campaign": "a", "name": "main"}),
    ),
    "other words for no turn": (
        ("edit", "a", "3", "wait"),
        ("POST", "/api/campaigns/a/edit", {"turn_no": 3, "text": "wait"}),
        None,
    ),
    "a take that is not there": (
        ("choose", "a", "1", "3"),
        ("POST", "/api/campaigns/a/choose", {"turn_no": 1, "take": 3}),
        None,
    ),
    "takes on no turn": (("takes", "a", "9"), ("GET", "/api/campaigns/a/takes/9", None), None),
    "branches of nobody": (
        ("branches", "nobodys"),
        ("GET", "/api/campaigns/nobodys/branches", None),
        ("list_branches", {"campaign": "nobodys"}),
    ),
    "the X-card of nobody": (
        ("x", "nobodys"),
        ("POST", "/api/campaigns/nobodys/x", None),
        ("x_card", {"campaign": "nobodys"}),
    ),
    "no such fact": (
        ("why", "a", "zzzz"),
        ("GET", "/api/campaigns/a/why/zzzz", None),
        ("why", {"campaign": "a", "fact_id": "zzzz"}),
    ),
    "no night is open": (
        ("session", "end", "a"),
        ("POST", "/api/campaigns/a/sessions/end", None),
        ("end_session", {"campaign": "a"}),
    ),
    "a recap of nobody": (
        ("session", "recap", "nobodys"),
        ("GET", "/api/campaigns/nobodys/recap", None),
        ("recap", {"campaign": "nobodys"}),
    ),
    "dice that do not read": (
        ("roll", "2d"),
        ("POST", "/api/roll", {"expr": "2d"}),
        ("roll", {"expr": "2d"}),
    ),
    "odds that are none": (
        ("oracle", "a", "is it?", "--odds", "purple"),
        ("POST", "/api/campaigns/a/oracle", {"text": "is it?", "odds": "purple"}),
        ("ask_oracle", {"campaign": "a", "text": "is it?", "odds": "purple"}),
    ),
    "too many dice": (
        ("roll", "9999999d6"),
        ("POST", "/api/roll", {"expr": "9999999d6"}),
        ("roll", {"expr": "9999999d6"}),
    ),
    "a search for nothing": (
        ("pack", "search", " "),
        ("GET", "/api/search?q=%20", None),
        ("search_lore", {"query": " "}),
    ),
    "a search in nobody's campaign": (
        ("pack", "search", "mug", "--campaign", "nobodys"),
        ("GET", "/api/search?q=mug&campaign=nobodys", None),
        ("search_lore", {"query": "mug", "campaign": "nobodys"}),
    ),
    "a search in no pack": (
        ("pack", "search", "mug", "--pack", "no_such"),
        ("GET", "/api/search?q=mug&pack=no_such", None),
        None,
    ),
    "a pack that cannot be removed": (
        ("pack", "remove", "no_such"),
        ("DELETE", "/api/packs/no_such", None),
        None,
    ),
    "an export of nobody": (
        ("export", "nobodys", "x.zip"),
        ("GET", "/api/campaigns/nobodys/export", None),
        None,
    ),
}


async def test_what_cannot_be_done_is_said_in_one_sentence_at_every_door(doors: Doors) -> None:
    said = {}
    for case, (args, request, call) in WRONG.items():
        answers = [await doors.cli(*args), await doors.http(*request)]
        if call:
            tool, given = call
            answers.append(await doors.mcp(tool, **given))
        said[case] = refused_alike(answers)
    assert "up to 4,000" in said["far too much said"]
    assert "did you mean 'cellar'?" in said["no such scenario"]
    assert "nothing to undo" in said["undo at the beginning"]


async def test_a_pack_that_is_not_there(doors: Doors) -> None:
    refused_alike(
        [
            await doors.cli("pack", "info", "no_such"),
            await doors.http("GET", "/api/packs/no_such"),
            await doors.mcp.read("freeform://packs/no_such"),
        ]
    )


async def test_a_request_over_the_network_names_no_scenario_file_of_the_server(
    doors: Doors,
) -> None:
    file = doors.cli.home.path / "scenarios" / "cellar.yaml"
    begun = await doors.cli("new-game", "--scenario", str(file), "--campaign", "b")
    assert begun["scenario"] == "cellar"
    refused_alike(
        [
            await doors.http("POST", "/api/campaigns", {"scenario": str(file)}),
            await doors.mcp("begin_campaign", scenario=str(file)),
        ]
    )
