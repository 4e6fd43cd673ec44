"""One importer: whatever comes in, by whichever door, is the same thing with the same counts."""

import io
import json
import stat
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from freeform.packs.formats.card import Card, to_png
from tests.assistant.sheet.examples import BRANNOC
from tests.packs.test_card import DOCUMENT, picture
from tests.services.doors import Doors, Refused, begun, opened, refused_alike


@pytest.fixture
async def doors(tmp_path: Path) -> AsyncIterator[Doors]:
    async with opened(tmp_path) as made:
        await begun(made)
        yield made


def zipped(files: dict[str, str | bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as zip:
        for name, content in files.items():
            zip.writestr(name, content)
    return out.getvalue()


def with_link() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zip:
        link = zipfile.ZipInfo("notes/passwd.md")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        zip.writestr(link, "/etc/passwd")
    return out.getvalue()


VAULT = {"Marsh.md": "# The Marsh\n\nReeds, and a light.\n", "people/Orla.md": "# Orla\n\nWaits.\n"}
PACK = {
    "hill/pack.yaml": "id: hill\nname: Hill\nversion: 1.0.0\nlayer: homebrew\n",
    "hill/locations/top.md": "# The Top\n\nWind, and a cairn.\n",
}
LOREBOOK = {
    "name": "Marsh",
    "entries": [{"keys": ["mill"], "comment": "The Old Mill", "content": "It turns at night."}],
}
SRD = [
    {
        "index": "dazed",
        "name": "Dazed",
        "desc": ["- It blinks."],
        "url": "/api/2014/conditions/dazed",
    }
]
CHAT = (
    '{"user_name":"Ann","character_name":"Sera","chat_metadata":{}}\n'
    '{"name":"Sera","is_user":false,"send_date":"March 1, 2026 10:01am","mes":"Welcome, Ann."}\n'
)
GOOD: dict[str, tuple[str, bytes]] = {
    "notes.zip": ("vault", zipped(dict(VAULT))),
    "in a folder.zip": ("vault", zipped({f"coast/{name}": text for name, text in VAULT.items()})),
    "hill.zip": ("pack", zipped(dict(PACK))),
    "marsh.json": ("lorebook", json.dumps(LOREBOOK).encode()),
    "nell.png": ("card", to_png(Card(DOCUMENT, picture()))),
    "nell2.json": ("card", json.dumps(DOCUMENT).replace("Nell", "Nelly").encode()),
    "brannoc.json": ("character", BRANNOC.read_bytes()),
    "5e-SRD-Conditions.json": ("rulebook", json.dumps(SRD).encode()),
    "Sera - talk.jsonl": ("chat", CHAT.encode()),
}


def known(done: Any) -> tuple[str, str, dict[str, int]]:
    """What all doors say of something brought in."""
    assert not isinstance(done, Refused), done
    return done["kind"], done.get("id") or done["campaign"], done["counts"]


async def test_every_kind_of_file_is_the_same_thing_by_both_doors(doors: Doors) -> None:
    for name, (kind, content) in GOOD.items():
        by_command = known(await doors.cli.bring(name, content))
        by_web = known(await doors.http.bring(name, content))
        assert by_command == by_web and by_command[0] == kind, name
        assert by_command[2], name
    shelves = [await doors.cli("pack", "list"), await doors.http("GET", "/api/packs")]
    rows = [[(row["id"], row["name"], row["chunks"]) for row in each["packs"]] for each in shelves]
    assert rows[0] == rows[1]
    sheets = [await doors.cli("character", "list"), await doors.http("GET", "/api/characters")]
    names = [[row["id"] for row in each["characters"]] for each in sheets]
    assert names[0] == names[1] == ["brannoc_vale", "nell", "nelly"]


async def test_a_campaign_goes_out_by_one_door_and_comes_in_by_the_other(doors: Doors) -> None:
    await doors.cli("turn", "a", "look around")
    await doors.http.played("turns", {"text": "look around"})
    for format in ("zip", "jsonl"):
        await doors.cli("export", "a", f"out.{format}", "--format", format)
        by_command = (doors.cli.home.path / f"out.{format}").read_bytes()
        by_web = await doors.http("GET", f"/api/campaigns/a/export?format={format}")
        name, file = f"b-{format}", f"a.{format}"
        brought = [
            known(await doors.cli.bring(file, by_web, "--campaign", name)),
            known(await doors.http.bring(file, by_command, campaign=name)),
        ]
        assert brought[0] == brought[1]
        assert brought[0][:2] == ("campaign", name) and brought[0][2]["turns"] == 1
        state = await doors.cli("state", name)
        assert {**state, "campaign": "a"} == await doors.cli("state", "a")
    notes = await doors.http("GET", "/api/campaigns/a/export?format=obsidian")
    assert known(await doors.cli.bring("story.zip", notes)) == known(
        await doors.http.bring("story.zip", notes)
    )


async def test_a_campaign_is_never_overwritten_by_either_door(doors: Doors) -> None:
    await doors.cli("export", "a", "a.zip")
    content = (doors.cli.home.path / "a.zip").read_bytes()
    sentence = refused_alike(
        [await doors.cli("import", "a.zip"), await doors.http.bring("a.zip", content)]
    )
    assert "there is a campaign 'a' already" in sentence


def bad_files() -> dict[str, tuple[str, bytes, str]]:
    """By what is wrong: name, content, and words of the refusal. Made when wanted: one has 20,001 files."""
    return {
        "a bomb": ("bomb.zip", zipped({"big.md": b"0" * 30_000_000}), "unpacks to more"),
        "a way out": ("out.zip", zipped({"../../evil.md": b"# Evil"}), "leads out of its folder"),
        "another way out": (
            "out.zip",
            zipped({"C:\\evil.md": b"# Evil"}),
            "leads out of its folder",
        ),
        "a way from the top": (
            "out.zip",
            zipped({"/evil.md": b"# Evil"}),
            "leads out of its folder",
        ),
        "a link": ("link.zip", with_link(), "holds a link"),
        "many files": ("many.zip", zipped({f"{n}.md": b"" for n in range(20_001)}), "20,001 files"),
        "an empty archive": ("empty.zip", b"PK\x05\x06" + b"\0" * 18, "no Markdown"),
        "an archive cut short": ("cut.zip", zipped(dict(VAULT))[:-40], "nothing we read"),
        "a campaign with something in it": (
            "a.zip",
            zipped({"manifest.json": b"{}", "log.jsonl": b"", "table.db": b"", "evil.txt": b"x"}),
            "was not made by",
        ),
        "a campaign that does not read": (
            "a.zip",
            zipped({"manifest.json": b"{}", "log.jsonl": b"", "table.db": b""}),
            "does not read",
        ),
        "a log that breaks": (
            "a.jsonl",
            b'{"entry": {"kind": "begun"}}\n',
            "is no entry of a campaign's log",
        ),
        "another program's JSON": ("odd.json", b'{"some": "other program"}', "nothing we read"),
        "JSON cut short": ("odd.json", b'{"a": ', "ends in the middle"),
        "bytes": ("x.bin", b"\x00\x01\x02", "nothing we read"),
        "nothing": ("x.txt", b"", "nothing we read"),
        "a damaged card": ("card.png", b"\x89PNG\r\n\x1a\n\0\0", "middle of a chunk"),
    }


async def test_what_cannot_come_in_is_refused_alike_and_leaves_nothing(doors: Doors) -> None:
    homes = [doors.cli.home.path, doors.http.served.room.settings.home]
    before = [await doors.cli("pack", "list"), await doors.http("GET", "/api/packs")]
    for case, (name, content, says) in bad_files().items():
        answers = [
            await doors.cli.bring(name, content, "--campaign", "z"),
            await doors.http.bring(name, content, campaign="z"),
        ]
        sentence = refused_alike(answers)
        assert says in sentence, (case, sentence)
        assert "freeform-" not in sentence.replace("freeform-rpg", ""), "a folder of ours is named"
    assert [await doors.cli("pack", "list"), await doors.http("GET", "/api/packs")] == before
    assert [list(home.rglob("evil*")) for home in homes] == [[], []]
    missing = await doors.cli("import", "missing.zip")
    assert "missing.zip: there is no such file" in missing.sentence
