"""Pictures on request, against programs that draw on loopback: what is sent, what is kept, what undo takes, what is refused."""

import asyncio
import io
import json
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from freeform.apps.web.serve import alone
from tests.apps.web.painter import Painter
from tests.apps.web.serving import Served, serving

HERE = "/api/campaigns/a/pictures"
DOORS = {"openai": "/v1", "automatic1111": "", "comfyui": ""}


@asynccontextmanager
async def drawing(
    home: Path, move: str = "good", door: str = "openai", **settings: Any
) -> AsyncIterator[tuple[Served, Painter]]:
    """A server whose door leads to a painter, and a story one turn long."""
    async with Painter(move) as painter:
        set_to = {"image_door": door, "image_url": painter.url + DOORS[door], **settings}
        async with serving(home, beside=alone, **set_to) as served:
            await served.begin(scenario="drowned_bell")
            await served.turn("I look around")
            yield served, painter


async def test_each_protocol_draws_a_scene_that_is_kept_with_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))  # no keyring
    async with drawing(tmp_path) as (served, painter):
        place = (await served.get("/api/campaigns/a/table"))["scene"]["name"]
        for count, (door, path) in enumerate(DOORS.items(), 1):
            wanted = {"door": door, "url": painter.url + path, "key": "me:secret"}
            await served.post("/api/pictures/door", wanted)
            made = await served.post(HERE, {})
            (turn,) = await served.story()
            shown = turn["pictures"][-1]
            assert len(turn["pictures"]) == count
            assert (shown["id"], shown["kind"], made["turn_no"]) == (made["id"], "scene", 1)
            answer = await served.http.get(shown["url"])
            assert answer.headers["content-type"] == "image/jpeg"
            assert b"zqhiddenzq" not in answer.content
            assert Image.open(io.BytesIO(answer.content)).size == (640, 480)
            sent = json.dumps(painter.body)
            assert place in sent and "watermark" in sent
            head = next(head for head in reversed(painter.heads) if head.startswith("post"))
            assert ("authorization" in head) == (door != "comfyui")


async def test_a_picture_goes_with_undo_comes_with_redo_and_is_in_every_export(
    tmp_path: Path,
) -> None:
    async with drawing(tmp_path) as (served, _):
        await served.turn("I wait")
        made = await served.post(HERE, {})
        at = f"{HERE}/{made['id']}"
        await served.post("/api/campaigns/a/undo", {"turns": 1})
        assert (await served.http.get(at)).status_code == 404
        assert (await served.get(HERE))["pictures"] == []
        await served.post("/api/campaigns/a/redo", {})
        assert (await served.http.get(at)).status_code == 200
        for format in ("html", "epub", "zip", "obsidian"):
            file = (await served.http.get(f"/api/campaigns/a/export?format={format}")).content
            if format == "html":
                assert file.count(b"src='data:image/jpeg;base64,") == 1
                continue
            names = zipfile.ZipFile(io.BytesIO(file)).namelist()
            assert [name for name in names if name.endswith(f"{made['id']}.jpg")], format
            if format == "zip":
                upload = {"file": ("a.zip", file)}
                wanted = {"campaign": "back"}
                brought = await served.http.post("/api/import", files=upload, data=wanted)
                assert brought.status_code == 201, brought.text
                again = await served.get("/api/campaigns/back/pictures")
                assert [row["id"] for row in again["pictures"]] == [made["id"]]
        copied = await served.post("/api/campaigns/a/copy", {})
        there = (await served.get(f"/api/campaigns/{copied['id']}/pictures"))["pictures"]
        assert len(there) == 1
        await served.http.delete(at)
        assert (await served.get(HERE))["pictures"] == []


async def test_nothing_is_sent_that_the_character_does_not_know_or_the_table_keeps_out(
    tmp_path: Path,
) -> None:
    async with drawing(tmp_path) as (served, painter):
        store = served.room.table.store
        state = await store.get_state("a")
        secrets = [state.facts[id].object.get("text", "") for id in state.hidden]
        known = (await served.get("/api/campaigns/a/world"))["entities"]
        met = {row["id"] for row in known}
        people = [each for each in state.entities.values() if each.type == "npc"]
        stranger = next(each for each in people if each.id not in met)
        for asked in (stranger.id, stranger.name):
            answer = await served.http.post(HERE, json={"of": asked})
            assert answer.status_code == 404
        assert painter.asked == []
        for row in known:
            told = await served.post(f"{HERE}/words", {"of": row["id"]})
            assert not [text for text in secrets if text and text in told["prompt"]]
        place = (await served.get("/api/campaigns/a/table"))["scene"]
        sentence = place["description"].split(". ")[0]
        word = max(sentence.split(), key=len).strip(".,;:").lower()
        before = await served.post(f"{HERE}/words", {})
        assert word in before["prompt"].lower()
        await served.post("/api/campaigns/a/limits", {"lines": [word]})
        after = await served.post(f"{HERE}/words", {})
        assert word not in after["prompt"].lower() and word in after["leave_out"]


