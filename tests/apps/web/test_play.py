"""Playing over HTTP: turns, the event stream, reloads, second tabs, stop."""

import asyncio
from pathlib import Path

from tests.apps.web.serving import Pausing, Served, Tab, prose, serving


async def test_a_turn_is_heard_as_facts_then_prose_then_done(served: Served) -> None:
    async with Tab(served) as tab:
        turn_id = await served.turn("look around")
        heard = await tab.until("done")
    assert [heard[0].kind, heard[-1].kind] == ["facts", "done"]
    assert {event.data["turn_id"] for event in heard} == {turn_id}
    (told,) = await served.story()
    assert prose(heard).strip() == told["final_text"] and told["player_input"] == "look around"


async def test_a_request_that_takes_the_long_way_is_answered_like_one_that_goes_straight(
    served: Served,
) -> None:
    heard = []
    for kind in ("application/json", "application/json; charset=utf-8"):
        key = {"Content-Type": kind, "Idempotency-Key": f"k{len(heard)}"}
        answer = await served.http.post(
            "/api/campaigns/a/turns", content=b'{"text": "wait"}', headers=key
        )
        await served.quiet()
        told = answer.headers.items()
        heard.append(
            (
                answer.status_code,
                answer.json(),
                {name: value for name, value in told if name not in ("date", "x-request-id")},
            )
        )
    assert [(status, body["turn_id"]) for status, body, _ in heard] == [(202, "k0"), (202, "k1")]
    assert heard[0][2] == heard[1][2]
    assert [turn["turn_id"] for turn in await served.story()] == ["k0", "k1"]
    for key in ("two words", "x" * 300):
        bad = await served.http.post(
            "/api/campaigns/a/turns", json={"text": "wait"}, headers={"Idempotency-Key": key}
        )
        assert bad.status_code in (400, 422) and "idempotency" in bad.json()["error"].lower()


async def test_the_same_key_never_plays_twice(served: Served) -> None:
    answers = await asyncio.gather(
        *(served.http.post("/api/campaigns/a/turns", json={"text": "look around"}, headers={"Idempotency-Key": "k1"})
          for _ in range(5))
    )  # fmt: skip
    assert [answer.status_code for answer in answers] == [202] * 5
    await served.quiet()
    await served.turn("look around", key="k1")
    assert [turn["turn_id"] for turn in await served.story()] == ["k1"]
    await served.post("/api/campaigns/a/undo", {"turns": 1}, Idempotency_Key="u1")
    await served.turn("look around", key="k1")
    assert await served.story() == [], "a late copy of an undone turn does not play it again"


async def test_the_same_undo_sent_twice_goes_back_once(served: Served) -> None:
    for text in ("look around", "look at the hearth", "wait"):
        await served.turn(text)
    first = await served.post("/api/campaigns/a/undo", {"turns": 1}, Idempotency_Key="u1")
    again = await served.post("/api/campaigns/a/undo", {"turns": 1}, Idempotency_Key="u1")
    assert first == again == {"branch": "main", "turn_no": 2, "turn_id": ""}
    assert len(await served.story()) == 2


async def test_a_listener_goes_on_after_the_last_event_it_heard(served: Served) -> None:
    async with Tab(served) as tab:
        await served.turn("look around")
        heard = await tab.until("done")
    middle = heard[1]
    await served.turn("wait")
    async with Tab(served, after=middle.id) as tab:
        rest = await tab.until("done")
        following = await tab.until("done")
    assert [event.id for event in rest] == [event.id for event in heard[2:]]
    assert following[0].kind == "facts" and following[0].data["turn_no"] == 2


async def test_a_listener_of_another_run_is_told_to_read_anew(served: Served) -> None:
    async with Tab(served, after="run_old-12") as tab:
        assert [event.kind for event in await tab.until("reset")] == ["reset"]


async def test_a_reload_in_mid_turn_loses_nothing_and_a_second_tab_follows(tmp_path: Path) -> None:
    model = Pausing()
    async with serving(tmp_path / "home", model) as served:
        await served.begin()
        await served.http.post("/api/campaigns/a/turns", json={"text": "look around"})
        await model.waits.wait()
        async with (
            Tab(served) as reloaded,
            Tab(served, campaign="a") as second,
            Tab(served, campaign="b") as other,
        ):
            assert (await served.get("/api/campaigns/a"))["pending"] is True
            model.go.set()
            whole, followed = await reloaded.until("done"), await second.until("done")
            assert [event.kind for event in whole][:2] == ["facts", "prose"]
            (told,) = await served.story()
            assert prose(whole).strip() == prose(followed).strip() == told["final_text"]
            assert other.heard == []


async def test_stop_ends_the_prose_and_keeps_the_facts(tmp_path: Path) -> None:
    model = Pausing()
    async with serving(tmp_path / "home", model) as served:
        await served.begin()
        async with Tab(served) as tab:
            await served.http.post("/api/campaigns/a/turns", json={"text": "take the mug"})
            await model.waits.wait()
            busy = await served.http.post("/api/campaigns/a/turns", json={"text": "wait"})
            assert busy.status_code == 409 and busy.json()["kind"] == "conflict"
            assert await served.post("/api/campaigns/a/stop") == {"stopped": True}
            assert (await tab.until("failed"))[-1].data["stopped"] is True
        stands = await served.get("/api/campaigns/a")
        assert (stands["turn_no"], stands["pending"], stands["playing"]) == (1, True, "")
        things = (await served.get("/api/campaigns/a/table"))["inventory"]
        assert "pewter mug" in [thing["name"] for thing in things]
        model.go.set()
        await served.turn("wait")
        assert [bool(turn["final_text"]) for turn in await served.story()] == [True, True]
        assert await served.post("/api/campaigns/a/stop") == {"stopped": False}


