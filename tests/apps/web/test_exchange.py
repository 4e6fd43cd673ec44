"""Everything in, everything out: campaigns, vaults, lorebooks, cards, over HTTP."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

from freeform.packs.formats.card import Card, read_card, to_png
from tests.apps.web.serving import Served
from tests.packs.test_card import DOCUMENT, picture


async def bring(served: Served, name: str, content: bytes, **fields: str) -> Any:
    answer = await served.http.post("/api/import", files={"file": (name, content)}, data=fields)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_a_campaign_goes_out_as_a_zip_and_comes_back_whole(served: Served) -> None:
    await served.turn("look around")
    await served.turn("take the mug")
    out = await served.http.get("/api/campaigns/a/export?format=zip")
    assert 'filename="a.zip"' in out.headers["content-disposition"]
    taken = (await served.http.post("/api/import", files={"file": ("a.zip", out.content)})).json()
    assert taken["kind"] == "conflict", "its name is taken"
    back = await bring(served, "a.zip", out.content, campaign="b")
    assert (back["kind"], back["id"], back["counts"]["turns"]) == ("campaign", "b", 2)
    assert await served.story("b") == await served.story("a")


async def test_a_campaign_goes_out_as_notes_and_as_its_log(served: Served) -> None:
    await served.turn("look around")
    notes = await served.http.get("/api/campaigns/a/export?format=obsidian")
    with zipfile.ZipFile(io.BytesIO(notes.content)) as zip:
        assert {"a/Story.md", "a/Now.md", "a/People/Orla.md"} <= set(zip.namelist())
        assert not any(b"smuggles" in zip.read(name) for name in zip.namelist())
    log = await served.http.get("/api/campaigns/a/export?format=jsonl")
    assert [json.loads(line)["entry"]["kind"] for line in log.text.splitlines()] == [
        "begun",
        "resolved",
        "narrated",
    ]
    back = await bring(served, "notes.zip", notes.content)
    assert back["kind"] == "vault" and back["counts"]["entries"] >= 3


async def test_a_card_becomes_a_pack_is_found_and_goes_out_with_every_field(served: Served) -> None:
    content = to_png(Card(DOCUMENT, picture()))
    back = await bring(served, "nell.png", content)
    assert (back["kind"], back["id"]) == ("card", "nell")
    found = await served.get("/api/search?q=ferry&pack=nell")
    assert found["chunks"][0]["metadata"]["file_path"] == "npcs/nell.md"
    for format in ("json", "png"):
        out = await served.http.get(f"/api/packs/nell/cards/nell?format={format}")
        assert read_card(out.content, "nell").document == DOCUMENT
    gone = await served.http.delete("/api/packs/nell")
    assert gone.json()["id"] == "nell"
    assert (await served.http.get("/api/packs/nell")).status_code == 404


async def test_a_lorebook_and_a_pack_come_in_by_their_content(
    served: Served, tmp_path: Path
) -> None:
    book = {
        "name": "Marsh",
        "entries": [{"keys": ["mill"], "comment": "The Old Mill", "content": "It turns at night."}],
    }
    assert (await bring(served, "x.json", json.dumps(book).encode()))["kind"] == "lorebook"
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip:
        zip.writestr("hill/pack.yaml", "id: hill\nname: Hill\nversion: 1.0.0\nlayer: homebrew\n")
        zip.writestr("hill/locations/top.md", "# The Top\n\nWind, and a cairn.\n")
    assert (await bring(served, "hill.zip", out.getvalue()))["kind"] == "pack"
    assert (await served.get("/api/packs/hill"))["manifest"]["name"] == "Hill"
    assert (await served.get("/api/search?q=cairn"))["chunks"][0]["pack_id"] == "hill"


async def test_the_sample_cards_come_in(served: Served, data: Path) -> None:
    for name, kind in (
        ("seraphina_v2.png", "card"),
        ("ccv3_over_chara.png", "card"),
        ("eldoria_world_info.json", "lorebook"),
    ):
        assert (await bring(served, name, (data / "cards" / name).read_bytes()))["kind"] == kind


async def test_a_cards_picture_is_the_face_of_whom_one_meets_and_nothing_else_of_it(
    served: Served,
) -> None:
    from PIL import Image

    drawn = io.BytesIO()
    Image.new("RGB", (900, 1400), (40, 90, 160)).save(drawn, "PNG")
    back = await bring(served, "nell.png", to_png(Card(DOCUMENT, drawn.getvalue())))
    await served.post("/api/campaigns", {"scenario": back["scenario"], "campaign": "met"})
    faces = (await served.get("/api/campaigns/met/table"))["portraits"]
    assert list(faces) == ["Nell"]
    shown = await served.http.get(faces["Nell"])
    assert shown.headers["content-type"] == "image/png"
    assert shown.headers["x-content-type-options"] == "nosniff"
    with Image.open(io.BytesIO(shown.content)) as small:
        assert small.size == (384, 384) and not small.info, "the card itself is not in it"
    assert (await served.get("/api/campaigns/a/table"))["portraits"] == {}
    assert (await served.http.get("/api/campaigns/a/portraits/nell")).status_code == 404


def test_a_picture_that_is_no_picture_or_too_much_is_refused_in_one_sentence() -> None:
    import pytest
    from PIL import Image

    from freeform.adapters.pictures.reduced import reduced_picture
    from freeform.core.errors import BadFile

    wide = io.BytesIO()
    Image.new("1", (30_000, 9_000)).save(wide, "PNG")
    svg = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
    cases = {
        svg: "no PNG, JPEG or WebP",
        picture()[:40]: "no PNG, JPEG or WebP",
        wide.getvalue(): "points|unpacks to far more",
        b"\x89PNG" + bytes(33 * 1024 * 1024): "larger than 32 MB",
    }
    for content, said in cases.items():
        with pytest.raises(BadFile, match=said):
            reduced_picture(content, "x.png")
