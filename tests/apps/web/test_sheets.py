"""Sheets over HTTP: look, keep, show, and what goes wrong."""

from tests.apps.web.serving import Served
from tests.assistant.sheet.examples import BRANNOC, brannoc, raw


async def test_a_sheet_is_looked_at_before_it_is_kept(served: Served) -> None:
    file = {"file": ("brannoc.json", BRANNOC.read_bytes())}
    looked = (await served.http.post("/api/characters/preview", files=file)).json()
    assert (looked["id"], looked["replaces"], looked["missing"]) == ("brannoc_vale", False, [])
    assert (await served.http.get("/api/characters")).json() == {"characters": []}
    kept = await served.http.post("/api/characters", files=file, data={"hash": looked["hash"]})
    assert (kept.status_code, kept.json()["id"]) == (201, "brannoc_vale")
    shown = (await served.http.get("/api/characters/brannoc_vale")).json()
    assert [p["value"] for p in shown["derived"]["skill:athletics"]["parts"]] == [4, 3]


async def test_a_second_import_shows_its_differences(served: Served) -> None:
    await served.http.post("/api/characters", files={"file": ("a.json", BRANNOC.read_bytes())})
    export = brannoc()
    export["data"]["inventory"] = [
        i for i in export["data"]["inventory"] if i["definition"]["name"] != "Shield"
    ]
    looked = (
        await served.http.post("/api/characters/preview", files={"file": ("a.json", raw(export))})
    ).json()
    told = {(c["what"], c["before"], c["after"]) for c in looked["changes"]}
    assert {("Armor Class", "20", "18"), ("item Shield", "yes", "")} <= told


async def test_another_file_than_the_one_looked_at_is_not_kept(served: Served) -> None:
    sent = {"file": ("a.json", BRANNOC.read_bytes())}
    answer = await served.http.post("/api/characters", files=sent, data={"hash": "sha256:other"})
    assert answer.status_code == 409
    assert (await served.http.get("/api/characters")).json() == {"characters": []}


async def test_a_section_comes_with_its_numbers(served: Served) -> None:
    await served.http.post("/api/characters", files={"file": ("a.json", BRANNOC.read_bytes())})
    part = (await served.http.get("/api/characters/brannoc_vale/sections/combat")).json()
    assert (part["section"], part["content"]["ac"]["value"]) == ("combat_info", 20)
    assert "armor_class" in part["derived"] and "skill:athletics" not in part["derived"]
    assert (
        await served.http.get("/api/characters/brannoc_vale/sections/sanity")
    ).status_code == 404


async def test_what_is_no_sheet_is_refused_in_a_sentence(served: Served) -> None:
    answer = await served.http.post(
        "/api/characters/preview", files={"file": ("../../x.json", b'{"data": [')}
    )
    assert answer.status_code == 400 and answer.json()["error"].startswith(
        "x.json:1: the JSON ends"
    )
    assert (await served.http.get("/api/characters/nobody")).status_code == 404


async def test_the_hero_of_a_campaign_is_shown_as_the_player_knows_it(served: Served) -> None:
    hero = (await served.http.get("/api/campaigns/a/character")).json()
    assert hero["system"] == "freeform" and hero["source"]["kind"] == "campaign"
    assert (await served.http.get("/api/campaigns/nowhere/character")).status_code == 404


async def test_a_removed_sheet_is_gone_from_the_list(served: Served) -> None:
    await served.http.post("/api/characters", files={"file": ("a.json", BRANNOC.read_bytes())})
    assert (await served.http.delete("/api/characters/brannoc_vale")).json() == {
        "id": "brannoc_vale"
    }
    assert (await served.http.get("/api/characters")).json() == {"characters": []}


async def test_import_finds_sheets_cards_rules_and_chats_by_content(served: Served) -> None:
    async def bring(name: str, content: bytes) -> dict[str, object]:
        answer = await served.http.post("/api/import", files={"file": (name, content)})
        assert answer.status_code == 201, answer.text
        return answer.json()  # type: ignore[no-any-return]

    sheet = await bring("whatever.bin", BRANNOC.read_bytes())
    assert (sheet["kind"], sheet["id"]) == ("character", "brannoc_vale")
    card = {
        "spec": "chara_card_v2",
        "data": {"name": "Ada", "description": "A smith.", "first_mes": "Well?"},
    }
    assert (await bring("ada.json", raw(card)))["kind"] == "card"
    row = {
        "index": "dazed",
        "name": "Dazed",
        "desc": ["- It blinks."],
        "url": "/api/2014/conditions/dazed",
    }
    rules = await bring("5e-SRD-Conditions.json", raw([row]))
    assert (rules["kind"], rules["id"]) == ("rulebook", "srd_5_1")
    chat = b'{"user_name":"A","character_name":"B","chat_metadata":{}}\n{"name":"B","mes":"Hello there."}\n'
    assert (await bring("B - talk.jsonl", chat))["kind"] == "chat"
    names = {row["id"] for row in (await served.http.get("/api/characters")).json()["characters"]}
    assert names == {"brannoc_vale", "ada"}
