"""Reading a pack: what an author wrote, in our words, and what was wrong with it."""

import os
from pathlib import Path

import pytest
from pack_folders import MILL, entry, manifest, mill, write

from freeform.core.errors import BadFile
from freeform.packs.folder import files
from freeform.packs.folder.check import validate_pack
from freeform.packs.folder.load import find_name, list_packs, load_pack, parse_frontmatter
from freeform.packs.folder.once import each_text_once
from freeform.packs.model import TYPES, Findings


def said(path: Path) -> list[str]:
    result = validate_pack(path)
    return [str(problem) for problem in (*result.errors, *result.warnings)]


def test_a_text_that_was_read_before_is_not_read_again_and_a_changed_one_is(tmp_path: Path) -> None:
    path = mill(tmp_path)
    plain = load_pack(path)
    file = path / plain.entries[0].file_path
    with each_text_once():
        first, again = load_pack(path), load_pack(path)
        file.write_text(file.read_text("utf-8") + "\nIt burnt down.\n", "utf-8")
        changed = load_pack(path)
    assert first == again == plain
    assert first.entries[0].sections is again.entries[0].sections
    assert "It burnt down." in changed.entries[0].sections[-1].text
    assert changed.entries[1:] == plain.entries[1:]


def test_an_entry_has_full_ids_inside_and_its_sections_with_paths_and_lines(tmp_path: Path) -> None:
    pack = load_pack(mill(tmp_path))
    place = pack.entry("old_mill")
    assert place is not None
    assert (place.id, place.name, place.type, place.tags) == (
        "mill:old_mill",
        "The Old Mill",
        "location",
        ["ruin"],
    )
    assert place.related_entities == ["mill:miller"]
    assert [(s.path, s.level, s.gm_only) for s in place.sections] == [
        ("The Old Mill", 1, False),
        ("The Old Mill > Atmosphere", 2, False),
        ("The Old Mill > History", 2, False),
        ("The Old Mill > History > The dam", 3, False),
        ("The Old Mill > GM: The truth", 2, True),
    ]
    assert MILL.split("\n")[place.sections[2].line - 1] == "## History"
    assert pack.errors == [] and pack.warnings == []


def test_a_pack_without_fault_passes_with_no_word(tmp_path: Path) -> None:
    assert said(mill(tmp_path)) == []


@pytest.mark.parametrize("kind", TYPES)
def test_all_eight_types_are_read(kind: str, tmp_path: Path) -> None:
    pack = load_pack(mill(tmp_path, things__x_md=entry("x", kind)))
    assert pack.entry("x").type == kind  # type: ignore[union-attr]


def test_unknown_fields_of_an_author_are_kept(tmp_path: Path) -> None:
    head = "district: undercity\nopens: 18:30\nfounded: 2087-04-01\nextra: {mood: {dark: true}}\n"
    found = load_pack(mill(tmp_path, locations__x_md=entry("x", head=head))).entry("x")
    assert found is not None
    assert found.extra == {
        "district": "undercity",
        "opens": "18:30",
        "founded": "2087-04-01",
        "mood": {"dark": True},
    }


def test_frontmatter_of_other_people_is_read_with_a_warning_for_each_difference(
    tmp_path: Path,
) -> None:
    text = (
        "---\nentity_id: Old Tower\ntitle: The Tower\ncategory: Places\ntags: ruin, tall\n"
        "entity_refs: [miller]\nfactions: miller\n---\nA tower.\n"
    )
    path = mill(tmp_path, locations__tower_md=text)
    tower = load_pack(path).entry("old_tower")
    assert tower is not None
    assert (tower.name, tower.type, tower.tags) == ("The Tower", "location", ["ruin", "tall"])
    assert tower.related_entities == tower.related_factions == ["mill:miller"]
    warned = "\n".join(str(problem) for problem in validate_pack(path).warnings)
    for line, words in enumerate(
        [
            "`entity_id` is read as `id`",
            "`title` is read as `name`",
            "`Places` is read as `location`",
        ],
        start=2,
    ):
        assert f"locations/tower.md:{line}: " in warned and words in warned
    assert "`tags` is a list" in warned and "`old_tower`" in warned and "related_entities" in warned
    assert validate_pack(path).ok


