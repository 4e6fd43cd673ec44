"""The Library over HTTP: a book is dropped, watched, paused, looked over, put right and accepted."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from tests.apps.web.serving import Served
from tests.ingest.book import make_book
from tests.patience import PATIENCE


@pytest.fixture(scope="module")
def pdf(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return make_book(tmp_path_factory.mktemp("book") / "coast.pdf").read_bytes()


async def drop(served: Served, content: bytes, name: str = "coast.pdf", **fields: str) -> Any:
    return await served.http.post(
        "/api/ingests",
        files={"file": (name, content, "application/pdf")},
        data={"license": "cc-by", **fields},
    )


async def until(served: Served, job: str, *states: str) -> Any:
    """Waits until the job stands so."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = await served.get(f"/api/ingests/{job}")
            if found["state"] in states:
                return found
            await asyncio.sleep(0.1)


async def test_a_dropped_book_is_read_looked_over_put_right_and_accepted(
    served: Served, pdf: bytes
) -> None:
    heard: list[dict[str, Any]] = []

    async def listen() -> None:
        async with served.http.stream("GET", "/api/events", timeout=PATIENCE) as stream:
            kind = ""
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    kind = line[7:]
                elif line.startswith("data: ") and kind == "ingest":
                    heard.append(json.loads(line[6:]))

    listening = asyncio.create_task(listen())
    answer = await drop(served, pdf, name="The Coast.pdf", id="coast", attribution="-- A. Writer")
    assert answer.status_code == 201, answer.text
    job = answer.json()["id"]
    done = await until(served, job, "done", "failed")
    assert done["state"] == "done", done["error"]
    assert done["report"]["license"]["attribution"] == "-- A. Writer"
    assert [stage["status"] for stage in done["stages"]] == ["done"] * 8
    assert done["stages"][0]["total"] > 5, "how many pages were read is still to be seen"
    assert {event["stage"]["name"] for event in heard if "stage" in event} >= {
        "extract",
        "classify",
        "systems",
    }
    listening.cancel()

    preview = await served.get(f"/api/ingests/{job}/preview")
    assert "Creatures" in [chapter["title"] for chapter in preview["chapters"]]
    assert (
        preview["kinds"]["creature"] == 3 and preview["types"] and preview["systems"]["resolution"]
    )
    creatures = await served.get(f"/api/ingests/{job}/entities?kind=creature&q=knight")
    assert [e["name"] for e in creatures["entities"]] == ["Reed Knight"]
    page = await served.get(f"/api/ingests/{job}/pages/1")
    assert "Wrestling" in page["text"]
    image = await served.http.get(f"/api/ingests/{job}/pages/1/image")
    assert image.headers["content-type"] == "image/png" and image.content[:4] == b"\x89PNG"

    rows = (await served.get(f"/api/ingests/{job}/segments"))["segments"]
    wanted = {"segment": rows[-1]["id"], "content_type": "HISTORY", "route": "LORE"}
    wanted |= {"also": [{"segment": rows[0]["id"], "content_type": "CULTURE", "route": "BOTH"}]}
    assert (await served.post(f"/api/ingests/{job}/corrections", wanted))["state"] in (
        "waiting",
        "running",
    )
    again = await until(served, job, "done", "failed")
    assert [row["name"] for row in again["report"]["stages"] if row["skipped"]] == [
        "extract",
        "structure",
        "segment",
    ]

    sorts = [
        row["content_type"]
        for row in (await served.get(f"/api/ingests/{job}/segments"))["segments"]
    ]
    assert (sorts[0], sorts[-1]) == ("CULTURE", "HISTORY")
    named = (await served.get(f"/api/ingests/{job}/segments?q=Drowned"))["segments"]
    assert named and all("drowned" in row["title"].lower() for row in named)

    lists = (await served.get(f"/api/ingests/{job}/catalogues"))["catalogues"]
    spells = next(row for row in lists if "Casting Time" in [f["label"] for f in row["fields"]])
    said = {"catalogue": spells["id"], "kind": "feature", "labels": {"Range": "Reach"}}
    await served.post(f"/api/ingests/{job}/catalogues", {"lists": [said]})
    mended = await until(served, job, "done", "failed")
    done_again = [row["name"] for row in mended["report"]["stages"] if not row["skipped"]]
    assert done_again[0] == "classify" and "extract" not in done_again
    lists = (await served.get(f"/api/ingests/{job}/catalogues"))["catalogues"]
    (now,) = [row for row in lists if row["id"] == spells["id"]]
    assert (now["kind"], now["said_by"]) == ("feature", "person")
    assert "Reach" in [field["label"] for field in now["fields"]]

    shelved = await served.post(f"/api/ingests/{job}/accept")
    assert shelved["id"] == "coast" and shelved["chunks"] > 10
    found = await served.get("/api/search?q=wrestling&pack=coast&view=gm")
    assert found["chunks"][0]["metadata"]["page"] == 1
    assert (await served.get(f"/api/ingests/{job}"))["state"] == "accepted"
    begun = await served.http.post(
        "/api/campaigns", json={"scenario": "coast", "campaign": "on_it", "seed": 1}
    )
    assert begun.status_code == 201, begun.text
    assert "coast" in {row["id"] for row in (await served.get("/api/systems"))["systems"]}
    gone = await served.http.delete(f"/api/ingests/{job}")
    assert gone.json() == {"jobs": []}
    assert "coast" in {row["id"] for row in (await served.get("/api/packs"))["packs"]}, (
        "the pack stays"
    )


