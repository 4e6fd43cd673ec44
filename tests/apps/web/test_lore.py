"""The researcher over HTTP: where it stands, its inbox, its world, and the event stream that tells of it."""

from pathlib import Path

from tests.apps.web.serving import Served, Tab, serving
from tests.lore.emberfall import GAME, after_ashmoor


async def researched(home: Path) -> None:
    home.mkdir(parents=True, exist_ok=True)
    await after_ashmoor(home / "lore.db", ask=True).store.close()


async def test_a_decision_made_elsewhere_is_heard_and_one_made_here_counts_once(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "home") as served, Tab(served) as tab:
        await researched(tmp_path / "home")
        heard = await tab.until("lore_decision")
        asked = heard[-1].data
        assert asked["open"] and asked["options"] == ["Greyford", "Sunken Vale", "Tarn Heights"]
        [decision] = (await served.get("/api/lore/inbox"))["decisions"]
        path = f"/api/lore/decisions/{decision['decision_id']}"
        ways = (await served.get(f"{path}/evidence"))["options"]
        assert [way["option"] for way in ways] == decision["options"] and ways[0]["sources"][0][
            "quote"
        ]
        for before in (False, True):
            answered = await served.post(path, {"choice": "2"})
            assert (answered["choice"], answered["already"]) == ("Sunken Vale", before)
        late = await served.http.post(path, json={"choice": "Greyford"})
        assert late.status_code == 409
        assert (
            await served.http.post("/api/lore/decisions/none", json={"choice": "1"})
        ).status_code == 404
        assert (await served.get("/api/lore/inbox"))["decisions"] == []


async def test_status_and_graph_are_what_the_command_line_shows(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        assert (await served.http.get("/api/lore/status")).status_code == 404
        await researched(tmp_path / "home")
        point = await served.get(f"/api/lore/status?game={GAME}")
        assert point["completed_zones"] == ["Ashmoor"] and point["step_data"] == {}
        assert (await served.get("/api/lore/games"))["games"] == [GAME]
        graph = await served.get("/api/lore/graph?zone=Ashmoor")
        stubs = {node["name"] for node in graph["nodes"] if node["data"].get("stub")}
        assert stubs == {"Greyford", "Sunken Vale", "Tarn Heights"}
        assert (await served.http.get("/api/lore/graph?zone=Narnia")).status_code == 404
        await used(served)


async def test_a_person_judges_begins_and_stops_over_http(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        assert (await served.http.get("/api/lore/judge")).status_code == 404
        await researched(tmp_path / "home")
        told = await served.get(f"/api/lore/judge?game={GAME}")
        [conflict] = told["conflicts"]
        assert told["gaps"] and told["labels"] and "connects_to" in told["meanings"]["zone"]
        path = f"/api/lore/conflicts/{conflict['conflict_id']}?game={GAME}"
        kept = await served.post(path, {"choice": "b", "note": "the map says so"})
        assert kept["zones"] == ["Ashmoor"]
        fact = {"subject": "Mara Vell", "predicate": "role", "value": "Queen"}
        await served.post(f"/api/lore/corrections?game={GAME}", fact)
        facts = (await served.get(f"/api/lore/facts?game={GAME}&about=Mara Vell"))["facts"]
        assert "Queen" in [each["value"] for each in facts if each["predicate"] == "role"]
        told = await served.get(f"/api/lore/judge?game={GAME}")
        assert told["conflicts"] == [] and len(told["acts"]) == 2
        gone = await served.http.delete(f"/api/lore/said/{kept['act']['act_id']}?game={GAME}")
        assert gone.status_code == 200
        assert len((await served.get(f"/api/lore/judge?game={GAME}"))["conflicts"]) == 1
        asked = await served.post(f"/api/lore/ask/refresh?game={GAME}", {})
        assert asked["zones"] == ["Ashmoor"]
        begun = {"game": GAME, "zones": ["Ashmoor"], "max_cycles": 1}
        assert (await served.post("/api/lore/start", begun))["game"] == GAME
        stopped = await served.post(f"/api/lore/stop?game={GAME}", {})
        assert [each["wrong"] for each in stopped["running"]] == [""]
        bad = await served.http.post("/api/lore/start", json={"game": GAME, "zones": [" "]})
        assert bad.status_code in (400, 409), "one that still ends its step is not begun twice"


async def test_the_desk_is_empty_before_and_tells_each_game_after(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        assert (
            (await served.get("/api/lore/games"))["games"]
            == (await served.get("/api/lore/work"))["works"]
            == []
        )
        assert (await served.get("/api/lore/inbox"))["decisions"] == []
        assert not (tmp_path / "home" / "lore.db").exists()
        await researched(tmp_path / "home")
        found = await served.get("/api/lore/work")
        [work] = found["works"]
        assert (work["game"], work["open_decisions"], len(found["steps"])) == (GAME, 1, 10)
        assert (
            work["checkpoint"]["held_zones"] and work["spent"]["crawls"] > 0 and work["per_day"] > 0
        )
        told = await served.get("/api/lore/facts/npc/mara_vell")
        assert told["node"]["name"] == "Mara Vell" and told["facts"]
        assert (await served.http.get("/api/lore/facts/npc/nobody")).status_code == 404
        assert (await served.http.get("/api/lore/facts/dragon/mara_vell")).status_code in (400, 422)
        assert (await served.http.get("/api/lore/decisions/none/evidence")).status_code == 404


async def used(served: Served) -> None:
    """The routes are in the API's own description."""
    paths = (await served.get("/api/openapi.json"))["paths"]
    assert {
        "/api/lore/status",
        "/api/lore/inbox",
        "/api/lore/graph",
        "/api/lore/decisions/{decision_id}",
    } <= set(paths)