def test_a_manifest_of_other_people_is_read_with_a_warning(tmp_path: Path) -> None:
    text = "pack_id: mill\ntitle: Mill\nversion: 1.10\nlayer: setting\nlicence: CC-BY-4.0\ndependencies: [core >=1.0]\n"
    path = mill(tmp_path)
    write(path, {"pack.yaml": text})
    read = load_pack(path).manifest
    assert (read.id, read.version, read.license and read.license.type) == ("mill", "1.10", "cc-by")
    assert [(need.id, need.version) for need in read.depends_on] == [("core", ">=1.0")]
    assert "`dependencies` is read as `depends_on`" in "\n".join(said(path))


def test_a_file_without_frontmatter_takes_type_and_id_from_its_place(tmp_path: Path) -> None:
    path = mill(tmp_path, npcs__sly_fox_md="# Reynard\n\nA fox.\n", README_md="About this pack.")
    found = load_pack(path).entry("sly_fox")
    assert found is not None and (found.name, found.type) == ("Reynard", "npc")
    assert len(load_pack(path).entries) == 3, "a README is no entry"
    assert any("npcs/sly_fox.md:1: no frontmatter" in problem for problem in said(path))


def test_words_that_yaml_takes_for_other_things_stay_words(tmp_path: Path) -> None:
    found = load_pack(
        mill(tmp_path, items__x_md=entry("no", "item", "tags: [yes, 010, on, 1e3]\n"))
    ).entry("no")
    assert found is not None and found.tags == ["yes", "010", "on", "1e3"]


def test_headings_inside_code_are_text(tmp_path: Path) -> None:
    body = "Before.\n\n```sh\n# not a heading\n```\n\n## Real #\n\nAfter.\n"
    found = load_pack(mill(tmp_path, items__x_md=entry("x", "item", body=body))).entry("x")
    assert found is not None and [s.heading for s in found.sections] == ["X", "Real"]


@pytest.mark.parametrize(
    ("head", "body", "hidden"),
    [
        ("gm_only: true\n", "a\n\n## B\n\nc", ["X", "B"]),
        ("gm_only: [b]\n", "a\n\n## B\n\nc\n\n### D\n\ne\n\n## F\n\ng", ["B", "D"]),
        ("", "a\n\n## GM notes\n\nc\n\n## Plot (GM only)\n\ne\n\n## Secrets\n\ng", ["GM notes", "Plot (GM only)", "Secrets"]),
        ("", "a\n\n## Gmail\n\nc\n\n## Withholds\n\ne\n\n## The GM's tavern\n\ng", ["Withholds"]),
    ],
)  # fmt: skip
def test_sections_are_kept_for_the_game_master(
    head: str, body: str, hidden: list[str], tmp_path: Path
) -> None:
    found = load_pack(mill(tmp_path, items__x_md=entry("x", "item", head, body))).entry("x")
    assert found is not None and [s.heading for s in found.sections if s.gm_only] == hidden


def test_the_packs_of_a_folder_are_listed_and_the_broken_one_passed_over(tmp_path: Path) -> None:
    mill(tmp_path)
    write(
        tmp_path, {"other/pack.yaml": manifest("other"), "bad/pack.yaml": "id: [", "none/x.md": "x"}
    )
    assert [pack.id for pack in list_packs(tmp_path)] == ["mill", "other"]
    assert list_packs(tmp_path / "nowhere") == []


def test_parse_frontmatter_gives_metadata_content_and_the_line_of_a_mistake(tmp_path: Path) -> None:
    write(
        tmp_path,
        {"good.md": entry("x", head="tags: [a]\n"), "bad.md": "---\nid: x\ntags: [a\n---\nBody.\n"},
    )
    front = parse_frontmatter(tmp_path / "good.md")
    assert front.metadata == {"id": "x", "type": "location", "tags": ["a"]}
    assert front.content.strip().startswith("# X")
    with pytest.raises(BadFile, match=r"bad\.md:\d: the YAML does not read.*quotes"):
        parse_frontmatter(tmp_path / "bad.md")


# Bad input: the file and the fix named, the rest of the pack usable.


def still_usable(path: Path, *words: str) -> None:
    pack = load_pack(path)
    assert {"mill:old_mill", "mill:miller"} <= {e.id for e in pack.entries}
    result = validate_pack(path)
    assert not result.ok
    assert any(all(word in str(problem) for word in words) for problem in result.errors), (
        result.errors
    )