async def test_the_x_card_stops_takes_back_and_excludes(tmp_path: Path) -> None:
    model = Pausing()
    async with serving(tmp_path / "home", model) as served:
        await served.begin()
        await served.http.post("/api/campaigns/a/turns", json={"text": "look around"})
        await model.waits.wait()
        assert (await served.post("/api/campaigns/a/x", {"what": "spiders"}))["turn_no"] == 0
        assert (await served.get("/api/campaigns/a/table"))["safety"]["excluded"] == ["spiders"]
        assert await served.story() == []


async def test_takes_branches_and_other_words_leave_the_old_ones(served: Served) -> None:
    await served.turn("look around")
    await served.turn("wait")
    again = await served.post("/api/campaigns/a/retry")
    assert again["turn_no"] == 2
    await served.quiet()
    takes = (await served.get("/api/campaigns/a/takes/2"))["takes"]
    assert [take["chosen"] for take in takes] == [False, True]
    assert (await served.story())[-1]["takes"] == 2
    await served.post("/api/campaigns/a/choose", {"turn_no": 2, "take": 1})
    edited = await served.post("/api/campaigns/a/edit", {"turn_no": 1, "text": "talk to Orla"})
    await served.quiet()
    assert edited["branch"] != "main" and [t["player_input"] for t in await served.story()] == [
        "talk to Orla"
    ]
    rows = (await served.get("/api/campaigns/a/branches"))["branches"]
    assert {row["name"]: row["turn_no"] for row in rows} == {"main": 2, edited["branch"]: 1}
    await served.post("/api/campaigns/a/switch", {"branch": "main"})
    assert [t["player_input"] for t in await served.story()] == ["look around", "wait"]


async def test_undo_brings_the_clock_and_the_things_back(served: Served) -> None:
    before = await served.get("/api/campaigns/a/table")
    await served.turn("take the mug")
    assert await served.get("/api/campaigns/a/table") != before
    (told,) = await served.story()
    assert ("item", "+ pewter mug") in [(c["kind"], c["text"]) for c in told["changed"]]
    async with Tab(served) as tab:
        await served.post("/api/campaigns/a/undo", {"turns": 1})
        assert (await tab.until("moved"))[-1].data["why"] == "undo"
    after = await served.get("/api/campaigns/a/table")
    assert {**after, "usage": 0} == {**before, "usage": 0}
    assert (await served.post("/api/campaigns/a/redo"))["turn_no"] == 1


async def test_the_player_never_sees_a_hidden_fact(served: Served) -> None:
    await served.turn("ask Orla about the brandy")
    for path in ("table", "world", "story", "recap"):
        text = (await served.http.get(f"/api/campaigns/a/{path}")).text
        assert "smuggles" not in text and "f_smuggling" not in text and "f_ledger" not in text, path
    assert (await served.http.get("/api/campaigns/a/why/f_smuggling")).status_code == 404
    assert (await served.get("/api/campaigns/a/why/f_door"))["chain"][0]["what"] == "scenario"


async def test_each_pass_of_a_turn_shows_its_exact_prompt_and_split(served: Served) -> None:
    await served.turn("look around")
    passes = (await served.get("/api/campaigns/a/prompts/1"))["passes"]
    assert [one["pass_id"] for one in passes] == [
        "engine/interpreter",
        "engine/planner",
        "engine/narrator",
    ]
    assert all(
        "look around" in one["text"] and one["tokens"]["total"] > one["tokens"]["scene"]
        for one in passes
    )


async def test_game_nights_begin_end_and_are_recapped(served: Served) -> None:
    await served.post("/api/campaigns/a/sessions/start")
    await served.turn("take the mug")
    ended = await served.post("/api/campaigns/a/sessions/end")
    assert ended["turn_range_start"] == 1 and ended["summary"]
    assert len((await served.get("/api/campaigns/a/sessions"))["sessions"]) == 1
    assert (await served.get("/api/campaigns/a/recap"))["recap"]


async def test_another_process_of_the_server_goes_on_where_the_first_stopped(
    tmp_path: Path,
) -> None:
    model = Pausing()
    async with serving(tmp_path / "home", model) as served:
        await served.begin()
        await served.http.post(
            "/api/campaigns/a/turns", json={"text": "wait"}, headers={"Idempotency-Key": "k1"}
        )
        await model.waits.wait()
    async with serving(tmp_path / "home") as served:
        assert (await served.get("/api/campaigns/a"))["pending"] is True
        await served.turn("wait", key="k1")
        (told,) = await served.story()
        assert told["turn_id"] == "k1" and told["final_text"]


async def test_what_one_did_oneself_is_nothing_learnt(served: Served) -> None:
    await served.turn("I write my name in the dust")
    await served.quiet()
    (told,) = await served.story()
    assert told["final_text"]
    assert not [change for change in told["changed"] if "You did this" in change["text"]]