async def test_a_paused_book_goes_on_and_a_second_one_waits_its_turn(
    served: Served, pdf: bytes
) -> None:
    first = (await drop(served, pdf, id="one", systems="false")).json()["id"]
    second = (await drop(served, pdf, id="two", systems="false")).json()["id"]
    assert (await served.get(f"/api/ingests/{second}"))["state"] == "waiting"
    assert (await drop(served, pdf, id="two")).status_code == 409, "one pack is made by one job"
    assert (await served.post(f"/api/ingests/{second}/pause"))["state"] == "paused"
    paused = await served.post(f"/api/ingests/{first}/pause")
    assert paused["state"] == "paused"
    assert (await served.http.post(f"/api/ingests/{first}/accept")).status_code == 409
    await served.post(f"/api/ingests/{first}/resume")
    assert (await until(served, first, "done", "failed"))["state"] == "done"


async def test_what_cannot_be_read_is_told(served: Served, pdf: bytes) -> None:
    assert (await drop(served, b"only notes", name="notes.txt")).status_code == 400
    assert (await drop(served, pdf, pages="9-2")).status_code == 400
    assert (await drop(served, pdf, system_hint="gurps")).status_code == 404
    broken = (await drop(served, pdf[:800], id="broken")).json()["id"]
    failed = await until(served, broken, "failed", "done")
    assert failed["state"] == "failed" and failed["error"] and "Traceback" not in failed["error"]
    for path in (
        "/api/ingests/none",
        "/api/ingests/none/preview",
        f"/api/ingests/{broken}/pages/1",
    ):
        assert (await served.http.get(path)).status_code == 404
    assert (await served.http.get(f"/api/ingests/{broken}/pages/1/image")).status_code in (400, 404)
    wrong = {"segment": "seg_1", "content_type": "POEM", "route": "LORE"}
    assert (
        await served.http.post(f"/api/ingests/{broken}/corrections", json=wrong)
    ).status_code == 422


async def test_jobs_of_a_server_that_stopped_are_there_again_paused(
    tmp_path: Path, pdf: bytes
) -> None:
    from freeform.services.ingest.jobs import IngestJob, Ingests

    def unheard(job: str, **news: object) -> None:
        """Nobody listens."""

    jobs = Ingests(tmp_path, unheard, lambda: 0.0, lambda: "offline")
    folder = jobs.folder / "ingest_1"
    folder.mkdir(parents=True)
    running = IngestJob(id="ingest_1", file="book.pdf", pack="coast", name="Coast", state="running")
    (folder / "job.json").write_text(running.model_dump_json())
    (jobs.folder / "broken").mkdir()
    (jobs.folder / "broken" / "job.json").write_text("{")
    again = Ingests(tmp_path, unheard, lambda: 0.0, lambda: "offline")
    assert [(job.id, job.state) for job in again.all()] == [("ingest_1", "paused")]


async def test_a_book_is_looked_at_and_priced_before_it_is_kept(served: Served, pdf: bytes) -> None:
    before = len((await served.get("/api/ingests"))["jobs"])
    answer = await served.http.post(
        "/api/ingests/look", files={"file": ("c.pdf", pdf, "application/pdf")}
    )
    assert answer.json()["pages"] == 9
    cost = await served.get("/api/ingests/estimate?pages=9&range=2-4,8-&systems=false")
    assert cost["pages"] == 5 and cost["calls"] == 0 and "nothing is paid" in cost["line"]
    cut = await served.http.post(
        "/api/ingests/look", files={"file": ("c.pdf", pdf[:900], "application/pdf")}
    )
    assert cut.status_code == 400 and "cut short" in cut.json()["error"]
    assert len((await served.get("/api/ingests"))["jobs"]) == before, "nothing was kept"
