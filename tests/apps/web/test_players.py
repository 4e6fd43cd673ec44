"""The Players screen's routes: make, run, listen, step through, look into memories, compare."""

from pathlib import Path

from tests.apps.web.serving import Tab, serving


async def test_a_party_is_made_played_and_looked_at_over_http(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        assert [p["id"] for p in (await served.get("/api/parties/personas"))["personas"]] == [
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
        assert again["party"] == name == "dead_drop_party" and len((await served.get("/api/parties"))["parties"]) == 1
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
        assert rounds["total"] == 2 and [r["step"] for r in lanes["rows"]] == list(range(len(lanes["rows"])))
        assert {r["channel"] for r in lanes["rows"]} == {"in_character", "out_of_character", "player_to_character"}
        assert lanes["consensus"]["question"].startswith("Do we ")
        heard = await served.get(f"/api/parties/{name}/channels?viewer=wren_calder")
        assert "out_of_character" not in {m["channel"] for m in heard["messages"]}
        memory = await served.get(f"/api/parties/{name}/memory/bea?at=200&explain=true")
        wrong = [m for m in memory["memories"] if m["believed"] != m["truth"]]
        assert wrong, "after two hundred days something is wrong"
        curve = await served.get(f"/api/parties/{name}/memory/bea/curve?fact={wrong[0]['fact_id']}&days=200")
        held = [point["held"] for point in curve["points"]]
        assert held == sorted(held, reverse=True) and held[0] > held[-1] and not curve["points"][-1]["correct"]
        assert (await served.get(f"/api/parties/{name}/stats"))["rounds"] == 2
        assert (await served.get(f"/api/parties/{name}/compare/{name}"))["parted_at"] is None
        assert (await served.http.get(f"/api/parties/{name}/rounds/9/lanes")).status_code == 404
        assert (await served.http.post(f"/api/parties/{name}/answer", json={"text": "x"})).status_code == 409


async def test_a_person_answers_over_http(tmp_path: Path) -> None:
    async with serving(tmp_path / "home") as served:
        made = await served.post("/api/parties", {"scenario": "dead_drop", "players": "1", "seed": 7})
        name = made["party"]
        async with Tab(served) as tab:
            await served.post(f"/api/parties/{name}/run", {"rounds": 1, "dm": "human"})
            for text in ("Rain.", "Nothing happens."):
                while (event := (await tab.until("party"))[-1].data)["what"] != "stopped":
                    pass
                assert event and (await served.get(f"/api/parties/{name}"))["waiting"]["who"] == "dm"
                await served.post(f"/api/parties/{name}/answer", {"text": text, "dm": "human"})
            while (await tab.until("party"))[-1].data["what"] != "stopped":
                pass
        (record,) = (await served.get(f"/api/parties/{name}/rounds"))["rounds"]
        assert record["scene"] == "Rain." and record["narration"] == "Nothing happens."