WRONG = [
    ("refused", 400, "refuses the key"),
    ("broken", 503, "CUDA out of memory"),
    ("policy", 503, "rejected by the safety system"),
    ("huge", 413, "more than 15 MB"),
    ("svg", 400, "no PNG, JPEG or WebP"),
    ("elsewhere", 503, "not fetched"),
    ("odd", 503, "did not answer as OpenAI"),
    ("html", 503, "did not answer in JSON"),
]


async def test_what_goes_wrong_is_one_sentence_and_nothing_is_kept(tmp_path: Path) -> None:
    async with drawing(tmp_path, image_key="sk-zqkeyzq") as (served, painter):
        for move, status, said in WRONG:
            painter.move = move
            answer = await served.http.post(HERE, json={})
            assert answer.status_code == status, (move, answer.text)
            assert said in answer.json()["error"] and "zqkeyzq" not in answer.text
        assert (await served.get(HERE))["pictures"] == []
        painter.move = "newer"  # knows no wish for bytes: asked again without it
        await served.post(HERE, {})
        assert "response_format" not in painter.body
        painter.move = "few"  # takes three sizes, and says so
        await served.post(HERE, {})
        assert painter.body["size"] == "1536x1024"


@pytest.mark.parametrize("door", ["automatic1111", "comfyui"])
async def test_a_picture_is_stopped_where_it_is_drawn(tmp_path: Path, door: str) -> None:
    async with drawing(tmp_path, "hang", door) as (served, painter):
        asking = asyncio.create_task(served.http.post(HERE, json={}))
        await painter.began.wait()
        assert (await served.http.post(HERE, json={})).status_code == 409
        assert (await served.get(HERE))["making"]
        await served.turn("I wait")  # play goes on meanwhile
        assert (await served.post(f"{HERE}/stop"))["stopped"]
        answer = await asking
        assert answer.status_code == 409 and "stopped" in answer.json()["error"]
        await painter.stopped.wait()
        assert (await served.get(HERE))["pictures"] == []


async def test_the_door_is_shut_until_somebody_opens_it_and_stays_as_it_was_chosen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))  # no keyring
    async with Painter() as painter, serving(tmp_path, beside=alone) as served:
        await served.begin()
        shut = await served.http.post(HERE, json={})
        assert shut.status_code == 400 and "image_door" in shut.json()["error"]
        wanted = {"door": "openai", "url": f"{painter.url}/v1", "key": "sk-zqkeyzq"}
        shown = await served.post("/api/pictures/door", wanted)
        assert shown["open"] and shown["stays_here"] and "zqkeyzq" not in json.dumps(shown)
        made = await served.post(HERE, {})
        assert made["turn_no"] == 0  # before the first turn it belongs to the opening
        assert len((await served.get("/api/campaigns/a/story"))["pictures"]) == 1
        for wrong in ("http://[", "http://", "http://a:b:c", "127.0.0.1:7860"):
            answer = await served.http.post("/api/pictures/door", json={**wanted, "url": wrong})
            assert answer.status_code == 400, wrong
        secret = wanted["url"].replace("http://", "http://me:zqpasszq@")
        named = await served.post("/api/pictures/door", {"door": "openai", "url": secret})
        assert named["open"] and "zqpasszq" not in json.dumps(named)
        await served.post(HERE, {})
        assert "authorization: basic" in painter.heads[-1]
        painter.move = "broken"
        assert "zqpasszq" not in (await served.http.post(HERE, json={})).text
        # A key that was for one address is not sent to the next.
        async with Painter() as other:
            await served.post("/api/pictures/door", {"door": "openai", "url": f"{other.url}/v1"})
            await served.post(HERE, {})
            assert "authorization" not in other.heads[-1]