def test_broken_yaml(tmp_path: Path) -> None:
    path = mill(tmp_path, npcs__x_md="---\nid: x\nname: a: b\n---\nText.\n")
    still_usable(path, "npcs/x.md:3", "quotes")


def test_frontmatter_that_never_ends(tmp_path: Path) -> None:
    still_usable(mill(tmp_path, npcs__x_md="---\nid: x\n\n# X\n"), "npcs/x.md:1", "close it")


def test_a_doubled_key(tmp_path: Path) -> None:
    still_usable(
        mill(tmp_path, npcs__x_md="---\nid: x\ntype: npc\nid: y\n---\nText.\n"),
        "npcs/x.md:4",
        "twice",
    )


def test_a_bomb_of_aliases_is_refused(tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\n" + "".join(
        f"b{n}: &b{n} [*{'a' if n == 0 else f'b{n - 1}'}, {'*a, ' * 8}x]\n" for n in range(30)
    )
    still_usable(mill(tmp_path, npcs__x_md=f"---\n{bomb}---\nText.\n"), "npcs/x.md", "aliases")


@pytest.mark.parametrize(
    "deep", ["a: " + "[" * 90_000, "- " * 50_000 + "x", "a: &a [*a]", "? " * 30_000 + "x"]
)
def test_yaml_that_nests_without_end_is_refused(deep: str, tmp_path: Path) -> None:
    still_usable(mill(tmp_path, npcs__x_md=f"---\n{deep}\n---\nText.\n"), "npcs/x.md:2")


@pytest.mark.parametrize(
    "tag", ["!!python/object/apply:os.system ['touch pwned']", "!!binary aGk=", "!evil x"]
)
def test_a_tag_is_never_executed(tag: str, tmp_path: Path) -> None:
    still_usable(
        mill(tmp_path, npcs__x_md=f"---\nid: x\ntype: npc\nmore: {tag}\n---\nText.\n"),
        "plain data only",
    )
    assert not Path("pwned").exists()


def test_two_files_with_one_id(tmp_path: Path) -> None:
    path = mill(tmp_path, npcs__z_md=entry("miller", "npc"))
    still_usable(path, "npcs/z.md:2", "`miller` is taken by npcs/miller.md")


def test_a_link_out_of_the_pack_is_not_followed(tmp_path: Path) -> None:
    path = mill(tmp_path)
    write(tmp_path, {"secret.md": entry("secret"), "outside/deep.md": entry("deep")})
    (path / "npcs" / "secret.md").symlink_to(tmp_path / "secret.md")
    (path / "elsewhere").symlink_to(tmp_path / "outside")
    (path / "npcs" / "loop.md").symlink_to(path / "npcs" / "loop.md")
    still_usable(path, "npcs/secret.md", "leaves the pack's folder")
    still_usable(path, "elsewhere", "leaves the pack's folder")
    still_usable(path, "npcs/loop.md", "link to nothing")
    assert len(load_pack(path).entries) == 2


def test_a_manifest_that_is_a_link_out_is_refused_whole(tmp_path: Path) -> None:
    path = mill(tmp_path)
    (path / "pack.yaml").rename(tmp_path / "outside.yaml")
    (path / "pack.yaml").symlink_to(tmp_path / "outside.yaml")
    with pytest.raises(BadFile, match="leaves the pack's folder"):
        load_pack(path)


def test_links_in_prose_that_leave_the_pack_are_named(tmp_path: Path) -> None:
    body = "See [this](../../etc/passwd), [that](file:///etc/passwd), [web](https://example.org), [ok](../npcs/miller.md)."
    path = mill(tmp_path, items__x_md=entry("x", "item", body=body))
    errors = validate_pack(path).errors
    assert len(errors) == 2 and all(
        "leaves the pack's folder" in e.message and e.line == 8 for e in errors
    )


def test_a_markdown_file_of_fifty_megabytes(tmp_path: Path) -> None:
    path = mill(tmp_path)
    with (path / "npcs" / "huge.md").open("wb") as out:
        out.truncate(50 * 1024 * 1024)
    still_usable(path, "npcs/huge.md", "50 MB", "split it")


