"""The game master's desk over HTTP: drafts that are never lost, played and published; and what
stands behind the screen of a campaign."""

import asyncio
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any
from xml.etree import ElementTree

import yaml

from freeform.core.errors import Conflict
from freeform.services.desk.kept import DraftFolder
from tests.apps.web.guests import gathered
from tests.apps.web.serving import Served


async def begun(served: Served, **wish: Any) -> dict[str, Any]:
    """A new draft."""
    made = await served.http.post("/api/drafts", json=wish)
    assert made.status_code == 201, made.text
    return dict(made.json())


async def saved(served: Served, draft: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The draft with other parts."""
    body = {"scenario": {**draft["scenario"], **changes}, "version": draft["version"]}
    kept = await served.http.post(f"/api/drafts/{draft['id']}", json=body)
    assert kept.status_code == 200, kept.text
    return dict(kept.json())


def folder(served: Served, draft: dict[str, Any]) -> Path:
    return served.room.settings.home / "drafts" / str(draft["id"])


async def test_a_draft_is_kept_at_each_change_and_taken_back(served: Served) -> None:
    first = await begun(served, name="The Salt Road")
    second = await saved(served, first, opening="The road is white.")
    broken = await saved(served, second, places="nowhere at all")
    assert not broken["ok"] and broken["scenario"]["places"] == "nowhere at all"
    worse = await saved(served, broken, clocks=[{"id": "c", "name": "C", "triggers": {"soon": 1}}])
    odd = await saved(served, worse, facts=[{"id": ["x"], "subject_id": 1}], entities=None)
    assert not odd["ok"] and odd["undo"], "whatever it holds, it can be opened and taken back"
    for _ in range(2):
        await served.http.post("/api/drafts/the_salt_road/undo")
    back = (await served.http.post("/api/drafts/the_salt_road/undo")).json()
    assert back["scenario"] == second["scenario"] and back["redo"]
    forth = (await served.http.post("/api/drafts/the_salt_road/redo")).json()
    assert forth["scenario"] == broken["scenario"]
    await served.http.post("/api/drafts/the_salt_road/version", json={"number": first["version"]})
    other = await saved(served, first, opening="The road is red.")
    rows = (await served.http.get("/api/drafts/the_salt_road/versions")).json()["versions"]
    assert [row["number"] for row in rows] == [6, 5, 4, 3, 2, 1] and rows[0]["holds"]
    assert other["scenario"]["opening"] == "The road is red."


async def test_a_torn_file_and_a_second_writer_lose_nothing(served: Served) -> None:
    first = await begun(served, name="Torn")
    second = await saved(served, first, opening="One.")
    third = await saved(served, second, opening="Two.")
    late = {"scenario": {**second["scenario"], "opening": "Mine."}, "version": second["version"]}
    answer = await served.http.post("/api/drafts/torn", json=late)
    assert answer.status_code == 409 and "kept as version 4" in answer.json()["error"]
    mine = (await served.http.get("/api/drafts/torn?version=4")).json()
    assert mine["scenario"]["opening"] == "Mine."
    for name in ("v000004.json", "v000003.json"):
        file = folder(served, third) / name
        file.write_bytes(file.read_bytes()[:200])
    held = (await served.http.get("/api/drafts/torn")).json()
    assert (held["version"], held["scenario"]["opening"]) == (2, "One.")
    again = await saved(served, held, opening="Three.")
    assert again["version"] == 5 and folder(served, third).joinpath("v000003.json").exists()
    await served.http.delete("/api/drafts/torn")
    assert (await served.http.get("/api/drafts")).json()["drafts"] == []
    await served.http.post("/api/drafts/torn/restore")
    assert [row["id"] for row in (await served.http.get("/api/drafts")).json()["drafts"]] == [
        "torn"
    ]


async def test_a_second_writer_who_changed_nothing_does_not_hide_the_first(served: Served) -> None:
    first = await begun(served, name="Unchanged")
    await saved(served, first, opening="Theirs.")
    same = {"scenario": first["scenario"], "version": first["version"]}
    answer = await served.http.post("/api/drafts/unchanged", json=same)
    assert answer.status_code == 409 and "version 2" in answer.json()["error"]
    rows = (await served.http.get("/api/drafts/unchanged/versions")).json()["versions"]
    assert [row["number"] for row in rows] == [2, 1], "there was nothing to keep"


async def test_processes_that_write_at_once_take_turns(served: Served) -> None:
    draft = await begun(served, name="Crowded")
    kept, ready = folder(served, draft), Barrier(8)

    def write(number: int) -> str:
        ready.wait()
        try:
            change = {**draft["scenario"], "opening": f"Writer {number}."}
            return str(DraftFolder(kept).add(change, "now", "opening", 1).number)
        except Conflict:
            return ""

    with ThreadPoolExecutor(8) as pool:  # each opens the lock anew, as another process would
        wins = [number for number in pool.map(write, range(8)) if number]
    assert wins == ["2"] and DraftFolder(kept).head().number == 2
    assert len(list(DraftFolder(kept).versions())) == 9, "what came second is kept, too"
    fresh = [DraftFolder(kept.with_name("same")).claim() for _ in range(2)]
    assert fresh == [True, False]
    twins = await asyncio.gather(*(begun(served, name="Twin") for _ in range(3)))
    assert {row["id"] for row in twins} == {"twin", "twin_2", "twin_3"}


async def test_any_name_gives_a_draft_that_is_saved_and_played(served: Served) -> None:
    for name in ("File", "The very long road " * 4 + "of salt", f"{'x' * 47} and the sea"):
        draft = await begun(served, name=name)
        assert (await saved(served, draft, **WELL))["ok"]
        plays = [await served.http.post(f"/api/drafts/{draft['id']}/preview") for _ in range(2)]
        assert [play.status_code for play in plays] == [201, 201], plays[0].text
        gone, there = (play.json()["campaign"] for play in plays)
        assert (await served.http.get(f"/api/campaigns/{gone}")).status_code == 404
        assert (await served.http.get(f"/api/campaigns/{there}")).status_code == 200


async def test_a_preview_that_cannot_begin_leaves_the_last_one(served: Served) -> None:
    draft = await saved(served, await begun(served, name="Kept"), **WELL)
    last = (await served.http.post("/api/drafts/kept/preview")).json()["campaign"]
    await saved(served, draft, places="nowhere at all")
    assert (await served.http.post("/api/drafts/kept/preview")).status_code == 400
    assert (await served.http.get(f"/api/campaigns/{last}")).status_code == 200


async def test_what_no_file_can_keep_is_refused_before_it_is_written(served: Served) -> None:
    draft = await begun(served, name="Odd")
    for part in ('"\\ud800"', "[" * 170 + "]" * 170, '{"a":' * 400 + "1" + "}" * 400):
        body = f'{{"version": 1, "scenario": {{"opening": {part}}}}}'
        sent = {"content-type": "application/json"}
        answer = await served.http.post("/api/drafts/odd", content=body, headers=sent)
        assert answer.status_code == 400, answer.text
    names = sorted(file.name for file in folder(served, draft).iterdir())
    assert names == ["head", "lock", "v000001.json"]


async def test_findings_stand_at_their_field_with_the_fix(served: Served) -> None:
    copy = await begun(served, scenario="cellar")
    places = copy["scenario"]["places"]
    start = copy["scenario"]["start"]["location"]
    wrong = {**places, start: {**places[start], "exits": [{"to": f"{start}x"}]}}
    told = await saved(served, copy, places=wrong)
    (lost,) = [row for row in told["findings"] if row["where"][-1:] == ["to"]]
    assert lost["where"] == ["places", start, "exits", 0, "to"] and lost["fix"] == start
    refused = await served.http.post(f"/api/drafts/{copy['id']}/publish")
    assert refused.status_code == 400 and "places" in refused.json()["error"]


async def test_a_small_story_is_written_previewed_and_published(served: Served) -> None:
    draft = await begun(served, name="The Well")
    whole = await saved(served, draft, **WELL)
    assert whole["ok"], whole["findings"]
    (secret,) = whole["clues"]
    assert [way["by"] for way in secret["ways"]] == [
        "look at rope in The green",
        "ask Ada about well",
    ]
    assert secret["enough"] and secret["opens"] == ["the ending Dry"]
    assert [place["id"] for place in whole["map"]["places"]] == ["green", "well"]
    begin = await served.http.post("/api/drafts/the_well/preview", json={"place": "well"})
    campaign = begin.json()["campaign"]
    view = (await served.http.get(f"/api/campaigns/{campaign}")).json()
    assert view["draft"] == "the_well"
    table = (await served.http.get(f"/api/campaigns/{campaign}/table")).json()
    assert table["scene"]["name"] == "The well"
    shelf = (await served.http.get("/api/campaigns")).json()["campaigns"]
    assert [row["id"] for row in shelf] == ["a"]
    made = await served.http.post("/api/drafts/the_well/publish")
    assert made.status_code == 201, made.text
    assert made.json()["report"]["reach"]["endings"] == {"reachable": 1, "all": 1, "missing": []}
    names = [row["id"] for row in (await served.http.get("/api/scenarios")).json()["scenarios"]]
    assert "the_well" in names
    out = await served.http.get("/api/drafts/the_well/yaml")
    assert yaml.safe_load(out.text)["people"] == whole["scenario"]["people"]
    brought = await served.http.post("/api/drafts/file", files={"file": ("w.yaml", out.content)})
    again = brought.json()
    assert again["id"] == "the_well_2" and again["scenario"]["facts"] == whole["scenario"]["facts"]
    bad = await served.http.post("/api/drafts/file", files={"file": ("w.yaml", b"a: [1")})
    assert bad.status_code == 400 and "w.yaml" in bad.json()["error"]


async def test_corrections_are_seen_behind_the_screen_and_nowhere_else(served: Served) -> None:
    async with gathered(served) as company:
        player = await company.guest("Bo", role="spectator")
        master = await company.guest("Em", role="gm")
        screen = (await served.http.get("/api/campaigns/a/gm/screen")).json()
        secret = next(row for row in screen["facts"] if row["hidden"])
        clock = screen["clocks"][0]
        effect = f"clock: {{id: {clock['id']}, delta: 1}}"
        done = await master.ask("POST", "/gm", {"verb": "do", "text": effect, "why": "zanzibar"})
        assert done.status_code == 200, done.text
        seen = (await master.ask("GET", "/gm/screen")).json()
        assert seen["clocks"][0]["value"] == clock["value"] + 1
        assert seen["corrections"][0]["why"] == "zanzibar" and seen["undoes_correction"]
        assert (await player.ask("GET", "/gm/screen")).status_code == 403
        assert (await player.http.get("/api/drafts")).status_code == 403
        for path in ("", "/story", "/table", "/world", "/map", "/export?format=epub"):
            shown = await player.ask("GET", path)
            assert shown.status_code == 200
            assert b"zanzibar" not in shown.content
            assert secret["text"].encode() not in shown.content
        meant = {"correction": seen["corrections"][0]["id"]}
        assert (await master.ask("POST", "/undo", meant)).status_code == 200
        back = (await master.ask("GET", "/gm/screen")).json()
        assert back["clocks"][0]["value"] == clock["value"] and back["corrections"] == []
        late = await master.ask("POST", "/undo", meant)
        assert late.status_code == 409, "what came before it is not taken back instead"


async def test_a_played_story_is_a_well_formed_book(served: Served) -> None:
    await served.turn("look around")
    await served.turn("say <b>\x00 & goodbye</b>")
    out = await served.http.get("/api/campaigns/a/export?format=epub")
    with zipfile.ZipFile(io.BytesIO(out.content)) as book:
        first = book.infolist()[0]
        assert (first.filename, first.compress_type) == ("mimetype", zipfile.ZIP_STORED)
        assert book.read("mimetype") == b"application/epub+zip"
        pages = {n: ElementTree.fromstring(book.read(n)) for n in book.namelist() if "ml" in n[-5:]}
        package = ElementTree.fromstring(book.read("OEBPS/content.opf"))
        names = set(book.namelist())
    named = [item.get("href") for item in package.iter("{http://www.idpf.org/2007/opf}item")]
    assert {f"OEBPS/{name}" for name in named} <= names
    text = "".join(pages["OEBPS/chapter1.xhtml"].itertext())
    assert "look around" in text and "& goodbye" in text


WELL: dict[str, Any] = {
    "genre": "folk tale",
    "description": "A village well has run dry.",
    "opening": "The bucket comes up empty, and everybody looks at you.",
    "start": {"location": "green"},
    "entities": [
        {"id": "green", "type": "location", "name": "The green"},
        {"id": "well", "type": "location", "name": "The well"},
        {"id": "ada", "type": "npc", "name": "Ada", "attrs": {"location": "green", "known": True}},
    ],
    "facts": [
        {
            "id": "f_mill",
            "subject_id": "well",
            "predicate": "drained",
            "object": {"value": "mill", "text": "The new mill drinks the spring."},
            "visibility": "hidden",
        },
        {"id": "f_ada", "subject_id": "ada", "predicate": "at", "object": {"value": "green"}},
    ],
    "places": {
        "green": {
            "description": "Grass, a bench, a rope.",
            "exits": [{"to": "well"}],
            "details": [
                {"name": "rope", "text": "Its wet end is a week old.", "reveals": ["f_mill"]}
            ],
        },
        "well": {"description": "A dry shaft.", "exits": [{"to": "green"}]},
    },
    "people": {
        "ada": {
            "greeting": ['"You\'ll want water."'],
            "knows": [
                {
                    "id": "k_well",
                    "topics": ["well"],
                    "says": ['"Ask who grinds at night."'],
                    "reveals": ["f_mill"],
                }
            ],
        }
    },
    "endings": [
        {
            "id": "e_dry",
            "title": "Dry",
            "when": [{"known": "f_mill"}],
            "text": "You know whom to see at the mill.",
        }
    ],
}
