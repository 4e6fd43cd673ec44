"""Packs, random tables and handouts on the game master's desk: kept at each change, checked, taken back, published; and the
same desk for another program's model."""

from typing import Any

from mcp import Client

from tests.apps.web.painter import SVG, png
from tests.apps.web.serving import Served

AT = "/api/pack-drafts"
TABLE = "name: What the tide leaves\nrows:\n  - a boot\n  - {text: a bell, weight: 2}\n"


async def kept(served: Served, draft: dict[str, Any], **texts: str | None) -> dict[str, Any]:
    """The pack with other texts; None takes one out."""
    named = {
        name.replace("__", "/").replace("_yaml", ".yaml"): text for name, text in texts.items()
    }
    whole = {**draft["texts"], **named}
    body = {"texts": {n: t for n, t in whole.items() if t is not None}, "version": draft["version"]}
    return dict(await served.post(f"{AT}/{draft['id']}", body))


async def test_a_pack_with_a_table_is_written_checked_taken_back_and_rolled_on(
    served: Served,
) -> None:
    first = await served.post(AT, {"name": "The Salt Road"})
    assert first["ok"] and "pack.yaml" in first["texts"]
    second = await kept(served, first, tables__tide_yaml=TABLE)
    assert second["ok"]
    broken = await kept(served, second, tables__tide_yaml="rows: 3", pack_yaml="id: [")
    assert not broken["ok"] and broken["texts"]["pack.yaml"] == "id: [", "kept as it is"
    refused = await served.http.post(f"{AT}/{first['id']}/publish")
    assert refused.status_code == 400 and "freeform-pack-" not in refused.text
    late = await served.http.post(
        f"{AT}/{first['id']}", json={"texts": second["texts"], "version": first["version"]}
    )
    assert late.status_code == 409 and "yours is kept" in late.json()["error"]
    back = await served.post(f"{AT}/{first['id']}/undo")
    assert back["texts"] == second["texts"] and back["redo"]
    shelved = await served.post(f"{AT}/{first['id']}/publish")
    changed = await kept(served, back, tables__tide_yaml=TABLE.replace("boot", "shoe"))
    again = await served.post(f"{AT}/{first['id']}/publish")
    assert shelved["pack"] == again["pack"] and shelved["version"] != again["version"]
    assert changed["ok"]
    for name in (
        "../out.md",
        "/etc/x.md",
        "a/../b.md",
        "run.sh",
        "x" * 500 + ".md",
        "é" * 150 + ".md",
    ):
        answer = await served.http.post(
            f"{AT}/{first['id']}", json={"texts": {name: "x"}, "version": changed["version"]}
        )
        assert answer.status_code == 400, name
    both = {"texts": {"a.md": "x", "a.md/b.md": "y"}, "version": changed["version"]}
    assert (await served.http.post(f"{AT}/{first['id']}", json=both)).status_code == 400
    held = changed
    for odd in ("released: 2024-02-30\n", f"more: {'[' * 5000}\n"):
        held = await kept(served, held, pack_yaml=odd + changed["texts"]["pack.yaml"])
        listed = await served.get(AT)
        assert first["id"] in {row["id"] for row in listed["drafts"]}
    copy = await served.post(AT, {"pack": "saltmarch"})
    assert copy["ok"] and any(name.startswith("npcs/") for name in copy["texts"])


async def test_a_picture_is_handed_out_and_whatever_is_none_is_refused(served: Served) -> None:
    await served.turn("I look around")
    here = "/api/campaigns/a/pictures"

    async def handed(content: bytes, name: str) -> Any:
        return await served.http.post(f"{here}/file", files={"file": (name, content)})

    made = await handed(png(3000, 500), "A chart <b>of</b> the bay.png")
    assert made.status_code == 201, made.text
    (turn,) = await served.story()
    assert [each["kind"] for each in turn["pictures"]] == ["handout"]
    assert turn["pictures"][0]["width"] == 1024
    wrong = [(SVG, "a.svg"), (SVG, "a.png"), (bytes(20_000_000), "big.png"), (b"", "none.png")]
    for content, name in wrong:
        answer = await handed(content, name)
        assert answer.status_code == 400 and "PNG, JPEG or WebP" in answer.json()["error"]
    assert len((await served.get(here))["pictures"]) == 1


async def test_another_programs_model_reads_proposes_and_publishes_drafts(
    served_whole: Served,
) -> None:
    async with Client(f"{served_whole.url}/mcp") as mcp:

        async def call(tool: str, **given: Any) -> Any:
            answer = await mcp.call_tool(tool, given)
            assert not answer.is_error, answer
            return answer.structured_content

        made = await call("begin_draft", scenario="first_night")
        scenario = {**made["scenario"], "opening": "The lamp is out."}
        told = await call(
            "propose_draft", draft=made["id"], scenario=scenario, version=made["version"]
        )
        assert told["ok"] and told["scenario"]["opening"] == "The lamp is out."
        late = await mcp.call_tool(
            "propose_draft",
            {"draft": made["id"], "scenario": scenario, "version": made["version"]},
        )
        assert late.is_error and "kept as version" in str(late.content)
        undone = await call("undo_draft", draft=made["id"])
        assert undone["scenario"]["opening"] != "The lamp is out."
        listed = await call("list_drafts")
        assert [row["id"] for row in listed["stories"]] == [made["id"]]
        published = await call("publish_draft", draft=made["id"])
        assert published["scenario"] == made["id"]
        pack = await call("begin_pack_draft", name="Reeds")
        texts = {**pack["texts"], "tables/reed.yaml": TABLE}
        kept_pack = await call(
            "propose_pack_draft", draft=pack["id"], texts=texts, version=pack["version"]
        )
        assert kept_pack["ok"]
        assert (await call("publish_pack_draft", draft=pack["id"]))["pack"] == "reeds"
