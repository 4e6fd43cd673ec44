"""The Players screen's routes: make, run, listen, step through, look into memories, compare."""

import json
from io import BytesIO
from pathlib import Path

import pytest

from tests.apps.web.serving import Tab, serving


async def test_a_party_is_made_played_and_looked_at_over_http(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        assert [p["id"] for p in (await served.get("/api/parties/personas"))["personas"]][:4] == [
            "alex",
            "bea",
            "cato",
            "dee",
        ]
        made = await served.post(
            "/api/parties",
            {"scenario": "dead_drop", "players": "2", "seed": 7, "strength": 1.0},
            Idempotency_Key="p1",
        )
        again = await served.post(
            "/api/parties",
            {"scenario": "dead_drop", "players": "2", "seed": 7, "strength": 1.0},
            Idempotency_Key="p1",
        )
        name = made["party"]
        assert (
            again["party"] == name == "dead_drop_party"
            and len((await served.get("/api/parties"))["parties"]) == 1
        )
        async with Tab(served) as tab:
            await served.post(f"/api/parties/{name}/run", {"rounds": 2})
            seen = []
            while not seen or seen[-1]["what"] != "stopped":
                seen += [event.data for event in await tab.until("party")]
        assert [e["phase"] for e in seen if e["what"] == "phase"][:3] == [
            "dm_narration",
            "memory_query",
            "ooc_discussion",
        ]
        assert [e["round"] for e in seen if e["what"] == "round"] == [1, 2]

        rounds = await served.get(f"/api/parties/{name}/rounds")
        lanes = await served.get(f"/api/parties/{name}/rounds/1/lanes")
        assert rounds["total"] == 2 and [r["step"] for r in lanes["rows"]] == list(
            range(len(lanes["rows"]))
        )
        assert {r["channel"] for r in lanes["rows"]} == {
            "in_character",
            "out_of_character",
            "player_to_character",
        }
        assert lanes["consensus"]["question"].startswith("Do we ")
        heard = await served.get(f"/api/parties/{name}/channels?viewer=wren_calder")
        assert "out_of_character" not in {m["channel"] for m in heard["messages"]}
        memory = await served.get(f"/api/parties/{name}/memory/bea?at=200&explain=true")
        wrong = [m for m in memory["memories"] if m["believed"] != m["truth"]]
        assert wrong, "after two hundred days something is wrong"
        curve = await served.get(
            f"/api/parties/{name}/memory/bea/curve?fact={wrong[0]['fact_id']}&days=200"
        )
        held = [point["held"] for point in curve["points"]]
        lost = [one for one in curve["details"] if one["since"] is not None]
        assert lost and all(one["held"][0] > one["threshold"] > one["held"][-1] for one in lost)
        assert (
            "".join(run["text"] for run in wrong[0]["diff"] if run["op"] != "wrong").split() != []
        )
        assert (
            held == sorted(held, reverse=True)
            and held[0] > held[-1]
            and not curve["points"][-1]["correct"]
        )
        assert (await served.get(f"/api/parties/{name}/stats"))["rounds"] == 2
        assert (await served.get(f"/api/parties/{name}/compare/{name}"))["parted_at"] is None
        assert (await served.http.get(f"/api/parties/{name}/rounds/9/lanes")).status_code == 404
        assert (
            await served.http.post(f"/api/parties/{name}/answer", json={"text": "x"})
        ).status_code == 409


async def test_a_run_is_taken_away_as_rows_and_no_file_of_the_machine_is_opened(
    tmp_path: Path,
) -> None:
    (tmp_path / "mine.yaml").write_text("id: mine", encoding="utf-8")
    async with serving(tmp_path / "home") as served:
        refused = await served.http.post(
            "/api/parties", json={"scenario": "dead_drop", "players": str(tmp_path / "mine.yaml")}
        )
        assert refused.status_code == 400 and "names of bundled personas" in refused.json()["error"]
        made = await served.post(
            "/api/parties", {"scenario": "dead_drop", "players": "alex, Dee", "seed": 7}
        )
        name = made["party"]
        async with Tab(served) as tab:
            await served.post(f"/api/parties/{name}/run", {"rounds": 1})
            while (await tab.until("party"))[-1].data["what"] != "stopped":
                pass
        taken = await served.http.get(f"/api/parties/{name}/export")
        rows = [json.loads(line) for line in taken.text.splitlines()]
        assert [row["agent"] for row in rows if row["phase"] == "directives"] == ["alex", "dee"]
        assert taken.headers["content-disposition"] == f'attachment; filename="{name}.jsonl"'
        pq = pytest.importorskip("pyarrow.parquet")
        packed = await served.http.get(f"/api/parties/{name}/export?format=parquet")
        assert pq.read_table(BytesIO(packed.content)).to_pylist() == rows


async def test_a_person_answers_over_http(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        made = await served.post(
            "/api/parties", {"scenario": "dead_drop", "players": "1", "seed": 7}
        )
        name = made["party"]
        async with Tab(served) as tab:
            await served.post(f"/api/parties/{name}/run", {"rounds": 1, "dm": "human"})
            for text in ("Rain.", "Nothing happens."):
                while (event := (await tab.until("party"))[-1].data)["what"] != "stopped":
                    pass
                assert (
                    event and (await served.get(f"/api/parties/{name}"))["waiting"]["who"] == "dm"
                )
                await served.post(f"/api/parties/{name}/answer", {"text": text, "dm": "human"})
            while (await tab.until("party"))[-1].data["what"] != "stopped":
                pass
        (record,) = (await served.get(f"/api/parties/{name}/rounds"))["rounds"]
        assert record["scene"] == "Rain." and record["narration"] == "Nothing happens."
