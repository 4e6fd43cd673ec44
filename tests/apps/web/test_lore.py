"""The researcher over HTTP: where it stands, its inbox, its world, and the event stream that tells of it."""

import asyncio
from pathlib import Path

import pytest

from freeform.core.errors import Unavailable
from freeform.services.lore.agents import StartRequest
from tests.apps.web.serving import Served, Tab, serving
from tests.lore.emberfall import GAME, after_ashmoor
from tests.patience import PATIENCE


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


async def test_a_person_judges_over_http(tmp_path: Path) -> None:
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


async def test_research_is_begun_and_stopped_over_http(tmp_path: Path) -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def search(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """A search that answers when it may, and finds nothing."""
        await reader.readuntil(b"\r\n\r\n")
        asked.set()
        await go.wait()
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 15\r\n"
        writer.write(head + b'connection: close\r\n\r\n{"results": []}')
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(search, "127.0.0.1", 0)
    wanted = {
        "lore_search_url": f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}",
        "lore_search_kind": "searxng",
        "lore_requests_per_minute": 0,
        "lore_host_pause_s": 0.0,
    }
    async with server, serving(tmp_path / "home", **wanted) as served:
        begun = {"game": f" {GAME} ", "zones": ["Mere"]}
        assert (await served.post("/api/lore/start", begun))["game"] == GAME
        async with asyncio.timeout(PATIENCE):
            await asked.wait()
        again = await served.http.post("/api/lore/start", json={"game": GAME, "zones": ["Mere"]})
        assert again.status_code == 409
        stopped = await served.post("/api/lore/stop", {})
        assert [each["running"] for each in stopped["running"]] == [True], "it ends its step first"
        go.set()
        async with asyncio.timeout(PATIENCE):
            while (state := (await served.get("/api/lore/running"))["running"][0])["running"]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        assert (state["wrong"], state["said"]) == ("", "Stopped: asked to stop.")
        bad = await served.http.post("/api/lore/start", json={"game": GAME, "zones": [" "]})
        assert bad.status_code == 400 and "--" not in bad.text
        broken = served.room.settings.model_copy(update={"lore_sources": 7})
        with pytest.raises(Unavailable, match="fault of the program"):
            await served.room.researchers.start(broken, StartRequest(game="B", zones=["Mere"]))
        assert "fault" in served.room.researchers.views()[-1].wrong


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