def test_a_binary_file_with_a_markdown_name(tmp_path: Path) -> None:
    still_usable(
        mill(tmp_path, npcs__x_md=b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff"), "npcs/x.md", "binary"
    )


@pytest.mark.parametrize(
    ("encoding", "line", "words"),
    [("cp1252", ":8", "Windows-1252"), ("utf-16", "", "UTF-16")],
)
def test_a_wrong_encoding_is_named_with_the_fix(
    encoding: str, line: str, words: str, tmp_path: Path
) -> None:
    text = entry("x", "npc", body="A “clever” café.").encode(encoding)
    still_usable(mill(tmp_path, npcs__x_md=text), f"npcs/x.md{line}", words, "save it as UTF-8")


def test_a_byte_order_mark_and_windows_line_ends_do_no_harm(tmp_path: Path) -> None:
    text = b"\xef\xbb\xbf" + entry("x", "npc").replace("\n", "\r\n").encode()
    path = mill(tmp_path, npcs__x_md=text)
    assert load_pack(path).entry("x") is not None and said(path) == []


def test_a_file_that_is_no_file(tmp_path: Path) -> None:
    path = mill(tmp_path)
    os.mkfifo(path / "npcs" / "pipe.md")
    still_usable(path, "npcs/pipe.md", "not a regular file")


def test_a_file_removed_while_the_pack_is_read(tmp_path: Path) -> None:
    from freeform.packs.folder.files import Unreadable, list_files, read_bytes
    from freeform.packs.model import Findings

    path = mill(tmp_path, npcs__x_md=entry("x", "npc"))
    gone = next(file for file in list_files(path, Findings()) if file.name == "npcs/x.md")
    gone.path.unlink()
    with pytest.raises(Unreadable, match="vanished while it was being read; put it back"):
        read_bytes(gone.path)
    (path / "npcs" / "x.md").symlink_to(path / "npcs" / "was_here.md")
    still_usable(path, "npcs/x.md", "remove it")


def test_an_id_of_another_pack(tmp_path: Path) -> None:
    path = mill(tmp_path, npcs__x_md=entry("core:hero", "npc"))
    still_usable(path, "npcs/x.md:2", "`extends: core:hero`")


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    path = mill(tmp_path)
    with open(os.fsencode(path) + b"/npcs/caf\xe9.md", "wb") as out:
        out.write(entry("cafe").encode())
    still_usable(path, "rename it")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("id: [", "pack.yaml:"),
        ("- a\n- b\n", "key: value"),
        ("id: ../../etc\nversion: 1.0.0\n", "write `id: etc`"),
        ("id: mill\nversion: soon\n", "write it like 1.2.0"),
        (
            "id: mill\nversion: 1.0.0\nlayer: cellar\n",
            "core, setting, regional, adventure, homebrew",
        ),
        (
            "id: mill\nversion: 1.0.0\nlayer: core\ndepends_on: [{id: x, version: new}]\n",
            "not a version range",
        ),
        (b"\xff\xfei\0d\0", "UTF-16"),
    ],
)
def test_a_manifest_that_does_not_read_stops_the_pack(
    text: str | bytes, words: str, tmp_path: Path
) -> None:
    path = mill(tmp_path)
    write(path, {"pack.yaml": text})
    with pytest.raises(BadFile) as wrong:
        load_pack(path)
    assert words in str(wrong.value)
    result = validate_pack(path)
    assert not result.ok and result.errors[0].file == "pack.yaml"


def test_no_manifest_and_no_folder_say_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="pack import"):
        load_pack(tmp_path)
    with pytest.raises(BadFile, match="no such folder"):
        load_pack(tmp_path / "nowhere")


def test_a_pack_may_hold_as_many_files_as_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_FILES", 2)
    for name in ("a.md", "b.md", ".hidden"):
        (tmp_path / name).write_text("# A", encoding="utf-8")
    found = Findings()
    assert [each.name for each in files.list_files(tmp_path, found)] == ["a.md", "b.md"]
    assert not found.errors
    (tmp_path / "c.md").write_text("# C", encoding="utf-8")
    files.list_files(tmp_path, found)
    assert "more than 2 files" in str(found.errors)


def test_a_reference_may_be_an_id_a_name_or_a_name_as_people_write_it() -> None:
    names = {"old_mill": "p:old_mill", "the miller": "p:miller", "…": "p:dots"}
    for ref, meant in {
        "old_mill": "p:old_mill",
        "The Miller": "p:miller",
        "Old Mill!": "p:old_mill",
        "…": "p:dots",
        "mill": None,
    }.items():
        assert find_name(ref, names) == meant
