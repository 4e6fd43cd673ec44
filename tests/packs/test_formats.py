"""Lorebooks and vaults become packs; nothing of theirs is lost without a word."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from pack_folders import mill, write

from freeform.core.errors import BadFile, UserError
from freeform.packs.folder.load import load_pack
from freeform.packs.shelf import PackShelf
from freeform.packs.verbs import (
    pack_import,
    pack_info,
    pack_list,
    pack_new,
    pack_validate,
)

ROOT = Path(__file__).parents[2]


def shared(name: str) -> Path:
    path = Path(os.environ.get("FREEFORM_DATA", ROOT.parent / "shared" / "data")) / name
    if not path.exists():
        if os.environ.get("REQUIRE_ALL") == "1":
            pytest.fail(f"the test data {name} is missing")
        pytest.skip(f"the test data {name} is not here")
    return path


def lorebook(path: Path, entries: Any, **more: Any) -> Path:
    path.write_text(json.dumps({"entries": entries, **more}), encoding="utf-8")
    return path


ROW = {
    "uid": 3, "key": ["Duke Aldo", "the duke"], "keysecondary": ["court"], "comment": "Aldo", "order": 100,
    "content": "Rules the city.", "probability": 50, "extensions": {"depth": 4},
}  # fmt: skip


def test_a_lorebook_becomes_a_pack_and_its_own_fields_survive(tmp_path: Path) -> None:
    done = pack_import(lorebook(tmp_path / "court.json", {"0": ROW}), tmp_path / "out")
    assert (done.kind, done.id, sum(done.counts.values())) == ("lorebook", "court", 1)
    (aldo,) = load_pack(Path(done.path)).entries
    assert (aldo.name, aldo.aliases, aldo.tags) == ("Aldo", ["Duke Aldo", "the duke"], ["court"])
    assert aldo.sections[0].text == "Rules the city."
    kept = {key: value for key, value in ROW.items() if key != "content"}
    assert aldo.extra == {"lorebook": kept}
    assert pack_validate(Path(done.path)).ok and pack_validate(Path(done.path)).warnings == []


@pytest.mark.parametrize("wrap", [
    lambda book: book,
    lambda book: {"spec": "chara_card_v2", "data": {"name": "A", "character_book": book}},
    lambda book: {"spec": "lorebook_v3", "data": book},
])  # fmt: skip
def test_a_characters_book_is_read_wherever_it_sits(wrap: Any, tmp_path: Path) -> None:
    rows = [
        {
            "keys": ["lake"],
            "content": "Bitter water.",
            "enabled": True,
            "insertion_order": 1,
            "extensions": {},
        },
        {"keys": ["/regex/i"], "name": "Off", "content": "Not yet.", "enabled": False},
        {"keys": [], "content": ""},
    ]
    path = tmp_path / "book.json"
    path.write_text(json.dumps(wrap({"name": "Waters", "entries": rows, "scan_depth": 5})))
    done = pack_import(path, tmp_path / "out")
    pack = load_pack(Path(done.path))
    assert pack.manifest.name == "Waters" and pack.manifest.extra == {"lorebook": {"scan_depth": 5}}
    lake, off = sorted(pack.entries, key=lambda e: e.name)
    assert (lake.name, lake.type, lake.gm_only) == ("Lake", "location", False)
    assert off.gm_only and off.aliases == [] and off.extra["lorebook"]["keys"] == ["/regex/i"]
    said = " ".join(map(str, done.warnings))
    assert "entry 3: has no text" in said and "switched off" in said


def test_the_world_info_of_a_real_program_is_read(tmp_path: Path) -> None:
    source = shared("cards/eldoria_world_info.json")
    done = pack_import(source, tmp_path)
    pack = load_pack(Path(done.path))
    rows = list(json.loads(source.read_text())["entries"].values())
    assert len(pack.entries) == len(rows) and done.errors == []
    by_uid = {entry.extra["lorebook"]["uid"]: entry for entry in pack.entries}
    for row in rows:
        entry = by_uid[row["uid"]]
        assert entry.extra["lorebook"] == {
            key: value for key, value in row.items() if key != "content"
        }
        assert row["content"].split("\n")[0].strip() in "\n".join(
            section.text for section in entry.sections
        )
    assert pack_validate(Path(done.path)).errors == []


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{half", "neither a lorebook"),
        ('{"entries": []}', "neither a lorebook"),
        ('{"entries": {"0": 5}}', "neither a lorebook"),
        ("[" * 100_000, "neither a lorebook"),
        (b"\xff\xfe\x00", "neither a lorebook"),
    ],
)
def test_what_is_no_lorebook_is_refused_plainly(
    content: str | bytes, words: str, tmp_path: Path
) -> None:
    write(tmp_path, {"x.json": content})
    with pytest.raises(BadFile, match=words):
        pack_import(tmp_path / "x.json", tmp_path / "out")
    with pytest.raises(BadFile, match="check the path"):
        pack_import(tmp_path / "nothing", tmp_path / "out")


def test_a_strange_lorebook_does_no_harm(tmp_path: Path) -> None:
    deep: Any = "x"
    for _ in range(60):
        deep = [deep]
    row = {
        "content": "Half \ud800 a character.",
        "comment": "../../x\n# y",
        "key": "a, b",
        "deep": deep,
        "big": "x" * 99_999,
    }
    done = pack_import(lorebook(tmp_path / "b.json", [row, row]), tmp_path / "out")
    first, second = load_pack(Path(done.path)).entries
    assert {first.file_path, second.file_path} == {"culture/x_y.md", "culture/x_y_2.md"}
    assert first.name == "../../x # y" and json.loads(first.extra["lorebook"]["deep"]) == deep
    assert any("`big` is too large" in str(problem) for problem in done.warnings)


VAULT: dict[str, str | bytes] = {
    "People/Duke Aldo.md": "---\naliases: [the duke]\ntags: [court]\n---\nRules [[The City|his city]]. #tyrant\n\nHates [[Nobody Known]].\n",
    "People/Mira.md": "Her Name\n========\n\nKnows [[People/Duke Aldo.md]] and [[the duke#Court|him]].\n\nPast\n----\n\nLong.\n",
    "02 Places/The City.md": "# City of Salt\n\n![[map.png]] Home of [[Mira]].\n\n## Secrets\n\nA tunnel.\n",
    "Loose.md": "Just a thought.",
    "Old/café.md": "Un café.".encode("cp1252"),
    "Old/wide.md": "Wide.".encode("utf-16"),
    "Empty.md": "",
    "Broken.md": "---\na: b: c\n---\nText.",
    "map.png": b"\x89PNG\0",
    ".obsidian/app.json": "{}",
}  # fmt: skip


def test_a_vault_becomes_a_pack_with_types_names_links_and_warnings(tmp_path: Path) -> None:
    done = pack_import(write(tmp_path / "My Vault", VAULT), tmp_path / "out")
    pack = load_pack(Path(done.path))
    assert (done.kind, done.id, pack.manifest.name) == ("vault", "my_vault", "My Vault")
    duke, mira, city = (pack.entry(i) for i in ("duke_aldo", "mira", "the_city"))
    assert duke and mira and city
    assert (duke.name, duke.type, duke.aliases, duke.tags) == (
        "Duke Aldo",
        "npc",
        ["the duke"],
        ["court", "tyrant"],
    )
    assert duke.related_locations == ["my_vault:the_city"]
    text = "\n".join(section.text for section in duke.sections)
    assert "Rules [[the_city|his city]]." in text and "Hates Nobody Known." in text
    assert (mira.name, [s.heading for s in mira.sections]) == ("Her Name", ["Her Name", "Past"])
    assert (
        "[[duke_aldo|Duke Aldo]]" in mira.sections[0].text
        and "[[duke_aldo#Court|him]]" in mira.sections[0].text
    )
    assert (city.name, city.type, city.aliases) == ("City of Salt", "location", ["The City"])
    assert city.sections[-1].gm_only and pack.entry("cafe").sections[0].text == "Un café."  # type: ignore[union-attr]
    assert pack.entry("loose").type == "culture"  # type: ignore[union-attr]
    said = "\n".join(map(str, done.warnings))
    for words in (
        "People/Duke Aldo.md:7: `[[Nobody Known]]` leads to no note",
        "People/Mira.md:1: `npc` is guessed from the folder",
        "Loose.md:1: filed under culture",
        "Old/café.md: read as Windows-1252",
        "Old/wide.md: read as UTF-16",
        "Empty.md:1: the note is empty",
        "Broken.md:2: the YAML does not read",
        "1 files that are not Markdown",
    ):
        assert words in said, said
    result = pack_validate(Path(done.path))
    assert result.ok and result.warnings == [], "a pack made from a vault is a clean one"


def test_a_pack_or_an_empty_folder_is_not_imported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="is a pack already; run: pack install"):
        pack_import(mill(tmp_path), tmp_path / "out")
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadFile, match="no Markdown note"):
        pack_import(tmp_path / "empty", tmp_path / "out")


def test_the_verbs_return_what_the_contract_promises(tmp_path: Path) -> None:
    shelf = PackShelf(tmp_path / "home")
    made = pack_new(tmp_path, "demo")
    assert made.files == ["pack.yaml", "locations/old_mill.md", "npcs/the_miller.md"]
    done = shelf.install(Path(made.path))
    (row,) = pack_list(shelf).packs
    assert set(row.model_dump()) >= {
        "id",
        "name",
        "version",
        "layer",
        "genre",
        "license",
        "entries",
        "chunks",
    }
    assert (row.id, row.entries, done.entries) == ("demo", 2, 2)
    info = pack_info(shelf, "demo")
    assert info.packs == [row] and info.counts == {"location": 1, "npc": 1}
    assert [each.id for each in info.contents] == ["demo:old_mill", "demo:the_miller"]
    assert set(pack_validate(Path(made.path)).model_dump()) == {"ok", "errors", "warnings"}
    assert shelf.remove("demo").versions == ["0.1.0"] and pack_list(shelf).packs == []
