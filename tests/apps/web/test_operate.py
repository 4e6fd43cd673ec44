"""A server that others rely on: it says how it stands, and ends without losing a turn."""

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx

from freeform.apps.web.serve import alone
from freeform.assistant.research.model import ResearchState
from freeform.services.ingest.jobs import IngestJob, was_killed
from freeform.services.operate.health import check_health
from freeform.settings import Settings
from freeform.wiring.research import opened_research
from tests.apps.program import Home
from tests.apps.web.serving import Pausing, Served, Tab, prose, serving
from tests.patience import PATIENCE
from tests.web.served import serving as started

PASSWORD = "not-to-be-told"


@asynccontextmanager
async def answering(word: bytes) -> AsyncIterator[int]:
    """A server that answers any first word with its own; without one it only listens."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1)
        writer.write(word)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


def free_port() -> int:
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return int(asked.getsockname()[1])


async def test_health_names_each_part_with_what_to_do_and_no_address_or_password(
    tmp_path: Path,
) -> None:
    async with answering(b"+PONG\r\n") as redis:
        wanted = {
            "players_redis": f"redis://me:{PASSWORD}@127.0.0.1:{redis}/0",
            "players_workers": "redis",
            "lore_rabbitmq_url": f"amqp://me:{PASSWORD}@127.0.0.1:{free_port()}/",
            "serve_key": PASSWORD,
        }
        async with serving(tmp_path / "home", beside=alone, **wanted) as served:
            for path in ("/healthz", "/readyz"):
                answer = await served.http.get(path)
                assert answer.status_code == 200, "a player needs neither Redis nor RabbitMQ"
                parts = {each["part"]: each for each in answer.json()["parts"]}
                assert {"store", "disk", "model"} <= parts.keys()
                assert parts["redis (players)"]["state"] == "ok"
                assert parts["rabbitmq"]["state"] == "degraded"
                assert "`lore_rabbitmq_url`" in parts["rabbitmq"]["note"]
                for secret in (PASSWORD, str(redis), "127.0.0.1", str(tmp_path)):
                    assert secret not in answer.text
            assert (await served.http.get("/api/campaigns")).status_code == 401


async def test_health_names_a_model_without_its_address_and_a_postgres_that_is_gone(
    tmp_path: Path,
) -> None:
    async with serving(tmp_path / "home", beside=alone) as served:
        house = served.room.house
        gone = f"postgresql://me:{PASSWORD}@127.0.0.1:{free_port()}/tables"
        house.settings = Settings.model_validate({"home": tmp_path / "home", "store_url": gone})
        for model, shown in (
            (f"url:http://me:{PASSWORD}@127.0.0.1:9/v1#mist/small", "url:mist/small plays"),
            (f"gguf:{tmp_path}/mist.gguf", "gguf:mist.gguf plays"),
            ("openrouter:maker/mist", "openrouter:maker/mist plays"),
        ):
            house.model = model
            parts = {each.part: each for each in (await check_health(house)).parts}
            assert parts["model"].note == shown
        assert parts["postgres (campaigns)"].state == "failed"
        ready = await served.http.get("/readyz")
        assert ready.status_code == 503 and "`store_url`" in ready.text
        assert PASSWORD not in ready.text and "127.0.0.1" not in ready.text


async def test_a_server_that_cannot_write_says_that_it_is_not_ready(tmp_path: Path) -> None:
    async with serving(tmp_path / "home", beside=alone) as served:
        # A file where the folder was: even root cannot write into it.
        (tmp_path / "home").rename(tmp_path / "away")
        (tmp_path / "home").write_text("")
        ready = await served.http.get("/readyz")
        assert ready.status_code == 503 and int(ready.headers["retry-after"]) > 0
        store = ready.json()["parts"][0]
        assert (store["part"], store["state"]) == ("store", "failed") and "allow" in store["note"]
        assert (await served.http.get("/healthz")).status_code == 200, "it need not be started anew"
        (tmp_path / "home").unlink()
        (tmp_path / "away").rename(tmp_path / "home")


async def test_a_server_that_ends_tells_its_turn_to_the_end_and_takes_no_other(
    tmp_path: Path,
) -> None:
    model = Pausing()
    home = tmp_path / "home"
    async with serving(home, model=model, beside=alone, serve_drain_s=PATIENCE) as served:
        await served.begin()
        await served.begin("b")
        async with Tab(served, campaign="a") as tab:
            await served.post("/api/campaigns/a/turns", {"text": "I look around"})
            await model.waits.wait()
            drained = asyncio.create_task(served.room.plays.drain(PATIENCE, lambda: False))
            served.room.health.draining = True
            await tab.until("closing")
            for path, body in (
                ("/api/campaigns/b/turns", {"text": "I wait"}),
                ("/api/campaigns/b/undo", None),
                ("/v1/chat/completions", chat("b")),
            ):
                answer = await served.http.post(path, json=body)
                assert answer.status_code == 503, answer.text
                assert int(answer.headers["retry-after"]) > 0 and "again" in answer.text
            assert (await served.http.get("/readyz")).status_code == 503
            model.go.set()
            await drained
            assert prose(await tab.until("done"))
        assert [turn["player_input"] for turn in await served.story()] == ["I look around"]
        assert await served.story("b") == []


def chat(campaign: str) -> dict[str, object]:
    return {"model": f"table/{campaign}", "messages": [{"role": "user", "content": "I wait"}]}


async def test_whoever_is_in_a_hurry_does_not_wait_for_a_turn(tmp_path: Path) -> None:
    model = Pausing()
    async with serving(tmp_path / "home", model=model, beside=alone) as served:
        await served.begin()
        await served.post("/api/campaigns/a/turns", {"text": "I look around"})
        await model.waits.wait()
        await served.room.plays.drain(PATIENCE, lambda: True)
        assert served.room.plays.is_playing("a"), "its words are told with the next turn"


async def test_the_real_server_told_to_stop_in_mid_turn_ends_well_and_nothing_is_lost_or_doubled(
    tmp_path: Path,
) -> None:
    with started(tmp_path) as server:
        server.begin("a")
        server.begin("b")
        server.ask("/campaigns/b/company", {"name": "Anna"})
        taken: dict[str, list[str]] = {"a": [], "b": []}
        async with httpx.AsyncClient(base_url=server.url, timeout=PATIENCE) as http:
            for campaign, turn_id in (("a", "t1"), ("b", "t1"), ("b", "t2"), ("b", "t3")):
                answer = await http.post(
                    f"/api/campaigns/{campaign}/turns",
                    json={"text": "I look around"},
                    headers={"idempotency-key": turn_id},
                )
                # Whoever has a turn waiting at a shared table is asked to wait for it.
                assert answer.status_code == 202 or turn_id != "t1"
                taken[campaign] += [turn_id] if answer.status_code == 202 else []
        os.kill(server.process.pid, signal.SIGTERM)
        assert server.process.wait() == 0
    async with serving(tmp_path, beside=alone) as served:
        # Whoever comes back to a shared table has what was handed in played.
        served.room.tables.wake("b")
        while pump := served.room.tables._pumps.get("b"):
            await asyncio.wait([pump])
        for campaign, ids in taken.items():
            assert [turn["turn_id"] for turn in await served.story(campaign)] == ids


async def test_a_turn_handed_in_at_a_shared_table_while_the_server_ends_is_refused_not_lost(
    served: Served,
) -> None:
    await served.post("/api/campaigns/a/company", {"name": "Anna"})
    await served.room.plays.drain(0, lambda: False)
    answer = await served.http.post("/api/campaigns/a/turns", json={"text": "I look around"})
    assert answer.status_code == 503
    assert (await served.get("/api/campaigns/a/company"))["company"]["waiting"] == []


def test_a_book_process_that_was_killed_is_told_from_one_that_failed() -> None:
    assert was_killed(-9, b"", "a warning about a font") and was_killed(0, b"", "")
    assert not was_killed(1, b"", "ValueError: no") and not was_killed(-9, b"{}", "")


async def test_books_that_a_killed_server_left_are_taken_up_and_dead_ones_are_listed(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "home" / "ingest" / "jobs"
    for id, tries in (("ingest_1", 1), ("ingest_2", 3)):
        job = IngestJob(id=id, file="gone.pdf", pack=id, name=id, state="running", tries=tries)
        (folder / id).mkdir(parents=True)
        (folder / id / "job.json").write_text(job.model_dump_json())
    async with serving(tmp_path / "home", beside=alone) as served:
        while reading := served.room.ingests._task:
            await asyncio.wait([reading])
        rows = {row["id"]: row for row in (await served.get("/api/jobs"))["work"]}
        assert rows["ingest_1"]["state"] == "failed" and "gone.pdf" in rows["ingest_1"]["note"]
        assert "ended 3 times" in rows["ingest_2"]["note"]
        assert rows["ingest_2"]["can"] == ["resume", "forget"]
        left = await served.post("/api/jobs/book/ingest_2/forget")
        assert [row["id"] for row in left["work"]] == ["ingest_1"]
        state = ResearchState(researchId="research_1", originalQuery="every lamp", at="2091-03-15")
        async with opened_research(served.room.settings) as store:
            await store.create(state)
            async with store.claim("research_1"):  # as another program at work on it does
                await served.post("/api/jobs/research/research_1/resume")
                while runs := list(served.room.research._runs.values()):
                    await asyncio.wait(runs)
        rows = {row["id"]: row for row in (await served.get("/api/jobs"))["work"]}
        assert rows["research_1"]["state"] == "failed"
        assert "another program" in rows["research_1"]["note"]
        for path, status in (
            ("/api/jobs/research/nothing/resume", 404),
            ("/api/jobs/book/nothing/resume", 404),
            ("/api/jobs/lore/x/pause", 400),
            ("/api/jobs/worker/x/resume", 404),
            (f"/api/drafts/{'9' * 400}/undo", 404),
            ("/api/jobs/cake/x/pause", 422),
        ):
            assert (await served.http.post(path)).status_code == status
    listed = Home.__new__(Home)
    listed.path, listed.extra = tmp_path / "home", {}
    assert [row["id"] for row in listed.json("jobs")["work"]] == ["ingest_1", "research_1"]
